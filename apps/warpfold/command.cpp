#include "command.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <set>

#include "guard.hpp"
#include "memory.hpp"
#include "terminal.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/core/version.hpp"
#include "warpfold/io/file.hpp"
#include "warpfold/run/clock.hpp"

namespace warpfold::app {

void SolveOptions::begin() {
  check_outputs({output});
  if (max_memory) limit_memory(parse_size("--max-memory", *max_memory));
  if (time_limit_seconds) deadline = begin_time_limit(*time_limit_seconds);
}

std::chrono::steady_clock::time_point begin_time_limit(double seconds, std::chrono::milliseconds last_words) {
  if (!(seconds > 0)) {
    throw Error(ErrorKind::usage, fmt::format("--time-limit is {}: seconds above 0 are accepted", seconds));
  }
  const auto limit = std::chrono::duration<double>(std::min(seconds, 1e9));
  const auto deadline =
      std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::steady_clock::duration>(limit);
  guard_deadline(deadline + last_words);
  return deadline;
}

void add_limits(Command command) {
  struct Limits {
    std::optional<double> seconds;
    std::optional<std::string> memory;
  };
  auto limits = std::make_shared<Limits>();
  command.number("--time-limit", limits->seconds, time_limit_help).takes("SECONDS");
  command.option("--max-memory", limits->memory, max_memory_help).takes("SIZE");
  command.on_parsed([limits] {
    if (limits->memory) limit_memory(parse_size("--max-memory", *limits->memory));
    if (limits->seconds) begin_time_limit(*limits->seconds);
  });
}

Options SolveOptions::resolve() const {
  Options resolved;
  resolved.device = parse_device(device);
  resolved.threads = threads;
  resolved.algorithm = algorithm;
  resolved.deadline = deadline;
  resolved.budget = &process_budget();
  if (max_device_memory) resolved.most_device_bytes = parse_size("--max-device-memory", *max_device_memory);
  resolved.stop = interrupt_token();
  if (!quiet && (progress || isatty(STDERR_FILENO))) {
    const auto start = std::chrono::steady_clock::now();
    resolved.progress = [start](const Progress& done) { draw_progress(done, seconds_since(start)); };
  }
  return resolved;
}

std::optional<Checkpoint> SolveOptions::keeper() const {
  if (!checkpoint && !resume) {
    if (every_seconds) throw Error(ErrorKind::usage, "--every is for a checkpoint: it needs --checkpoint or --resume");
    return std::nullopt;
  }
  wait_for_checkpoints();
  const std::chrono::duration<double> every(every_seconds ? *every_seconds : Checkpoint::default_interval.count());
  return checkpoint ? Checkpoint(*checkpoint, every) : Checkpoint::resumed(*resume, every);
}

Json checkpoint_json(const Checkpoint& keeper) {
  return {{"super_tiles", keeper.count().all}, {"resumed", keeper.count().resumed}};
}

void add_checkpoint_options(Command command, SolveOptions& options) {
  const Argument checkpoint =
      command.option("--checkpoint", options.checkpoint, "keep in FOLDER what is final, so that --resume can go on")
          .takes("FOLDER");
  command.option("--resume", options.resume, "go on with what FOLDER keeps, and go on keeping there")
      .takes("FOLDER")
      .excludes(checkpoint);
  command.number("--every", options.every_seconds, "how often what FOLDER keeps becomes safe; default: 10")
      .takes("SECONDS");
}

void add_solve_options(Command command, SolveOptions& options, const std::string& endings, const std::string& dtypes,
                       const Reads& reads) {
  command.option("-o,--output", options.output, "write the solution to FILE: " + endings).takes("FILE");
  command.flag("--json", options.json, "print one JSON object on standard output, and nothing else there");
  command.option("--device", options.device, "where to solve").takes("auto|cpu|cuda|cuda:N,...|cuda:all");
  if (reads.threads) command.number("--threads", options.threads, threads_help, 0);
  command.option("--dtype", options.dtype, "arithmetic; the instance decides without it").takes(dtypes);
  if (reads.algorithm) command.option("-a,--algorithm", options.algorithm, "force one; `warpfold info` lists them");
  command.number("--time-limit", options.time_limit_seconds, time_limit_help).takes("SECONDS");
  command.option("--max-memory", options.max_memory, max_memory_help).takes("SIZE");
  if (reads.device_memory) {
    command
        .option("--max-device-memory", options.max_device_memory, "the same for a GPU's memory; default: what is free")
        .takes("SIZE");
  }
  if (reads.estimate) {
    command.flag("--estimate", options.estimate, "print the time and bytes the solve would take; do not solve");
  }
  if (reads.seed) command.number("--seed", options.seed, "for everything random");
  command.flag("-q,--quiet", options.quiet, "print nothing but errors");
  if (reads.progress) {
    command.flag("--progress", options.progress, "show the progress bar also where stderr is no terminal");
  }
  command.on_parsed([&options] { options.begin(); });  // before the command reads anything
}

std::size_t parse_size(const std::string& option, const std::string& text) {
  double value = 0;
  const char* last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  const std::string unit(error == std::errc() ? end : last, last);
  double factor = 0;
  if (unit.empty() || unit == "B") factor = 1;
  if (unit == "K" || unit == "KB" || unit == "KiB") factor = 1024.0;
  if (unit == "M" || unit == "MB" || unit == "MiB") factor = 1024.0 * 1024;
  if (unit == "G" || unit == "GB" || unit == "GiB") factor = 1024.0 * 1024 * 1024;
  if (unit == "T" || unit == "TB" || unit == "TiB") factor = 1024.0 * 1024 * 1024 * 1024;
  const double bytes = value * factor;
  if (error != std::errc() || factor == 0 || !(bytes > 0) || bytes >= 9e18) {
    throw Error(
        ErrorKind::usage,
        fmt::format("{} is '{}': a number above 0 with nothing, K, M, G or T behind it (KB and KiB are K), below 9e18 "
                    "bytes, is accepted",
                    option, text));
  }
  return static_cast<std::size_t>(bytes);
}

double Stopwatch::seconds() const { return seconds_since(start_); }

Json common_keys(const Summary& summary) {
  const Report& report = summary.report;
  Json keys = {{"command", summary.command},
               {"status", summary.exact ? summary.status : "rounded"},
               {"n", summary.n},
               {"cost", summary.cost},
               {"exact", summary.exact},
               {"dtype", summary.dtype},
               {"device", report.device},
               {"algorithm", report.algorithm},
               {"threads", report.threads},
               {"seconds",
                {{"read", summary.read_seconds},
                 {"prepare", report.prepare_seconds},
                 {"solve", report.solve_seconds},
                 {"traceback", report.traceback_seconds},
                 {"total", summary.total_seconds}}},
               {"peak_bytes", peak_bytes()},
               {"peak_device_bytes", report.peak_device_bytes},
               {"version", version}};
  if (!report.passed_over.empty()) keys["passed_over"] = report.passed_over;
  return keys;
}

Summary& Summary::of(const Report& ran, double seconds_of_reading, const Stopwatch& total) {
  report = ran;
  read_seconds = seconds_of_reading;
  total_seconds = total.seconds();
  if (!ran.passed_over.empty()) add_note("passed over " + ran.passed_over);
  return *this;
}

bool adds_exactly(const std::string& dtype, double largest) {
  if (dtype == "f32") return largest < 0x1p24;  // which may have been one more
  return dtype != "f64" || largest < 0x1p53;
}

std::string smallest_exact_dtype(double largest) {
  constexpr double rounded_four = 4.001;  // `largest` is rounded here
  if (largest < static_cast<double>(std::numeric_limits<std::int32_t>::max()) / rounded_four) return "i32";
  return largest < static_cast<double>(std::numeric_limits<std::int64_t>::max()) / rounded_four ? "i64" : "f64";
}

void note_rounding(const Summary& summary) {
  if (summary.exact) return;
  add_note(
      fmt::format("the whole numbers were added in {}, which rounds them: the result is not exact", summary.dtype));
}

void note_unlisted(std::size_t count, std::size_t most, const std::string& holder) {
  add_note(fmt::format("{} values are not listed: --json lists up to {}, {}", count, most, holder));
}

std::string result_text(Json& object) {
  std::string text = json_text(object);
  if (object.contains("peak_bytes")) {  // of a process that holds the text, too
    object["peak_bytes"] = peak_bytes();
    std::string().swap(text);  // two would be more than what it says
    text = json_text(object);
  }
  text += '\n';
  return text;
}

void print_json(Json object) { write_output(result_text(object)); }

void finish(const SolveOptions& options, Json object, const std::function<void()>& say) {
  if (io::extension(options.output) == ".json") io::write_file(options.output, result_text(object));
  if (options.json) return print_json(std::move(object));
  if (!options.quiet) say();
}

void require_extension(const std::string& option, const std::string& path, const std::string& ending,
                       const std::string& otherwise) {
  if (path.empty() || io::extension(path) == ending) return;
  throw Error(ErrorKind::usage,
              fmt::format("{} is '{}': a name that ends in {} is accepted{}", option, path, ending, otherwise));
}

namespace {

/// How often the line names what lies at `file`.
std::ptrdiff_t times_named(const std::filesystem::path& file) {
  const std::vector<std::string>& words = given_words();
  return std::count_if(words.begin(), words.end(), [&](const std::string& word) {
    std::error_code other;  // that no file is named so
    return std::filesystem::equivalent(word, file, other);
  });
}

}  // namespace

void check_outputs(const std::vector<std::string>& paths) {
  namespace fs = std::filesystem;
  std::set<fs::path> files;
  for (const std::string& path : paths) {
    if (path.empty() || path == "-") continue;
    io::check_writable(path);
    std::error_code unseen;  // of a device nobody asks twice
    if (fs::exists(path, unseen) && !fs::is_regular_file(path, unseen)) continue;
    if (!files.insert(fs::weakly_canonical(fs::absolute(path, unseen), unseen)).second) {
      throw Error(ErrorKind::usage, fmt::format("'{}' is named for two outputs: a file for each is accepted", path));
    }
    if (times_named(path) > 1) {
      throw Error(ErrorKind::usage,
                  fmt::format("'{}' is named twice, and would be written over: another file is accepted", path));
    }
  }
}

void check_algorithm(const SolveOptions& options, const std::vector<AlgorithmInfo>& accepted) {
  std::vector<Candidate> candidates;
  for (const AlgorithmInfo& info : accepted) candidates.push_back({&info, 0, {}, true, true});
  static_cast<void>(choose(candidates, options.resolve(), [] { return true; }));
}

void check_dtype(const std::string& dtype, const std::vector<std::string_view>& accepted) {
  if (std::find(accepted.begin(), accepted.end(), dtype) != accepted.end()) return;
  std::string list(accepted[0]);
  for (std::size_t i = 1; i < accepted.size(); ++i) {
    list += fmt::format("{}{}", i + 1 < accepted.size() ? ", " : " or ", accepted[i]);
  }
  throw Error(ErrorKind::usage, fmt::format("dtype '{}' is not accepted here: {} is", dtype, list));
}

}  // namespace warpfold::app
