#include "cli/app/schema.hpp"

#include <map>
#include <sstream>

#include "cli/app/help.hpp"

/// Keys, exit codes and options must be those of tests/cli/schema.txt.
namespace warpfold::app::test {
namespace {

using Schema = SchemaRuns;

/// The schema of an object as "key:type key:type". Independent of the machine.
std::string schema_of(const nlohmann::ordered_json& object) {
  std::string keys;
  for (const auto& [key, value] : object.items()) {
    if (key != "fallback_reason") keys += fmt::format("{}{}:{}", keys.empty() ? "" : " ", key, value.type_name());
  }
  return keys;
}

std::string with_replaced(std::string text, const std::map<std::string, std::string>& words) {
  for (const auto& [word, meaning] : words) {
    if (text.starts_with(word)) text.replace(0, word.size(), meaning);
  }
  return text;
}

TEST_F(Schema, IsThatOfTheLastRelease) {
  std::map<std::string, std::string> shared;
  int checked = 0;
  for (const auto& [left, right] : schema_lines()) {
    if (left.starts_with("options of ")) continue;
    if (left == "SOLVED" || left == "EXCEEDED" || left == "PRODUCT") {
      shared[left] = right;
    } else if (left.starts_with("exit ")) {
      EXPECT_EQ(warpfold(right).exit_code, std::stoi(left.substr(5))) << right;
    } else {
      const std::size_t of = left.find(" of ");
      const std::string command = of == std::string::npos ? left : left.substr(of + 4);
      const Ran ran = shell("warpfold " + command + " --json");
      if (ran.err.find("has no MPI") != std::string::npos) continue;
      ASSERT_EQ(ran.exit_code, 0) << left << ": " << ran.err;
      const auto object = nlohmann::ordered_json::parse(ran.out);
      EXPECT_EQ(schema_of(of == std::string::npos ? object : object.at(left.substr(0, of))),
                with_replaced(right, shared))
          << left;
    }
    ++checked;
  }
  EXPECT_GT(checked, 55);
}

TEST_F(Schema, HasTheKeysOfEverySolvingCommand) {
  std::vector<std::string> solved;
  for (const auto& [left, right] : schema_lines()) {
    if (right.starts_with("SOLVED") || right.starts_with("PRODUCT")) solved.push_back(left);
  }
  expect_runs_of_solving_commands(solved);
}

TEST_F(Schema, HasEveryCommandsOptions) {
  std::map<std::string, std::string> expected;
  for (const auto& [left, right] : schema_lines()) {
    if (left.starts_with("options of ")) expected[left.substr(11)] = right;
  }
  std::vector<Found> all;
  find_commands([&](const std::string& command) { return warpfold("help " + command).out; }, "", all);
  for (const Found& one : all) {
    const std::string command = one.command.substr(1);
    EXPECT_EQ(fmt::format("{}", fmt::join(one.options, " ")), expected[command]) << "options of " << command;
    expected.erase(command);
  }
  for (const auto& [command, options] : expected) ADD_FAILURE() << "there is no command " << command;
}

/// docs/reference has them, too.
class Reference : public testing::Test {
 protected:
  static std::string page(const std::string& name) {
    return read(std::filesystem::path(WARPFOLD_EXAMPLES).parent_path() / "docs/reference" / name);
  }

  /// The part of a page from a heading to the next one.
  static std::string section(const std::string& page, const std::string& heading) {
    const std::size_t begin = page.find("\n## " + heading);
    if (begin == std::string::npos) return "";
    return page.substr(begin, page.find("\n## ", begin + 1) - begin);
  }

  static void expect_code(const std::string& text, const std::string& word, const std::string& of) {
    EXPECT_TRUE(text.find("`" + word + "`") != std::string::npos || text.find("`" + word + " ") != std::string::npos)
        << word << " of " << of;
  }
};

TEST_F(Reference, ListsEveryOptionWhereItsCommandIs) {
  const std::string commands = page("command-line.md"), shared = section(commands, "Options of all solving commands");
  for (const auto& [left, right] : schema_lines()) {
    if (!left.starts_with("options of ")) continue;
    const std::string command = left.substr(11);
    const std::string text = shared + section(commands, command.substr(0, command.find(' ')));
    std::istringstream options(right);
    for (std::string option; options >> option;) expect_code(text, option, command);
  }
}

TEST_F(Reference, ListsEveryKey) {
  const std::string keys = page("json.md");
  for (const auto& [left, right] : schema_lines()) {
    if (left.starts_with("options of ") || left.starts_with("exit ")) continue;
    std::istringstream words(right);
    for (std::string word; words >> word;) {
      const std::size_t colon = word.find(':');
      if (colon != std::string::npos) expect_code(keys, word.substr(0, colon), left);
    }
  }
}

}  // namespace
}  // namespace warpfold::app::test
