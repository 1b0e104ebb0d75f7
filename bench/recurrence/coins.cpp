// How long do the fewest coins of a large amount take, with kinds that suit residues and with kinds that do not?
#include "warpfold/recurrence/coins.hpp"

#include <fmt/format.h>

#include <cstring>
#include <numeric>

#include "../result.hpp"
#include "warpfold/core/error.hpp"

namespace {

using namespace warpfold;
using namespace warpfold::recurrence;

struct Work {
  const char* name;
  std::vector<std::int64_t> coins;
  std::int64_t amount;
  const char* algorithm;
};

bench::Json measure(const Work& work) {
  const CoinSystem system(work.coins);
  Options options;
  options.algorithm = work.algorithm;
  Outcome<Change> change;
  const bench::Timing timing = bench::measure(5, [&] { change = fewest_coins(system, work.amount, options); });
  std::int64_t sum = 0;
  for (std::size_t j = 0; j < work.coins.size(); ++j) sum += change.solution.used[j] * work.coins[j];
  Options other;
  other.algorithm = change.report.algorithm == "table" ? "" : "table";
  if (sum != work.amount || fewest_coins(system, work.amount, other).solution.fewest != change.solution.fewest) {
    throw Error(ErrorKind::internal, fmt::format("{}: the two algorithms differ", work.name));
  }
  return bench::row(work.name,
                    {{"coins", work.coins},
                     {"amount", work.amount},
                     {"fewest", change.solution.fewest},
                     {"algorithm", change.report.algorithm},
                     {"peak_bytes", change.report.peak_bytes}},
                    timing, static_cast<double>(work.amount) * static_cast<double>(work.coins.size()), 0);
}

}  // namespace

int main(int argc, char** argv) {
  const bool json = argc > 1 && std::strcmp(argv[1], "--json") == 0;
  const std::vector<std::int64_t> money = {1, 5, 10, 25, 50, 100, 200, 500, 1000, 2000};
  const std::vector<std::int64_t> odd = {17, 1000, 25001, 31337, 44444, 51111, 66666, 78901, 88888, 99999};
  const Work works[] = {{"everyday kinds", money, 100'000'000, ""},
                        {"odd kinds up to 99,999", odd, 100'000'000, ""},
                        {"odd kinds, table forced", odd, 100'000'000, "table"}};
  std::vector<bench::Json> rows;
  for (const Work& work : works) {
    rows.push_back(measure(work));
    if (!json) {
      fmt::print("{:26} {:10} {:9.3f} ms  spread {:.2f}\n", work.name, rows.back()["algorithm"].get<std::string>(),
                 1e3 * rows.back()["median_seconds"].get<double>(), rows.back()["spread"].get<double>());
    }
  }
  if (json) {
    fmt::print("{}\n", bench::file("build/release/bin/bench_recurrence_coins --json", std::move(rows)).dump(2));
  }
}
