// How close are the seconds and bytes of `--estimate` to those of the run, for all commands?
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>
#include <vector>

#include "../question.hpp"
#include "run.hpp"
#include "tests/cli/app/instances.hpp"
#include "tests/temporary_folder.hpp"

namespace {

using namespace warpfold;
using app::test::Solve;

/// The run is timed from start to end, including its output. For the estimate, the median of three is taken.
void measure_estimate(const std::filesystem::path& folder, const Solve& solve) {
  bench::Json result;
  const bench::Timing timing = bench::measure(5, [&] { result = bench::run(folder, solve.arguments); });
  std::vector<double> seconds;
  bench::Json estimate;
  for (int repeat = 0; repeat < 3; ++repeat) {
    estimate = bench::run(folder, solve.arguments + " --estimate");
    seconds.push_back(estimate["seconds"]);
  }
  std::sort(seconds.begin(), seconds.end());
  bench::Json row = {{"work", solve.arguments},
                     {"algorithm", result["algorithm"]},
                     {"estimated_algorithm", estimate["algorithm"]},
                     {"median_seconds", timing.median_seconds},
                     {"spread", timing.spread},
                     {"repeats", timing.repeats},
                     {"estimated_seconds", seconds[1]},
                     {"peak_bytes", result["peak_bytes"]},
                     {"estimated_peak_bytes", estimate["peak_bytes"]},
                     {"by_instance", solve.by_instance}};
  if (estimate.contains("at_most")) row["estimated_at_most"] = estimate["at_most"];
  bench::keep(std::move(row));
}

std::string line_of_estimate(const bench::Json& row) {
  const auto ratio = [&](const char* estimated, const char* measured) {
    return row[estimated].get<double>() / row[measured].get<double>();
  };
  return fmt::format("{:9} {:8.3f} s, estimated {:5.2f} of it; {:7.1f} MB, {:5.2f} of it{} {}",
                     row["algorithm"].get<std::string>(), row["median_seconds"].get<double>(),
                     ratio("estimated_seconds", "median_seconds"), row["peak_bytes"].get<double>() * 1e-6,
                     ratio("estimated_peak_bytes", "peak_bytes"),
                     row["by_instance"].get<bool>() ? " (at least)  " : "  ", row["work"].get<std::string>());
}

const bench::Question estimates_question(
    "estimates",
    [](const bench::Arguments&) {
      const test::TemporaryFolder folder;
      for (const Solve& solve : app::test::large_solves(folder.path())) measure_estimate(folder.path(), solve);
    },
    line_of_estimate);

}  // namespace
