#include <map>
#include <sstream>
#include <vector>

#include "cli/app/instances.hpp"
#include "cli/app/run.hpp"
#include "sanitizers.hpp"

/// Every call to the system by which files are read and written fails once, in every way (tests/faults/shim.cpp).
namespace warpfold::app::test {
namespace {

/// A command, what it reads, and the files that it writes.
struct Case {
  std::string arguments;
  std::vector<std::string> outputs;
  bool in_place = false;  ///< the file has another name, too, and stays the same file
};

const Case cases[] = {
    {"triangulate w.csv --matrix -o new.json", {"new.json"}},
    {"triangulate w.csv --matrix -o old.json", {"old.json"}},
    {"triangulate - --matrix -o old.json <w.csv", {"old.json"}},
    {"triangulate w.csv --matrix -o twin.json", {"twin.json"}, true},
    {"paths g.csv -o d.npy --successors s.npy", {"d.npy", "s.npy"}},
    {"knapsack --generate circle --items 20000 -o k.txt", {"k.txt"}},  // more than a buffer
    {"knapsack k1.txt -o old.json", {"old.json"}},
};

class SystemCalls : public CommandLine {
 protected:
  void SetUp() override {
    if (warpfold::test::under_address_sanitizer) GTEST_SKIP() << "the sanitizer's library has to be the first";
    write("w.csv", "0,0,3,1,0\n0,0,0,4,9\n0,0,0,0,2\n0,0,0,0,0\n0,0,0,0,0\n");
    write("g.csv", "a,b,3\nb,c,4\nc,a,5\n");
    write("k1.txt", "3 10\n5 4\n6 5\n7 6\n");
    ASSERT_EQ(warpfold("knapsack k1.txt --json").exit_code, 0) << "the instance is none";
  }

  /// As before any run: new files are not there, old ones are of another run.
  void restore() const {
    for (const char* name : {"new.json", "d.npy", "s.npy", "k.txt", "twin.json", "second.json"}) {
      std::filesystem::remove(path(name));
    }
    for (const auto& entry : std::filesystem::directory_iterator(path("."))) {
      if (entry.path().extension() == ".partial") std::filesystem::remove(entry.path());
    }
    write("old.json", "old");
    write("twin.json", "old");
    std::filesystem::create_hard_link(path("twin.json"), path("second.json"));
  }

  /// tests/faults/shim.cpp, compiled.
  [[nodiscard]] static std::string shim() { return built() + "/libfaults.so"; }

  [[nodiscard]] Ran run(const std::string& arguments, const std::string& fault) const {
    return shell(
        fmt::format("timeout 60 env FAULT={} FAULT_CALLS=calls LD_PRELOAD='{}' warpfold {}", fault, shim(), arguments));
  }

  [[nodiscard]] std::map<std::string, std::string> outputs(const Case& one) const {
    std::map<std::string, std::string> contents;
    for (const std::string& name : one.outputs) contents[name] = exists(name) ? without_times(file(name)) : "none";
    return contents;
  }
  /// A solution but for what another run measures otherwise; other text as it is.
  [[nodiscard]] static std::string without_times(const std::string& text) {
    Json solution = Json::parse(text, nullptr, false);
    if (!solution.is_object()) return text;
    for (const char* key : {"seconds", "peak_bytes", "checkpoint"}) solution.erase(key);
    return solution.dump();
  }

  [[nodiscard]] std::map<std::string, int> calls() const {
    std::map<std::string, int> counts;
    std::istringstream lines(file("calls"));
    std::string name;
    for (int count = 0; lines >> name >> count;) counts[name] = count;
    return counts;
  }

  [[nodiscard]] bool has_partial_files(const std::string& folder = ".") const {
    for (const auto& entry : std::filesystem::directory_iterator(path(folder))) {
      if (entry.path().extension() == ".partial") return true;
    }
    return false;
  }

  /// Runs a case once without a fault, and then with `what` at every call: check(ran, before, after, call).
  template <class Check>
  void at_every_call(const std::vector<std::string>& names, const std::string& what, const Check& check) {
    for (const Case& one : cases) {
      restore();
      const auto before = outputs(one);
      ASSERT_EQ(run(one.arguments, "none").exit_code, 0) << one.arguments;
      const auto after = outputs(one);
      const auto made = calls();
      for (const std::string& name : names) {
        for (int number = 1; number <= made.at(name); ++number) {
          restore();
          SCOPED_TRACE(fmt::format("{}: {} {} of {} {}", one.arguments, what, number, made.at(name), name));
          check(one, run(one.arguments, fmt::format("{}:{}:{}", name, number, what)), before, after);
          ++runs_;
        }
      }
    }
    EXPECT_GT(runs_, 10) << "the calls were not met";
  }

  static void expect_one_line(const Ran& ran) {
    EXPECT_TRUE(ran.err.starts_with("warpfold: error: ")) << ran.err;
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
  }

  int runs_ = 0;
};

using Files = std::map<std::string, std::string>;

TEST_F(SystemCalls, ThatAreInterruptedOrMoveOneByteAreGoneOnWith) {
  for (const std::string what : {"EINTR", "short"}) {
    at_every_call({"read", "write"}, what, [&](const Case& one, const Ran& ran, const Files&, const Files& after) {
      EXPECT_EQ(ran.exit_code, 0) << ran.err;
      EXPECT_TRUE(outputs(one) == after) << "another file than without the fault";
    });
  }
}

TEST_F(SystemCalls, ThatFailEndInOneLineAndLeaveTheOldFiles) {
  for (const std::string what : {"EIO", "ENOSPC"}) {
    at_every_call({"open", "read", "write", "fsync", "rename", "close", "fallocate", "truncate"}, what,
                  [&](const Case& one, const Ran& ran, const Files& before, const Files& after) {
                    EXPECT_FALSE(has_partial_files());
                    const Files found = outputs(one);
                    if (ran.exit_code == 0) {  // it was a call that nothing depends on
                      EXPECT_TRUE(found == after) << "success with another file";
                      return;
                    }
                    expect_one_line(ran);
                    for (const auto& [name, content] : found) {
                      const bool is_whole = content == before.at(name) || content == after.at(name);
                      EXPECT_TRUE(is_whole || one.in_place) << name << " is neither the old file nor the new one";
                    }
                  });
  }
}

// But for a file with a second name, which is copied over in place.
TEST_F(SystemCalls, AtWhichTheProcessIsKilledLeaveTheOldFileOrTheNewOne) {
  at_every_call({"open", "read", "write", "fsync", "rename", "close"}, "kill",
                [&](const Case& one, const Ran& ran, const Files& before, const Files& after) {
                  EXPECT_EQ(ran.exit_code, 128 + 9);
                  for (const auto& [name, content] : outputs(one)) {
                    const bool is_whole = content == before.at(name) || content == after.at(name);
                    EXPECT_TRUE(is_whole || one.in_place) << name << " is half written";
                  }
                });
}

/// Limits, progress and checkpoints go by a clock that nobody sets, so that one that jumps changes nothing.
TEST_F(SystemCalls, NeverAskForTheTimeOfDay) {
  ASSERT_EQ(shell(fmt::format("FAULT_CALLS=calls LD_PRELOAD='{}' date", shim())).exit_code, 0);
  ASSERT_GE(calls().at("clock"), 1) << "the shim does not see it asked for";
  for (const char* more : {"--json", "--time-limit 100", "--progress", "--estimate", "--checkpoint kept --every 0"}) {
    const Ran ran = run(std::string("triangulate w.csv --matrix -a tiled ") + more, "none");
    EXPECT_EQ(ran.exit_code, 0) << more << ran.err;
    EXPECT_EQ(calls().at("clock"), 0) << more;
  }
}

/// The same for a solve that a folder keeps: whatever it meets, what the folder has is enough to go on to the same
/// bits.
class CheckpointCalls : public SystemCalls {
 protected:
  static inline const std::string solve = "triangulate w.npy --matrix --dtype f64 --threads 1 --json ";
  static inline const std::string begin = solve + "--checkpoint kept --every 0";
  static inline const std::string go_on = solve + "--resume kept --every 0";

  void SetUp() override {
    SystemCalls::SetUp();
    if (IsSkipped()) return;
    write_npy(path("w.npy"), 1000, 1000);
    expected_ = without_times(warpfold(solve).out);
    for (int attempt = 0; attempt < 20 && run(begin, "pwrite:3:kill").exit_code == 0; ++attempt) restore_folder(false);
    ASSERT_TRUE(exists("kept/list")) << "the solves ended before three super-tiles were written";
    std::filesystem::rename(path("kept"), path("half"));
  }

  /// `half`: the folder is that of a run that was killed.
  void restore_folder(bool half) const {
    std::filesystem::remove_all(path("kept"));
    if (half) std::filesystem::copy(path("half"), path("kept"));
  }

  /// A run with `what` at one of a call's first turns: check(ran) where it met it, and in any case the next goes on.
  template <class Check>
  void at_the_first_calls(const std::string& arguments, const std::vector<std::string>& names, const std::string& what,
                          const Check& check, int most = 3) {
    for (const std::string& name : names) {
      for (int number = 1; number <= most; ++number) {
        restore_folder(arguments == go_on);
        const Ran ran = run(arguments, fmt::format("{}:{}:{}", name, number, what));
        SCOPED_TRACE(fmt::format("{}: {} at {} {}: {}", arguments, what, name, number, ran.err));
        if (ran.exit_code == 0) {
          EXPECT_EQ(without_times(ran.out), expected_);
        } else {
          check(ran);
          met_[name] += 1;
        }
        expect_that_the_next_run_goes_on();
      }
    }
  }

  void expect_that_the_next_run_goes_on() const {
    const Ran next = warpfold(exists("kept/list") ? go_on : begin);
    EXPECT_EQ(next.exit_code, 0) << next.err;
    EXPECT_EQ(without_times(next.out), expected_);
  }

  std::string expected_;
  std::map<std::string, int> met_;  ///< how many runs of each call's ended by it
};

TEST_F(CheckpointCalls, ThatFailEndInOneLineAndTheNextRunGoesOn) {
  const auto ends_in_one_line = [&](const Ran& ran) {
    EXPECT_EQ(ran.exit_code, 3);
    expect_one_line(ran);
    EXPECT_FALSE(exists("kept") && has_partial_files("kept"));
  };
  for (const std::string what : {"EIO", "ENOSPC"}) {
    at_the_first_calls(begin, {"mkdir", "open", "flock", "pwrite", "fdatasync", "write", "fsync", "rename", "close"},
                       what, ends_in_one_line);
  }
  for (const char* name : {"mkdir", "flock", "pwrite", "fdatasync", "write", "fsync", "rename"}) {
    EXPECT_GE(met_[name], 1) << name;
  }
  met_.clear();
  at_the_first_calls(go_on, {"open", "flock", "pread", "pwrite", "fdatasync", "rename"}, "EIO", ends_in_one_line);
  at_the_first_calls(go_on, {"read"}, "EIO", ends_in_one_line, 14);  // most read what the system says of itself
  for (const char* name : {"open", "flock", "read", "pread", "pwrite"}) EXPECT_GE(met_[name], 1) << name;
}

TEST_F(CheckpointCalls, ThatAreInterruptedOrMoveOneByteAreGoneOnWith) {
  for (const std::string what : {"EINTR", "short"}) {
    for (const std::string& arguments : {begin, go_on}) {
      at_the_first_calls(arguments, {"read", "write", "pread", "pwrite"}, what,
                         [](const Ran&) { ADD_FAILURE() << "was not gone on with"; });
    }
  }
}

TEST_F(CheckpointCalls, AtWhichTheProcessIsKilledLeaveAFolderToGoOnWith) {
  for (const std::string& arguments : {begin, go_on}) {
    at_the_first_calls(arguments, {"open", "flock", "pwrite", "fdatasync", "write", "fsync", "rename", "close"}, "kill",
                       [](const Ran& ran) { EXPECT_EQ(ran.exit_code, 128 + 9); });
  }
  for (const char* name : {"open", "pwrite", "fdatasync", "rename"}) EXPECT_GE(met_[name], 1) << name;
}

}  // namespace
}  // namespace warpfold::app::test
