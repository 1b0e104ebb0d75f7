#include "cli/app/instances.hpp"
#include "cli/app/run.hpp"

/// `triangulate --ranks` by mpirun, in a build with MPI; in others it is refused.
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
                    fmt::format("export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1; "
                                "timeout 60 mpirun -q --oversubscribe -n {}",
                                ranks));
  }

  bool has_mpi_ = false;
};

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

/// As a host's failure would: the job ends soon, and says which rank it was.
TEST_F(Ranks, EndWhereOneIsLost) {
  if (!has_mpi_) GTEST_SKIP() << "this build has no MPI";
  write_npy(path("w.npy"), 6000, 6000);
  write("lose",
        "#!/bin/sh\nif [ \"$OMPI_COMM_WORLD_RANK\" = 2 ]; then exec timeout -s KILL 1.5 \"$@\"; fi\nexec \"$@\"\n");
  const Ran ran = shell(
      "export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1; timeout 40 mpirun --oversubscribe -n 3 "
      "sh ./lose warpfold triangulate --matrix w.npy --dtype f64 --ranks --threads 1");
  EXPECT_NE(ran.exit_code, 0);
  EXPECT_NE(ran.exit_code, 124) << "a hang";
  EXPECT_NE(ran.err.find("rank 2"), std::string::npos) << ran.err;
}

TEST_F(Ranks, AreRefusedByABuildWithoutMpi) {
  if (has_mpi_) GTEST_SKIP() << "this build has MPI";
  expect_error(warpfold("triangulate round.txt --ranks"), 2, "this build has no MPI");
}

TEST_F(Ranks, AreRefusedForWhatTheyDoNotSolve) {
  expect_error(warpfold("triangulate round.txt --weight w.npy --ranks"), 2, "--ranks computes an outline's weights");
  expect_error(warpfold("triangulate round.txt --ranks --estimate"), 2, "--estimate");
  expect_error(warpfold("triangulate round.txt --ranks --checkpoint kept"), 2, "--checkpoint");
}

}  // namespace
}  // namespace warpfold::app::test
