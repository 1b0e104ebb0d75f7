#include <unistd.h>

#include <utility>
#include <vector>

#include "cli/app/help.hpp"
#include "cli/app/run.hpp"

/// Failures around a run: full disks, closed files, signals.
namespace warpfold::app::test {
namespace {

class Faults : public CommandLine {
 protected:
  [[nodiscard]] bool left_nothing_unfinished() const {
    for (const auto& entry : std::filesystem::directory_iterator(path("."))) {
      if (entry.path().extension() == ".partial") return false;
    }
    return true;
  }
};

TEST_F(Faults, AFullStandardOutputIsAnError) {
  for (const char* command : {"chain 30 35 15 5 --json", "chain 30 35 15 5", "info", "info --json", "--help",
                              "--version", "coins --coins 1,5 --amount 8 --json", "machine list", "paper list",
                              "recurrence --offsets 1 --initial 1 -n 3 --json"}) {
    for (const char* output : {">/dev/full", ">&-"}) {
      const Ran ran = warpfold(std::string(command) + " " + output);
      EXPECT_EQ(ran.exit_code, 3) << command << output;
      const std::string reason = output == std::string(">&-") ? "Bad file descriptor" : "No space left on device";
      EXPECT_EQ(ran.err, "warpfold: error: standard output: cannot be written: " + reason + "\n") << command;
    }
  }
}

TEST_F(Faults, AClosedPipeEndsARunSilently) {
  for (const char* command : {"info", "info --json", "man", "paper list", "machine list", "chain 30 35 15 5 --json"}) {
    const std::string run = fmt::format("{{ sleep 0.1; warpfold {}; echo $? >code; }} | true", command);
    EXPECT_EQ(shell(run).err, "") << command;
    EXPECT_EQ(file("code"), "141\n") << command;
    const Ran ignoring = shell(fmt::format("trap '' PIPE; {{ sleep 0.1; warpfold {}; }} | true", command));
    EXPECT_EQ(ignoring.err, "warpfold: error: standard output: cannot be written: Broken pipe\n") << command;
  }
}

TEST_F(Faults, AStandardErrorThatNobodyCanReadEndsNothing) {
  for (const char* error : {"2>/dev/full", "2>&-"}) {
    EXPECT_EQ(warpfold(std::string("chain 5 six ") + error).exit_code, 2) << error;
    EXPECT_EQ(warpfold(std::string("chain 5 6 7 --progress ") + error).exit_code, 0) << error;
  }
  ASSERT_EQ(warpfold("knapsack --generate uncorrelated --items 5000 --range 5000 -o k.txt").exit_code, 0);
  EXPECT_EQ(warpfold("knapsack k.txt -a table --value-only --threads 1 --progress 2>/dev/full").exit_code, 0);
}

TEST_F(Faults, AnErrorStandsBelowTheProgressBar) {
  ASSERT_EQ(warpfold("knapsack --generate uncorrelated --items 20000 --range 9000 -o k.txt").exit_code, 0);
  const Ran ran = warpfold("knapsack k.txt -a table --value-only --threads 1 --progress --time-limit 2");
  EXPECT_EQ(ran.exit_code, 5) << ran.err;
  EXPECT_TRUE(ran.err.starts_with("\r[")) << ran.err;
  EXPECT_TRUE(ran.err.ends_with(" s left \nwarpfold: error: the time limit was reached\n")) << ran.err;
}

TEST_F(Faults, AClosedFileIsNotTakenForAnother) {
  const Ran ran = warpfold("chain 30 35 15 5 -o s.json --json >&-");
  EXPECT_EQ(ran.exit_code, 3);
  EXPECT_EQ(Json::parse(file("s.json"))["cost"], 7875);
}

TEST_F(Faults, AFileThatMayNotGrowLeavesNothing) {
  const Ran ran = shell("ulimit -f 4; warpfold knapsack --generate circle --items 100000 -o k.txt");
  EXPECT_EQ(ran.exit_code, 3) << ran.err;
  EXPECT_NE(ran.err.find("k.txt: cannot be written: File too large"), std::string::npos) << ran.err;
  EXPECT_FALSE(exists("k.txt"));
  EXPECT_TRUE(left_nothing_unfinished());
}

TEST_F(Faults, AHangUpEndsARunAsAnInterruptDoes) {
  ASSERT_EQ(shell("mkfifo silent").exit_code, 0);
  expect_error(warpfold("knapsack silent -o s.json", "timeout --preserve-status -s HUP 0.3"), 130, "cancelled");
  EXPECT_TRUE(left_nothing_unfinished());
}

TEST_F(Faults, AnOutputThatCannotBeWrittenIsFoundBeforeSolving) {
  ASSERT_EQ(shell("mkfifo silent").exit_code, 0);  // the first read of it runs into the time limit
  std::vector<std::string> commands = solving_commands();
  commands.emplace_back("permute");
  for (const std::string& command : commands) {
    bool found = false;
    for (const char* files : {" silent", " silent silent"}) {
      for (const char* name : {"/no/such/folder/x.json", "/no/such/folder/x.npy"}) {
        const Ran ran = warpfold(command + files + " --time-limit 2 -o " + name, "timeout 20");
        EXPECT_TRUE(ran.exit_code == 3 || ran.exit_code == 2) << command << ran.err;
        EXPECT_EQ(ran.err.find("time limit"), std::string::npos) << command << ran.err;
        found |= ran.exit_code == 3;
      }
    }
    EXPECT_TRUE(found) << command;
  }
}

TEST_F(Faults, AnOutputThatNoFileCanBecomeIsAnError) {
  write("a.txt", "");
  ASSERT_EQ(shell("ln -s none/x.json dangling.json; ln -s loop.json loop.json").exit_code, 0);
  for (const auto& [name, why] :
       std::vector<std::pair<std::string, std::string>>{{"a.txt/b.json", "Not a directory"},
                                                        {"dangling.json", "No such file or directory"},
                                                        {"loop.json", "Too many levels of symbolic links"},
                                                        {std::string(251, 'x') + ".json", "File name too long"}}) {
    expect_error(warpfold("chain 30 35 15 5 -o " + name), 3, name + ": cannot be written: " + why);
  }
  EXPECT_EQ(warpfold("chain 30 35 15 5 -q -o " + std::string(240, 'x') + ".json").exit_code, 0);
}

/// Root may access every file. So if root runs the test, another user runs the command.
TEST_F(Faults, AnOutputUnderAFolderThatIsClosedIsAnError) {
  const std::string as_another = geteuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups" : "";
  if (warpfold("--version", as_another).exit_code != 0) GTEST_SKIP() << "root without setpriv writes everywhere";
  ASSERT_EQ(
      shell("chmod 755 .; mkdir -p closed/folder; chmod 0 closed; mkdir read_only; chmod 555 read_only").exit_code, 0);
  for (const char* name : {"closed/x.json", "closed/folder/x.json", "read_only/x.json"}) {
    expect_error(warpfold(std::string("chain 30 35 15 5 -o ") + name, as_another), 3,
                 std::string(name) + ": cannot be written: Permission denied");
  }
  ASSERT_EQ(shell("chmod 700 closed").exit_code, 0);
}

TEST_F(Faults, OutputsMayStandAnywhereAmongTheWords) {
  EXPECT_EQ(warpfold("chain --tables a.npy b.npy 30 35 15 -q").exit_code, 0);
  EXPECT_TRUE(exists("a.npy") && exists("b.npy"));
}

TEST_F(Faults, ABenchmarkWritesItsOutput) {
  const Ran ran = warpfold("bench minplus -n 64 --repeats 1 -o b.json -q");
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_EQ(ran.out, "");
  EXPECT_EQ(Json::parse(file("b.json"))["family"], "minplus");
}

TEST_F(Faults, NamesThatAreNoUtf8AreWrittenAsValidJson) {
  write("r.json", R"({"op": "sum", "offsets": [1], "initial": [1], "n": 4})");
  const Ran ran = warpfold("recurrence r.json --json -o '\xff\x01.npy'");
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_TRUE(Json::accept(ran.out)) << ran.out;
  EXPECT_TRUE(exists("\xff\x01.npy"));
}

TEST_F(Faults, AWordThatIsNearlyAnOptionIsCorrected) {
  expect_error(warpfold("chain 5 6 7 --thread 2"), 2, "'--thread' is not accepted here: did you mean --threads?");
  expect_error(warpfold("chian 5 6 7"), 2, "'chian' is no command: did you mean chain?");
}

TEST_F(Faults, AnEmptyWordIsNoFileAndNoName) {
  for (const std::string option : {"--output", "--algorithm", "--dtype"}) {
    const Ran ran = warpfold("chain 3 4 5 " + option + " ''");
    EXPECT_EQ(ran.exit_code, 2) << option;
    EXPECT_EQ(ran.err, "warpfold: error: " + option + ": '' is not accepted\n");
  }
}

TEST_F(Faults, EveryNumberOfTheCommandLineIsReadAlike) {
  std::vector<Found> all;
  find_commands([&](const std::string& command) { return warpfold("help " + command).out; }, "", all);
  for (const Found& one : all) {
    const std::string help = warpfold(one.command + " --help").out;
    for (const char* by_the_parser : {" INT", " UINT", " FLOAT"}) {
      EXPECT_EQ(help.find(by_the_parser), std::string::npos) << one.command << help;
    }
  }
  EXPECT_EQ(warpfold("coins --coins 1,5,+10 --amount 010 --json").json()["n"], 10);
}

}  // namespace
}  // namespace warpfold::app::test
