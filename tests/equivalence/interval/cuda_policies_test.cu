#include <gtest/gtest.h>

#include <random>

#include "core/magnitude.hpp"
#include "equivalence/interval/backend_calls.hpp"
#include "interval/triangulation/launch_search.cuh"
#include "tiles/gpu/workspace.cuh"
#include "warpfold/run/devices.hpp"

/// The tiled solver and the search of the structure with each of their policies, independent of the device's.
namespace warpfold::interval {
namespace {

using warpfold::cuda::Buffer;
using warpfold::cuda::check;

/// One polygon on the device, with what its kernels need.
template <class Arith>
class OnDevice {
 public:
  using T = typename Arith::Value;

  explicit OnDevice(const Triangulation<T>& problem)
      : n_(problem.vertices()),
        infinite_(infinite_from(problem.largest_total())),
        weights_(std::span<const T>(problem.matrix()->data, n_ * n_)),
        table_(table_size(n_, device::tile_side)),
        workspace_(tiles::one_table(n_), table_.data()),
        nodes_(n_ - 2),
        intervals_(3 * (n_ - 2)),
        splits_(n_ - 2),
        search_counts_(1),
        first_nodes_(std::array{std::size_t{0}}) {}

  using Rules = device::TriangulationRules<Arith, device::MatrixWeights<T>>;

  /// By the kernel of `By`: Rules or ByTeams<Rules>.
  template <int Depth, class By = Rules>
  void fill() {
    poison(table_);
    workspace_.clear(nullptr);
    const By rules{Rules{{weights_.data(), n_}, infinite_}};
    device::launch_kernel<By, Depth>(
        workspace_, [&](unsigned) { return rules; }, nullptr);
  }

  [[nodiscard]] std::vector<Triangle> structure(const SearchPolicy& policy) const {
    poison(nodes_);
    const auto triangles = static_cast<unsigned>(n_ - 2);
    device::Open* intervals = intervals_.data();
    device::find_structures(
        device::Search<T>{workspace_.jobs(), first_nodes_.data(), 1, triangles, intervals, intervals + triangles,
                          intervals + 2 * triangles, splits_.data(), search_counts_.data(), nodes_.data()},
        n_, policy, nullptr);
    std::vector<Triangle> found(triangles);
    check(cudaMemcpy(found.data(), nodes_.data(), nodes_.bytes(), cudaMemcpyDeviceToHost), "send a structure");
    return found;
  }

 private:
  template <class Value>
  static void poison(const Buffer<Value>& buffer) {
    check(cudaMemset(buffer.data(), 0xa5, buffer.bytes()), "be filled");
    check(cudaStreamSynchronize(nullptr), "be filled");
  }

  std::size_t n_;
  T infinite_;
  Buffer<T> weights_, table_;
  tiles::device::Workspace<T> workspace_;
  Buffer<Triangle> nodes_;
  Buffer<device::Open> intervals_;
  Buffer<unsigned> splits_;
  Buffer<device::SearchCounts> search_counts_;
  Buffer<std::size_t> first_nodes_;
};

template <class Arith>
class CudaPolicies : public testing::Test {
 protected:
  using T = typename Arith::Value;
  void SetUp() override {
    if (gpus().empty()) GTEST_SKIP() << "no GPU here: the device test was skipped";
  }

  /// Every structure has ties. `visit` gets the polygon on the device and the reference's nodes.
  template <class Visit>
  static void each_polygon(Visit&& visit) {
    for (const std::size_t n : {65, 96, 97, 120, 128, 129, 300, 700}) {
      std::mt19937_64 random(n);
      std::vector<T> weights(n * n);
      for (T& w : weights) w = static_cast<T>(random() % 5);
      const Triangulation<T> problem(MatrixView<const T>{weights.data(), n, n, n});
      Report ignored;
      OnDevice<Arith> on_device(problem);
      visit(on_device, reference::solve(problem, {}, ignored).triangles);
    }
  }
};
using Ariths =
    testing::Types<tiles::device::Arithmetic<MinPlus<float>>, tiles::device::NonnegativeF32,
                   tiles::device::Arithmetic<MinPlus<std::int32_t>>, tiles::device::Arithmetic<MinPlus<double>>,
                   tiles::device::Arithmetic<MinPlus<std::int64_t>>>;
TYPED_TEST_SUITE(CudaPolicies, Ariths);

TYPED_TEST(CudaPolicies, ChunksOfEachDepthFillTheReferencesTable) {
  constexpr std::size_t value_bytes = sizeof(typename TypeParam::Value);
  const SearchPolicy policy = search_policy<value_bytes>(warpfold::cuda::max_shared_bytes());
  this->each_polygon([&](OnDevice<TypeParam>& on_device, const std::vector<Triangle>& expected) {
    on_device.template fill<16>();
    EXPECT_EQ(on_device.structure(policy), expected) << expected.size() + 2 << " vertices, shallow chunks";
    on_device.template fill<tiles::deepest_chunk(value_bytes)>();
    EXPECT_EQ(on_device.structure(policy), expected) << expected.size() + 2 << " vertices, the deepest chunks";
  });
}

TYPED_TEST(CudaPolicies, TeamsOfABlockFillTheReferencesTable) {
  constexpr std::size_t value_bytes = sizeof(typename TypeParam::Value);
  using Rules = tiles::device::ByTeams<typename OnDevice<TypeParam>::Rules>;
  const SearchPolicy policy = search_policy<value_bytes>(warpfold::cuda::max_shared_bytes());
  this->each_polygon([&](OnDevice<TypeParam>& on_device, const std::vector<Triangle>& expected) {
    on_device.template fill<16, Rules>();
    EXPECT_EQ(on_device.structure(policy), expected) << expected.size() + 2 << " vertices";
  });
}

TYPED_TEST(CudaPolicies, EachSearchFindsTheReferencesStructure) {
  constexpr std::size_t value_bytes = sizeof(typename TypeParam::Value);
  std::vector<SearchPolicy> policies{wide_search<value_bytes>};
  if (needs_narrow_search<value_bytes>) policies.push_back(narrow_search);
  this->each_polygon([&](OnDevice<TypeParam>& on_device, const std::vector<Triangle>& expected) {
    on_device.template fill<tiles::device::by_capability>();
    for (const SearchPolicy& policy : policies) {
      if (policy.shared_bytes > warpfold::cuda::max_shared_bytes()) continue;
      EXPECT_EQ(on_device.structure(policy), expected) << expected.size() + 2 << " vertices, " << policy.window_steps;
    }
  });
}

}  // namespace
}  // namespace warpfold::interval
