// Does the command line keep its promises for any input?
//   hostile BINARY SECONDS [SEED]
// Runs random trials, one per seed, until the time is up. With a SEED it runs only that one and prints its details. A
// trial takes a valid run and changes one thing: bytes of a file, an option, the memory or time limit, or the system
// around it. The run must:
// * end by itself and in time, with a documented exit code;
// * print one line on standard error if it fails, and valid JSON if JSON was requested;
// * stay within its memory and leave no partial file;
// * give the same result when it is repeated;
// * print a solution that verifies, and that does not verify after a change.
//
// A run without a change must succeed.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <map>
#include <set>

#include "cli/app/help.hpp"
#include "mutations.hpp"
#include "process.hpp"
#include "valid_runs.hpp"

namespace {

using namespace warpfold::hostile;
namespace fs = std::filesystem;

std::string quoted(const Words& words) {
  std::string line;
  for (const std::string& word : words) line += fmt::format(" '{}'", word);
  return line;
}

/// The exit codes of the runs of all trials.
std::map<int, int> ended;

class Trial {
 public:
  Trial(std::string binary, std::uint64_t seed, bool loud)
      : binary_(std::move(binary)), random_(seed), mutator_(random_), loud_(loud), run_(Maker(random_).any()) {}

  /// The first broken promise, or "".
  std::string broken() {
    for (std::uint64_t changes = random_.one_in(8) ? random_.below(4) : 1; changes > 0; --changes) change();
    if (run_.has_limits) {
      run_.words.insert(run_.words.end(), {"--time-limit", fmt::format("{}", seconds_)});
      run_.words.insert(run_.words.end(), {"--max-memory", std::to_string(bytes_)});
    }
    if (!random_.one_in(4)) run_.words.emplace_back("--json");  // last, so that no option takes it for its value
    is_json_ = has("--json") && !has("--help");
    const Ran ran = run();
    if (loud_) std::cout << quoted(run_.words) << "\nexit " << ran.code() << "\n" << ran.out << ran.err;
    if (std::string what = broken_by(ran); !what.empty()) return what;
    constexpr int infeasible = 4;  // for want of coins
    if (!is_changed_ && ran.code() != 0 && ran.code() != infeasible)
      return fmt::format("a valid run ends with {}: {}", ran.code(), ran.err);
    if (is_changed_ && (fault_.signal != 0 || seconds_ < usual_seconds || bytes_ < usual_bytes)) return "";
    if (std::string what = broken_by_repeating(ran); !what.empty()) return what;
    if (ran.code() != 0 || !is_json_ || run_.instance.empty() || fault_.loses_output()) return "";
    return broken_by_verify(ran.out);
  }

  [[nodiscard]] std::string command() const { return quoted(run_.words); }

 private:
  static constexpr double usual_seconds = 10;
  static constexpr std::uint64_t usual_bytes = std::uint64_t{1} << 30;

  void change() {
    is_changed_ = true;
    switch (random_.below(12)) {
      case 0:
        fault_ = mutator_.fault();
        break;
      case 1:
        mutator_.spoil_output(run_);
        break;
      case 2:
        prepare_folder();
        bytes_ = small_memory(run_.words);
        break;
      case 3:
        seconds_ = random_.any_of(std::initializer_list<double>{1e-9, 0.0001, 0.001, 0.003, 0.01});
        break;
      case 4:
      case 5:
        mutator_.change_word(run_);
        break;
      case 6:
        mutator_.add_option(run_);
        break;
      default:
        mutator_.change_file(run_);
    }
  }

  Ran run(const Words& words, const Fault& fault) {
    const Ran ran = warpfold::hostile::run(binary_, words, fault);
    ++ended[ran.code()];
    return ran;
  }

  Ran run() {
    prepare_folder();
    return run(run_.words, fault_);
  }

  /// Makes a folder with exactly the run's files.
  void prepare_folder() const {
    for (const auto& entry : fs::directory_iterator(".")) fs::remove_all(entry);
    fs::create_directory("folder");
    fs::create_symlink("none/x", "dangling");
    for (const auto& [name, content] : run_.files) write(name, content);
  }

  std::string broken_by(const Ran& ran) {
    static const std::set<int> documented = {0, 2, 3, 4, 5, 6, 130};
    if (ran.hung) return "it did not end";
    if (!ran.exited()) {
      const bool before_guard = fault_.signal != 0 && WTERMSIG(ran.status) == fault_.signal;
      return before_guard ? "" : fmt::format("it was ended by signal {}", WTERMSIG(ran.status));
    }
    if (!documented.contains(ran.code())) return fmt::format("it exited with {}: {}", ran.code(), ran.err);
    if (ran.seconds > seconds_ + 5) return fmt::format("it took {} s of {}", ran.seconds, seconds_);
    const auto lines = std::count(ran.err.begin(), ran.err.end(), '\n');
    if (ran.code() != 0 && !fault_.loses_errors() && (lines != 1 || !ran.err.starts_with("warpfold: error: "))) {
      return "its standard error is not one line: " + ran.err;
    }
    for (const char c : ran.err) {
      if (static_cast<unsigned char>(c) < ' ' && c != '\n') return "its line holds a control character: " + ran.err;
    }
    if (ran.code() == 0 && is_json_) {
      if (fault_.loses_output()) return "it lost its output and says that all is well";
      if (!Json::accept(ran.out)) return "its output is no JSON";
      const Json printed = Json::parse(ran.out);
      if (printed.contains("peak_bytes") && !has("--estimate") && printed["peak_bytes"] > bytes_) {
        return fmt::format("it held {} bytes of {}", printed["peak_bytes"].dump(), bytes_);
      }
    }
    return broken_by_files(ran);
  }

  std::string broken_by_files(const Ran& ran) {
    for (const auto& entry : fs::recursive_directory_iterator(".")) {
      const std::string name = entry.path().filename().string();
      if (name.find(".partial") != std::string::npos) return "it left an unfinished file";
      if (!entry.is_regular_file() || name.starts_with(".")) continue;
      const std::string content = read(entry.path());
      if (const auto before = run_.files.find(name); before != run_.files.end() && content == before->second) continue;
      if (ran.code() == 2) return "it wrote " + name + " though it was used wrongly";
      if (name.ends_with(".json") && !Json::accept(content) && !has("--generate")) return name + " is no JSON";
      if (name.ends_with(".npy") && !has("--generate") && (!content.starts_with("\x93NUMPY") || content.size() < 64)) {
        return name + " is cut";
      }
    }
    return "";
  }

  /// Checks that a repeated run gives the same result, except for values that depend on the clock.
  std::string broken_by_repeating(const Ran& first) {
    if (!is_json_ || run_.words[0] == "bench") return "";
    const Ran second = run();
    if (second.code() != first.code()) return fmt::format("it ends with {} and then {}", first.code(), second.code());
    if (first.code() == 5) return "";
    if (second.err != first.err) return "it says '" + first.err + "' and then '" + second.err + "'";
    if (first.code() != 0 || fault_.loses_output()) return "";
    return solution_of(second) == solution_of(first) ? "" : "it finds one solution and then another";
  }

  static Json solution_of(const Ran& ran) {
    Json printed = Json::parse(ran.out);
    if (!printed.is_object()) return printed;
    for (const char* key : {"seconds", "fraction_of_copy", "peak_bytes", "at_most"}) printed.erase(key);
    return printed;
  }

  /// Checks that the printed solution verifies, and that one with another cost or structure does not. `verify` must end
  /// with one line for a text that was changed anywhere.
  std::string broken_by_verify(const std::string& printed) {
    Json solution = Json::parse(printed);
    if (!solution.contains("status") || solution["status"] != "optimal") return "";
    if (printed.find("\xef\xbf\xbd") != std::string::npos) return "";  // JSON cannot hold a file name that is not UTF-8
    if (!has_its_instance() || has("--value-only") || has("--every-capacity")) return "";
    if (solution["command"] == "minplus" && !solution.contains("output")) return "";
    if (solution["command"] == "recurrence" && !solution.contains("output") && !solution.contains("values")) return "";
    fault_ = {};
    const Ran right = verify(printed, random_.one_in(2));
    if (right.code() != 0 && right.code() != 5) return "its solution does not verify: " + right.err;
    if (!mutator_.change_solution(solution)) return "";
    const Ran wrong = verify(solution.dump(), false);
    if (wrong.code() != 3)
      return fmt::format("verify says {} of a changed solution: {}", wrong.code(), solution.dump());
    return broken_by_garbling(printed);
  }

  /// Verifies something other than the instance and its solution, or both with little memory.
  std::string broken_by_garbling(std::string solution) {
    switch (random_.below(3)) {
      case 0:
        solution = mutator_.changed(solution);
        break;
      case 1:
        mutator_.change_file(run_);
        break;
      default:
        bytes_ = small_memory(verify_words());
    }
    for (const auto& [name, content] : run_.files) write(name, content);
    const std::string what = broken_by(verify(solution, random_.one_in(2)));
    return what.empty() ? "" : "verify: " + what;
  }

  Ran verify(const std::string& claimed, bool optimal) {
    write("solution.json", run_.files["solution.json"] = claimed);
    Words words = limited(verify_words(), bytes_);
    if (optimal) words.emplace_back("--optimal");
    const Ran ran = run(words, {});
    if (loud_) std::cout << quoted(words) << "\nexit " << ran.code() << "\n" << ran.out << ran.err;
    return ran;
  }

  [[nodiscard]] Words verify_words() const {
    Words words{"verify"};
    words.insert(words.end(), run_.instance.begin(), run_.instance.end());
    words.emplace_back("solution.json");
    return words;
  }

  static Words limited(Words words, std::uint64_t bytes) {
    words.insert(words.end(),
                 {"--time-limit", fmt::format("{}", usual_seconds), "--max-memory", std::to_string(bytes), "--json"});
    return words;
  }

  /// A limit for the run's memory, mostly between the memory of its start (from the error for a limit of one byte) and
  /// the peak that the complete run reports.
  std::uint64_t small_memory(const Words& words) {
    const std::uint64_t least = number_behind("another ", run(limited(words, 1), {}).err);
    const std::uint64_t most = number_behind("\"peak_bytes\":", run(limited(words, usual_bytes), {}).out);
    if (least == 0 || most <= least || random_.one_in(4)) return 1 + random_.below(5'000'000);
    return least + random_.below(most - least);
  }

  /// The number after these words, or 0 if they do not occur.
  static std::uint64_t number_behind(const std::string& words, const std::string& text) {
    const std::size_t at = text.find(words);
    return at == std::string::npos ? 0 : std::strtoull(text.c_str() + at + words.size(), nullptr, 10);
  }

  /// Whether the run read the files that `verify` reads. A changed word may name another one, such as - for standard
  /// input.
  [[nodiscard]] bool has_its_instance() const {
    return std::all_of(run_.instance.begin(), run_.instance.end(), [&](const std::string& file) { return has(file); });
  }

  [[nodiscard]] bool has(std::string_view word) const {
    return std::find(run_.words.begin(), run_.words.end(), word) != run_.words.end();
  }

  std::string binary_;
  Random random_;
  Mutator mutator_;
  bool loud_;
  ValidRun run_;
  Fault fault_;
  double seconds_ = usual_seconds;
  std::uint64_t bytes_ = usual_bytes;
  bool is_json_ = false;
  bool is_changed_ = false;
};

/// The first command of the program without valid runs, or "". `verify` runs after the other commands; completions and
/// the manual page read no input.
std::string command_without_runs(const std::string& binary) {
  static const std::set<std::string> others = {"verify", "completions", "man"};
  write("in", "");
  const std::vector<std::string> commands = warpfold::app::test::commands_in(run(binary, {"help"}).out);
  if (commands.empty()) return "help";
  for (const std::string& command : commands) {
    if (!others.contains(command) && !Maker::makes(command)) return command;
  }
  return "";
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::cerr << "usage: hostile BINARY SECONDS [SEED]\n";
    return 2;
  }
  const std::string binary = fs::absolute(argv[1]);
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(std::stod(argv[2]));
  const bool one = argc > 3;
  const std::uint64_t first = one ? std::stoull(argv[3]) : std::random_device()();
  const fs::path folder = fs::temp_directory_path() / fmt::format("warpfold-hostile-{}", getpid());
  std::uint64_t seed = first, failures = 0;
  fs::create_directories(folder);
  fs::current_path(folder);
  if (const std::string command = command_without_runs(binary); !command.empty()) {
    std::cerr << "hostile: valid_runs.hpp has no run of `warpfold " << command << "`\n";
    return 2;
  }
  for (; one ? seed == first : std::chrono::steady_clock::now() < end; ++seed) {
    fs::create_directories(folder);
    fs::current_path(folder);
    Trial trial(binary, seed, one);
    const std::string broken = trial.broken();
    if (!broken.empty()) {
      ++failures;
      std::cout << "seed " << seed << ": " << broken << "\n  warpfold" << trial.command() << std::endl;
    }
    fs::current_path("/");
    if (!one) fs::remove_all(folder);
  }
  int runs = 0;
  for (const auto& [code, times] : ended) runs += times;
  std::cout << fmt::format("hostile: {} trials of {} runs, seeds {} to {}, {} broke a promise\n", seed - first, runs,
                           first, seed - 1, failures);
  std::cout << "hostile: the runs ended with";
  for (const auto& [code, times] : ended) std::cout << fmt::format(" {} ({} times)", code, times);
  std::cout << "; -1 is a signal before the run could catch it\n";
  if (one) std::cout << "hostile: its files are in " << folder.string() << "\n";
  return failures == 0 ? 0 : 1;
}
