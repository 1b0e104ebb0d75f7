#include <chrono>
#include <limits>
#include <random>

#include "cli/app/instances.hpp"
#include "cli/app/run.hpp"

/// `--ranks` under mpirun in a build with MPI. Other builds reject it.
namespace warpfold::app::test {
namespace {

class Ranks : public CommandLine {
 protected:
  void SetUp() override {
    write_npy(path("w.npy"), 700, 700);
    write_outline(path("round.txt"), 500, 0);
    has_mpi_ = warpfold("triangulate round.txt --ranks").err.find("has no MPI") == std::string::npos;
  }

  [[nodiscard]] Ran by(int ranks, const std::string& arguments) const {
    return warpfold(arguments + " --ranks --threads 1",
                    fmt::format("{} timeout 60 mpirun -q --oversubscribe -n {}", as_root, ranks));
  }

  static constexpr const char* as_root = "export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1;";

  /// `sh ./lose RANK SECONDS COMMAND`: one rank is killed.
  void write_lose() const {
    write("lose",
          "#!/bin/sh\nrank=$1 seconds=$2; shift 2\nif [ \"$OMPI_COMM_WORLD_RANK\" = $rank ]; then "
          "exec timeout -s KILL $seconds \"$@\"; fi\nexec \"$@\"\n");
  }

  bool has_mpi_ = false;
};

/// Without what differs from run to run.
Json result_of(const Ran& ran) {
  Json object = ran.json();
  for (const char* key : {"seconds", "peak_bytes", "threads", "checkpoint", "ranks", "rank_bytes"}) object.erase(key);
  return object;
}

TEST_F(Ranks, GiveTheAnswerOfOneProcess) {
  if (!has_mpi_) GTEST_SKIP() << "this build has no MPI";
  for (const std::string arguments : {"triangulate --matrix w.npy --json", "triangulate round.txt --json"}) {
    const Json expected = warpfold(arguments + " -a tiled").json();
    for (const int ranks : {1, 2, 3, 4}) {
      const Ran ran = by(ranks, arguments);
      ASSERT_EQ(ran.exit_code, 0) << ran.err;
      EXPECT_EQ(ran.json()["ranks"], ranks);
      for (const char* key : {"cost", "chords", "triangles", "dtype", "exact"}) {
        EXPECT_EQ(ran.json()[key], expected[key]) << key << ", " << ranks << " ranks";
      }
    }
  }
}

TEST_F(Ranks, KeepChainsAndOutlinesWhichOneProcessGoesOnWith) {
  if (!has_mpi_) GTEST_SKIP() << "this build has no MPI";
  std::string chain = "chain -a dp";
  for (int i = 0; i < 400; ++i) chain += fmt::format(" {}", 1 + i * i % 97);
  const std::vector<std::pair<std::string, std::vector<std::string>>> works = {
      {chain, {"cost", "order", "splits"}}, {"triangulate round.txt", {"cost", "chords", "triangles"}}};
  for (const auto& [work, keys] : works) {
    const Json expected = warpfold(work + " --json").json();
    const Ran kept = by(3, work + " --json --checkpoint kept --every 0");
    ASSERT_EQ(kept.exit_code, 0) << kept.err;
    const Ran resumed = warpfold(work + " --json --resume kept");
    ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
    for (const Ran& ran : {kept, resumed}) {
      for (const std::string& key : keys) EXPECT_EQ(ran.json()[key], expected[key]) << work << ": " << key;
    }
    std::filesystem::remove_all(path("kept"));
  }
}

TEST_F(Ranks, WriteTheProductThePathsAndTheOrderOfOneProcess) {
  if (!has_mpi_) GTEST_SKIP() << "this build has no MPI";
  write_npy(path("p.npy"), 300, 300);
  write("g.csv", "from,to,length\na,b,2\nb,c,-1\nc,d,4\nd,a,0\na,d,9\n");
  struct Case {
    std::string arguments;
    std::vector<std::string> files, keys;
  };
  const std::vector<Case> cases = {
      {"minplus p.npy p.npy -o c.npy --argmin k.npy", {"c.npy", "k.npy"}, {"shape", "dtype", "exact", "semiring"}},
      {"minplus p.npy p.npy --semiring max-min --dtype f64 -o c.npy", {"c.npy"}, {"shape", "dtype", "exact"}},
      {"paths p.npy -o c.npy --successors k.npy", {"c.npy", "k.npy"}, {"reachable", "dtype", "exact"}},
      {"paths g.csv --from a --to d -a blocked", {}, {"cost", "path", "reachable", "dtype"}},
      {"chain 30 35 15 5 10 20 25 5 10 20 25 8 3 12 7 9 11 30 35 -a dp", {}, {"cost", "order", "splits", "path"}}};
  for (const Case& one : cases) {
    SCOPED_TRACE(one.arguments);
    const Json expected = warpfold(one.arguments + " --json").json();
    std::vector<std::string> contents;
    for (const std::string& name : one.files) contents.push_back(file(name));
    for (const int ranks : {1, 2, 3, 4}) {
      for (const std::string& name : one.files) write(name, "");
      const Ran ran = by(ranks, one.arguments + " --json");
      ASSERT_EQ(ran.exit_code, 0) << ran.err;
      EXPECT_EQ(ran.json()["ranks"], ranks);
      for (const std::string& key : one.keys) EXPECT_EQ(ran.json()[key], expected[key]) << key;
      for (std::size_t at = 0; at < contents.size(); ++at) EXPECT_EQ(file(one.files[at]), contents[at]);
    }
  }
}

TEST_F(Ranks, GiveTheDistanceAndTheScriptOfOneProcess) {
  if (!has_mpi_) GTEST_SKIP() << "this build has no MPI";
  std::mt19937 random(39);
  for (const char* name : {"a.txt", "b.txt"}) {
    std::string text;
    while (text.size() < 3000) text += "ACGT"[random() % 4];
    write(name, text);
  }
  for (const std::string arguments : {"edit-distance a.txt b.txt --script", "lcs a.txt b.txt --script --ties right",
                                      "edit-distance a.txt b.txt --max-distance 5", "lcs a.txt b.txt"}) {
    SCOPED_TRACE(arguments);
    const Json expected = result_of(warpfold(arguments + " --json -a slices"));
    for (const int ranks : {1, 2, 3, 4}) {
      const Ran ran = by(ranks, arguments + " --json");
      ASSERT_EQ(ran.exit_code, 0) << ran.err;
      EXPECT_EQ(ran.json()["ranks"], ranks);
      EXPECT_EQ(result_of(ran), expected);
    }
  }
}

TEST_F(Ranks, NameTheFileAndThePlaceOfWhatTheyRefuse) {
  if (!has_mpi_) GTEST_SKIP() << "this build has no MPI";
  write("cycle.csv", "from,to,length\na,b,2\nb,c,-1\nc,a,-4\n");
  const Ran cycle = by(3, "paths cycle.csv");
  EXPECT_EQ(cycle.exit_code, 4);
  EXPECT_EQ(cycle.err.find("warpfold: error: "), cycle.err.rfind("warpfold: error: ")) << cycle.err;
  EXPECT_NE(cycle.err.find("the cycle a -> b -> c -> a has a negative length"), std::string::npos) << cycle.err;
  write_array(path("b.npy"), "{'descr': '<f4', 'fortran_order': False, 'shape': (90, 90)}", 90 * 90,
              [](std::size_t i) { return i == 89 * 90 + 7 ? -std::numeric_limits<float>::infinity() : 1.0F; });
  const Ran refused = by(2, "minplus b.npy b.npy");
  EXPECT_EQ(refused.exit_code, 3);
  EXPECT_NE(refused.err.find("b.npy: A(89, 7) is -inf"), std::string::npos) << refused.err;
}

TEST_F(Ranks, SayOnceWhatOneOrAllRaise) {
  if (!has_mpi_) GTEST_SKIP() << "this build has no MPI";
  const Ran missing = by(3, "triangulate --matrix none.npy");
  EXPECT_EQ(missing.exit_code, 3);
  EXPECT_EQ(missing.err.find("warpfold: error: none.npy"), missing.err.rfind("warpfold: error: ")) << missing.err;
  write("notched.csv", "0,0\n4,0\n1,1\n0,4\n");
  const Ran notched = by(2, "triangulate notched.csv");
  EXPECT_EQ(notched.exit_code, 3);
  EXPECT_NE(notched.err.find("notched.csv: the outline is not strictly convex"), std::string::npos) << notched.err;
}

/// Like the failure of a host: the job ends soon and names the rank.
TEST_F(Ranks, EndWhereOneIsLost) {
  if (!has_mpi_) GTEST_SKIP() << "this build has no MPI";
  write_npy(path("w.npy"), 6000, 6000);
  write_lose();
  for (const std::string work : {"triangulate --matrix w.npy --dtype f64", "paths w.npy --dtype f64"}) {
    const Ran ran = shell(
        fmt::format("{} timeout -k 5 40 mpirun --oversubscribe -n 3 sh ./lose 2 1.5 warpfold {} --ranks --threads 1",
                    as_root, work));
    EXPECT_NE(ran.exit_code, 0) << work;
    EXPECT_NE(ran.exit_code, 124) << "a hang";
    EXPECT_NE(ran.err.find("rank 2"), std::string::npos) << ran.err;
  }
}

/// OpenMPI's mpirun itself may hang after a rank was killed and all have ended. The test then kills mpirun and does not
/// count it as a hang.
TEST_F(Ranks, WithAnyOneKilledFiftyTimesAtAnyMomentGoOnInOtherNumbersToTheSameBits) {
  if (!has_mpi_) GTEST_SKIP() << "this build has no MPI";
  write_npy(path("w.npy"), 1300, 1300);
  write_lose();
  const std::string solve = "warpfold triangulate --matrix w.npy --dtype f64 --device cpu --threads 1 --json ";
  const Json expected = result_of(shell(solve));
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(result_of(by(2, "triangulate --matrix w.npy --dtype f64 --device cpu --json")), expected);
  const std::chrono::duration<double> whole = std::chrono::steady_clock::now() - start;
  std::mt19937 random(16);
  std::uniform_real_distribution<double> moment(0, 1.1 * whole.count());
  int killed = 0;
  std::size_t resumed = 0;
  for (int round = 0; round < 50; ++round) {
    const unsigned ranks = random() % 4 + 1;
    const Ran ran = shell(fmt::format(
        "{} timeout -k 5 40 mpirun -q --oversubscribe -n {} sh ./lose {} {:.4f} {} --ranks --{} kept "
        "--every 0",
        as_root, ranks, random() % ranks, moment(random), solve, exists("kept/list") ? "resume" : "checkpoint"));
    ASSERT_NE(ran.exit_code, 124) << "a hang";
    if (ran.exit_code != 0) {
      EXPECT_EQ(ran.err.find("warpfold: error"), std::string::npos) << ran.err;
      ++killed;
      continue;
    }
    EXPECT_EQ(result_of(ran), expected);
    resumed += ran.json()["checkpoint"]["resumed"].get<std::size_t>();
    std::filesystem::remove_all(path("kept"));
  }
  EXPECT_GT(killed, 10);
  EXPECT_GT(resumed, 0);
  const Ran last = shell(solve + (exists("kept/list") ? "--resume kept" : ""));
  ASSERT_EQ(last.exit_code, 0) << last.err;
  EXPECT_EQ(result_of(last), expected);
}

/// mpirun forwards SIGTERM; OpenMPI's does so a second later.
TEST_F(Ranks, KeepWhatIsFinalWhenMpirunIsTerminated) {
  if (!has_mpi_) GTEST_SKIP() << "this build has no MPI";
  write_outline(path("large.txt"), 9000, 0);  // it takes two ranks some seconds
  const std::string solve = "warpfold triangulate large.txt --dtype f64 --device cpu -a tiled --threads 1 --json ";
  const Ran stopped =
      shell(fmt::format("{} mpirun --oversubscribe -n 2 {} --ranks --checkpoint kept & "
                        "until [ -s kept/tiles ] || ! kill -0 $!; do sleep 0.01; done; sleep 0.5; "
                        "date +%s.%N >asked; kill -TERM $!; wait $!; code=$?; date +%s.%N >ended; "
                        "exit $code",
                        as_root, solve));
  EXPECT_NE(stopped.exit_code, 0);
  EXPECT_LT(std::stod(file("ended")) - std::stod(file("asked")), 10);
  const Ran resumed = shell(solve + "--resume kept");
  ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_GT(resumed.json()["checkpoint"]["resumed"], 3);
  EXPECT_EQ(result_of(resumed), result_of(shell(solve)));
}

TEST_F(Ranks, AreRefusedByABuildWithoutMpi) {
  if (has_mpi_) GTEST_SKIP() << "this build has MPI";
  for (const std::string work : {"triangulate round.txt", "minplus w.npy w.npy", "paths w.npy", "chain 5 6 7 -a dp",
                                 "edit-distance --strings a b", "lcs --strings a b"}) {
    expect_error(warpfold(work + " --ranks"), 2, "this build has no MPI");
  }
}

TEST_F(Ranks, AreRefusedForWhatTheyDoNotSolve) {
  expect_error(warpfold("triangulate round.txt --weight w.npy --ranks"), 2, "--ranks computes an outline's weights");
  expect_error(warpfold("triangulate round.txt --ranks --estimate"), 2, "--estimate");
  expect_error(warpfold("minplus w.npy --power 3 --ranks"), 2, "--ranks share one product");
  expect_error(warpfold("minplus w.npy --closure --ranks"), 2, "--ranks share one product");
  expect_error(warpfold("paths w.npy --semiring or-and --ranks"), 2, "--ranks do not solve or-and");
  expect_error(warpfold("paths w.npy --from 0 -a dijkstra --ranks"), 2,
               "it is accepted without --ranks and --device cuda");
  expect_error(warpfold("lcs w.npy w.npy --as lines --pairs --ranks"), 2, "--ranks is not accepted");
  expect_error(warpfold("chain 5 6 7 --ranks"), 2, "-a dp without --tables is accepted");
}

}  // namespace
}  // namespace warpfold::app::test
