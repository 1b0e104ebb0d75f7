// How long does Fig. 1 of pipeline-dp-2018, the SEQUENTIAL column of its Table I, take on this CPU?
//
//   bench_papers_sequential > results/<machine>/paper_sequential.json
//
// One thread, ST[i] = min over j of ST[i - a_j]; the same draws of n, k and offsets as
// bench_papers_pipelines, of which it runs fewer.

#include "papers/pipeline-dp-2018/sequential.hpp"

#include <fmt/format.h>

#include <numeric>
#include <random>

#include "../result.hpp"

using namespace warpfold;
using namespace warpfold::papers::pipeline_2018;

int main() {
  std::vector<bench::Json> rows;
  constexpr int runs[] = {20, 5, 1};
  for (int number = 1; number <= 3; ++number) {
    std::mt19937_64 random(static_cast<std::uint64_t>(number));
    std::vector<double> seconds;
    double operations = 0;
    for (int run = 0; run < runs[number - 1]; ++run) {
      Draw drawn = draw(12 + 2 * number, random);
      operations += drawn.operations() / runs[number - 1];
      const auto start = std::chrono::steady_clock::now();
      fill_sequentially(drawn);
      seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    const double mean = std::accumulate(seconds.begin(), seconds.end(), 0.0) / static_cast<double>(seconds.size());
    rows.push_back(bench::row("table-1", {{"row", number}, {"method", "sequential"}, {"mean_seconds", mean}},
                              bench::summarize(std::move(seconds)), operations, 0));
    fmt::print(stderr, "{}\n", rows.back().dump());
  }
  fmt::print("{}\n", bench::file("bench_papers_sequential", std::move(rows)).dump(1));
  return 0;
}
