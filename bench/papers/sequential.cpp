// How long does Fig. 1 of pipeline-dp-2018, the SEQUENTIAL column of its Table I, take on this CPU?
//
//   bench_papers sequential --json > results/<machine>/paper_sequential.json
//
// One thread, ST[i] = min over j of ST[i - a_j]. n, k and offsets are drawn as in bench_papers pipelines, but fewer
// times.

#include "papers/pipeline-dp-2018/sequential.hpp"

#include <numeric>
#include <random>

#include "../question.hpp"

namespace warpfold::papers::pipeline_2018 {
namespace {

const bench::Question sequential_question("sequential", [](const bench::Arguments&) {
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
    bench::keep(bench::row("table-1", {{"row", number}, {"method", "sequential"}, {"mean_seconds", mean}},
                           bench::summarize(std::move(seconds)), operations, 0));
  }
});

}  // namespace
}  // namespace warpfold::papers::pipeline_2018
