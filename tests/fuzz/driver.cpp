#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <limits>
#include <random>
#include <string>
#include <string_view>
#include <vector>

/// Runs a harness without libFuzzer, in a build of any compiler and any instruction sets: inputs are drawn from a seed,
/// or read from files. It takes libFuzzer's words for both: -runs=N, -max_total_time=SECONDS, -seed=N, FILE. An input
/// that ends the process is left in this folder, as libFuzzer leaves it.

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

std::vector<std::uint8_t> input;
std::string failed_input;

extern "C" void keep_input(int signal) {
  std::ofstream(failed_input, std::ios::binary).write(reinterpret_cast<const char*>(input.data()), std::ssize(input));
  fmt::print(stderr, "the input is {}\n", failed_input);
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

void run_input() { LLVMFuzzerTestOneInput(input.data(), input.size()); }

}  // namespace

int main(int count, char** words) {
  std::uint64_t runs = std::numeric_limits<std::uint64_t>::max(), seed = 1;
  std::chrono::seconds seconds(std::chrono::hours(24));
  std::vector<std::string> files;
  for (const std::string_view word : std::vector<std::string_view>(words + 1, words + count)) {
    const auto number = [&] { return std::stoull(std::string(word.substr(word.find('=') + 1))); };
    if (word.starts_with("-runs=")) {
      runs = number();
    } else if (word.starts_with("-seed=")) {
      seed = number();
    } else if (word.starts_with("-max_total_time=")) {
      seconds = std::chrono::seconds(number());
    } else {
      files.emplace_back(word);
    }
  }
  for (const std::string& file : files) {
    std::ifstream stream(file, std::ios::binary);
    input.assign(std::istreambuf_iterator<char>(stream), {});
    run_input();
  }
  if (!files.empty()) return 0;

  const std::string_view name = std::string_view(words[0]).substr(std::string_view(words[0]).rfind('/') + 1);
  for (const int signal : {SIGABRT, SIGSEGV, SIGFPE, SIGILL, SIGBUS}) std::signal(signal, keep_input);
  std::mt19937_64 random(seed);
  const auto start = std::chrono::steady_clock::now();
  std::uint64_t run = 0;
  for (; run < runs && std::chrono::steady_clock::now() - start < seconds; ++run) {
    failed_input = fmt::format("failed-{}-{}-{}", name, seed, run);
    input.resize(8 + random() % 32);
    std::generate(input.begin(), input.end(), [&] { return static_cast<std::uint8_t>(random()); });
    run_input();
  }
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  fmt::print("Done {} runs in {:.0f} second(s), seed {}\n", run, taken.count(), seed);
}
