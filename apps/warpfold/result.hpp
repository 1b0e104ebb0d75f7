#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>

#include "io/json.hpp"
#include "solve_options.hpp"
#include "warpfold/checkpoint/checkpoint.hpp"
#include "warpfold/run/run.hpp"

/// What a solving command prints and writes when it has solved.
namespace warpfold::app {

using io::exact_number;
using io::Json;
using io::json_text;

/// The wall-clock seconds since construction, and the parts of a run that the report does not know.
class Stopwatch {
 public:
  [[nodiscard]] double seconds() const;

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// What a solving command has to say before its own keys.
struct Summary {
  std::string command;
  std::string status = "optimal";
  std::size_t n = 0;
  Json cost = nullptr;
  std::string dtype = "";
  bool exact = true;  ///< false: a problem of integers was solved in rounded arithmetic
  double read_seconds = 0;
  double total_seconds = 0;
  Report report = {};

  /// Of a solve that ended now; a GPU that was not used is noted.
  Summary& of(const Report& ran, double seconds_of_reading, const Stopwatch& total);
};

/// The keys that every solving command's `--json` object has; scripts rely on them and on their order.
[[nodiscard]] Json common_keys(const Summary& summary);

/// What a solve had from its checkpoint: the key "checkpoint".
[[nodiscard]] Json checkpoint_json(const Checkpoint& checkpointer);

/// Says on standard error that the result is rounded, where it is.
void note_rounding(const Summary& summary);

/// Says on standard error that a list of `count` is longer than --json prints, and what holds all of it.
void note_unlisted(std::size_t count, std::size_t most, const std::string& holder);

/// The object in a line; its `peak_bytes` becomes what this process held at most.
[[nodiscard]] std::string result_text(Json& object);

/// Prints the object alone on standard output.
void print_json(Json object);

/// The end of a command: the object goes to --output where that is a .json, and alone to standard output with --json;
/// without it `say` prints what people read, unless --quiet.
void finish(const SolveOptions& options, Json object, const std::function<void()>& say);

}  // namespace warpfold::app
