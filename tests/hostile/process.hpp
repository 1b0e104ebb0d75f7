#pragma once

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

#include "random.hpp"

/// Runs the built command line as a process in the working folder, with faults of the system.
namespace warpfold::hostile {

constexpr auto longest_run = std::chrono::seconds(30);

inline std::string read(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline void write(const std::filesystem::path& path, const std::string& content) {
  std::ofstream(path, std::ios::binary) << content;
}

/// The faults of a run besides its input.
struct Fault {
  const char* output = nullptr;  ///< redirects standard output to it
  bool closed_output = false;
  bool closed_error = false;
  bool full_error = false;
  bool closed_input = false;
  bool small_files = false;
  int signal = 0;
  int signal_after_ms = 0;

  [[nodiscard]] bool loses_output() const { return output || closed_output; }
  [[nodiscard]] bool loses_errors() const { return closed_error || full_error; }
};

struct Ran {
  int status = 0;
  bool hung = false;
  double seconds = 0;
  std::string out, err;

  [[nodiscard]] bool exited() const { return WIFEXITED(status); }
  [[nodiscard]] int code() const { return exited() ? WEXITSTATUS(status) : -1; }
};

inline void open_as(int number, const char* path, int flags) {
  const int file = ::open(path, flags, 0666);
  ::dup2(file, number);
  if (file != number) ::close(file);
}

[[noreturn]] inline void become(const std::string& binary, const Words& words, const Fault& fault) {
  ::setpgid(0, 0);
  // a shell's background jobs ignore some
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_DFL);
  open_as(0, "in", O_RDONLY);
  open_as(1, fault.output ? fault.output : ".out", O_WRONLY | O_CREAT | O_TRUNC);
  open_as(2, fault.full_error ? "/dev/full" : ".err", O_WRONLY | O_CREAT | O_TRUNC);
  if (fault.closed_input) ::close(0);
  if (fault.closed_output) ::close(1);
  if (fault.closed_error) ::close(2);
  if (fault.small_files) {
    const rlimit limit{4096, 4096};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  std::vector<char*> arguments{const_cast<char*>(binary.c_str())};
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  ::execv(binary.c_str(), arguments.data());
  ::_exit(127);
}

inline Ran run(const std::string& binary, const Words& words, const Fault& fault = {}) {
  std::filesystem::remove(".out");
  std::filesystem::remove(".err");
  const pid_t child = ::fork();
  if (child == 0) become(binary, words, fault);
  Ran ran;
  const auto start = std::chrono::steady_clock::now();
  const auto passed = [start] { return std::chrono::steady_clock::now() - start; };
  bool signalled = fault.signal == 0;
  while (::waitpid(child, &ran.status, WNOHANG) == 0) {
    if (!signalled && passed() > std::chrono::milliseconds(fault.signal_after_ms)) {
      ::kill(child, fault.signal);
      signalled = true;
    }
    if (passed() > longest_run) {
      ran.hung = true;
      ::kill(child, SIGKILL);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  ran.seconds = std::chrono::duration<double>(passed()).count();
  ran.out = read(".out");
  ran.err = read(".err");
  return ran;
}

}  // namespace warpfold::hostile
