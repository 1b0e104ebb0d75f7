// How long does Fig. 1 of pipeline-dp-2018, the SEQUENTIAL column of its Table I, take on this CPU?
//
//   bench_papers_sequential > results/<machine>/paper_sequential.json
//
// One thread, ST[i] = min over j of ST[i - a_j]; the same draws of n, k and offsets as
// bench_papers_pipelines, of which it runs fewer.

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "../result.hpp"

namespace {

using namespace warpfold;

struct Draw {
  std::vector<int> offsets;  // largest first
  std::vector<int> table;
};

Draw draw(int log_n, std::mt19937_64& random) {
  const auto n = (std::size_t{1} << log_n) + random() % ((std::size_t{1} << log_n) + 1);
  const auto k = (std::size_t{1} << (log_n - 2)) + random() % ((1U << (log_n - 2)) + 1);
  Draw drawn;
  drawn.offsets.resize(2 * k);
  std::iota(drawn.offsets.begin(), drawn.offsets.end(), 1);
  std::shuffle(drawn.offsets.begin(), drawn.offsets.end(), random);
  drawn.offsets.resize(k);
  std::ranges::sort(drawn.offsets, std::greater<>());
  drawn.table.resize(n);
  for (int i = 0; i < drawn.offsets[0]; ++i) {
    drawn.table[static_cast<std::size_t>(i)] = static_cast<int>(random() % 1'000'000'000);
  }
  return drawn;
}

void fill(Draw& drawn) {
  const auto n = static_cast<int>(drawn.table.size());
  int* const st = drawn.table.data();
  for (int i = drawn.offsets[0]; i < n; ++i) {
    st[i] = st[i - drawn.offsets[0]];
    for (std::size_t j = 1; j < drawn.offsets.size(); ++j) st[i] = std::min(st[i], st[i - drawn.offsets[j]]);
  }
}

}  // namespace

int main() {
  std::vector<bench::Json> rows;
  constexpr int runs[] = {20, 5, 1};
  for (int number = 1; number <= 3; ++number) {
    std::mt19937_64 random(static_cast<std::uint64_t>(number));
    std::vector<double> seconds;
    double operations = 0;
    for (int run = 0; run < runs[number - 1]; ++run) {
      Draw drawn = draw(12 + 2 * number, random);
      operations += static_cast<double>(drawn.table.size() - static_cast<std::size_t>(drawn.offsets[0])) *
                    static_cast<double>(drawn.offsets.size()) / runs[number - 1];
      const auto start = std::chrono::steady_clock::now();
      fill(drawn);
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
