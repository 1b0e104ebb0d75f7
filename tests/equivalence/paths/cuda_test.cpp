#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <thread>

#include "core/capability.hpp"
#include "graphs.hpp"
#include "needs_gpu.hpp"
#include "paths/dense/shapes.hpp"
#include "paths/tuning.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/paths/all_pairs.hpp"
#include "warpfold/paths/verify.hpp"
#include "warpfold/run/devices.hpp"

/// Compares the bits of the GPU's solver with the CPU's, which blocked_test.cpp compares with the three loops.
namespace warpfold::paths {
namespace {

Options on(Device::Kind kind, const char* algorithm = "blocked") {
  Options options;
  options.device.kind = kind;
  options.algorithm = algorithm;
  return options;
}
const Options on_gpu = on(Device::Kind::cuda), on_cpu = on(Device::Kind::cpu);

template <class T>
class CudaPaths : public warpfold::test::NeedsGpu {};
using CudaPathsTypes = testing::Types<std::int32_t, std::int64_t, float, double>;
TYPED_TEST_SUITE(CudaPaths, CudaPathsTypes);
class CudaAllPairs : public warpfold::test::NeedsGpu {};

template <class T>
void expect_the_cpus(const Matrix<T>& edges, const Request& request, const Options& expecting = on_cpu) {
  const AllPairs<T> expected = all_pairs(edges, expecting, request).solution;
  const AllPairs<T> found = all_pairs(edges, on_gpu, request).solution;
  EXPECT_EQ(found.lengths, expected.lengths) << edges.rows() << " vertices, " << to_string(request.semiring);
  EXPECT_EQ(found.successors, expected.successors) << edges.rows() << " vertices, " << to_string(request.semiring);
}

TYPED_TEST(CudaPaths, HaveTheCpusBitsAndSuccessorsAtEverySize) {
  for (std::size_t n = 0; n <= 200; ++n) {
    for (const Semiring semiring : test::choosing_semirings) {
      const double density = n % 3 == 0 ? 0.05 : 0.5;
      expect_the_cpus(test::drawn_graph<TypeParam>(n, semiring, density, n), {semiring, n % 8 != 0});
    }
  }
}

TYPED_TEST(CudaPaths, HaveTheThreeLoopsBitsAndSuccessorsAroundRoundsAndBlocks) {
  for (const std::size_t n : {63, 64, 65, 127, 128, 129, 257}) {
    for (const Semiring semiring : test::choosing_semirings) {
      for (const bool successors : {true, false}) {
        const Options by_definition = on(Device::Kind::cpu, "reference");
        expect_the_cpus(test::drawn_graph<TypeParam>(n, semiring, 0.1, n), {semiring, successors}, by_definition);
      }
    }
  }
}

TYPED_TEST(CudaPaths, HaveTheCpusBitsAndSuccessorsWhereGraphsAreLarge) {
  for (const std::size_t n : {511, 1000, 1601}) {
    for (const double density : {0.003, 0.3, 1.0}) {
      expect_the_cpus(test::drawn_graph<TypeParam>(n, Semiring::min_plus, density, n), {});
    }
    expect_the_cpus(test::drawn_graph<TypeParam>(n, Semiring::max_min, 0.1, n), {Semiring::max_min, false});
  }
}

TEST_F(CudaAllPairs, HaveTheCpusBitsWhereAProductTakesSeveralRounds) {
  for (const bool successors : {true, false}) {
    for (const Wide& wide : successors ? wide_successors : wide_lengths) {
      for (const std::size_t n : {wide.from - device::table_unit, wide.from + 65}) {
        expect_the_cpus(test::drawn_graph<float>(n, {}, 0.01, n), {{}, successors});
      }
    }
  }
  const std::size_t n = wide_successors.front().from;
  expect_the_cpus(test::drawn_graph<std::int64_t>(n, {}, 0.01, n), {});
}

class CudaReach : public warpfold::test::NeedsGpu {};

void expect_the_cpus_reach(const Matrix<std::uint8_t>& edges) {
  const Request lengths_alone{Semiring::or_and, false};
  const auto [found, report] = all_pairs(edges, on_gpu, lengths_alone);
  EXPECT_EQ(found.lengths, all_pairs(edges, on_cpu, lengths_alone).solution.lengths) << edges.rows() << " vertices";
  EXPECT_TRUE(found.successors.empty());
  EXPECT_TRUE(report.device.starts_with("cuda")) << report.device;
}

TEST_F(CudaReach, HasTheCpusBitsAtEverySize) {
  for (std::size_t n = 0; n <= 200; ++n) {
    for (const double density : {0.0, 0.02, 0.3}) expect_the_cpus_reach(test::drawn_bits(n, density, n));
  }
}

TEST_F(CudaReach, HasTheCpusBitsAroundBandsAndWhereGraphsAreLarge) {
  for (const std::size_t n : {1000, 1023, 1024, 1025, 2047, 2049, 3000}) {
    for (const double density : {0.001, 0.01}) expect_the_cpus_reach(test::drawn_bits(n, density, n));
  }
}

TEST_F(CudaReach, FollowsWaysOverEveryVertexInAnyOrder) {
  for (const std::size_t n : {100, 1100}) {
    std::vector<std::size_t> way(n);
    std::iota(way.begin(), way.end(), std::size_t{0});
    std::shuffle(way.begin(), way.end(), std::mt19937_64(n));
    Matrix<std::uint8_t> edges(n, n);
    for (std::size_t at = 0; at + 1 < n; ++at) edges(way[at], way[at + 1]) = 1;
    expect_the_cpus_reach(edges);
    edges(way[n - 1], way[0]) = 1;
    expect_the_cpus_reach(edges);
  }
}

TEST_F(CudaReach, LeavesSuccessorsToTheCpu) {
  const Matrix<std::uint8_t> edges = test::drawn_bits(2048, 0.01, 1);
  EXPECT_EQ(all_pairs(edges, {}, {Semiring::or_and, true}).report.device, "cpu");
  EXPECT_EQ(all_pairs(edges, {}, {Semiring::or_and, false}).report.device, "cuda:0");
  try {
    (void)all_pairs(edges, on_gpu, {Semiring::or_and, true});
    FAIL() << "nothing was raised";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_STREQ(error.what(), "algorithm 'blocked' keeps no successors of or-and on a GPU: on the CPU it does");
  }
}

TEST_F(CudaReach, CountsItsBytesStopsAndTellsHowFarItIs) {
  const std::size_t n = 1500;
  const Matrix<std::uint8_t> edges = test::drawn_bits(n, 0.01, 1);
  Options options = on_gpu;
  double last = 0;
  options.progress = [&](const Progress& progress) { last = progress.done; };
  const Report report = all_pairs(edges, options, {Semiring::or_and, false}).report;
  EXPECT_DOUBLE_EQ(last, 1500.0 * 1500 * 1500);
  EXPECT_EQ(report.peak_bytes, estimate<std::uint8_t>(n, on_gpu, {Semiring::or_and, false}).bytes);
  EXPECT_GE(report.peak_device_bytes, n * n / 8);
  options.max_device_memory = report.peak_device_bytes - 1;
  try {
    (void)all_pairs(edges, options, {Semiring::or_and, false});
    FAIL() << "nothing was raised";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::memory_limit);
  }
  std::stop_source source;
  source.request_stop();
  options = on_gpu;
  options.stop = source.get_token();
  EXPECT_THROW((void)all_pairs(edges, options, {Semiring::or_and, false}), Error);
}

/// Lengths of 0 and more, for which f32 has a shorter instruction sequence.
template <class T>
Matrix<T> with_zeros(Matrix<T> edges) {
  const std::size_t n = edges.rows();
  for (std::size_t i = 0; i < n; ++i) {
    edges(i, (i + 7) % n) = T{0};
    edges(i, (i + 9) % n) = -T{0};
  }
  return edges;
}

TEST_F(CudaAllPairs, RoundAsTheThreeLoopsDo) {
  for (const std::size_t n : {64, 300, 700}) {
    for (const bool successors : {true, false}) {
      expect_the_cpus(with_zeros(test::graph_of_many_magnitudes<float>(n, n)), {{}, successors});
      expect_the_cpus(with_zeros(test::graph_of_many_magnitudes<double>(n, n)), {{}, successors});
    }
  }
}

TEST_F(CudaAllPairs, NameNegativeCyclesOfEveryLengthAsTheThreeLoopsDo) {
  const auto refusal = [](const Matrix<std::int32_t>& edges, const Options& options, bool successors) -> std::string {
    try {
      (void)all_pairs(edges, options, {{}, successors});
      return "none";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::infeasible);
      return error.what();
    }
  };
  for (std::size_t length = 1; length <= 50; ++length) {
    const std::size_t n = 150, first = 90;
    Matrix<std::int32_t> edges(n, n, infinity<std::int32_t>);
    for (std::size_t i = 0; i + 1 < n; ++i) edges(i, i + 1) = 1;
    edges(first + length - 1, first) = -static_cast<std::int32_t>(length);
    const std::string expected = refusal(edges, on(Device::Kind::cpu, "reference"), false);
    EXPECT_TRUE(expected.starts_with("the cycle 90 -> ")) << expected;
    for (const bool successors : {true, false}) EXPECT_EQ(refusal(edges, on_gpu, successors), expected);
    edges(first + length - 1, first) = -static_cast<std::int32_t>(length) + 1;  // of length 0, so that every walk ends
    expect_the_cpus(edges, {});
  }
}

TEST_F(CudaAllPairs, TellTheFirstVertexOfACycleThatRoundingHides) {
  // Lengths that are lost in a sum with 1e8 add up to a cycle below 0 in one order only.
  Matrix<float> edges(3, 3, infinity<float>);
  edges(0, 1) = 1e8F, edges(1, 2) = 1.0F, edges(2, 0) = -1e8F - 8;
  for (const Options& options : {on_gpu, on(Device::Kind::cpu, "reference")}) {
    try {
      (void)all_pairs(edges, options);
      FAIL() << "nothing was raised";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::infeasible);
    }
  }
}

/// The device bytes for a table of n vertices that passes through the device with that many turns at a time.
std::size_t bytes_through(std::size_t n, std::size_t width, std::size_t value_bytes, bool successors = true) {
  const std::size_t rows = 3 * std::max(device::table_unit, width / 4);
  const std::size_t indices = successors ? (3 * width + rows) * sizeof(std::uint32_t) : 0;
  return device::table_side(n) * (((successors ? 6 : 4) * width + rows) * value_bytes + indices);
}

TYPED_TEST(CudaPaths, HaveTheCpusBitsWhereTheTableStaysOnTheHost) {
  for (const auto& [n, width] : {std::pair<std::size_t, std::size_t>{900, 128}, {1601, 128}, {1601, 512}}) {
    for (const bool successors : {true, false}) {
      Options options = on_gpu;
      options.max_device_memory = bytes_through(n, width, sizeof(TypeParam), successors);
      for (const Semiring semiring : {Semiring::min_plus, Semiring::max_min}) {
        const auto edges = test::drawn_graph<TypeParam>(n, semiring, 0.05, n);
        const auto [found, report] = all_pairs(edges, options, {semiring, successors});
        const auto expected = all_pairs(edges, on_cpu, {semiring, successors}).solution;
        EXPECT_EQ(found.lengths, expected.lengths) << n << " vertices, " << width << " turns at a time";
        EXPECT_EQ(found.successors, expected.successors) << n << " vertices, " << width << " turns at a time";
        EXPECT_EQ(report.peak_device_bytes, options.max_device_memory) << n << ": it went another way";
      }
    }
  }
}

TEST_F(CudaAllPairs, NameACycleWhereTheTableStaysOnTheHost) {
  const std::size_t n = 1000;
  Matrix<float> edges(n, n, infinity<float>);
  for (std::size_t i = 0; i + 1 < n; ++i) edges(i, i + 1) = 1;
  edges(702, 700) = -3;
  Options options = on_gpu;
  options.max_device_memory = bytes_through(n, 128, sizeof(float));
  try {
    (void)all_pairs(edges, options);
    FAIL() << "nothing was raised";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "the cycle 700 -> 701 -> 702 -> 700 has a negative length: there are no best paths");
  }
}

TEST_F(CudaAllPairs, TakeEdgesWithRoomBetweenTheirRows) {
  const std::size_t n = 70, stride = 90;
  const auto dense = test::drawn_graph<std::int64_t>(n, {}, 0.3, 4);
  std::vector<std::int64_t> spread(n * stride, -1000);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) spread[i * stride + j] = dense(i, j);
  }
  const MatrixView<const std::int64_t> view{spread.data(), n, n, stride};
  EXPECT_EQ(all_pairs(view, on_gpu).solution.lengths, all_pairs(dense, on_cpu).solution.lengths);
}

TEST_F(CudaAllPairs, RunFromSeveralThreadsAtOnce) {
  const auto first = test::drawn_graph<float>(300, {}, 0.2, 1);
  const auto second = test::drawn_graph<std::int32_t>(500, {}, 0.1, 2);
  std::thread beside([&] {
    for (int repeat = 0; repeat < 3; ++repeat) expect_the_cpus(first, {});
  });
  for (int repeat = 0; repeat < 3; ++repeat) expect_the_cpus(second, {});
  beside.join();
}

TEST_F(CudaAllPairs, AreTakenByAutoForALargeGraphAndNotForASmallOne) {
  for (const std::size_t n : {10, 2048}) {
    const auto edges = test::drawn_graph<float>(n, {}, 0.1, n);
    EXPECT_EQ(all_pairs(edges).report.device, n == 10 ? "cpu" : "cuda:0");
  }
}

TEST_F(CudaAllPairs, ArePassedOverByAutoWhereTheGpusMemoryIsShort) {
  const auto edges = test::drawn_graph<float>(2048, {}, 0.1, 3);
  Options options;
  options.max_device_memory = std::size_t{1} << 20;
  const auto [paths, report] = all_pairs(edges, options);
  EXPECT_EQ(report.device, "cpu");
  EXPECT_TRUE(report.fallback_reason.starts_with("cuda:0: the solve needs ")) << report.fallback_reason;
  options.device.kind = Device::Kind::cuda;
  try {
    (void)all_pairs(edges, options);
    FAIL() << "nothing was raised";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::memory_limit);
  }
}

TEST_F(CudaAllPairs, CountTheDevicesBytesAndTheHosts) {
  const std::size_t n = 1500;
  const auto edges = test::drawn_graph<float>(n, {}, 0.1, 3);
  for (const bool successors : {true, false}) {
    const Report report = all_pairs(edges, on_gpu, {{}, successors}).report;
    const std::size_t answer = n * n * (sizeof(float) + (successors ? sizeof(std::uint32_t) : 0));
    EXPECT_GE(report.peak_device_bytes, answer);
    EXPECT_GE(report.peak_bytes, answer);
    EXPECT_EQ(report.peak_bytes, estimate<float>(n, on_gpu, {{}, successors}).bytes);
    EXPECT_GT(report.solve_seconds, 0);
    EXPECT_EQ(report.algorithm, "blocked");
  }
}

TEST_F(CudaAllPairs, StopAndLeaveTheDeviceUsable) {
  const auto edges = test::drawn_graph<float>(1500, {}, 0.1, 3);
  Options options = on_gpu;
  for (const std::size_t most : {std::numeric_limits<std::size_t>::max(), bytes_through(1500, 128, sizeof(float))}) {
    std::stop_source halfway;
    options.stop = halfway.get_token();
    options.max_device_memory = most;
    options.progress = [&](const Progress&) { halfway.request_stop(); };
    options.deadline = std::chrono::steady_clock::now() + std::chrono::minutes(5);
    try {
      (void)all_pairs(edges, options);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::cancelled);
    }
  }
  options = on_gpu;
  std::stop_source source;
  source.request_stop();
  options.stop = source.get_token();
  EXPECT_THROW((void)all_pairs(edges, options), Error);
  options = on_gpu;
  options.deadline = std::chrono::steady_clock::now();
  try {
    (void)all_pairs(edges, options);
    FAIL() << "nothing was raised";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::time_limit);
  }
  expect_the_cpus(edges, {});
}

TEST_F(CudaAllPairs, TellHowFarTheyAre) {
  const std::size_t n = 1400;
  const auto edges = test::drawn_graph<float>(n, {}, 0.1, 3);
  for (const std::size_t most : {std::numeric_limits<std::size_t>::max(), bytes_through(n, 128, sizeof(float))}) {
    Options options = on_gpu;
    options.max_device_memory = most;
    double last = 0;
    options.progress = [&](const Progress& progress) {
      EXPECT_GE(progress.done, last);
      EXPECT_DOUBLE_EQ(progress.total, 1400.0 * 1400 * 1400);
      last = progress.done;
    };
    (void)all_pairs(edges, options);
    EXPECT_DOUBLE_EQ(last, 1400.0 * 1400 * 1400);
  }
}

TEST(CudaPathsShapes, FitIntoTheSharedMemoryOfEveryGpu) {
  constexpr int most = cuda::min_shared_bytes_of_block;
  static_assert(device::panel_shared_bytes<double> <= most);
  using Lengths = device::LengthsShape<float>;
  using Lengths64 = device::LengthsShape<double>;
  using Successors = device::SuccessorsShape<float>;
  using Successors64 = device::SuccessorsShape<double>;
  static_assert(device::product_shared_bytes<float, Lengths> <= most);
  static_assert(device::product_shared_bytes<double, Lengths64> <= most);
  static_assert(device::product_shared_bytes<float, Successors> <= most);
  static_assert(device::product_shared_bytes<double, Successors64> <= most);
  for (const int columns : {Lengths::block_columns, Lengths64::block_columns, Successors::block_columns}) {
    EXPECT_EQ(device::table_unit % columns, 0U);
  }
  EXPECT_EQ(device::table_unit % device::panel_threads, 0U);
  for (const auto& sizes : {wide_lengths, wide_successors}) {
    for (const Wide& wide : sizes) {
      EXPECT_EQ(wide.turns % device::table_unit, 0U);
      EXPECT_EQ(searched_turns % wide.turns, 0U);
    }
  }
}

TEST(CudaPathsChoice, SaysWhatIsMissingWhereThereIsNoGpu) {
  if (!gpus().empty()) GTEST_SKIP() << "there is a GPU";
  try {
    (void)all_pairs(Matrix<float>(3, 3), on_gpu);
    FAIL() << "nothing was raised";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::device);
  }
}

}  // namespace
}  // namespace warpfold::paths
