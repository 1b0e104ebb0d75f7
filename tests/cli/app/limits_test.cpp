#include "cli/app/run.hpp"
#include "sanitizers.hpp"

namespace warpfold::app::test {
namespace {

/// A pipe without a writer blocks its reader for ever, because a blocked read checks no limits.
class Limits : public CommandLine {
 protected:
  void SetUp() override {
    CommandLine::SetUp();
    ASSERT_EQ(shell("mkfifo silent").exit_code, 0);
  }
};

TEST_F(Limits, OfTimeHoldWhileReading) {
  for (const std::string& command : solving_commands()) {
    Ran ran = warpfold(command + " silent --time-limit 0.05", "timeout 20");
    if (ran.exit_code == 2) ran = warpfold(command + " silent silent --time-limit 0.05", "timeout 20");
    expect_error(ran, 5, "time limit");
  }
}

TEST_F(Limits, OfTimeHoldWhileWriting) {
  expect_error(warpfold("knapsack --generate circle -o silent --time-limit 0.05", "timeout 20"), 5, "time limit");
}

TEST_F(Limits, OfTimeHoldWhileSimulating) {
  for (const char* algorithm : {"umm-opt -n 2000", "dp-opt -n 2000", "sdp-sequential -n 9000000", "sum -n 9000000"}) {
    expect_error(warpfold(std::string("machine run ") + algorithm + " --time-limit 0.1", "timeout 20"), 5,
                 "time limit");
  }
}

TEST_F(Limits, InterruptsEndEveryCommandWithOneLine) {
  for (const char* command :
       {"knapsack silent", "verify silent silent", "permute silent", "knapsack --generate circle -o silent"}) {
    for (const char* signal : {"INT", "TERM"}) {
      expect_error(warpfold(command, std::string("timeout --preserve-status -s ") + signal + " 0.2"), 130, "cancelled");
    }
  }
}

TEST_F(Limits, InterruptsThatAreIgnoredFromTheStartEndNothing) {
  ASSERT_EQ(shell("mkfifo late").exit_code, 0);
  const Ran ran = shell(
      "trap '' HUP INT; warpfold chain late & sleep 0.3; kill -HUP $!; kill -INT $!; sleep 0.3; "
      "echo 2 3 4 >late; wait $!");
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_NE(ran.out.find("24 scalar multiplications"), std::string::npos) << ran.out;
}

TEST_F(Limits, OfThreadsAreWhatTheProcessCanUse) {
  const int most = 8 * warpfold("info --json").json()["threads"].get<int>();
  ASSERT_EQ(warpfold("knapsack --generate circle -o circle.txt").exit_code, 0);
  for (const char* command : {"knapsack circle.txt -a table", "recurrence --offsets 1,2 --initial 1,1 -n 90",
                              "chain 30 35 15 5 10 20 25 -a dp"}) {
    const Ran ran = warpfold(std::string(command) + " --json --threads 100000", "timeout 60");
    EXPECT_EQ(ran.exit_code, 0) << command << ran.err;
    EXPECT_LE(ran.json()["threads"].get<int>(), most) << command;
  }
  EXPECT_EQ(warpfold("triangulate '" WARPFOLD_EXAMPLES "/great-britain.geojson' -q --threads 100000", "timeout 120")
                .exit_code,
            0);
}

/// In an earlier version they bound all threads to one processor.
TEST_F(Limits, OfAnOpenMpEnvironmentChangeNothing) {
  ASSERT_EQ(warpfold("knapsack --generate circle -o circle.txt").exit_code, 0);
  const Json plain = warpfold("knapsack circle.txt -a table --json").json();
  for (const char* variable : {"OMP_PROC_BIND=true", "OMP_PLACES=cores", "OMP_NUM_THREADS=1", "OMP_THREAD_LIMIT=1"}) {
    EXPECT_EQ(warpfold("knapsack circle.txt -a table --json", variable).json()["threads"], plain["threads"]);
  }
}

/// With this limit the system can start no thread.
TEST_F(Limits, OfTheSystemLeaveTheCallersThread) {
  if (warpfold::test::under_thread_sanitizer) GTEST_SKIP() << "the sanitizer needs its own layout of the memory";
  ASSERT_EQ(warpfold("knapsack --generate circle -o circle.txt").exit_code, 0);
  for (const char* command : {"knapsack circle.txt -a table", "recurrence --offsets 1,2 --initial 1,1 -n 90",
                              "triangulate '" WARPFOLD_EXAMPLES "/iceland.geojson'"}) {
    const Ran ran = warpfold(std::string(command) + " --json --time-limit 100", "ulimit -s 135000000000; timeout 100");
    EXPECT_EQ(ran.exit_code, 0) << command << ran.err;
    if (ran.exit_code != 0) continue;
    EXPECT_EQ(ran.json()["threads"], 1) << command;
  }
}

TEST_F(Limits, OfAddressSpaceEndInTheAnswerOrInOneLine) {
  const auto within = [](int kilobytes) { return fmt::format("ulimit -v {}; timeout 60", kilobytes); };
  const int most = 4'000'000;
  int least = 20'000;
  while (least < most && warpfold("--version", within(least)).exit_code != 0) least += 5'000;
  if (least >= most) GTEST_SKIP() << "a sanitizer needs all of the address space";
  ASSERT_EQ(warpfold("knapsack --generate uncorrelated --items 3000 --range 3000 -o k.txt").exit_code, 0);
  for (const char* command : {"knapsack k.txt -a table", "coins --coins 1,99991 --amount 9999999 -a table",
                              "triangulate '" WARPFOLD_EXAMPLES "/great-britain.geojson'"}) {
    int refused = 0, answered = 0;
    const Json expected = warpfold(std::string(command) + " --json").json();
    for (int kilobytes = least; kilobytes < most && answered < 3; kilobytes += kilobytes / 6) {
      const Ran ran = warpfold(std::string(command) + " --json", within(kilobytes));
      if (ran.exit_code == 0) {
        ++answered;
        for (const char* key : {"cost", "value", "coins", "chords"}) {
          EXPECT_EQ(ran.json().value(key, Json()), expected.value(key, Json())) << command;
        }
      } else {
        ++refused;
        expect_error(ran, 5, "memory");
      }
    }
    EXPECT_GE(refused, 1) << command;
    EXPECT_EQ(answered, 3) << command;
  }
}

TEST_F(Limits, OfAGpuAreNotTheHosts) {
  ASSERT_EQ(warpfold("knapsack --generate circle -o circle.txt").exit_code, 0);
  const Ran ran = warpfold("knapsack circle.txt --device cpu --json --max-device-memory 1");
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(ran.json()["peak_device_bytes"], 0);
  EXPECT_FALSE(ran.json().contains("fallback_reason"));
  expect_error(warpfold("knapsack --generate circle --max-device-memory much"), 2, "--max-device-memory is 'much'");
}

TEST_F(Limits, OfMemoryAreNamedBeforeAnythingIsAllocated) {
  expect_error(warpfold("coins --coins 1,999999937 --amount 9999999999999 --max-memory 1G"), 5,
               "B, the limit is 1.07 GB");
  expect_error(warpfold("recurrence --op sum-mod --modulus 7 --offsets 1,2 --initial 0,1 -n 900000000 "
                        "--max-memory 1G"),
               5, "B, the limit is 1.07 GB");
}

}  // namespace
}  // namespace warpfold::app::test
