#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "markdown.hpp"
#include "run.hpp"

namespace warpfold::app::test {
namespace {

class FormatExamples : public CommandLine {};

/// The cells of a row of a Markdown table: "| a | b |".
std::vector<std::string> cells_of(std::string_view row) {
  std::vector<std::string> cells;
  for (std::size_t at = row.find("| "); at != row.npos; at = row.find(" | ", at + 1)) {
    const std::size_t begin = row.find("| ", at) + 2, end = row.find(" |", begin);
    if (end == row.npos) break;
    cells.emplace_back(row.substr(begin, end - begin));
  }
  return cells;
}

/// The word of a command that names a file.
std::string file_of(const std::string& command) {
  std::istringstream words(command);
  for (std::string word; words >> word;) {
    if (word.find('.') != word.npos) return word;
  }
  return "";
}

TEST_F(FormatExamples, OfThePageOfFormatsHaveTheStatedCost) {
  const auto page = read(std::filesystem::path(WARPFOLD_EXAMPLES).parent_path() / "docs/reference/formats.md");
  std::istringstream section(page.substr(page.find("\n## An example each\n") + 1));
  int examples = 0;
  std::string row;
  std::getline(section, row);
  while (std::getline(section, row) && !row.starts_with("## ")) {
    const std::vector<std::string> cells = cells_of(row);
    if (cells.size() != 4 || code_in(cells[2]).empty()) continue;
    ++examples;
    const std::string command = code_in(cells[2]).front();
    const std::string file = code_lines(cells[1]);
    write(file_of(command), file);
    const Ran ran = warpfold(command + " --json");
    ASSERT_EQ(ran.exit_code, 0) << command << ran.err;
    EXPECT_EQ(ran.json()["cost"], std::stoi(cells[3])) << command << '\n' << file;
  }
  EXPECT_EQ(examples, 21);
}

}  // namespace
}  // namespace warpfold::app::test
