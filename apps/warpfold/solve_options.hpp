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

/// The options that solving commands accept, as they were typed.
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

  /// Starts the time limit, which holds for reading and writing too; raises what `check_outputs` raises.
  void begin();

  /// The library's options: limits parsed, the stop token tied to interrupts, the progress bar to a terminal.
  [[nodiscard]] Options resolve() const;

  /// What --checkpoint or --resume asks for; from then on an interrupt leaves it the time to write.
  [[nodiscard]] std::optional<Checkpoint> checkpointer() const;
};

/// For commands that fill a table which a folder can keep: --checkpoint, --every and --resume.
void add_checkpoint_options(Command command, SolveOptions& options);

/// Those of them that not every command reads; it accepts no others.
struct SupportedOptions {
  bool gpu = true;  ///< false: no algorithm of the command runs on one
  bool threads = true;
  bool algorithm = true;
  bool device_memory = true;
  bool estimate = true;
  bool progress = true;
  bool seed = false;
};

/// `endings` and `dtypes`, words between bars, are what --help says that --output and --dtype accept.
void add_solve_options(Command command, SolveOptions& options, const std::string& endings,
                       const std::string& dtypes = "i32|i64|f32|f64", const SupportedOptions& reads = {});

}  // namespace warpfold::app
