#include <map>
#include <set>
#include <sstream>
#include <vector>

#include "cli/app/instances.hpp"
#include "cli/app/schema.hpp"
#include "sanitizers.hpp"

/// Every system call that reads or writes files fails once, in every way (tests/faults/shim.cpp).
namespace warpfold::app::test {
namespace {

/// A command, its input files, and the files that it writes.
struct Case {
  std::string arguments;
  std::vector<std::string> outputs;
  bool in_place = false;  ///< the file has a second hard link, and must stay the same file
};

const Case cases[] = {
    {"triangulate w.csv --matrix -o new.json", {"new.json"}},
    {"triangulate w.csv --matrix -o old.json", {"old.json"}},
    {"triangulate - --matrix -o old.json <w.csv", {"old.json"}},
    {"triangulate w.csv --matrix -o twin.json", {"twin.json"}, true},
    {"triangulate w.csv --matrix -o link.json", {"linked.json"}},
    {"paths g.csv -o d.npy --successors s.npy", {"d.npy", "s.npy"}},
    {"knapsack --generate circle --items 20000 -o circle.txt", {"circle.txt"}},  // more than a buffer
    {"knapsack k.txt -o old.json", {"old.json"}},
};

/// Whether the call copies a new file, which is already on the disk, over a file with two hard links. Only such a call
/// may leave a partial file.
bool copies_in_place(const Case& one, const std::string& name, int number, int made) {
  if (!one.in_place) return false;
  return name == "truncate" || (number > 1 && (name == "write" || name == "fsync")) ||
         (name == "read" && number > made - 2);  // the last piece, and the end
}

class SystemCalls : public SchemaRuns {
 protected:
  void SetUp() override {
    if (warpfold::test::under_address_sanitizer) GTEST_SKIP() << "the sanitizer's library has to be the first";
    SchemaRuns::SetUp();
  }

  /// Restores the state before any run: new files do not exist, old ones are from another run.
  void restore() const {
    for (const char* name : {"new.json", "d.npy", "s.npy", "circle.txt", "twin.json", "second.json", "link.json"}) {
      std::filesystem::remove(path(name));
    }
    for (const auto& entry : std::filesystem::directory_iterator(path("."))) {
      if (entry.path().extension() == ".partial") std::filesystem::remove(entry.path());
    }
    write("old.json", "old");
    write("twin.json", "old");
    std::filesystem::create_hard_link(path("twin.json"), path("second.json"));
    write("linked.json", "old");
    std::filesystem::create_symlink("linked.json", path("link.json"));
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
  /// A solution without the values that differ between runs. Any other text is unchanged.
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

  /// The contents of a file before and after a run without a fault, and whether the call may leave a partial file or
  /// fail silently. Calls that make a file durable may not.
  struct Expected {
    std::map<std::string, std::string> before, after;
    bool may_tear = false;
    bool may_be_ignored = false;
  };

  /// Runs a case once without a fault, and then with `what` at every call: check(case, ran, expected). Each of the
  /// names must be called.
  template <class Check>
  void at_every_call(const std::vector<std::string>& names, const std::string& what, const Check& check) {
    static const std::set<std::string> making = {"write", "fsync", "rename", "fallocate", "truncate", "fchmod"};
    std::map<std::string, int> met;
    for (const Case& one : cases) {
      restore();
      Expected expected{outputs(one), {}};
      ASSERT_EQ(run(one.arguments, "none").exit_code, 0) << one.arguments;
      expected.after = outputs(one);
      const auto made = calls();
      for (const std::string& name : names) {
        met[name] += made.at(name);
        for (int number = 1; number <= made.at(name); ++number) {
          restore();
          SCOPED_TRACE(fmt::format("{}: {} {} of {} {}", one.arguments, what, number, made.at(name), name));
          expected.may_tear = copies_in_place(one, name, number, made.at(name));
          expected.may_be_ignored = !making.contains(name);
          check(one, run(one.arguments, fmt::format("{}:{}:{}", name, number, what)), expected);
          EXPECT_TRUE(std::filesystem::is_symlink(path("link.json"))) << "was replaced";
        }
      }
    }
    for (const std::string& name : names) EXPECT_GE(met[name], 1) << "no " << name << " was met";
  }

  void expect_whole_files(const Case& one, const Expected& expected) const {
    for (const auto& [name, content] : outputs(one)) {
      const bool is_integer = content == expected.before.at(name) || content == expected.after.at(name);
      EXPECT_TRUE(is_integer || expected.may_tear) << name << " is neither the old file nor the new one: " << content;
    }
  }

  static void expect_one_line(const Ran& ran) {
    EXPECT_TRUE(ran.err.starts_with("warpfold: error: ")) << ran.err;
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
  }
};

TEST_F(SystemCalls, ThatAreInterruptedOrMoveOneByteAreGoneOnWith) {
  const auto is_gone_on_with = [&](const Case& one, const Ran& ran, const Expected& expected) {
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_TRUE(outputs(one) == expected.after) << "another file than without the fault";
  };
  at_every_call({"read", "write"}, "short", is_gone_on_with);
  at_every_call({"open", "read", "write", "fsync", "rename", "close", "fallocate", "truncate", "fchmod", "fchown"},
                "EINTR", is_gone_on_with);
}

TEST_F(SystemCalls, ThatFailEndInOneLineAndLeaveTheOldFiles) {
  const auto ends_in_one_line = [&](const Case& one, const Ran& ran, const Expected& expected) {
    if (ran.exit_code == 0) {
      EXPECT_TRUE(expected.may_be_ignored) << "success in spite of it";
      EXPECT_TRUE(outputs(one) == expected.after) << "success with another file";
      return;
    }
    EXPECT_EQ(ran.exit_code, 3);
    expect_one_line(ran);
    expect_whole_files(one, expected);
  };
  const auto leaves_nothing_else = [&](const Case& one, const Ran& ran, const Expected& expected) {
    EXPECT_FALSE(has_partial_files());
    ends_in_one_line(one, ran, expected);
  };
  const std::vector<std::string> of_disks = {"open",      "write",    "fsync",  "rename", "close",
                                             "fallocate", "truncate", "fchmod", "fchown"};
  for (const std::string what : {"EIO", "EDQUOT"}) at_every_call(of_disks, what, leaves_nothing_else);
  at_every_call({"write", "fsync", "fallocate"}, "ENOSPC", leaves_nothing_else);
  at_every_call({"read", "stat", "lseek", "access", "readlink", "dup"}, "EIO", leaves_nothing_else);
  for (const std::string what : {"EMFILE", "EACCES"}) at_every_call({"open"}, what, leaves_nothing_else);
  at_every_call({"unlink"}, "EIO", ends_in_one_line);
}

TEST_F(SystemCalls, AtWhichTheProcessIsKilledLeaveTheOldFileOrTheNewOne) {
  at_every_call({"open", "read", "write", "fsync", "rename", "close", "fallocate", "truncate", "fchmod"}, "kill",
                [&](const Case& one, const Ran& ran, const Expected& expected) {
                  EXPECT_EQ(ran.exit_code, 128 + 9);
                  expect_whole_files(one, expected);
                });
}

TEST_F(SystemCalls, ThatWriteStandardOutputAreSaidToHaveFailed) {
  for (const char* command : {"triangulate w.csv --matrix", "triangulate w.csv --matrix --json", "info", "man",
                              "knapsack --generate circle --items 20000", "completions bash"}) {
    ASSERT_EQ(run(command, "none").exit_code, 0) << command;
    const int made = calls().at("output");
    EXPECT_GE(made, 1) << command;
    for (int number = 1; number <= made; ++number) {
      const Ran ran = run(command, fmt::format("output:{}:EDQUOT", number));
      EXPECT_EQ(ran.exit_code, 3) << command << " at " << number << " of " << made;
      EXPECT_EQ(ran.err, "warpfold: error: standard output: cannot be written: Disk quota exceeded\n") << command;
    }
  }
}

TEST_F(SystemCalls, ThatAreUnknownEndTheShim) {
  for (const char* fault : {"wrote:1:EIO", "write:1:EIEIO", "write:0:EIO", "write", "write:1:EIO:2"}) {
    EXPECT_EQ(run("--version", fault).exit_code, 128 + 6) << fault;
  }
}

/// The shim covers every system call for files that the program uses. Exceptions are calls that check which standard
/// files are open, allocate memory, or start writing to the disk early, and the standard library's own writes, which
/// are `output`.
TEST_F(SystemCalls, OfFilesAreKnownToTheShim) {
  const std::set<std::string> of_files = {
      "access",   "faccessat", "fchown",    "chown",      "chmod",    "fchmod",   "fchmodat",        "dup",
      "dup2",     "dup3",      "fcntl",     "mmap",       "msync",    "readlink", "sync_file_range", "readlinkat",
      "link",     "linkat",    "symlink",   "mkstemp",    "readv",    "writev",   "preadv",          "pwritev",
      "sendfile", "splice",    "truncate",  "ftruncate",  "creat",    "unlinkat", "rmdir",           "renameat",
      "open",     "__open_2",  "openat",    "__openat_2", "read",     "write",    "pread",           "pwrite",
      "stat",     "lstat",     "fstat",     "statx",      "fstatat",  "mkdir",    "mkdirat",         "opendir",
      "fopen",    "fdopen",    "freopen",   "fwrite",     "fread",    "rename",   "renameat2",       "copy_file_range",
      "unlink",   "remove",    "fallocate", "lseek",      "fsync",    "sync",     "posix_fallocate", "fdatasync",
      "syncfs",   "flock",     "lockf",     "close",      "closedir", "utimensat"};
  const auto symbols = [&](const std::string& words) {
    std::set<std::string> names;
    std::istringstream lines(shell("nm -D " + words + " | sed 's/@.*//; s/.* //'").out);
    for (std::string name; lines >> name;) names.insert(name);
    return names;
  };
  const std::set<std::string> called = symbols("--undefined-only \"$(command -v warpfold)\"");
  if (called.empty()) GTEST_SKIP() << "there is no nm here";
  EXPECT_TRUE(called.contains("fsync") && called.contains("dup"));
  const std::set<std::string> known = symbols("--defined-only '" + shim() + "'");
  for (const std::string& name : called) {
    if (!of_files.contains(name) || known.contains(name)) continue;
    EXPECT_TRUE(name == "fcntl" || name == "mmap" || name == "sync_file_range" || name == "fwrite") << name;
  }
}

/// Limits, progress and checkpoints use a steady clock, so changes of the system time have no effect.
TEST_F(SystemCalls, NeverAskForTheTimeOfDay) {
  ASSERT_EQ(shell(fmt::format("FAULT_CALLS=calls LD_PRELOAD='{}' date", shim())).exit_code, 0);
  ASSERT_GE(calls().at("clock"), 1) << "the shim does not see it asked for";
  std::vector<std::string> commands;
  for (const std::string more :
       {"--time-limit 100", "--progress", "--estimate", "-a tiled --checkpoint new --every 0"}) {
    commands.push_back("triangulate w.csv --matrix " + more);
  }
  for (const auto& [left, right] : schema_lines()) {  // every command
    const bool stands_for_keys =
        left == "SOLVED" || left == "EXCEEDED" || left == "PRODUCT" || left.find(" of ") != left.npos;
    if (!stands_for_keys && !left.starts_with("exit ")) commands.push_back(left);
  }
  for (const std::string& command : commands) {
    const Ran ran = run(command + " --json", "none");
    if (ran.err.find("has no MPI") != std::string::npos) continue;
    EXPECT_EQ(ran.exit_code, 0) << command << ran.err;
    EXPECT_EQ(calls().at("clock"), 0) << command;
  }
  EXPECT_GT(commands.size(), 45u);
}

/// The same for a solve with a checkpoint: after any fault, the folder suffices to resume to the same bits.
class CheckpointCalls : public SystemCalls {
 protected:
  static inline const std::string solve = "triangulate w.npy --matrix --dtype f64 --threads 1 --json ";
  static inline const std::string begin = solve + "--checkpoint kept --every 0";
  static inline const std::string go_on = solve + "--resume kept --every 0";
  static constexpr int max_attempts = 50;

  void SetUp() override {
    SystemCalls::SetUp();
    if (IsSkipped()) return;
    write_npy(path("w.npy"), 1000, 1000);
    expected_ = without_times(warpfold(solve).out);
    static_cast<void>(run_until_met(begin, "pwrite", 3, "kill", max_attempts));
    ASSERT_TRUE(exists("kept/list")) << "the solves ended before three super-tiles were written";
    std::filesystem::rename(path("kept"), path("half"));
  }

  /// `half`: the folder of a run that was killed.
  void restore_folder(bool half) const {
    std::filesystem::remove_all(path("kept"));
    if (half) std::filesystem::copy(path("half"), path("kept"));
  }

  /// A run with `what` at one of the first calls. Calls check(ran) if the call was made. In any case, the next run must
  /// resume.
  template <class Check>
  void at_the_first_calls(const std::string& arguments, const std::vector<std::string>& names, const std::string& what,
                          const Check& check, int most = 3) {
    for (const std::string& name : names) {
      for (int number = 1; number <= most; ++number) {
        const Ran ran = run_until_met(arguments, name, number, what, number == 1 ? max_attempts : 1);
        SCOPED_TRACE(fmt::format("{}: {} at {} {}: {}", arguments, what, name, number, ran.err));
        if (ran.exit_code == 0) {
          EXPECT_EQ(without_times(ran.out), expected_);
          if (calls().at(name) >= number) outlasted_[name] += 1;
        } else {
          check(ran);
          met_[name] += 1;
        }
        expect_that_the_next_run_goes_on();
      }
    }
  }

  /// On a busy machine, the thread that writes to the folder often starts after the solve has ended. So the run is
  /// repeated up to `attempts` times until the call is made.
  [[nodiscard]] Ran run_until_met(const std::string& arguments, const std::string& name, int number,
                                  const std::string& what, int attempts) const {
    Ran ran;
    for (int attempt = 0; attempt < attempts; ++attempt) {
      restore_folder(arguments == go_on);
      ran = run(arguments, fmt::format("{}:{}:{}", name, number, what));
      if (ran.exit_code != 0 || calls().at(name) >= number) break;
    }
    return ran;
  }

  void expect_that_the_next_run_goes_on() const {
    const Ran next = warpfold(exists("kept/list") ? go_on : begin);
    EXPECT_EQ(next.exit_code, 0) << next.err;
    EXPECT_EQ(without_times(next.out), expected_);
  }

  std::string expected_;
  std::map<std::string, int> met_;        ///< for each call, how many runs it ended
  std::map<std::string, int> outlasted_;  ///< how many runs made the call and did not end
};

TEST_F(CheckpointCalls, ThatFailEndInOneLineAndTheNextRunGoesOn) {
  const auto ends_in_one_line = [&](const Ran& ran) {
    EXPECT_EQ(ran.exit_code, 3);
    expect_one_line(ran);
    EXPECT_FALSE(exists("kept") && has_partial_files("kept"));
  };
  const std::vector<std::string> of_disks = {"mkdir", "open",  "pwrite", "fdatasync",
                                             "write", "fsync", "rename", "close"};
  at_the_first_calls(begin, of_disks, "EIO", ends_in_one_line);
  at_the_first_calls(begin, {"flock", "opendir"}, "EIO", ends_in_one_line);
  for (const char* name : {"mkdir", "flock", "pwrite", "fdatasync", "write", "fsync", "rename", "opendir"}) {
    EXPECT_GE(met_[name], 1) << name;
  }
  for (const std::string what : {"ENOSPC", "EDQUOT"}) at_the_first_calls(begin, of_disks, what, ends_in_one_line, 1);
  for (const std::string what : {"EMFILE", "EACCES"}) {
    at_the_first_calls(begin, {"open", "opendir"}, what, ends_in_one_line);
  }
  met_.clear();
  at_the_first_calls(go_on, {"open", "opendir", "flock", "pread", "pwrite", "fdatasync", "rename"}, "EIO",
                     ends_in_one_line);
  at_the_first_calls(go_on, {"read"}, "EIO", ends_in_one_line, 14);  // most of them read information about the system
  for (const char* name : {"open", "opendir", "flock", "read", "pread", "pwrite"}) EXPECT_GE(met_[name], 1) << name;
}

TEST_F(CheckpointCalls, ThatAreInterruptedOrMoveOneByteAreGoneOnWith) {
  const auto ends = [](const Ran&) { ADD_FAILURE() << "was not gone on with"; };
  const std::vector<std::string> moving = {"read", "write", "pread", "pwrite"};
  const std::vector<std::string> others = {"mkdir",     "open",  "opendir", "flock",
                                           "fdatasync", "fsync", "close",   "rename"};
  for (const std::string& arguments : {begin, go_on}) {
    for (const std::string what : {"EINTR", "short"}) at_the_first_calls(arguments, moving, what, ends);
    at_the_first_calls(arguments, others, "EINTR", ends, 1);
  }
  for (const auto& names : {moving, others}) {
    for (const std::string& name : names) EXPECT_GE(outlasted_[name], 1) << name;
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
