// How fast are large edge lists read? 200 MB/s are promised for integer ids on two cores, and 50 MB/s for names. Other
// programs may take the processor away, so the processor's seconds are measured beside those of the clock.
//
//   bench_app reading [edges] --json > results/<machine>/app_reading.json
#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "../question.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/formats/graph.hpp"
#include "warpfold/run/clock.hpp"

namespace {

using namespace warpfold;

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

rusage usage() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  return used;
}

double processor_seconds() {
  const rusage used = usage();
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

/// A file that is removed at the end.
class DrawnFile {
 public:
  /// Draws edges between a tenth as many vertices, whose names begin with `prefix`.
  DrawnFile(std::size_t edges, const char* prefix)
      : path_(std::filesystem::temp_directory_path() / "warpfold_reading.csv"), vertices_(edges / 10 + 1) {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path_.c_str(), "w"), std::fclose);
    if (!file) throw Error(ErrorKind::input, path_.string() + ": cannot be written");
    std::mt19937_64 random(1);
    for (std::size_t e = 0; e < edges; ++e) {
      std::fprintf(file.get(), "%s%zu,%s%zu,%zu\n", prefix, random() % vertices_, prefix, random() % vertices_,
                   1 + random() % 9999);
    }
  }
  ~DrawnFile() { std::filesystem::remove(path_); }
  DrawnFile(const DrawnFile&) = delete;
  DrawnFile& operator=(const DrawnFile&) = delete;

  [[nodiscard]] std::string path() const { return path_.string(); }
  [[nodiscard]] std::size_t vertices() const { return vertices_; }
  [[nodiscard]] double megabytes() const { return 1e-6 * static_cast<double>(std::filesystem::file_size(path_)); }

 private:
  std::filesystem::path path_;
  std::size_t vertices_;
};

void measure(const char* work, std::size_t edges, const char* prefix) {
  constexpr int repeats = 3;
  const DrawnFile file(edges, prefix);
  std::vector<double> wall, processor;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    const auto start = std::chrono::steady_clock::now();
    const double before = processor_seconds();
    const formats::Graph graph = formats::read_graph(file.path());
    wall.push_back(seconds_since(start));
    processor.push_back(processor_seconds() - before);
    bench::require(graph.edges.size() == edges && graph.vertices <= file.vertices(), "another graph was read");
  }
  const double of_processor = bench::summarize(processor).median_seconds;
  bench::Json row = bench::row(work, {{"edges", edges}, {"megabytes", file.megabytes()}}, bench::summarize(wall),
                               static_cast<double>(edges), 0);
  row["megabytes_per_second"] = file.megabytes() / row["median_seconds"].get<double>();
  row["processor_seconds"] = of_processor;
  row["megabytes_per_processor_second"] = file.megabytes() / of_processor;
  row["largest_resident_bytes"] = usage().ru_maxrss * 1024;
  bench::keep(std::move(row));
}

const bench::Question reading_question("reading", [](const bench::Arguments& arguments) {
  const std::size_t edges = arguments.empty() ? 10'000'000 : std::stoull(arguments[0]);
  measure("integer ids", edges, "");
  measure("names", edges, "junction ");
});

}  // namespace
