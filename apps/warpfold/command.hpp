#pragma once

#include <chrono>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "arguments.hpp"
#include "io/json.hpp"
#include "io/text.hpp"
#include "warpfold/checkpoint/checkpoint.hpp"
#include "warpfold/core/arithmetic.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/run/backend.hpp"

/// What the commands share: the options of every solving command, and how results are printed.
namespace warpfold::app {

using io::exact_number;
using io::Json;
using io::json_text;
using io::naming;

inline constexpr auto time_limit_help = "stop after SECONDS with exit code 5";
inline constexpr auto threads_help = "CPU threads; 0: all that the process may use";
inline constexpr auto max_memory_help = "refuse to hold more than SIZE (1000, 512M, 2G)";

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
  [[nodiscard]] std::optional<Checkpoint> keeper() const;
};

/// What a solve had from its checkpoint: the key "checkpoint".
[[nodiscard]] Json checkpoint_json(const Checkpoint& keeper);

/// When these seconds are over; `last_words` later the process ends with exit code 5. Raises Error{usage} unless they
/// are above 0.
std::chrono::steady_clock::time_point begin_time_limit(double seconds, std::chrono::milliseconds last_words = {});

/// For commands that do not solve: --time-limit SECONDS and --max-memory SIZE.
void add_limits(Command command);

/// For commands that fill a table which a folder can keep: --checkpoint, --every and --resume.
void add_checkpoint_options(Command command, SolveOptions& options);

/// Those of them that not every command reads; it accepts no others.
struct Reads {
  bool threads = true;
  bool algorithm = true;
  bool device_memory = true;
  bool estimate = true;
  bool progress = true;
  bool seed = false;
};

/// `endings` and `dtypes`, words between bars, are what --help says that --output and --dtype accept.
void add_solve_options(Command command, SolveOptions& options, const std::string& endings,
                       const std::string& dtypes = "i32|i64|f32|f64", const Reads& reads = {});

/// "512M", "2G", "1000" -> bytes. Raises Error{usage} that names the option for anything else.
[[nodiscard]] std::size_t parse_size(const std::string& option, const std::string& text);

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
  bool exact = true;  ///< false: a whole-number problem was solved in rounded arithmetic
  double read_seconds = 0;
  double total_seconds = 0;
  Report report = {};

  /// Of a solve that ended now; a GPU that was passed over is noted.
  Summary& of(const Report& ran, double seconds_of_reading, const Stopwatch& total);
};

/// The keys that every solving command's `--json` object has; scripts rely on them and on their order.
[[nodiscard]] Json common_keys(const Summary& summary);

/// Whether floating point of that name adds whole numbers up to `largest` without rounding; so do whole-number types.
[[nodiscard]] bool adds_exactly(const std::string& dtype, double largest);

/// Of those that hold whole totals up to `largest` four times, as problems ask for it; "f64" where none does.
[[nodiscard]] std::string smallest_exact_dtype(double largest);

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

/// Raises Error{usage} unless a name of an output file is empty or has the ending; `otherwise` says when another one
/// is.
void require_extension(const std::string& option, const std::string& path, const std::string& ending,
                       const std::string& otherwise = "");

/// For before a solve, so that a run that fails leaves no file: raises Error{usage} where two of the output files are
/// one, or one is an input, Error{input} for one that cannot be written. Empty paths are no file, and "-" is none.
void check_outputs(const std::vector<std::string>& paths);

/// A family's own algorithms, and those of the papers' backends that it is handed.
template <class B>
[[nodiscard]] std::vector<AlgorithmInfo> with_papers(std::vector<AlgorithmInfo> own, const std::vector<B>& papers) {
  for (const B& backend : papers) own.push_back(backend.info);
  return own;
}

/// For before anything is read: raises what `choose` raises for the algorithm and the device that were asked for. What
/// follows an algorithm's name and a colon, and whether it takes several GPUs, is left to the solve.
void check_algorithm(const SolveOptions& options, const std::vector<AlgorithmInfo>& accepted);

/// Raises Error{usage} that names what is accepted, unless `dtype` is one of it.
void check_dtype(const std::string& dtype, const std::vector<std::string_view>& accepted);

/// Calls `action` with a zero of the one of these types that `dtype` names. Raises Error{usage} for any other name.
template <class First, class... Rest, class Action>
auto with_dtype_among(const std::string& dtype, const Action& action) {
  check_dtype(dtype, {dtype_name<First>(), dtype_name<Rest>()...});
  if constexpr (sizeof...(Rest) > 0) {
    if (dtype != dtype_name<First>()) return with_dtype_among<Rest...>(dtype, action);
  }
  return action(First{});
}

template <class Action>
auto with_dtype(const std::string& dtype, const Action& action) {
  return with_dtype_among<std::int32_t, std::int64_t, float, double>(dtype, action);
}

/// Runs "machine run ..", a line without the program's name, and says in a sentence what came out.
[[nodiscard]] std::string machine_run_sentence(const std::string& line);

/// One function a command, each in a file of its own, adds it to the command line.
void add_bench(Command program);
void add_chain(Command program);
void add_coins(Command program);
void add_info(Command program);
void add_knapsack(Command program);
void add_machine(Command program);
void add_minplus(Command program);
void add_paths(Command program);
void add_paper(Command program);
void add_paper_example(Command papers);  ///< under `paper`
void add_permute(Command program);
void add_plan(Command program);
void add_recurrence(Command program);
void add_subset_sum(Command program);
void add_tree(Command program);
void add_tune(Command papers);  ///< under `paper`
void add_triangulate(Command program);
void add_verify(Command program);

}  // namespace warpfold::app
