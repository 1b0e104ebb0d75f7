#include <array>
#include <chrono>
#include <cstdlib>
#include <random>

#include "cli/app/instances.hpp"
#include "cli/app/run.hpp"
#include "sanitizers.hpp"

/// Long solves that are killed or interrupted, and folders that cannot be used.
namespace warpfold::app::test {
namespace {

class Checkpointed : public CommandLine {
 protected:
  static constexpr const char* solve = "triangulate --matrix w.npy --dtype f64 --device cpu --threads 1 --json ";

  void SetUp() override { write_npy(path("w.npy"), 1300, 1300); }

  /// The result without the keys that differ from run to run.
  [[nodiscard]] static Json result(const Ran& ran) {
    Json object = ran.json();
    for (const char* key : {"seconds", "peak_bytes", "threads", "checkpoint"}) object.erase(key);
    return object;
  }

  /// Kills runs of this command at any moment, and resumes them.
  void expect_the_same_result_after_kills(const std::string& command, int rounds) {
    const auto begin = std::chrono::steady_clock::now();
    const Ran whole = warpfold(command);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    ASSERT_EQ(whole.exit_code, 0) << whole.err;
    std::mt19937 random(18);
    std::uniform_real_distribution<double> moment(0, 1.2 * seconds);
    std::size_t resumed = 0;
    const auto take = [&](const Ran& ran) {
      EXPECT_EQ(result(ran), result(whole));
      resumed += ran.json()["checkpoint"]["resumed"].get<std::size_t>();
      std::filesystem::remove_all(path("kept"));
    };
    // A kill can come before anything is kept: more rounds follow until a run has gone on.
    for (int round = 0; round < rounds || (resumed == 0 && round < 10 * rounds); ++round) {
      const bool begun = exists("kept/list");
      const Ran ran = warpfold(command + (begun ? "--resume" : "--checkpoint") + " kept --every 0",
                               fmt::format("timeout --foreground -s KILL {:.4f}", moment(random)));
      if (ran.exit_code == 0) take(ran);
    }
    if (exists("kept/list")) take(warpfold(command + "--resume kept"));
    EXPECT_GT(resumed, 0);
  }
};

TEST_F(Checkpointed, KilledFiftyTimesAtAnyMomentItGoesOnToTheSameBits) {
  const Ran whole = warpfold(solve);
  ASSERT_EQ(whole.exit_code, 0) << whole.err;
  const Json expected = result(whole);
  const double seconds = whole.json()["seconds"]["total"];
  std::mt19937 random(16);
  std::uniform_real_distribution<double> moment(0, 1.2 * seconds);
  int killed = 0;
  for (int round = 0; round < 50; ++round) {
    const bool begun = exists("kept/list");
    const Ran ran = warpfold(std::string(solve) + (begun ? "--resume" : "--checkpoint") + " kept --every 0",
                             fmt::format("timeout --foreground -s KILL {:.4f}", moment(random)));
    if (ran.exit_code == 0) {
      EXPECT_EQ(result(ran), expected);
      std::filesystem::remove_all(path("kept"));
    } else {
      EXPECT_TRUE(ran.exit_code == 137 || ran.exit_code == 124) << ran.err;  // 124: the run ended at the same moment
      ++killed;
    }
  }
  EXPECT_GT(killed, 5);
  const Ran last = warpfold(std::string(solve) + (exists("kept/list") ? "--resume kept" : ""));
  ASSERT_EQ(last.exit_code, 0) << last.err;
  EXPECT_EQ(result(last), expected);
}

/// Of a folding and of its sums all tables are kept, and the rims of the table that has no memory.
class CheckpointedFolding : public Checkpointed {
 protected:
  CheckpointedFolding() {
    std::mt19937 random(17);
    std::string letters;
    for (int t = 0; t < 2500; ++t) letters += "ACGU"[random() % 4];
    write("long.fa", ">long\n" + letters + "\n");
    write("other.fa", ">other\n" + letters.substr(1) + letters[0] + "\n");
  }
};

TEST_F(CheckpointedFolding, ThatIsKilledAtAnyMomentGoesOnToTheSameStructure) {
  const std::string fold = "fold long.fa --device cpu --threads 1 --json ";
  expect_the_same_result_after_kills(fold, 25);
  expect_error(warpfold(fold + "--checkpoint kept --time-limit 0.02"), 5, "kept keeps");
  expect_error(warpfold("fold other.fa --resume kept"), 3, "another problem");
  expect_error(warpfold(fold + "--temperature 36 --resume kept"), 3, "another problem");
  expect_error(warpfold(fold + "--partition --resume kept"), 3, "the checkpoint is of i32, the solve of f64");
  EXPECT_EQ(result(warpfold(fold + "--resume kept")), result(warpfold(fold)));
}

TEST_F(CheckpointedFolding, WhoseEnsembleIsKilledAtAnyMomentGoesOnToTheSameEnergy) {
  expect_the_same_result_after_kills("fold long.fa --device cpu --threads 1 --partition --json ", 12);
}

/// Of two sequences some rows are kept.
class CheckpointedPair : public Checkpointed {
 protected:
  CheckpointedPair() {
    std::mt19937 random(19);
    const std::size_t length = warpfold::test::under_sanitizer ? 20'000 : 160'000;
    for (const char* name : {"a.fa", "b.fa", "c.fa"}) {
      std::string letters;
      for (std::size_t t = 0; t < length; ++t) letters += "ACGT"[random() % 4];
      write(name, fmt::format(">{}\n{}\n", name, letters));
    }
  }
};

TEST_F(CheckpointedPair, ThatIsKilledAtAnyMomentGoesOnToTheSameScript) {
  for (const char* command : {"edit-distance", "lcs"}) {
    const std::string pair = std::string(command) + " a.fa b.fa -a slices --threads 1 --script --json ";
    expect_the_same_result_after_kills(pair, 15);
    expect_error(warpfold(pair + "--checkpoint kept --time-limit 0.01"), 5, "time limit");
    std::filesystem::remove_all(path("kept"));
  }
}

TEST_F(CheckpointedPair, WhoseAlignmentIsKilledAtAnyMomentGoesOnToTheSameScript) {
  const std::string pair = "align a.fa b.fa -a strips --gap 5,1 --threads 1 --script --json ";
  write("a.fa", file("a.fa").substr(0, warpfold::test::under_sanitizer ? 5000 : 60'000) + "\n");
  expect_the_same_result_after_kills(pair, 15);
}

TEST_F(CheckpointedPair, WhoseWarpingIsKilledAtAnyMomentGoesOnToTheSamePath) {
  write_npy(path("a.npy"), 1, warpfold::test::under_sanitizer ? 5000 : 40'000);
  write_npy(path("b.npy"), 1, warpfold::test::under_sanitizer ? 4000 : 30'000);
  expect_the_same_result_after_kills("dtw a.npy b.npy -a strips --distance squared --threads 1 --script --json ", 15);
}

TEST_F(CheckpointedPair, GoesOnByTheSameCommandAlone) {
  const std::string edit = "edit-distance a.fa b.fa --json ";
  ASSERT_EQ(warpfold(edit + "--checkpoint kept --every 0").exit_code, 0);
  expect_error(warpfold("edit-distance a.fa c.fa --resume kept"), 3, "another problem");
  expect_error(warpfold("edit-distance a.fa b.fa --ties right --script --resume kept"), 3, "another problem");
  expect_error(warpfold("lcs a.fa b.fa --resume kept"), 3, "the checkpoint is of edit, the solve of lcs");
  const Ran resumed = warpfold(edit + "--script --resume kept");
  EXPECT_EQ(resumed.json()["cost"], warpfold(edit).json()["cost"]);
  EXPECT_EQ(resumed.json()["cigar"], warpfold(edit + "--script").json()["cigar"]);
  EXPECT_EQ(warpfold(edit + "--resume kept --estimate").json()["algorithm"], "slices");
}

/// Otherwise its content would be overwritten.
TEST_F(Checkpointed, AFolderThatCannotBeListedIsNotTakenForEmpty) {
  ASSERT_EQ(warpfold(std::string(solve) + "--checkpoint kept").exit_code, 0);
  const std::string list = file("kept/list");
  const std::string as_another = geteuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups" : "";
  if (warpfold("--version", as_another).exit_code != 0) GTEST_SKIP() << "root without setpriv lists everything";
  ASSERT_EQ(shell("chmod 755 .; chmod 666 kept/*; chmod 333 kept").exit_code, 0);
  for (const char* option : {"--checkpoint kept", "--resume kept"}) {
    expect_error(warpfold(std::string(solve) + option, as_another), 3, "kept: cannot be listed: Permission denied");
  }
  ASSERT_EQ(shell("chmod 755 kept").exit_code, 0);
  EXPECT_EQ(file("kept/list"), list);
}

TEST_F(Checkpointed, AnInterruptKeepsWhatIsFinal) {
  // seconds of work, so that the interrupt comes before the end
  const std::size_t n = warpfold::test::under_sanitizer ? 1500 : 3500;
  write_npy(path("w.npy"), n, n);
  const Ran stopped = shell("warpfold " + std::string(solve) +
                            "--checkpoint kept & until [ -s kept/tiles ] || ! kill -0 $!; do sleep 0.01; done; "
                            "kill -TERM $!; wait $!");
  const std::string keeps = "cancelled: kept keeps ";
  expect_error(stopped, 130, keeps);
  const int kept = std::atoi(stopped.err.c_str() + stopped.err.find(keeps) + keeps.size());
  EXPECT_GT(kept, 0);
  EXPECT_GT(std::filesystem::file_size(path("kept/tiles")), 100000);
  const Ran resumed = warpfold(std::string(solve) + "--resume kept");
  ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_EQ(resumed.json()["checkpoint"]["resumed"], kept);
  EXPECT_EQ(result(resumed), result(warpfold(solve)));
}

TEST_F(Checkpointed, AConvexOutlineHasTheAnswerThatItHasWithout) {
  write_outline(path("round.txt"), 700, 0);
  const std::string outline = "triangulate round.txt --device cpu --json ";
  const Ran kept = warpfold(outline + "--checkpoint kept --every 0");
  ASSERT_EQ(kept.exit_code, 0) << kept.err;
  EXPECT_EQ(result(kept), result(warpfold(outline)));
  EXPECT_EQ(result(warpfold(outline + "--resume kept")), result(kept));
}

/// The list that a build of 2026-11-25 wrote for this matrix. It names no algorithm, so a new name changes nothing.
TEST_F(Checkpointed, AFolderOfAnEarlierBuildIsResumed) {
  write("w.csv", "0,0,3,1,0\n0,0,0,4,9\n0,0,0,0,2\n0,0,0,0,0\n0,0,0,0,0\n");
  const std::array<unsigned char, 64> list = {
      0x77, 0x72, 0x66, 0x70, 0x2d, 0x6b, 0x68, 0x63, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,  // version 1
      0x4e, 0x85, 0x21, 0x5a, 0xff, 0x90, 0x7c, 0xa4, 0x05, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,  // 5 vertices
      0x69, 0x33, 0x32, 0x00, 0x00, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,  // i32
      0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x18, 0xef, 0x5b, 0xa4, 0x9b, 0xfc, 0x6a, 0x11};
  std::filesystem::create_directory(path("kept"));
  write("kept/list", {list.begin(), list.end()});
  const Ran resumed = warpfold("triangulate w.csv --matrix --device cpu --resume kept --json");
  ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_EQ(resumed.json()["cost"], 4);
  EXPECT_EQ(resumed.json()["checkpoint"]["super_tiles"], 1);
}

TEST_F(Checkpointed, AnAlgorithmOfAnotherNameIsOneLine) {
  ASSERT_EQ(warpfold(std::string(solve) + "--checkpoint kept").exit_code, 0);
  expect_error(warpfold(std::string(solve) + "-a blocked --resume kept"), 2, "algorithm 'blocked' is unknown: ");
}

TEST_F(Checkpointed, AFolderThatDoesNotDoIsOneLine) {
  write("file", "");
  expect_error(warpfold(std::string(solve) + "--checkpoint file"), 3, "file");
  expect_error(warpfold(std::string(solve) + "--checkpoint none/kept"), 3, "none/kept: cannot be made");
  expect_error(warpfold(std::string(solve) + "--resume w.npy"), 3, "w.npy");
  expect_error(warpfold(std::string(solve) + "--resume none"), 3, "none: holds no checkpoint");
  expect_error(warpfold(std::string(solve) + "--checkpoint a --resume b"), 2, "--resume");
  expect_error(warpfold(std::string(solve) + "--checkpoint a --every -1"), 2, "every -1 s");
  expect_error(warpfold(std::string(solve) + "-a reference --checkpoint a"), 2,
               "keeps no checkpoint: tiled is accepted");
}

TEST_F(Checkpointed, AFullDiskIsOneLine) {
  const Ran ran = shell("ulimit -f 100; trap '' XFSZ; warpfold " + std::string(solve) + "--checkpoint kept --every 0");
  expect_error(ran, 3, "kept/tiles: cannot be written: File too large");
}

}  // namespace
}  // namespace warpfold::app::test
