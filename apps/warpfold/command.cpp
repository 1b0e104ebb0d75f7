#include "command.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <set>

#include "guard.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/core/version.hpp"
#include "warpfold/io/file.hpp"

namespace warpfold::app {

namespace {

void draw_progress(const Progress& progress, std::chrono::steady_clock::time_point start) {
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const double fraction = progress.total > 0 ? progress.done / progress.total : 0;
  if (seconds < 1 || fraction <= 0) return;
  constexpr int width = 30;
  const int filled = static_cast<int>(fraction * width);
  fmt::print(stderr, "\r[{:<{}}] {:5.1f} %  {:.3g} G/s  {:.0f} s left ", std::string(filled, '#'), width,
             100 * fraction, progress.done / seconds * 1e-9, seconds * (1 - fraction) / fraction);
  if (fraction >= 1) fmt::print(stderr, "\n");
  std::fflush(stderr);
}

}  // namespace

void SolveOptions::begin() {
  if (!time_limit_seconds) return;
  if (!(*time_limit_seconds > 0)) {
    throw Error(ErrorKind::usage, fmt::format("--time-limit is {}: seconds above 0 are accepted", *time_limit_seconds));
  }
  const auto limit = std::chrono::duration<double>(std::min(*time_limit_seconds, 1e9));
  deadline = std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::steady_clock::duration>(limit);
  guard_deadline(*deadline);
}

Options SolveOptions::resolve() const {
  Options resolved;
  resolved.device = parse_device(device);
  static_cast<void>(thread_count(threads));  // refuses a negative number
  resolved.threads = threads;
  resolved.algorithm = algorithm;
  resolved.deadline = deadline;
  if (max_memory) resolved.most_bytes = parse_size(*max_memory);
  resolved.stop = interrupt_token();
  if (!quiet && (progress || isatty(STDERR_FILENO))) {
    const auto start = std::chrono::steady_clock::now();
    resolved.progress = [start](const Progress& done) { draw_progress(done, start); };
  }
  return resolved;
}

void add_solve_options(CLI::App& command, SolveOptions& options, const std::string& dtypes) {
  command.add_option("-o,--output", options.output, "write the solution to FILE; its ending chooses the format");
  command.add_flag("--json", options.json, "print one JSON object on standard output, and nothing else there");
  command.add_option("--device", options.device, "auto, cpu, cuda or cuda:N");
  command.add_option("--threads", options.threads, "CPU threads; 0: all that the process may use");
  command.add_option("--dtype", options.dtype, "arithmetic: " + dtypes);
  command.add_option("-a,--algorithm", options.algorithm, "force one; `warpfold info` lists them");
  command.add_option("--time-limit", options.time_limit_seconds, "stop after SECONDS with exit code 5");
  command.add_option("--max-memory", options.max_memory, "refuse to hold more than SIZE (1000, 512M, 2G)");
  command.add_flag("--estimate", options.estimate, "print the time and bytes the solve would take; do not solve");
  command.add_option("--seed", options.seed, "for everything random");
  command.add_flag("-q,--quiet", options.quiet, "print nothing but errors");
  command.add_flag("--progress", options.progress, "show the progress bar also where stderr is no terminal");
  command.parse_complete_callback([&options] { options.begin(); });  // before the command reads anything
}

std::size_t parse_size(const std::string& text) {
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
    throw Error(ErrorKind::usage,
                fmt::format("size '{}' is not accepted: a number with nothing, K, M, G or T behind it is", text));
  }
  return static_cast<std::size_t>(bytes);
}

double Stopwatch::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

Json common_keys(const Outcome& outcome) {
  const Report& report = outcome.report;
  return {{"command", outcome.command},
          {"status", outcome.status},
          {"n", outcome.n},
          {"cost", outcome.cost},
          {"dtype", outcome.dtype},
          {"device", report.device},
          {"algorithm", report.algorithm},
          {"threads", report.threads},
          {"seconds",
           {{"read", outcome.read_seconds},
            {"prepare", report.prepare_seconds},
            {"solve", report.solve_seconds},
            {"traceback", report.traceback_seconds},
            {"total", outcome.total_seconds}}},
          {"peak_bytes", report.peak_bytes},
          {"version", version}};
}

// The JSON library holds whole numbers of up to 64 bits. Longer ones travel as strings behind a control character,
// which it escapes, and lose their quotes when they are printed.
constexpr std::string_view exact_mark = "\x01";
constexpr std::string_view escaped_mark = "\"\\u0001";

Json exact_number(const std::string& digits) {
  std::int64_t value = 0;
  const char* last = digits.data() + digits.size();
  const auto [end, error] = std::from_chars(digits.data(), last, value);
  if (error == std::errc() && end == last) return value;
  return std::string(exact_mark) + digits;
}

std::string json_text(const Json& object) {
  std::string text = object.dump();
  for (auto at = text.find(escaped_mark); at != std::string::npos; at = text.find(escaped_mark, at)) {
    text.erase(at, escaped_mark.size());
    text.erase(text.find('"', at), 1);
  }
  return text;
}

void print_json(const Json& object) { fmt::print("{}\n", json_text(object)); }

void require_extension(const std::string& option, const std::string& path, const std::string& ending) {
  if (path.empty() || io::extension(path) == ending) return;
  throw Error(ErrorKind::usage, fmt::format("{} is '{}': a name that ends in {} is accepted", option, path, ending));
}

void check_outputs(const std::vector<std::string>& paths) {
  namespace fs = std::filesystem;
  std::set<fs::path> files;
  for (const std::string& path : paths) {
    if (path.empty()) continue;
    std::error_code unseen;  // `access` says what is wrong with a path that cannot be looked at
    const fs::file_status status = fs::status(path, unseen);
    const bool is_directory = fs::is_directory(status);
    const bool is_device = fs::exists(status) && !fs::is_regular_file(status) && !is_directory;
    const fs::path directory = fs::absolute(path).parent_path();
    if (is_directory || access(is_device ? path.c_str() : directory.c_str(), W_OK) != 0) {
      throw Error(ErrorKind::input,
                  fmt::format("{}: cannot be written: {}", path, std::strerror(is_directory ? EISDIR : errno)));
    }
    if (!is_device && !files.insert(fs::weakly_canonical(fs::absolute(path), unseen)).second) {
      throw Error(ErrorKind::usage, fmt::format("'{}' is named for two outputs: a file for each is accepted", path));
    }
  }
}

void print_estimate(const SolveOptions& options, const Expected& expected) {
  if (options.json) {
    Json object = {{"command", expected.command},
                   {"status", "estimate"},
                   {"n", expected.n},
                   {"device", to_string(parse_device(options.device))},
                   {"algorithm", expected.algorithm},
                   {"seconds", expected.seconds},
                   {"peak_bytes", expected.peak_bytes}};
    if (expected.candidates > 0) object["candidates"] = expected.candidates;
    object["version"] = version;
    return print_json(object);
  }
  fmt::print("n = {}, by {}: about {:.2g} s and {:.3g} MB\n", expected.n, expected.algorithm, expected.seconds,
             static_cast<double>(expected.peak_bytes) * 1e-6);
}

void check_dtype(const std::string& dtype, const std::vector<std::string_view>& accepted) {
  if (std::find(accepted.begin(), accepted.end(), dtype) != accepted.end()) return;
  std::string list(accepted[0]);
  for (std::size_t i = 1; i < accepted.size(); ++i) {
    list += fmt::format("{}{}", i + 1 < accepted.size() ? ", " : " or ", accepted[i]);
  }
  throw Error(ErrorKind::usage, fmt::format("--dtype '{}' is not accepted here: {} is", dtype, list));
}

}  // namespace warpfold::app
