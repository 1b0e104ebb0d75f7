// How long do the fewest coins of a large amount take, with coins that residues solve and with coins that they do not?
#include "warpfold/recurrence/coins.hpp"

#include <fmt/format.h>

#include <numeric>

#include "../question.hpp"
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

void measure(const Work& work) {
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
  bench::keep(bench::row(work.name,
                         {{"coins", work.coins},
                          {"amount", work.amount},
                          {"fewest", change.solution.fewest},
                          {"algorithm", change.report.algorithm},
                          {"peak_bytes", change.report.peak_bytes}},
                         timing, static_cast<double>(work.amount) * static_cast<double>(work.coins.size()), 0));
}

const bench::Question coins_question(
    "coins",
    [](const bench::Arguments&) {
      const std::vector<std::int64_t> money = {1, 5, 10, 25, 50, 100, 200, 500, 1000, 2000};
      const std::vector<std::int64_t> odd = {17, 1000, 25001, 31337, 44444, 51111, 66666, 78901, 88888, 99999};
      const Work works[] = {{"everyday kinds", money, 100'000'000, ""},
                            {"odd kinds up to 99,999", odd, 100'000'000, ""},
                            {"odd kinds, table forced", odd, 100'000'000, "table"}};
      for (const Work& work : works) measure(work);
    },
    [](const bench::Json& row) {
      return fmt::format("{:26} {:10} {:9.3f} ms  spread {:.2f}", row["work"].get<std::string>(),
                         row["algorithm"].get<std::string>(), 1e3 * row["median_seconds"].get<double>(),
                         row["spread"].get<double>());
    });

}  // namespace
