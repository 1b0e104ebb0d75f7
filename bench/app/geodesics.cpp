// How long does the complete command take from Great Britain's outline to the shortest paths between all of its
// vertices, compared with one product of the same size? Both are measured alternately.
//
//   bench_app geodesics --json > results/<machine>/app_geodesics.json
#include <filesystem>
#include <utility>
#include <vector>

#include "../question.hpp"
#include "run.hpp"
#include "warpfold/minplus/multiply.hpp"

namespace {

using namespace warpfold;

double seconds_of(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

const bench::Question geodesics_question("geodesics", [](const bench::Arguments&) {
  constexpr int repeats = 7;
  Options on_cpu;
  on_cpu.device = parse_device("cpu");
  std::vector<double> product, command;
  bench::Json found;
  Matrix<float> a;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    command.push_back(seconds_of([&] {
      found = bench::run(WARPFOLD_EXAMPLES, "paths --outline great-britain.geojson --dtype f32 --device cpu");
    }));
    const auto n = found["n"].get<std::size_t>();
    if (a.empty()) a = Matrix<float>(n, n, 1.0F);
    const Report report = minplus::multiply(minplus::Semiring(), a, a, on_cpu).report;
    product.push_back(report.prepare_seconds + report.solve_seconds);
  }
  const auto n = static_cast<double>(a.rows());
  const double of_product = bench::summarize(product).median_seconds;
  const auto row_of = [&](const char* work, const std::vector<double>& seconds) {
    bench::Json row = bench::row(work, {{"n", a.rows()}, {"dtype", "f32"}, {"threads", thread_count(0)}},
                                 bench::summarize(seconds), n * n * n, 0);
    row["times_a_product"] = bench::summarize(seconds).median_seconds / of_product;
    return row;
  };
  bench::keep(row_of("one product", product));
  bench::Json paths = row_of("paths --outline great-britain.geojson", command);
  paths["seconds"] = found["seconds"];
  bench::keep(std::move(paths));
});

}  // namespace
