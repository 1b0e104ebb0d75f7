#include <sstream>
#include <vector>

#include "cli/app/run.hpp"

namespace warpfold::app::test {
namespace {

/// A command of a ```console block, and the lines that the page shows below it.
struct Shown {
  std::string command;
  std::vector<std::string> lines;
};

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::vector<Shown> shown_in(const std::string& page) {
  std::vector<Shown> all;
  bool inside = false;
  for (const std::string& line : lines_of(page)) {
    if (line.starts_with("```")) {
      inside = line == "```console";
    } else if (inside && line.starts_with("$ ")) {
      all.push_back({line.substr(2), {}});
    } else if (inside && !all.empty()) {
      all.back().lines.push_back(line);
    }
  }
  return all;
}

/// Whether the output is as shown on the page. A line "..." stands for any number of lines.
bool matches(const std::vector<std::string>& shown, const std::vector<std::string>& printed, std::size_t s = 0,
             std::size_t p = 0) {
  for (; s < shown.size() && shown[s] != "..."; ++s, ++p) {
    if (p == printed.size() || shown[s] != printed[p]) return false;
  }
  if (s == shown.size()) return p == printed.size();
  for (; p <= printed.size(); ++p) {
    if (matches(shown, printed, s + 1, p)) return true;
  }
  return false;
}

class Docs : public CommandLine, public testing::WithParamInterface<const char*> {};

TEST_P(Docs, EveryCommandPrintsWhatThePageShows) {
  const std::filesystem::path examples = WARPFOLD_EXAMPLES;
  std::filesystem::create_directory_symlink(examples, path("examples"));
  const auto page = read(examples.parent_path() / GetParam());
  const std::vector<Shown> all = shown_in(page);
  ASSERT_FALSE(all.empty()) << GetParam() << " shows no command";
  for (const Shown& one : all) {
    const Ran ran = shell("{ " + one.command + "; } 2>&1");
    EXPECT_TRUE(matches(one.lines, lines_of(ran.out))) << "$ " << one.command << "\n" << ran.out;
  }
}

INSTANTIATE_TEST_SUITE_P(Pages, Docs,
                         testing::Values("README.md", "docs/explanation/errata.md", "docs/explanation/machines.md",
                                         "docs/guides/bank-conflicts.md", "docs/guides/chains-and-trees.md",
                                         "docs/guides/paths.md", "docs/guides/permutations.md", "docs/guides/reach.md",
                                         "docs/guides/recurrences.md", "docs/guides/rna.md",
                                         "docs/guides/sequences-cookbook.md", "docs/guides/triangulations.md",
                                         "docs/guides/worked-examples.md", "docs/reference/json.md",
                                         "docs/reference/limits.md"));

}  // namespace
}  // namespace warpfold::app::test
