#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "arguments.hpp"
#include "warpfold/checkpoint/checkpoint.hpp"
#include "warpfold/run/run.hpp"

/// The options of every solving command.
namespace warpfold::app {

inline constexpr auto threads_help = "number of CPU threads; default: as many as the process may use";
inline constexpr auto json_help = "one JSON object on standard output, and nothing else there";
inline constexpr auto seed_help = "seed of everything random";

/// The options of solving commands, as they were typed.
struct SolveOptions {
  std::string output;
  bool json = false;
  bool quiet = false;
  bool progress = false;
  bool estimate = false;
  std::string device = "auto";
  int threads = 0;
  std::string dtype = "";
  std::string algorithm;
  std::optional<double> time_limit_seconds;
  std::optional<std::string> max_memory;
  std::optional<std::string> max_device_memory;
  std::uint64_t seed = 1;
  std::optional<std::string> checkpoint, resume;
  std::optional<double> every_seconds;
  bool ranks = false;
  std::optional<std::chrono::steady_clock::time_point> deadline;  ///< set by `begin`

  /// Starts the time limit, which includes reading and writing. Raises what `check_outputs` raises.
  void begin();

  /// The library's options, with parsed limits, the interrupts' stop token, and a progress bar if standard error is a
  /// terminal.
  [[nodiscard]] Options resolve() const;

  /// The checkpoint of --checkpoint or --resume. From now on, an interrupt leaves it time to write.
  [[nodiscard]] std::optional<Checkpoint> checkpointer() const;
};

/// Adds --checkpoint, --every and --resume, for commands whose table can be saved.
void add_checkpoint_options(Command command, SolveOptions& options);

/// The options that only some commands support. Others reject them.
struct SupportedOptions {
  bool gpu = true;  ///< false if no algorithm of the command runs on a GPU
  bool threads = true;
  bool algorithm = true;
  bool device_memory = true;
  bool estimate = true;
  bool progress = true;
  bool seed = false;
};

/// Adds the options. `endings` and `dtypes`, words between bars, are the accepted values of --output and --dtype in the
/// help.
void add_solve_options(Command command, SolveOptions& options, const std::string& endings,
                       const std::string& dtypes = "i32|i64|f32|f64", const SupportedOptions& reads = {});

}  // namespace warpfold::app
