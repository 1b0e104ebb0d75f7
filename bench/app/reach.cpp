// What does a checkpoint cost, and how far are ranks from the threads of one process? One after the other in turns,
// since the machine has other work, too: the solve's seconds, those of the structure not among them, and the whole
// command's. Where there are GPUs, of those alone.
//
//     bench_app_reach [--json] [checkpoint|ranks]
#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "../result.hpp"
#include "run.hpp"
#include "tests/cli/app/instances.hpp"
#include "tests/temporary_folder.hpp"
#include "warpfold/run/clock.hpp"
#include "warpfold/run/devices.hpp"

namespace {

using namespace warpfold;
using bench::Json;

struct Way {
  std::string work;
  std::string arguments;
  std::string mpirun = {};  ///< none: one process without MPI
  std::vector<double> seconds = {}, command_seconds = {};
  Json answer = {};
};

/// The ways in turns; every answer is held against the first.
std::vector<Json> measure(const std::filesystem::path& folder, std::size_t n, int repeats, std::vector<Way> ways) {
  app::test::write_outline(folder / "round.txt", n, 0);
  for (int repeat = 0; repeat < repeats; ++repeat) {
    for (Way& way : ways) {
      std::filesystem::remove_all(folder / "kept");
      const auto start = std::chrono::steady_clock::now();
      way.answer = bench::run(folder, way.arguments, way.mpirun);
      way.command_seconds.push_back(seconds_since(start));
      way.seconds.push_back(way.answer["seconds"]["solve"]);
      if (way.answer["cost"] == ways[0].answer["cost"] && way.answer["chords"] == ways[0].answer["chords"]) continue;
      throw std::runtime_error(way.work + " has another answer");
    }
  }
  const auto size = static_cast<double>(n);
  std::vector<Json> rows;
  for (const Way& way : ways) {
    const bench::Timing timing = bench::summarize(way.seconds);
    Json row = bench::row(way.work, {{"n", n}, {"dtype", "f32"}}, timing, size * (size - 1) * (size - 2) / 6, 0);
    row["speed_of_the_first"] = rows.empty() ? 1.0 : rows[0]["median_seconds"].get<double>() / timing.median_seconds;
    row["command_seconds"] = bench::summarize(way.command_seconds).median_seconds;
    if (!way.mpirun.empty()) row["rank_bytes"] = way.answer["rank_bytes"];
    rows.push_back(row);
  }
  return rows;
}

void append(std::vector<Json>& rows, const std::vector<Json>& more) {
  rows.insert(rows.end(), more.begin(), more.end());
}

/// What to measure.
struct Asked {
  bool checkpoint = true, ranks = true;
};

std::vector<Json> measure_cpu(const std::filesystem::path& folder, const Asked& asked) {
  const std::string solve = "triangulate round.txt --dtype f32 --device cpu ";
  const std::string alone = solve + "-a tiled --threads 2 ", by_ranks = solve + "--ranks --threads 1";
  std::vector<Json> rows;
  if (asked.checkpoint) {
    rows = measure(
        folder, 16384, 3,
        {{"one process of 2 threads", alone}, {"the same with a checkpoint", alone + "--checkpoint kept --every 2"}});
  }
  if (!asked.ranks) return rows;
  append(rows, measure(folder, 8192, 5,
                       {{"one process of 2 threads", alone},
                        {"2 ranks of 1 thread", by_ranks, "mpirun --bind-to core -n 2"}}));
  const std::string on_two_cores = "taskset -c 0,1 mpirun --oversubscribe --bind-to none -n ";
  append(rows, measure(folder, 4096, 5,
                       {{"2 ranks of 1 thread on 2 cores", by_ranks, on_two_cores + "2"},
                        {"4 ranks of 1 thread on 2 cores", by_ranks, on_two_cores + "4"}}));
  return rows;
}

std::vector<Json> measure_gpus(const std::filesystem::path& folder, const Asked& asked) {
  const std::string solve = "triangulate round.txt --dtype f32 --device cuda ";
  std::vector<Way> ways = {{"one GPU", solve}};
  if (asked.checkpoint) ways.push_back({"the same with a checkpoint", solve + "--checkpoint kept --every 2"});
  if (asked.ranks && gpus().size() > 1) {
    ways.push_back({"2 GPUs of one process", "triangulate round.txt --dtype f32 --device cuda:0,1"});
    ways.push_back({"2 ranks of a GPU", solve + "--ranks", "mpirun -n 2"});
    ways.push_back({"2 ranks of a GPU, by messages", solve + "--ranks", "mpirun -x WARPFOLD_P2P_DISABLE=1 -n 2"});
  }
  return measure(folder, 65536, 3, ways);
}

}  // namespace

int main(int argc, char** argv) {
  bool json = false;
  Asked asked{true, WARPFOLD_HAS_MPI};
  for (int at = 1; at < argc; ++at) {
    if (std::strcmp(argv[at], "--json") == 0) json = true;
    if (std::strcmp(argv[at], "checkpoint") == 0) asked.ranks = false;
    if (std::strcmp(argv[at], "ranks") == 0) asked.checkpoint = false;
  }
  setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
  setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
  const test::TemporaryFolder folder;
  std::vector<Json> rows = gpus().empty() ? measure_cpu(folder.path(), asked) : measure_gpus(folder.path(), asked);
  for (const Json& row : rows) {
    if (json) break;
    fmt::print("{:32} n = {:6} {:8.3f} s, spread {:.2f}, {:.3f} of the first's speed; {:.3f} s for the command\n",
               row["work"].get<std::string>(), row["n"].get<std::size_t>(), row["median_seconds"].get<double>(),
               row["spread"].get<double>(), row["speed_of_the_first"].get<double>(),
               row["command_seconds"].get<double>());
  }
  const char* const part = !asked.ranks ? " checkpoint" : !asked.checkpoint ? " ranks" : "";
  if (json) fmt::print("{}\n", bench::file(fmt::format("bench_app_reach{}", part), std::move(rows)).dump(1));
}
