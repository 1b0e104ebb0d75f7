#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>

#include "io/json.hpp"
#include "solve_options.hpp"
#include "warpfold/checkpoint/checkpoint.hpp"
#include "warpfold/run/run.hpp"

/// The output of a solving command.
namespace warpfold::app {

using io::exact_number;
using io::Json;
using io::json_text;

/// The wall-clock seconds since construction, and the times of a run that the report does not contain.
class Stopwatch {
 public:
  [[nodiscard]] double seconds() const;

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// The data of the keys that all solving commands print.
struct Summary {
  std::string command;
  std::string status = "optimal";
  std::size_t n = 0;
  Json cost = nullptr;
  std::string dtype = "";
  bool exact = true;  ///< false if a problem of integers was solved in rounded arithmetic
  double read_seconds = 0;
  double total_seconds = 0;
  Report report = {};

  /// Fills in the data at the end of a solve. Notes a GPU that was not used.
  Summary& of(const Report& ran, double seconds_of_reading, const Stopwatch& total);
};

/// The keys of the `--json` object that all solving commands share. Scripts rely on them and their order.
[[nodiscard]] Json common_keys(const Summary& summary);

/// The key "checkpoint": how much came from the checkpoint.
[[nodiscard]] Json checkpoint_json(const Checkpoint& checkpointer);

/// Notes on standard error that the result is rounded, if it is.
void note_rounding(const Summary& summary);

/// Notes on standard error that a list of `count` entries is too long for --json, and which option writes all of it.
void note_unlisted(std::size_t count, std::size_t most, const std::string& holder);

/// The object as one line. Sets its `peak_bytes` to the process's peak.
[[nodiscard]] std::string result_text(Json& object);

/// Prints the object alone on standard output.
void print_json(Json object);

/// Ends a command. Writes the object to --output if that is a .json file, and with --json prints it alone. Otherwise
/// calls `say`, which prints the result for people, unless --quiet is given.
void finish(const SolveOptions& options, Json object, const std::function<void()>& say);

}  // namespace warpfold::app
