#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "run.hpp"
#include "warpfold/io/npy.hpp"

/// Graphs as other programs write them, from the file to the path.
namespace warpfold::app::test {
namespace {

class GraphFiles : public CommandLine {};

TEST_F(GraphFiles, WithIdsOfTenDigitsHaveTheVerticesThatOccur) {
  write("osm.csv", "2409495990,2409495999,3\n2409495999,30,4\n");
  const Json found = warpfold("paths osm.csv --from 2409495990 --to 30 --json --max-memory 100M").json();
  EXPECT_EQ(found["cost"], 7);
  EXPECT_EQ(found["n"], 3);
  EXPECT_EQ(found["vertices"], Json({30, 2409495990U, 2409495999U}));
  ASSERT_EQ(warpfold("paths osm.csv -o d.npy --successors s.npy --ids i.txt --json > x.json").exit_code, 0);
  EXPECT_EQ(file("i.txt"), "30\n2409495990\n2409495999\n");
  EXPECT_EQ(warpfold("verify osm.csv x.json").out, "valid\n");
}

TEST_F(GraphFiles, AreVerifiedAsTheyWereRead) {
  write("g.csv", "a;b;Undirected;1,5;9\nb;c;Directed;2;9\n");
  write("n.csv", "4 2\n0 1 5\n1 2 7\n");
  write("h.csv", "2 1 0\n0 1 5\n");
  for (const std::string options :
       {"g.csv --columns 1,2,4 -o d.npy", "g.csv --columns 1,2,4 --undirected -o d.csv",
        "g.csv --columns 1,2,4 --unweighted --from b", "n.csv -o d.csv", "n.csv --vertices 9 --header no --from 0",
        "h.csv --header yes --from 0", "h.csv --header no --from 2", "n.csv --from 0 --limit 5",
        "n.csv --from 0 --to 2 --limit 5", "n.csv --undirected --from 2 --to 0",
        "n.csv --undirected --from 2 --to 0 --k-shortest 3", "n.csv --from 2 --to 0 --k-shortest 3",
        "n.csv -o d.csv --semiring or-and", "n.csv -o d.csv --unweighted --header yes --semiring max-min"}) {
    const Ran solved = warpfold("paths " + options + " --json > x.json");
    if (options.starts_with("n.csv --vertices")) {  // '4 2' is no edge of three columns
      EXPECT_EQ(solved.exit_code, 3);
      continue;
    }
    const bool has_no_path = solved.err.find("there is no path") != std::string::npos;
    ASSERT_EQ(solved.exit_code, has_no_path ? 4 : 0) << options << solved.err;
    const Ran checked = warpfold("verify " + options.substr(0, 5) + " x.json");
    EXPECT_EQ(checked.exit_code, 0) << options << ": " << checked.out << checked.err;
  }
}

TEST_F(GraphFiles, AreWrittenAsPairsWithNames) {
  write("g.csv", "\"Rome, Italy\",\"the \"\"Red\"\" Inn\",3\n\"the \"\"Red\"\" Inn\",#7,4\n");
  ASSERT_EQ(warpfold("paths g.csv -o d.csv --successors s.npy --json > x.json").exit_code, 0);
  EXPECT_EQ(file("d.csv"),
            "from,to,length\n\"Rome, Italy\",\"the \"\"Red\"\" Inn\",3\n\"Rome, Italy\",\"#7\",7\n\"the \"\"Red\"\" "
            "Inn\",\"#7\",4\n");
  EXPECT_EQ(warpfold("verify g.csv x.json").out, "valid\n");
  EXPECT_EQ(warpfold("paths d.csv --from 'Rome, Italy' --to '#7' --json").json()["cost"], 7);
  write("d.csv", "from,to,length\n\"Rome, Italy\",\"the \"\"Red\"\" Inn\",3\n\"the \"\"Red\"\" Inn\",\"#7\",4\n");
  EXPECT_EQ(warpfold("verify g.csv x.json").exit_code, 3);
}

TEST_F(GraphFiles, SayWhenTheyNameASource) {
  write("g.csv", "4 2 0\n0 1 5\n1 3 7\n");
  const Ran ran = warpfold("paths g.csv --header yes --from 0 --to 3");
  EXPECT_NE(ran.out.find("12: 0 -> 1 -> 3"), std::string::npos) << ran.out;
  EXPECT_NE(ran.err.find("note: g.csv: the first line names the source 0, which is ignored"), std::string::npos)
      << ran.err;
}

TEST_F(GraphFiles, HaveNegativeLengthsAtTheSizeOfRoads) {
  std::string text;
  for (int i = 0; i < 60000; ++i) text += std::to_string(i) + "," + std::to_string((i + 1) % 60000) + ",2\n";
  write("ring.csv", text + "17,19,-1\n");
  const Json found = warpfold("paths ring.csv --from 0 --to 30 --json --max-memory 100M").json();
  EXPECT_EQ(found["cost"], 2 * 17 - 1 + 2 * 11);
  EXPECT_EQ(found["algorithm"], "bellman-ford");
}

TEST_F(GraphFiles, HaveCyclesThatTheSourceCannotReach) {
  write("g.csv", "0,1,2\n1,2,3\n2,0,1\n3,4,1\n4,4,-1\n");
  EXPECT_EQ(warpfold("paths g.csv --from 1 --to 0 --json").json()["cost"], 4);
  expect_error(warpfold("paths g.csv --from 3"), 4, "g.csv: the cycle 4 -> 4 has a negative length");
  expect_error(warpfold("paths g.csv"), 4, "g.csv: the cycle 4 -> 4 has a negative length");
}

TEST_F(GraphFiles, HaveAsManyShortestPathsAsThereAre) {
  write("g.csv", "a,b,1\nb,c,2\na,c,4\na,d,1\nd,c,2\n");
  const Json found = warpfold("paths g.csv --from a --to c --k-shortest 9 --json").json();
  EXPECT_EQ(found["cost"], 3);
  EXPECT_EQ(found["paths"], Json({{{"length", 3}, {"path", {"a", "b", "c"}}},
                                  {{"length", 3}, {"path", {"a", "d", "c"}}},
                                  {{"length", 4}, {"path", {"a", "c"}}}}));
  EXPECT_EQ(warpfold("paths g.csv --from c --to a --k-shortest 2 --json").json()["paths"], Json::array());
}

TEST_F(GraphFiles, LeaveOutWhatIsBeyondTheLimit) {
  write("g.csv", "a,b,1\nb,c,2\nc,d,3\n");
  const Json found = warpfold("paths g.csv --from a --limit 3 --json").json();
  EXPECT_EQ(found["lengths"], Json({{"b", 1}, {"c", 3}}));
  EXPECT_EQ(found["reachable"], 2);
  EXPECT_EQ(warpfold("paths g.csv --from a --to d --limit 5.5 --json").json()["path"], Json::array());
}

TEST_F(GraphFiles, HaveNoEdgeOfThatLengthWhereEveryLengthIsOne) {
  write("g.csv", "a,b,5\nb,c,-1\n");
  EXPECT_EQ(warpfold("paths g.csv --from a --no-edge -1 --unweighted --json").json()["lengths"], Json({{"b", 1}}));
}

TEST_F(GraphFiles, AreRejectedForMemoryBeforeItIsTouched) {
  write("g.csv", "0,1,5\n1,59999,3\n");
  expect_error(warpfold("paths g.csv --vertices 60000 -o d.npy -a blocked --max-memory 20G"), 5, "the solve needs ");
  expect_error(warpfold("paths g.csv --vertices 60000 -o d.npy -a dijkstra --max-memory 10G"), 5, "the solve needs ");
}

TEST_F(GraphFiles, WithManyVerticesAreRejectedForMemoryBeforeItIsTouched) {
  write("g.csv", "0,1,5\n1,2,3\n");
  for (const std::string asked : {"--from 0", "--from 0 --to 2 --k-shortest 2", "--from 0 --estimate", "-o d.csv"}) {
    expect_error(warpfold("paths g.csv --vertices 200000000 --max-memory 1G " + asked), 5, "the solve needs ");
  }
}

TEST_F(GraphFiles, ThatAreUnweightedMatricesWithZerosNeedToKnowWhatTheyMean) {
  io::write_npy<std::int64_t>(path("d.npy"), std::vector<std::int64_t>{0, 1, 0, 0, 0, 1, 0, 0, 0}, {3, 3});
  expect_error(warpfold("paths d.npy --unweighted"), 3,
               "d.npy: entry (0, 2) is 0, which is a length: with --unweighted, --no-edge 0 is accepted where it means "
               "no edge, --no-edge inf where it is a length");
  EXPECT_EQ(warpfold("paths d.npy --unweighted --no-edge 0 --from 0 --to 2 --json").json()["cost"], 2);
  EXPECT_EQ(warpfold("paths d.npy --unweighted --no-edge inf --from 0 --to 2 --json").json()["cost"], 1);
  EXPECT_EQ(warpfold("paths d.npy --unweighted --semiring or-and --from 0 --to 2 --json").json()["path"],
            Json({"0", "1", "2"}));
}

TEST_F(GraphFiles, HaveNamesThatBeginWithASignInQuotes) {
  write("g.csv", "#ff0000,b,1\nb,c,2\n");
  expect_error(warpfold("paths g.csv --from c"), 3, "g.csv:1: '#ff0000,b,1' is an edge or a comment");
  write("g.csv", "\"#ff0000\",#00ff00,1\n\"#00ff00\",c,2\n");
  EXPECT_EQ(warpfold("paths g.csv --from '#ff0000' --to c --json").json()["cost"], 3);
}

}  // namespace
}  // namespace warpfold::app::test
