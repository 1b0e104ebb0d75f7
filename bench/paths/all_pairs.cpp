// How long do all shortest paths take on this machine's processors, with and without successors, compared with one
// product of the same size? Both are measured alternately.
//
//   bench_paths all_pairs --json > results/<machine>/paths_all_pairs.json
#include "warpfold/paths/all_pairs.hpp"

#include "../question.hpp"
#include "graphs.hpp"
#include "timing/dense.hpp"

namespace {

using namespace warpfold;

template <class T>
void measure_all_pairs(std::size_t n, int repeats) {
  Options on_cpu;
  on_cpu.device = parse_device("cpu");
  const Matrix<T> edges = bench::complete_graph<T>(n);
  std::vector<double> product, lengths, successors;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    product.push_back(bench::seconds_of(minplus::multiply(minplus::Semiring(), edges, edges, on_cpu).report));
    lengths.push_back(bench::seconds_of(paths::all_pairs(edges, on_cpu, {{}, false}).report));
    successors.push_back(bench::seconds_of(paths::all_pairs(edges, on_cpu).report));
  }
  const auto m = static_cast<double>(n);
  const double of_product = bench::summarize(product).median_seconds;
  const auto keep = [&](const char* work, const std::vector<double>& seconds) {
    const auto timing = bench::summarize(seconds);
    bench::Json row =
        bench::row(work, {{"n", n}, {"dtype", dtype_name<T>()}, {"threads", thread_count(0)}}, timing, m * m * m, 0);
    row["times_a_product"] = timing.median_seconds / of_product;
    bench::keep(std::move(row));
  };
  keep("one product", product);
  keep("lengths", lengths);
  keep("lengths and successors", successors);
}

const bench::Question all_pairs_question("all_pairs", [](const bench::Arguments&) {
  measure_all_pairs<float>(1024, 9);
  measure_all_pairs<float>(2048, 3);
  measure_all_pairs<float>(4096, 3);
  measure_all_pairs<double>(2048, 5);
  measure_all_pairs<std::int32_t>(2048, 5);
  measure_all_pairs<std::int64_t>(2048, 5);
});

}  // namespace
