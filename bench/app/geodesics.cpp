// How long does the whole command take from Great Britain's outline to the shortest paths between all of its vertices,
// as against one product of as many, measured in turn?
//
//   bench_app_geodesics > results/<machine>/app_geodesics.json
#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <vector>

#include "run.hpp"
#include "warpfold/minplus/multiply.hpp"

namespace {

using namespace warpfold;

double seconds_of(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

int main() try {
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
  std::vector<bench::Json> rows;
  const auto keep = [&](const char* work, const std::vector<double>& seconds) {
    rows.push_back(bench::row(work, {{"n", a.rows()}, {"dtype", "f32"}, {"threads", thread_count(0)}},
                              bench::summarize(seconds), n * n * n, 0));
    rows.back()["times_a_product"] = bench::summarize(seconds).median_seconds / of_product;
  };
  keep("one product", product);
  keep("paths --outline great-britain.geojson", command);
  rows.back()["seconds"] = found["seconds"];
  fmt::print("{}\n", bench::file("bench_app_geodesics", rows).dump(1));
} catch (const std::exception& error) {
  std::cerr << "bench: error: " << error.what() << '\n';
  return 1;
}
