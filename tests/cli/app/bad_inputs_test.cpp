#include <sstream>
#include <vector>

#include "cli/app/run.hpp"

namespace warpfold::app::test {
namespace {

namespace fs = std::filesystem;

/// What a bad input has to end with.
struct Case {
  std::string name, arguments, line;
  int exit_code = 0;
  fs::path files;  ///< of the case, none where empty
};

/// "exit code | arguments | line", one case a line of options.txt; a folder a case with `case`, one such line, and the
/// case's files.
Case parsed(const std::string& name, const std::string& text, const fs::path& files) {
  const std::size_t first = text.find(" | "), second = text.find(" | ", first + 3);
  return {name, text.substr(first + 3, second - first - 3), text.substr(second + 3), std::stoi(text), files};
}

std::vector<Case> cases() {
  std::vector<Case> all;
  const fs::path root = WARPFOLD_BAD_INPUTS;
  std::istringstream options(read(root / "options.txt"));
  std::size_t number = 0;
  for (std::string line; std::getline(options, line);) {
    ++number;
    if (!line.empty() && line[0] != '#') all.push_back(parsed("options.txt:" + std::to_string(number), line, {}));
  }
  for (const auto& entry : fs::directory_iterator(root)) {
    if (!entry.is_directory()) continue;
    std::istringstream text(read(entry.path() / "case"));
    for (std::string line; std::getline(text, line);) {
      if (!line.empty()) all.push_back(parsed(entry.path().filename().string(), line, entry.path()));
    }
  }
  return all;
}

class BadInputs : public CommandLine {};

TEST_F(BadInputs, EndWithTheirLineAndTheirExitCode) {
  const std::vector<Case> all = cases();
  ASSERT_GT(all.size(), 50u);
  for (const Case& one : all) {
    SCOPED_TRACE(one.name + ": warpfold " + one.arguments);
    if (!one.files.empty())
      fs::copy(one.files, path("."), fs::copy_options::recursive | fs::copy_options::overwrite_existing);
    const Ran ran = warpfold(one.arguments, "timeout 20");
    EXPECT_EQ(ran.exit_code, one.exit_code);
    EXPECT_EQ(ran.err, "warpfold: error: " + one.line + "\n");
    EXPECT_EQ(ran.out, "");
  }
}

}  // namespace
}  // namespace warpfold::app::test
