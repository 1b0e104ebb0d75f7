// How far are the seconds and bytes of `--estimate` from those of the run, over all commands?
#include <fmt/format.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>

#include "../result.hpp"
#include "run.hpp"
#include "tests/cli/app/instances.hpp"

namespace {

using namespace warpfold;
using app::test::Solve;

/// A folder that is taken away again.
class Folder {
 public:
  Folder() : path_(std::filesystem::temp_directory_path() / ("warpfold-estimates-" + std::to_string(getpid()))) {
    std::filesystem::create_directories(path_);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// The run is timed from its start to its end, its output included. Of the estimates the median of three.
bench::Json measure(const std::filesystem::path& folder, const Solve& solve) {
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
                     {"estimated_peak_bytes", estimate["peak_bytes"]}};
  if (estimate.contains("at_most")) row["estimated_at_most"] = estimate["at_most"];
  return row;
}

}  // namespace

int main(int argc, char** argv) {
  const bool json = argc > 1 && std::strcmp(argv[1], "--json") == 0;
  const Folder folder;
  std::vector<bench::Json> rows;
  for (const Solve& solve : app::test::large_solves(folder.path())) {
    rows.push_back(measure(folder.path(), solve));
    const bench::Json& row = rows.back();
    const auto ratio = [&](const char* estimated, const char* measured) {
      return row[estimated].get<double>() / row[measured].get<double>();
    };
    if (json) continue;
    fmt::print("{:9} {:8.3f} s, estimated {:5.2f} of it; {:7.1f} MB, {:5.2f} of it{} {}\n",
               row["algorithm"].get<std::string>(), row["median_seconds"].get<double>(),
               ratio("estimated_seconds", "median_seconds"), row["peak_bytes"].get<double>() * 1e-6,
               ratio("estimated_peak_bytes", "peak_bytes"), solve.by_instance ? " (at least)  " : "  ",
               solve.arguments);
  }
  if (json) fmt::print("{}\n", bench::file("build/release/bin/bench_app_estimates --json", std::move(rows)).dump(2));
}
