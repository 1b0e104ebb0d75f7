#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <set>

#include "core/magnitude.hpp"
#include "equivalence/interval/backend_calls.hpp"
#include "interval/triangulation/kernels.cuh"
#include "needs_gpu.hpp"
#include "several_gpus.hpp"
#include "tiles/gpu/launch.cuh"
#include "warpfold/interval/batch.hpp"
#include "warpfold/interval/cuda.hpp"

/// One table by several GPUs.
namespace warpfold::interval {
namespace {

using warpfold::cuda::Buffer;
using warpfold::cuda::check;
using warpfold::cuda::Stream;
template <class T>
std::vector<T> weights_of(std::size_t n, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<T> weights(n * n);
  for (T& w : weights) w = random() % 32 == 0 ? infinity<T> : static_cast<T>(random() % 100);
  return weights;
}

/// Copies tile (blockIdx.x, blockIdx.y) from any GPU to its place in a packed table.
template <class T>
__global__ void gather_tile(const tiles::device::Job<T>* job, T* packed) {
  constexpr unsigned size = tiles::tile_side * tiles::tile_side;
  if (blockIdx.x > blockIdx.y) return;
  const T* tile = job->tile(blockIdx.x, blockIdx.y);
  for (unsigned at = threadIdx.x; at < size; at += blockDim.x) {
    packed[tiles::tile_number(blockIdx.x, blockIdx.y) * size + at] = tile[at];
  }
}

/// One table. If `near` is given, that many diagonals of tiles are on every GPU, and each other tile is on one.
tiles::TablePlaces places_of(std::size_t n, std::size_t gpus, unsigned near) {
  tiles::TablePlaces places = tiles::one_table(n);
  if (near > 0) places.share(near, static_cast<unsigned>(gpus));
  return places;
}

/// A table that is filled repeatedly. The workspace is the library's, so that the test sees its copies.
template <class T>
class Filled {
 public:
  Filled(const std::vector<T>& weights, std::size_t n, const std::vector<int>& others, unsigned near = 0)
      : n_(n),
        places_(places_of(n, 1 + others.size(), near)),
        rules_{{nullptr, n},
               infinite_from(Triangulation<T>(MatrixView<const T>{weights.data(), n, n, n}).largest_total())},
        weights_(weights),
        table_(places_.end.first_value),
        workspace_(places_, table_.data(), others) {
    rules_.source.weights = weights_.data();
    poison(table_.data());
    for (std::size_t other = 0; other + 1 < workspace_.gpus(); ++other) poison(workspace_.copy(other));
  }

  void fill(const Stream& stream) {
    workspace_.clear(stream.get());
    start(stream);
  }
  void start(const Stream& stream) { tiles::device::launch(workspace_, rules_, stream.get()); }
  tiles::device::Workspace<T>& workspace() { return workspace_; }
  [[nodiscard]] std::vector<T> table() const {
    const Buffer<T> packed(tiles::table_size(n_, tiles::tile_side));
    const auto along = static_cast<unsigned>(tiles::tile_count(n_, tiles::tile_side));
    gather_tile<<<dim3(along, along), 128>>>(workspace_.jobs(), packed.data());
    std::vector<T> found(packed.size());
    check(cudaMemcpy(found.data(), packed.data(), packed.bytes(), cudaMemcpyDefault), "send a table");
    return found;
  }
  /// The address of the word that gives out the first task.
  [[nodiscard]] unsigned* first_ticket() {
    unsigned* words = const_cast<unsigned*>(workspace_.running().tasks_taken);
    return places_.first_ticket > 0 ? words + places_.first_ticket + 1 : words;
  }
  [[nodiscard]] std::vector<T> copy(std::size_t other) const { return download(workspace_.copy(other)); }
  [[nodiscard]] std::size_t copies() const { return workspace_.gpus() - 1; }

 private:
  void poison(const T* values) const {
    check(cudaMemset(const_cast<T*>(values), 0xa5, table_.bytes()), "be filled");
    check(cudaStreamSynchronize(nullptr), "be filled");  // the streams that solve do not wait for it
  }
  [[nodiscard]] std::vector<T> download(const T* values) const {
    std::vector<T> found(table_.size());
    check(cudaMemcpy(found.data(), values, table_.bytes(), cudaMemcpyDefault), "send a table");
    return found;
  }

  std::size_t n_;
  tiles::TablePlaces places_;
  device::TriangulationRules<tiles::device::Arithmetic<MinPlus<T>>, device::MatrixWeights<T>> rules_;
  Buffer<T> weights_, table_;
  tiles::device::Workspace<T> workspace_;
};

std::vector<std::pair<Device, unsigned>> with_and_without_sharing() {
  std::vector<std::pair<Device, unsigned>> found;
  for (const Device& gpus : test::several_gpus()) {
    for (const unsigned near : {0U, 3U}) found.emplace_back(gpus, near);
  }
  return found;
}

template <class T>
bool equal_bits(const std::vector<T>& x, const std::vector<T>& y) {
  return x.size() == y.size() && std::memcmp(x.data(), y.data(), x.size() * sizeof(T)) == 0;
}

template <class T>
class CudaSeveralGpus : public warpfold::test::NeedsGpu {};
using CudaSeveralGpusTypes = testing::Types<float, double, std::int32_t>;
TYPED_TEST_SUITE(CudaSeveralGpus, CudaSeveralGpusTypes);

TYPED_TEST(CudaSeveralGpus, FillTheTableOfOneOnEach) {
  for (const std::size_t n : {65, 128, 129, 300, 700, 1500}) {
    const auto weights = weights_of<TypeParam>(n, n);
    const Stream stream;
    Filled<TypeParam> alone(weights, n, {});
    alone.fill(stream);
    stream.synchronize();
    for (const Device& gpus : test::several_gpus()) {
      SCOPED_TRACE(testing::Message() << n << " vertices on " << to_string(gpus));
      Filled<TypeParam> together(weights, n, gpus.more);
      together.fill(stream);
      stream.synchronize();
      EXPECT_TRUE(equal_bits(together.table(), alone.table()));
      for (std::size_t copy = 0; copy < together.copies(); ++copy) {
        EXPECT_TRUE(equal_bits(together.copy(copy), alone.table())) << "copy " << copy;
      }
    }
  }
}

TYPED_TEST(CudaSeveralGpus, FillTheTableOfOneWhereTheyShareItsTiles) {
  for (const std::size_t n : {65, 129, 300, 700, 1500}) {
    const auto weights = weights_of<TypeParam>(n, n);
    const Stream stream;
    Filled<TypeParam> alone(weights, n, {});
    alone.fill(stream);
    stream.synchronize();
    const auto along = static_cast<unsigned>(tiles::tile_count(n, tiles::tile_side));
    for (const Device& gpus : test::several_gpus()) {
      for (const unsigned near : std::set<unsigned>{1, 2, (along + 1) / 2, along - 1, along}) {
        SCOPED_TRACE(testing::Message() << n << " vertices on " << to_string(gpus) << ", near: " << near);
        Filled<TypeParam> together(weights, n, gpus.more, near);
        together.fill(stream);
        stream.synchronize();
        EXPECT_TRUE(equal_bits(together.table(), alone.table()));
      }
    }
  }
}

TYPED_TEST(CudaSeveralGpus, GiveTheReferencesStructureOfATableThatNoneMayHold) {
  constexpr std::size_t n = 700;
  const auto weights = weights_of<TypeParam>(n, 1);
  const Triangulation<TypeParam> problem(MatrixView<const TypeParam>{weights.data(), n, n, n});
  Report ignored;
  const auto expected = reference::solve(problem, {}, ignored);
  const Buffer<TypeParam> on_device(weights);
  const Buffer<Triangle> nodes(n - 2);
  const Buffer<TypeParam> cost(1);
  for (const Device& gpus : test::several_gpus()) {
    const std::size_t whole = cuda::Plan<TypeParam>::workspace_bytes(std::span(&n, 1), 1 + gpus.more.size());
    for (const std::size_t most : {whole - 1, whole / 8 * 7, whole / 4 * 3}) {
      SCOPED_TRACE(testing::Message() << most << " bytes of each of " << to_string(gpus));
      EXPECT_LE(cuda::Plan<TypeParam>::workspace_bytes(std::span(&n, 1), 1 + gpus.more.size(), most), most);
      cuda::Plan<TypeParam> plan(n, gpus.more, most);
      plan.solve(on_device.data(), 0, {problem.largest_total(), problem.nonnegative()});
      plan.structure(nodes.data());
      plan.costs(cost.data());
      std::vector<Triangle> found(n - 2);
      TypeParam found_cost = 0;
      check(cudaMemcpy(found.data(), nodes.data(), nodes.bytes(), cudaMemcpyDeviceToHost), "send the structure");
      check(cudaMemcpy(&found_cost, cost.data(), sizeof found_cost, cudaMemcpyDeviceToHost), "send the cost");
      EXPECT_EQ(found_cost, expected.cost);
      EXPECT_EQ(found, expected.triangles);
    }
    EXPECT_THROW(cuda::Plan<TypeParam>(n, gpus.more, whole / 4), Error);
  }
}

TYPED_TEST(CudaSeveralGpus, GiveTheReferencesSolutionAndSayWhoRan) {
  for (const std::size_t n : {3, 64, 65, 200, 450}) {
    const auto weights = weights_of<TypeParam>(n, n);
    const Triangulation<TypeParam> problem(MatrixView<const TypeParam>{weights.data(), n, n, n});
    Report ignored;
    const auto expected = reference::solve(problem, {}, ignored);
    if (expected.cost >= infinity<TypeParam>) continue;
    for (const Device& gpus : test::several_gpus()) {
      const auto [solution, report] = solve(problem, test::on(gpus));
      EXPECT_EQ(solution.cost, expected.cost) << n << " vertices on " << to_string(gpus);
      EXPECT_EQ(solution.triangles, expected.triangles) << n << " vertices on " << to_string(gpus);
      EXPECT_EQ(report.device, n <= 64 ? "cuda:0" : to_string(gpus));
    }
  }
}

TYPED_TEST(CudaSeveralGpus, SolveABatch) {
  std::vector<std::vector<TypeParam>> weights;
  std::vector<Triangulation<TypeParam>> problems;
  for (const std::size_t n : {10, 64, 65, 100, 300, 70}) {
    weights.push_back(weights_of<TypeParam>(n, 7));
    problems.emplace_back(MatrixView<const TypeParam>{weights.back().data(), n, n, n});
  }
  const auto expected = solve_batch<TypeParam>(problems, test::on(parse_device("cuda"))).solution;
  for (const Device& gpus : test::several_gpus()) {
    const auto got = solve_batch<TypeParam>(problems, test::on(gpus)).solution;
    for (std::size_t at = 0; at < got.size(); ++at) {
      EXPECT_EQ(got[at].cost, expected[at].cost) << at << " on " << to_string(gpus);
      EXPECT_EQ(got[at].triangles, expected[at].triangles) << at << " on " << to_string(gpus);
    }
  }
}

/// A solve does not see the state of an earlier one, even without waiting in between.
TYPED_TEST(CudaSeveralGpus, SolveAgainRightAway) {
  constexpr std::size_t n = 500;
  const auto weights = weights_of<TypeParam>(n, n);
  const Stream stream;
  Filled<TypeParam> alone(weights, n, {});
  alone.fill(stream);
  for (const auto& [gpus, near] : with_and_without_sharing()) {
    Filled<TypeParam> together(weights, n, gpus.more, near);
    for (int solve = 0; solve < 50; ++solve) together.fill(stream);
    stream.synchronize();
    EXPECT_TRUE(equal_bits(together.table(), alone.table())) << to_string(gpus) << ", near: " << near;
    if (near == 0) {
      EXPECT_TRUE(equal_bits(together.copy(0), alone.table())) << to_string(gpus);
    }
  }
}

TYPED_TEST(CudaSeveralGpus, EndWhereAskedToStop) {
  constexpr std::size_t n = 2000;
  const std::vector<TypeParam> weights(n * n, 1);
  const Triangulation<TypeParam> problem(MatrixView<const TypeParam>{weights.data(), n, n, n});
  for (const Device& gpus : test::several_gpus()) {
    std::stop_source stop;
    Options options = test::on(gpus);
    options.stop = stop.get_token();
    options.progress = [&](const Progress&) { stop.request_stop(); };
    Report ignored;
    try {
      (void)cuda::solve(problem, options, ignored);
      FAIL() << "a solve that was asked to stop gave a solution";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::cancelled);
    }
  }
}

/// The state after a GPU failed in the middle: no GPU has task 0, for which all others wait.
TYPED_TEST(CudaSeveralGpus, EndThoughATileNeverComes) {
  constexpr std::size_t n = 1500;
  for (const auto& [gpus, near] : with_and_without_sharing()) {
    Filled<TypeParam> together(weights_of<TypeParam>(n, 1), n, gpus.more, near);
    auto& workspace = together.workspace();
    const Stream stream;
    workspace.clear(stream.get());
    const unsigned second = 1;
    check(cudaMemcpyAsync(together.first_ticket(), &second, sizeof second, cudaMemcpyHostToDevice, stream.get()),
          "skip a task");
    stream.synchronize();
    Options options;
    options.deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(200);
    SolveMonitor monitor(options, 1);
    EXPECT_THROW(warpfold::cuda::run(stream, 1, monitor,
                                     [&] {
                                       together.start(stream);
                                       return workspace.running();
                                     }),
                 Error);
  }
}

TEST(CudaSeveralGpusOfAHost, AreRefusedWhereOneIsNotThere) {
  if (gpus().empty()) GTEST_SKIP() << warpfold::test::no_gpu;
  const auto weights = weights_of<float>(100, 1);
  try {
    (void)solve(Triangulation<float>(MatrixView<const float>{weights.data(), 100, 100, 100}),
                test::on({Device::Kind::cuda, 0, {99}}));
    FAIL() << "cuda:99 helped";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::device);
    EXPECT_NE(std::string(error.what()).find("cuda:99"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace warpfold::interval
