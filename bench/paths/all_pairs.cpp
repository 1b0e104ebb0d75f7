// How long do all shortest paths take on this machine's processors, with and without successors, compared with one
// product of the same size? All are measured alternately, with random lengths and with those of a ring, of which nearly
// every one becomes better in every few steps. The ceiling is the better of one measurement before and one after.
//
//   bench_paths all_pairs --json > results/<machine>/paths_all_pairs.json
#include "warpfold/paths/all_pairs.hpp"

#include "../question.hpp"
#include "graphs.hpp"
#include "ring.hpp"
#include "timing/dense.hpp"

namespace {

using namespace warpfold;

/// Solves graphs of these edges, and checks the first answer.
template <class T, class Check>
void measure_graph(const char* drawn, const Matrix<T>& edges, int repeats, const Check& check) {
  Options on_cpu;
  on_cpu.device = parse_device("cpu");
  const auto n = edges.rows();
  const int threads = thread_count(0);
  double ceiling = minplus::measure_ceiling<T>(threads);
  std::vector<double> product, lengths, successors;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    product.push_back(bench::seconds_of(minplus::multiply(minplus::Semiring(), edges, edges, on_cpu).report));
    lengths.push_back(bench::seconds_of(paths::all_pairs(edges, on_cpu, {{}, false}).report));
    const auto [solution, report] = paths::all_pairs(edges, on_cpu);
    successors.push_back(bench::seconds_of(report));
    if (repeat == 0) check(solution);
  }
  ceiling = std::max(ceiling, minplus::measure_ceiling<T>(threads));
  const auto m = static_cast<double>(n);
  const double of_product = bench::summarize(product).median_seconds;
  const auto keep = [&](const char* work, const std::vector<double>& seconds) {
    const auto timing = bench::summarize(seconds);
    bench::Json row = bench::row(work, {{"n", n}, {"dtype", dtype_name<T>()}, {"edges", drawn}, {"threads", threads}},
                                 timing, m * m * m, ceiling);
    row["times_a_product"] = timing.median_seconds / of_product;
    bench::keep(std::move(row));
  };
  keep("one product", product);
  keep("lengths", lengths);
  keep("lengths and successors", successors);
}

template <class T>
void measure_random(std::size_t n, int repeats) {
  measure_graph("random", bench::complete_graph<T>(n), repeats, [](const auto&) {});
}

/// Nearly every length becomes better in every few steps.
template <class T>
void measure_improving(std::size_t n, int repeats) {
  const bench::Ring ring(n);
  measure_graph("a ring", ring.edges<T>(), repeats,
                [&](const auto& solution) { ring.expect_shortest(solution.lengths, solution.successors); });
}

const bench::Question all_pairs_question("all_pairs", [](const bench::Arguments&) {
  measure_random<float>(1024, 9);
  measure_random<float>(2048, 3);
  measure_random<float>(4096, 3);
  measure_random<double>(2048, 5);
  measure_random<std::int32_t>(2048, 5);
  measure_random<std::int64_t>(2048, 5);
  measure_improving<float>(2048, 5);
  measure_improving<std::int64_t>(2048, 5);
});

}  // namespace
