#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <limits>
#include <random>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/tally.hpp"

/// Runs a harness without libFuzzer, in a build of any compiler and instruction set. Inputs are drawn from a seed or
/// read from files. It takes libFuzzer's arguments: -runs=N, -max_total_time=SECONDS, -seed=N, FILE. In a file that
/// ends with .hex, every line is an input in hexadecimal. Like libFuzzer, it leaves an input that ends the process, or
/// takes minutes, in this folder.

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

constexpr unsigned longest_seconds = 300;  ///< of an input

std::vector<std::uint8_t> input;
std::string failed_input;

extern "C" void keep_input(int signal) {
  std::ofstream(failed_input, std::ios::binary).write(reinterpret_cast<const char*>(input.data()), std::ssize(input));
  fmt::print(stderr, "{}: the input is {}\n", signal == SIGALRM ? "it hangs" : "it failed", failed_input);
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

[[noreturn]] void refuse(std::string_view word, std::string_view why) {
  fmt::print(stderr, "error: '{}' {}\n", word, why);
  std::exit(2);
}

struct Asked {
  std::uint64_t runs = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t seed = 1;
  std::uint64_t max_total_time = 24 * 3600;
  std::vector<std::string> files;
};

/// Whether the word is -NAME=NUMBER.
bool is_number(std::string_view word, std::string_view name, std::uint64_t& number) {
  if (!word.starts_with(name)) return false;
  const char* end = word.data() + word.size();
  const auto [rest, error] = std::from_chars(word.data() + name.size(), end, number);
  if (error != std::errc() || rest != end) refuse(word, "is no integer");
  return true;
}

Asked read_words(int count, char** words) {
  Asked asked;
  for (const std::string_view word : std::vector<std::string_view>(words + 1, words + count)) {
    if (is_number(word, "-runs=", asked.runs) || is_number(word, "-seed=", asked.seed) ||
        is_number(word, "-max_total_time=", asked.max_total_time)) {
      continue;
    }
    if (word.starts_with('-')) refuse(word, "is unknown: -runs=, -max_total_time=, -seed= or a file is accepted");
    asked.files.emplace_back(word);
  }
  return asked;
}

/// Runs an input. Returns whether its problem is rejected.
bool run_input() {
  warpfold::fuzz::tally = {};
  alarm(longest_seconds);
  const bool is_refused = LLVMFuzzerTestOneInput(input.data(), input.size()) != 0;
  alarm(0);
  return is_refused;
}

/// Lines that begin with # are comments.
void run_line(const std::string& file, std::string_view line) {
  if (line.starts_with('#')) return;
  if (line.empty() || line.size() % 2 != 0) refuse(file, "has a line that is no input in hexadecimal");
  input.resize(line.size() / 2);
  for (std::size_t at = 0; at < input.size(); ++at) {
    const char* digits = line.data() + 2 * at;
    const auto [rest, error] = std::from_chars(digits, digits + 2, input[at], 16);
    if (error != std::errc() || rest != digits + 2) refuse(file, "has a line that is no input in hexadecimal");
  }
  run_input();
}

void run_file(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  const std::string content(std::istreambuf_iterator<char>(stream), {});
  if (!stream.is_open() || stream.bad()) refuse(file, "cannot be read");
  if (file.ends_with(".hex")) {
    std::istringstream lines(content);
    for (std::string line; std::getline(lines, line);) run_line(file, line);
    return;
  }
  input.assign(content.begin(), content.end());
  run_input();
}

void run_drawn(const Asked& asked, std::string_view name) {
  std::mt19937_64 random(asked.seed);
  const auto start = std::chrono::steady_clock::now();
  const auto taken = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
  std::uint64_t run = 0, refused = 0, on_gpu = 0, large = 0;
  for (; run < asked.runs && taken() < static_cast<double>(asked.max_total_time); ++run) {
    failed_input = fmt::format("failed-{}-{}-{}", name, asked.seed, run);
    input.resize(8 + random() % 32);
    std::generate(input.begin(), input.end(), [&] { return static_cast<std::uint8_t>(random()); });
    refused += run_input();
    on_gpu += warpfold::fuzz::tally.on_gpu;
    large += warpfold::fuzz::tally.on_gpu && warpfold::fuzz::tally.large;
  }
  if (run > 0 && refused == run) refuse(name, "had every problem refused");
  fmt::print("Done {} runs in {:.0f} second(s), {} refused, {} on a GPU, {} large, seed {}\n", run, taken(), refused,
             on_gpu, large, asked.seed);
}

}  // namespace

int main(int count, char** words) {
  const std::string_view program = words[0];
  const std::string_view name = program.substr(program.rfind('/') + 1);
  failed_input = fmt::format("failed-{}", name);
  for (const int signal : {SIGABRT, SIGSEGV, SIGFPE, SIGILL, SIGBUS, SIGALRM}) std::signal(signal, keep_input);
  const Asked asked = read_words(count, words);
  for (const std::string& file : asked.files) run_file(file);
  if (asked.files.empty()) run_drawn(asked, name);
}
