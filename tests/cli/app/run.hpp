#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "temporary_folder.hpp"

/// Runs the built command line as a user's shell does. WARPFOLD_EXAMPLES comes from CMake.
namespace warpfold::app::test {

using Json = nlohmann::json;

struct Ran {
  int exit_code = 0;
  std::string out;
  std::string err;
  std::size_t peak_resident_bytes = 0;  ///< of the largest process that the shell started

  [[nodiscard]] Json json() const { return Json::parse(out); }
};

inline std::string read(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The path of the built command line, which is in the same folder as the tests.
inline std::string built() { return std::filesystem::read_symlink("/proc/self/exe").parent_path().string(); }

/// Each test has an empty folder of its own, in which its commands run.
class CommandLine : public testing::Test {
 protected:
  /// Runs `warpfold ARGUMENTS` in the shell. `before` is put before the command (a pipe, `timeout`).
  [[nodiscard]] Ran warpfold(const std::string& arguments, const std::string& before = "") const {
    return shell(fmt::format("{} '{}/warpfold' {}", before, built(), arguments));
  }

  /// Runs a shell command. `warpfold` is the built command line.
  [[nodiscard]] Ran shell(const std::string& typed) const {
    const std::string command =
        "cd '" + folder_.path().string() + "' && PATH='" + built() + "':\"$PATH\" && { " + typed + "\n} >.out 2>.err";
    const pid_t shell = fork();
    if (shell == 0) {
      for (const int signal : {SIGINT, SIGHUP}) std::signal(signal, SIG_DFL);  // the tests' parent may ignore them
      execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
      _exit(127);
    }
    int status = 0;
    rusage used{};
    wait4(shell, &status, 0, &used);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read(folder_ / ".out"), read(folder_ / ".err"),
            static_cast<std::size_t>(used.ru_maxrss) * 1024};
  }

  void write(const std::string& name, const std::string& content) const {
    std::ofstream(folder_ / name, std::ios::binary) << content;
  }

  [[nodiscard]] std::string path(const std::string& name) const { return (folder_ / name).string(); }
  [[nodiscard]] std::string file(const std::string& name) const { return read(folder_ / name); }
  [[nodiscard]] bool exists(const std::string& name) const { return std::filesystem::exists(folder_ / name); }

  /// The commands that solve problems, in the order in which `info` lists them.
  [[nodiscard]] std::vector<std::string> solving_commands() const {
    std::vector<std::string> names;
    const auto algorithms = nlohmann::ordered_json::parse(warpfold("info --json").out).at("algorithms");
    for (const auto& [name, list] : algorithms.items()) names.push_back(name);
    return names;
  }

  /// Expects a run of every solving command among these arguments.
  void expect_runs_of_solving_commands(const std::vector<std::string>& arguments) const {
    for (const std::string& command : solving_commands()) {
      EXPECT_TRUE(std::any_of(arguments.begin(), arguments.end(),
                              [&](const std::string& run) { return run.starts_with(command + " "); }))
          << "no run of " << command;
    }
  }

 private:
  warpfold::test::TemporaryFolder folder_;
};

/// Expects one line on standard error that begins like every error of the command line, and nothing on standard output.
inline void expect_error(const Ran& ran, int exit_code, const std::string& part) {
  EXPECT_EQ(ran.exit_code, exit_code) << ran.err;
  EXPECT_EQ(ran.out, "");
  EXPECT_TRUE(ran.err.starts_with("warpfold: error: ")) << ran.err;
  EXPECT_NE(ran.err.find(part), std::string::npos) << ran.err;
  EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
}

}  // namespace warpfold::app::test
