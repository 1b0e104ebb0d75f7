// How many accesses does the simulator serve in a second on one core?
#include <fmt/format.h>

#include "../question.hpp"
#include "warpfold/machine/algorithm.hpp"

namespace {

using namespace warpfold;
using namespace warpfold::machine;

struct Case {
  const char* algorithm;
  Machine machine;
  std::uint32_t threads;
  std::uint64_t n;
  Timing timing;
};

void measure(const Case& what) {
  RunRequest request{.machine = what.machine, .threads = what.threads, .n = what.n};
  request.options.timing = what.timing;
  const Algorithm& algorithm = find_algorithm(what.algorithm);
  const RunResult result = run(algorithm, request);
  if (!result.correct) throw std::runtime_error(fmt::format("{} is wrong", what.algorithm));
  const bench::Timing timing = bench::measure(3, [&] { static_cast<void>(run(algorithm, request)); });
  bench::keep(bench::row(what.algorithm,
                         {{"machine", to_string(what.machine)},
                          {"threads", what.threads},
                          {"n", what.n},
                          {"timing", to_string(what.timing)},
                          {"accesses", result.report.total.accesses()}},
                         timing, static_cast<double>(result.report.total.accesses()), 0));
}

const bench::Question rate_question(
    "rate",
    [](const bench::Arguments&) {
      for (const Case& what : std::vector<Case>{{"umm-opt", umm(32, 100), 4096, 512, Timing::lockstep},
                                                {"umm-opt", umm(32, 100), 4096, 256, Timing::pipelined},
                                                {"contiguous", umm(32, 100), 1024, 1 << 23, Timing::lockstep},
                                                {"stride", dmm(32, 100), 1024, 1 << 23, Timing::lockstep},
                                                {"transpose-diagonal", dmm(32, 10), 1024, 1 << 20, Timing::lockstep},
                                                {"transpose-diagonal", umm(32, 10), 1024, 1 << 20, Timing::lockstep},
                                                {"tiled-umm-opt", hmm(4, 32, 100, 2), 4096, 256, Timing::lockstep}}) {
        measure(what);
      }
    },
    [](const bench::Json& row) {
      return fmt::format(
          "{:<20} {:<24} {:>9} {:>12} accesses  {:6.3f} s  {:6.1f} M/s  spread {:.2f}", row["work"].get<std::string>(),
          row["machine"].get<std::string>(), row["timing"].get<std::string>(), row["accesses"].get<std::uint64_t>(),
          row["median_seconds"].get<double>(), row["rate_per_second"].get<double>() / 1e6, row["spread"].get<double>());
    });

}  // namespace
