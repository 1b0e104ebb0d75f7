// How long do all shortest paths take on this GPU, with edges and result resident, with and without successors,
// compared with one product of the same size and with the rate of the registers in the same run? And how long in
// or-and, with 32 vertices per word, compared with an or-and product?
//
//   bench_paths cuda_all_pairs --json [LARGEST N [SMALLEST N]] > results/<machine>/paths_cuda.json
//
// 131072 vertices take some three minutes, and 70 GB of the GPU's memory.

#include "../question.hpp"
#include "drawn_edges.cuh"
#include "graphs.hpp"
#include "minplus/ceiling.cuh"
#include "minplus/launch.cuh"
#include "warpfold/paths/all_pairs.hpp"
#include "warpfold/run/team.hpp"

namespace warpfold::bench {
namespace {

using cuda::Buffer;
using cuda::check;
using paths::cuda::InCore;

template <class T>
Matrix<T> drawn_edges(std::size_t n, bool with_potential) {
  Matrix<T> edges(n, n);
  Team(thread_count(0)).parallel_for(n, [&](std::size_t i, int) {
    for (std::size_t j = 0; j < n; ++j) edges(i, j) = edge<T>(i, j, with_potential);
  });
  return edges;
}

/// Checks that the bits are those of the CPU's result, before anything is timed.
template <class T>
void expect_the_cpus_answer(std::size_t n, bool with_potential) {
  const Matrix<T> edges = drawn_edges<T>(n, with_potential);
  const auto answer = [&](const char* device) {
    Options options;
    options.device = parse_device(device);
    return paths::all_pairs(edges, options).solution;
  };
  const auto expected = answer("cpu"), found = answer("cuda");
  require(expected.lengths == found.lengths && expected.successors == found.successors,
          "the devices differ at n = " + std::to_string(n));
}

template <class T>
void all_pairs(std::size_t n, bool successors, bool with_potential, int repeats, double ceiling) {
  Options options;
  std::vector<double> seconds;
  for (int repeat = repeats > 1 ? -1 : 0; repeat < repeats; ++repeat) {
    InCore<T> tables(n, {}, successors);
    take_drawn_edges(tables, n, with_potential);
    SolveMonitor monitor(options, 1);
    const double taken = tables.solve(monitor);
    if (repeat >= 0) seconds.push_back(taken);
    if constexpr (std::is_same_v<T, float>) {
      if (!with_potential && repeat + 1 == repeats) expect_no_better_edge(tables, n);
    }
  }
  const double size = static_cast<double>(n);
  keep(row("all pairs, resident",
           {{"n", n}, {"dtype", dtype_name<T>()}, {"successors", successors}, {"negative", with_potential}},
           summarize(seconds), size * size * size, ceiling));
}

/// From host memory to host memory, with half of the device memory that the lengths alone need, and with all of it.
/// Both results must have equal bits.
void out_of_core(std::size_t n, bool successors, double ceiling) {
  const Matrix<float> edges = drawn_edges<float>(n, false);
  const double size = static_cast<double>(n);
  Matrix<float> lengths[2];
  for (const bool limited : {false, true}) {
    Options options;
    options.device = parse_device("cuda");
    if (limited) options.max_device_memory = n * n * (successors ? sizeof(float) : sizeof(float) / 2);
    auto [found, report] = paths::all_pairs(edges, options, {{}, successors});
    lengths[limited] = std::move(found.lengths);
    Json kept = row(limited ? "all pairs, table on the host" : "all pairs, from and to the host",
                    {{"n", n}, {"dtype", "f32"}, {"successors", successors}, {"negative", false}},
                    summarize({report.solve_seconds}), size * size * size, ceiling);
    kept["device_bytes"] = report.peak_device_bytes;
    kept["prepare_seconds"] = report.prepare_seconds;
    keep(std::move(kept));
  }
  require(lengths[0] == lengths[1], "the ways differ at n = " + std::to_string(n));
}

/// `lanes`: columns in a value.
template <class Arith>
void product(const char* name, std::size_t n, int repeats, double ceiling, std::size_t lanes = 1) {
  using T = typename Arith::Value;
  const Buffer<T> a(n * n), b(n * n / lanes), c(n * n / lanes);
  for (const Buffer<T>* buffer : {&a, &b, &c}) check(cudaMemset(buffer->data(), 1, buffer->bytes()), "clear memory");
  const cuda::Stream stream;
  const cuda::Event start, stop;
  std::vector<double> seconds;
  for (int repeat = repeats > 1 ? -1 : 0; repeat < repeats; ++repeat) {
    start.record(stream);
    minplus::device::launch(minplus::device::multiply_tiles<Arith>,
                            minplus::device::Product<T>{a.data(), b.data(), c.data(), n, n, n / lanes}, 1,
                            stream.get());
    stop.record(stream);
    stream.synchronize();
    if (repeat >= 0) seconds.push_back(seconds_between(start, stop));
  }
  const double size = static_cast<double>(n);
  keep(row("one product, resident", {{"n", n}, {"arithmetic", name}}, summarize(seconds), size * size * size, ceiling));
}

/// The GPU's own seconds. The result is compared with the CPU's up to some size. With two edges per vertex, few
/// vertices reach many others before half of the turns are done.
void reach(std::size_t n, std::size_t edges_a_vertex, int repeats) {
  const Matrix<std::uint8_t> edges = graph_of_bits(n, edges_a_vertex);
  const auto solve = [&](const char* device) {
    Options options;
    options.device = parse_device(device);
    return paths::all_pairs(edges, options, {minplus::Semiring::or_and, false});
  };
  std::vector<double> seconds, snake_order;
  Matrix<std::uint8_t> found;
  for (int repeat = -1; repeat < repeats; ++repeat) {
    auto [solution, report] = solve("cuda");
    found = std::move(solution.lengths);
    if (repeat < 0) continue;
    seconds.push_back(report.solve_seconds);
    snake_order.push_back(report.prepare_seconds);
  }
  if (n <= 16384) {
    require(found == solve("cpu").solution.lengths, "the devices differ in or-and at n = " + std::to_string(n));
  }
  const double size = static_cast<double>(n);
  Json kept = row("reach, resident", {{"n", n}, {"dtype", "u8"}, {"edges_a_vertex", edges_a_vertex}},
                  summarize(seconds), size * size * size, 0);
  kept["prepare_seconds"] = summarize(snake_order).median_seconds;
  keep(std::move(kept));
}

const Question cuda_all_pairs_question("cuda_all_pairs", [](const Arguments& arguments) {
  const std::size_t largest = arguments.empty() ? 65536 : std::stoul(arguments[0]);
  const std::size_t smallest = arguments.size() < 2 ? 1024 : std::stoul(arguments[1]);
  const auto wanted = [&](std::size_t n) { return smallest <= n && n <= largest; };
  using namespace minplus::device;
  const double f32 = ceiling_per_second<Arithmetic<MinPlus<float>>>();
  const double nonnegative = ceiling_per_second<NonnegativeF32>();
  const double i32 = ceiling_per_second<Arithmetic<MinPlus<std::int32_t>>>();
  const double f64 = ceiling_per_second<Arithmetic<MinPlus<double>>>();
  const double i64 = ceiling_per_second<Arithmetic<MinPlus<std::int64_t>>>();
  keep({{"work", "registers only"},
        {"terms_per_second",
         {{"f32", f32}, {"f32 nonnegative", nonnegative}, {"i32", i32}, {"f64", f64}, {"i64", i64}}}});
  expect_the_cpus_answer<float>(1024, false);
  expect_the_cpus_answer<float>(1024, true);
  expect_the_cpus_answer<std::int32_t>(1024, true);
  for (const std::size_t n : {1024, 2048, 4096, 8192, 16384, 32768}) {
    if (!wanted(n)) continue;
    const int repeats = n <= 8192 ? 5 : n <= 16384 ? 3 : 1;
    product<NonnegativeF32>("f32 nonnegative", n, repeats, nonnegative);
    product<Arithmetic<MinPlus<float>>>("f32", n, repeats, f32);
    product<OrAndQuad>("u8 or-and", n, repeats, 0, 4);
    for (const std::size_t edges_a_vertex : {2, 64}) reach(n, edges_a_vertex, 3);
    for (const bool successors : {false, true}) {
      for (const bool negative : {false, true}) {
        all_pairs<float>(n, successors, negative, repeats, negative ? f32 : nonnegative);
      }
    }
  }
  for (const bool successors : {false, true}) {
    if (!wanted(8192)) continue;
    all_pairs<std::int32_t>(8192, successors, true, 3, i32);
    all_pairs<std::int64_t>(8192, successors, true, 3, i64);
    all_pairs<double>(8192, successors, true, 3, f64);
  }
  if (wanted(16384)) out_of_core(16384, true, nonnegative);
  if (wanted(32768)) out_of_core(32768, false, nonnegative);
  for (const std::size_t n : {65536, 131072}) {
    if (wanted(n)) all_pairs<float>(n, false, false, 1, nonnegative);
  }
});

}  // namespace
}  // namespace warpfold::bench
