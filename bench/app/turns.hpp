#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "../question.hpp"
#include "run.hpp"
#include "tests/cli/app/instances.hpp"
#include "warpfold/run/clock.hpp"

/// Measures several command lines for the same triangulation alternately, because the machine also does other work.
namespace warpfold::bench {

struct Way {
  std::string work;
  std::string
      arguments;  ///< of `warpfold triangulate round.txt --dtype f32`; `--checkpoint kept` starts with no folder
  std::string mpirun = {};  ///< the command that starts ranks; empty: one process without MPI
  std::vector<double> solve_seconds = {}, process_seconds = {};
  Json answer = {};
};

inline void take_turn(const std::filesystem::path& folder, Way& way) {
  std::filesystem::remove_all(folder / "kept");
  const auto start = std::chrono::steady_clock::now();
  way.answer = run(folder, "triangulate round.txt --dtype f32 " + way.arguments, way.mpirun);
  way.process_seconds.push_back(seconds_since(start));
  way.solve_seconds.push_back(way.answer["seconds"]["solve"]);
}

/// Adds a row for each command line: the seconds of its solve, without the structure, and of the whole process. All
/// results must be equal to the first one's.
inline void measure_in_turns(const std::filesystem::path& folder, std::size_t n, int repeats, std::vector<Way> ways) {
  app::test::write_outline(folder / "round.txt", n, 0);
  for (int repeat = 0; repeat < repeats; ++repeat) {
    for (Way& way : ways) {
      take_turn(folder, way);
      if (way.answer["cost"] == ways[0].answer["cost"] && way.answer["chords"] == ways[0].answer["chords"]) continue;
      throw std::runtime_error(way.work + " has another answer");
    }
  }
  std::filesystem::remove_all(folder / "kept");
  const auto size = static_cast<double>(n);
  for (const Way& way : ways) {
    const Timing timing = summarize(way.solve_seconds);
    Json measured = row(way.work, {{"n", n}, {"dtype", "f32"}}, timing, size * (size - 1) * (size - 2) / 6, 0);
    measured["speed_of_the_first"] = summarize(ways[0].solve_seconds).median_seconds / timing.median_seconds;
    measured["speed_in_pairs"] = speed_in_pairs(ways[0].solve_seconds, way.solve_seconds);
    measured["process_seconds"] = summarize(way.process_seconds).median_seconds;
    measured["process_speed_in_pairs"] = speed_in_pairs(ways[0].process_seconds, way.process_seconds);
    measured["traceback_seconds"] = way.answer["seconds"]["traceback"];
    if (!way.mpirun.empty()) measured["rank_bytes"] = way.answer["rank_bytes"];
    keep(std::move(measured));
  }
}

inline std::string line_of_turns(const Json& row) {
  if (!row.contains("speed_in_pairs")) return row.dump();
  return fmt::format("{:28} n = {:6} {:8.3f} s, spread {:.2f}, {:.3f} of the first's speed; the process {:.3f} s",
                     row["work"].get<std::string>(), row["n"].get<std::size_t>(), row["median_seconds"].get<double>(),
                     row["spread"].get<double>(), row["speed_in_pairs"].get<double>(),
                     row["process_seconds"].get<double>());
}

}  // namespace warpfold::bench
