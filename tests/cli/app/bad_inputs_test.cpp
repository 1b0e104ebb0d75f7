#include <map>
#include <sstream>
#include <vector>

#include "cli/app/run.hpp"

namespace warpfold::app::test {
namespace {

namespace fs = std::filesystem;

/// The bytes of a file in tests/cli/bad_inputs, which may have the escapes \n, \\ and \xNN.
std::string unescaped(const std::string& text) {
  std::string bytes;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '\\') {
      bytes += text[at];
    } else if (text[++at] == 'x') {
      bytes += static_cast<char>(std::stoi(text.substr(at + 1, 2), nullptr, 16));
      at += 2;
    } else {
      bytes += text[at] == 'n' ? '\n' : text[at];
    }
  }
  return bytes;
}

/// The two parts of a text around the first `separator`.
std::pair<std::string, std::string> split(const std::string& text, const std::string& separator) {
  const std::size_t at = text.find(separator);
  if (at == std::string::npos) throw std::runtime_error(fmt::format("'{}' is missing in '{}'", separator, text));
  return {text.substr(0, at), text.substr(at + separator.size())};
}

bool is_line(const std::string& expected, const std::string& printed) {
  const std::size_t at = expected.find("[..]");
  if (at == std::string::npos) return printed == expected;
  const std::string behind = expected.substr(at + 4);
  return printed.size() > at + behind.size() && printed.starts_with(expected.substr(0, at)) &&
         printed.ends_with(behind);
}

/// A file of tests/cli/bad_inputs: the errors of one command or format. Its lines:
///     2 | ARGUMENTS | LINE        the exit code, the arguments, and the line on standard error. [..] matches any text:
///     a
///                                 library's message, which depends on its version, or the rest of the list of
///                                 semirings
///     NAME = CONTENT              a file for the cases below
///     NAME with OLD -> NEW        the same file with one part of its content changed
///     # a remark on the cases below
class BadInputs : public CommandLine, public testing::WithParamInterface<std::string> {
 protected:
  void run_line(const std::string& line) {
    if (line.empty() || line[0] == '#') return;
    if (std::isdigit(static_cast<unsigned char>(line[0])) != 0) return run_case(line);
    const auto [name, rest] = split(line, " ");
    if (rest.starts_with("= ")) {
      fs::create_directories(fs::path(path(name)).parent_path());
      write(name, files_[name] = unescaped(rest.substr(2)));
    } else {
      const auto [old, now] = split(rest.substr(std::string("with ").size()), " -> ");
      const auto [before, behind] = split(files_.at(name), unescaped(old));
      write(name, before + unescaped(now) + behind);
    }
  }

 private:
  void run_case(const std::string& line) const {
    const auto [exit_code, rest] = split(line, " | ");
    const auto [arguments, message] = split(rest, " | ");
    const Ran ran = warpfold(arguments, "timeout 20");
    EXPECT_EQ(ran.exit_code, std::stoi(exit_code));
    EXPECT_TRUE(is_line("warpfold: error: " + message + "\n", ran.err)) << ran.err;
    EXPECT_EQ(ran.out, "");
  }

  std::map<std::string, std::string> files_;  ///< as they were given, without changes
};

TEST_P(BadInputs, EndWithTheirLineAndTheirExitCode) {
  if (GetParam() == "without_cuda" && warpfold("info --json").json().at("cuda_compiled")) GTEST_SKIP();
  std::istringstream lines(read(fs::path(WARPFOLD_BAD_INPUTS) / (GetParam() + ".txt")));
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    SCOPED_TRACE(fmt::format("{}.txt:{}: {}", GetParam(), ++number, line));
    run_line(line);
  }
  EXPECT_GT(number, 0u);
}

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const auto& entry : fs::directory_iterator(WARPFOLD_BAD_INPUTS)) all.push_back(entry.path().stem());
  return all;
}

INSTANTIATE_TEST_SUITE_P(Of, BadInputs, testing::ValuesIn(names()), [](const auto& test) { return test.param; });

}  // namespace
}  // namespace warpfold::app::test
