#include <vector>

#include "cli/app/help.hpp"
#include "cli/app/run.hpp"

namespace warpfold::app::test {
namespace {

/// The manual page and the shell completions, which are generated from the help's data.
class Generated : public CommandLine {
 protected:
  /// Whether an optional program is installed. Skips the test if it is not.
  [[nodiscard]] bool has(const std::string& program) const {
    return shell("command -v " + program + " >/dev/null").exit_code == 0;
  }

  /// The completions that bash offers after the last of the words.
  [[nodiscard]] std::string offered_by_bash(const std::string& words) const {
    const Ran ran = shell("warpfold completions bash >w.bash; bash -c '. ./w.bash; COMP_WORDS=(" + words +
                          "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _warpfold; echo \"${COMPREPLY[*]}\"'");
    EXPECT_EQ(ran.err, "");
    return ran.out.substr(0, ran.out.find('\n'));
  }
};

TEST_F(Generated, ManualHasEveryCommandAndEveryOption) {
  std::vector<Found> all;
  find_commands([&](const std::string& command) { return warpfold("help " + command).out; }, "", all);
  ASSERT_GT(all.size(), 15u);
  std::string manual = warpfold("man").out;
  manual.erase(std::remove(manual.begin(), manual.end(), '\\'), manual.end());
  for (const Found& one : all) {
    const std::size_t begin = manual.find(".SS fBwarpfold" + one.command + "fR");
    ASSERT_NE(begin, std::string::npos) << one.command;
    const std::string section = manual.substr(begin, manual.find("\n.S", begin) - begin);
    ASSERT_FALSE(one.options.empty()) << one.command;
    for (const std::string& option : one.options) {
      EXPECT_NE(section.find("fB" + option + "fR"), std::string::npos) << one.command << " " << option;
    }
  }
}

TEST_F(Generated, ManualIsOneThatGroffDoesNotWarnOf) {
  if (!has("groff")) GTEST_SKIP() << "there is no groff here";
  const Ran ran = shell("warpfold man | groff -man -Tascii -P-cbou -ww");
  EXPECT_EQ(ran.err, "");
  EXPECT_NE(ran.out.find("EXIT STATUS"), std::string::npos);
}

TEST_F(Generated, BashCompletesCommandsOptionsAndValues) {
  if (!has("bash")) GTEST_SKIP() << "there is no bash here";
  EXPECT_EQ(shell("warpfold completions bash | bash -n").err, "");
  EXPECT_EQ(offered_by_bash("warpfold tri"), "triangulate");
  EXPECT_EQ(offered_by_bash("warpfold help tri"), "triangulate");
  EXPECT_EQ(offered_by_bash("warpfold machine \"\""), "list run cost predict play");
  EXPECT_EQ(offered_by_bash("warpfold machine run --timi"), "--timing");
  EXPECT_EQ(offered_by_bash("warpfold triangulate --dev"), "--device");
  EXPECT_EQ(offered_by_bash("warpfold bench t"), "triangulate");
  EXPECT_EQ(offered_by_bash("warpfold triangulate --device \"\""), "auto cpu cuda cuda:all");
  EXPECT_EQ(offered_by_bash("warpfold triangulate --device = cu"), "cuda cuda:all");
  EXPECT_EQ(offered_by_bash("warpfold minplus --dtype f"), "f32 f64");
  EXPECT_EQ(offered_by_bash("warpfold coins --dtype \"\""), "i64");
  EXPECT_EQ(offered_by_bash("warpfold recurrence --op s"), "sum sum-mod");
  EXPECT_EQ(offered_by_bash("warpfold completions \"\""), "bash zsh fish");
}

TEST_F(Generated, BashLeavesToNamesOfFilesWhatIsNoList) {
  if (!has("bash")) GTEST_SKIP() << "there is no bash here";
  EXPECT_EQ(offered_by_bash("warpfold triangulate \"\""), "");
  EXPECT_EQ(offered_by_bash("warpfold triangulate --output \"\""), "");
  EXPECT_NE(shell("warpfold completions bash").out.find("complete -o default -F _warpfold warpfold"),
            std::string::npos);
}

TEST_F(Generated, ZshAndFishParseTheirs) {
  for (const std::string name : {"zsh", "fish"}) {
    const Ran printed = warpfold("completions " + name);
    EXPECT_EQ(printed.exit_code, 0) << printed.err;
    EXPECT_NE(printed.out.find("'warpfold machine run'"), std::string::npos) << name;
    if (!has(name)) continue;
    EXPECT_EQ(shell("warpfold completions " + name + " | " + name + " -n").err, "");
  }
}

TEST_F(Generated, FishCompletesCommandsOptionsAndValues) {
  if (!has("fish")) GTEST_SKIP() << "there is no fish here";
  const Ran ran = shell(
      "warpfold completions fish >w.fish; for line in 'warpfold tri' 'warpfold triangulate --dev' 'warpfold bench t'; "
      "do "
      "fish --no-config -c \"source w.fish; complete -C '$line'\" | cut -f 1; done");
  EXPECT_EQ(ran.out, "triangulate\n--device\ntriangulate\n") << ran.err;
}

TEST_F(Generated, CompletionsOfAnotherShellAreRefused) {
  expect_error(warpfold("completions tcsh"), 2, "SHELL: 'tcsh' is not accepted: bash or zsh or fish is");
}

}  // namespace
}  // namespace warpfold::app::test
