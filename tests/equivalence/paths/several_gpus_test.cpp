#include "several_gpus.hpp"

#include <gtest/gtest.h>

#include "graphs.hpp"
#include "needs_gpu.hpp"
#include "paths/dense/shapes.hpp"
#include "paths/tuning.hpp"
#include "warpfold/core/error.hpp"

/// Solves one table by several GPUs, each with a stripe of rows. Compares the bits with the CPU's.
namespace warpfold::paths {
namespace {

using warpfold::test::on;
using warpfold::test::several_gpus;

template <class T>
class SeveralGpusPaths : public warpfold::test::NeedsGpu {};
using SeveralGpusPathsTypes = testing::Types<std::int32_t, std::int64_t, float, double>;
TYPED_TEST_SUITE(SeveralGpusPaths, SeveralGpusPathsTypes);
class SeveralGpusAllPairs : public warpfold::test::NeedsGpu {};

/// The number of GPUs that get rows, in complete units.
std::size_t with_rows(std::size_t n, std::size_t gpus) {
  const std::size_t units = (n + device::table_unit - 1) / device::table_unit, of_each = (units + gpus - 1) / gpus;
  return (units + of_each - 1) / of_each;
}

template <class T>
void expect_the_cpus_on_several(const Matrix<T>& edges, const Request& request) {
  const AllPairs<T> expected = all_pairs(edges, on(parse_device("cpu")), request).solution;
  for (const Device& device : several_gpus()) {
    SCOPED_TRACE(testing::Message() << edges.rows() << " vertices, " << to_string(request.semiring) << ", on "
                                    << to_string(device));
    const auto [found, report] = all_pairs(edges, on(device), request);
    EXPECT_EQ(found.lengths, expected.lengths);
    EXPECT_EQ(found.successors, expected.successors);
    Device needed = device;
    needed.more.resize(with_rows(edges.rows(), 1 + device.more.size()) - 1);
    EXPECT_EQ(report.device, to_string(needed));
  }
}

TYPED_TEST(SeveralGpusPaths, HaveTheCpusBitsAndSuccessorsAroundUnits) {
  for (const std::size_t n : {1, 128, 129, 256, 257, 385, 1000}) {
    for (const Semiring semiring : test::choosing_semirings) {
      for (const bool successors : {true, false}) {
        expect_the_cpus_on_several(test::drawn_graph<TypeParam>(n, semiring, 0.1, n), {semiring, successors});
      }
    }
  }
}

// Stripes then end within the turns of a product, and the last ones are smaller.
TEST_F(SeveralGpusAllPairs, HaveTheCpusBitsWhereAProductTakesSeveralRounds) {
  for (const std::size_t n :
       {wide_successors.front().from, wide_successors.front().from + 65, wide_successors.front().from + 321}) {
    expect_the_cpus_on_several(test::drawn_graph<float>(n, {}, 0.01, n), {});
  }
  expect_the_cpus_on_several(test::drawn_graph<float>(wide_lengths.back().from + 65, {}, 0.01, 1), {{}, false});
}

TEST_F(SeveralGpusAllPairs, RoundAsTheCpuDoes) {
  for (const bool successors : {true, false}) {
    expect_the_cpus_on_several(test::graph_of_many_magnitudes<float>(700, 1), {{}, successors});
  }
}

TEST_F(SeveralGpusAllPairs, NameTheSameCycle) {
  for (const std::size_t first : {std::size_t{90}, std::size_t{126}, std::size_t{300}}) {
    Matrix<std::int32_t> edges(450, 450, infinity<std::int32_t>);
    for (std::size_t i = 0; i + 1 < 450; ++i) edges(i, i + 1) = 1;
    edges(first + 2, first) = -3;
    for (const Device& device : several_gpus()) {
      try {
        (void)all_pairs(edges, on(device));
        FAIL() << "nothing was raised";
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::infeasible);
        EXPECT_TRUE(std::string(error.what()).starts_with("the cycle " + std::to_string(first) + " -> "))
            << error.what();
      }
    }
  }
}

TEST_F(SeveralGpusAllPairs, NeedLessOfEachAndSayWhatIsShort) {
  const auto edges = test::drawn_graph<float>(2000, {}, 0.1, 3);
  const Options alone = on(parse_device("cuda"));
  Options together = on({Device::Kind::cuda, 0, {0, 0, 0}});
  const std::size_t bytes = all_pairs(edges, together, {{}, false}).report.peak_device_bytes;
  EXPECT_LT(bytes, all_pairs(edges, alone, {{}, false}).report.peak_device_bytes);
  together.max_device_memory = bytes - 1;
  try {
    (void)all_pairs(edges, together, {{}, false});
    FAIL() << "nothing was raised";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::memory_limit);
  }
}

TEST_F(SeveralGpusAllPairs, StopAndLeaveTheDevicesUsable) {
  const auto edges = test::drawn_graph<float>(1500, {}, 0.1, 3);
  for (const Device& device : several_gpus()) {
    std::stop_source halfway;
    Options options = on(device);
    options.stop = halfway.get_token();
    options.progress = [&](const Progress&) { halfway.request_stop(); };
    try {
      (void)all_pairs(edges, options);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::cancelled);
    }
  }
  expect_the_cpus_on_several(edges, {});
}

TEST(SeveralGpusReach, AreRefused) {
  if (!has_cuda()) GTEST_SKIP() << "CUDA is not compiled: the device test was skipped";
  try {
    (void)all_pairs(test::drawn_bits(50, 0.1, 1), on(parse_device("cuda:0,1")), {Semiring::or_and, false});
    FAIL() << "nothing was raised";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_STREQ(error.what(), "algorithm 'blocked' does not run on several GPUs (cuda:0,1): cuda:N is accepted");
  }
}

}  // namespace
}  // namespace warpfold::paths
