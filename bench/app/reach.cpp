// What does a checkpoint cost, and how far are ranks from the threads of one process? One after the other in turns,
// since the machine has other work, too: the solve's seconds, those of the structure not among them. Where there are
// GPUs, of those alone.
#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <vector>

#include "../result.hpp"
#include "run.hpp"
#include "tests/cli/app/instances.hpp"
#include "tests/temporary_folder.hpp"
#include "warpfold/run/devices.hpp"

namespace {

using namespace warpfold;
using bench::Json;

struct Way {
  std::string work;
  std::string arguments;
  int ranks = 0;  ///< 0: one process without MPI
  std::vector<double> seconds = {};
  Json answer = {};
};

Json solve(const std::filesystem::path& folder, const Way& way) {
  std::filesystem::remove_all(folder / "kept");
  const std::string before = way.ranks == 0 ? "" : fmt::format("mpirun --oversubscribe -n {}", way.ranks);
  return bench::run(folder, way.arguments, before);
}

/// The ways in turns; every answer is held against the first.
std::vector<Json> measure(const std::filesystem::path& folder, std::size_t n, int repeats, std::vector<Way> ways) {
  app::test::write_outline(folder / "round.txt", n, 0);
  for (int repeat = 0; repeat < repeats; ++repeat) {
    for (Way& way : ways) {
      way.answer = solve(folder, way);
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
    if (way.ranks > 0) row["rank_bytes"] = way.answer["rank_bytes"];
    rows.push_back(row);
  }
  return rows;
}

std::vector<Json> measure_cpu(const std::filesystem::path& folder) {
  const std::string solve = "triangulate round.txt --dtype f32 --device cpu ";
  const std::string alone = solve + "-a tiled --threads 2 ";
  std::vector<Json> rows = measure(
      folder, 16384, 3,
      {{"one process of 2 threads", alone}, {"the same with a checkpoint", alone + "--checkpoint kept --every 2"}});
  if (!WARPFOLD_HAS_MPI) return rows;
  const std::string by_ranks = solve + "--ranks --threads 1";
  for (const auto& more :
       {measure(folder, 8192, 7, {{"one process of 2 threads", alone}, {"2 ranks of 1 thread", by_ranks, 2}}),
        measure(folder, 4096, 7, {{"2 ranks of 1 thread", by_ranks, 2}, {"4 ranks of 1 thread", by_ranks, 4}})}) {
    rows.insert(rows.end(), more.begin(), more.end());
  }
  return rows;
}

std::vector<Json> measure_gpus(const std::filesystem::path& folder, std::size_t count) {
  const std::string solve = "triangulate round.txt --dtype f32 --device cuda ";
  std::vector<Way> ways = {{"one GPU", solve}, {"the same with a checkpoint", solve + "--checkpoint kept --every 2"}};
  if (WARPFOLD_HAS_MPI && count > 1) ways.push_back({"2 ranks of a GPU", solve + "--ranks", 2});
  return measure(folder, 65536, 3, ways);
}

}  // namespace

int main(int argc, char** argv) {
  const bool json = argc > 1 && std::strcmp(argv[1], "--json") == 0;
  setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
  setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
  const test::TemporaryFolder folder;
  const std::size_t count = gpus().size();
  std::vector<Json> rows = count > 0 ? measure_gpus(folder.path(), count) : measure_cpu(folder.path());
  for (const Json& row : rows) {
    if (json) break;
    fmt::print("{:28} n = {:6} {:8.3f} s, spread {:.2f}, {:.3f} of the first's speed\n", row["work"].get<std::string>(),
               row["n"].get<std::size_t>(), row["median_seconds"].get<double>(), row["spread"].get<double>(),
               row["speed_of_the_first"].get<double>());
  }
  if (json) fmt::print("{}\n", bench::file("bench_app_reach", std::move(rows)).dump(1));
}
