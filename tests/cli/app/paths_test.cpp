#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "cli/app/run.hpp"
#include "warpfold/io/npy.hpp"

namespace warpfold::app::test {
namespace {

class Paths : public CommandLine {
 protected:
  void SetUp() override {
    write("towns.csv", "from,to,length\nAsh,Elm,3\nElm,Oak,4\nOak,Ash,2\nAsh,Oak,8\nElm,Fir,1\n");
    write("g.gr", "c four vertices\np sp 4 4\na 1 2 3\na 2 3 4\na 1 3 8\na 3 1 2\n");
    write("g.mtx", "%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n2 1 0.5\n3 2 0.25\n");
  }
  [[nodiscard]] io::NpyArray array(const std::string& name) const { return io::read_npy(path(name)); }
};

TEST_F(Paths, PrintThePathBetweenTwoNamesOfTheFile) {
  const Ran ran = warpfold("paths towns.csv --from Ash --to Fir");
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_NE(ran.out.find("4: Ash -> Elm -> Fir\n"), std::string::npos) << ran.out;
  const Json found = warpfold("paths towns.csv --from Oak --to Fir --json").json();
  EXPECT_EQ(found["cost"], 6);
  EXPECT_EQ(found["path"], Json({"Oak", "Ash", "Elm", "Fir"}));
  EXPECT_EQ(found["dtype"], "i32");
  EXPECT_EQ(found["reachable"], 3);
  EXPECT_EQ(warpfold("paths towns.csv --from Oak --to Fir -a blocked --json").json()["reachable"], 3);
  EXPECT_EQ(warpfold("paths towns.csv --json").json()["reachable"], 9);
}

TEST_F(Paths, APairWithoutAPathHasTheExitCodeOfNoSolution) {
  const std::string pair = "paths towns.csv --from Fir --to Ash";
  expect_error(warpfold(pair), 4, "towns.csv: there is no path from Fir to Ash");
  expect_error(warpfold(pair + " -a blocked"), 4, "there is no path from Fir to Ash");
  expect_error(warpfold(pair + " --k-shortest 2"), 4, "there is no path from Fir to Ash");
  expect_error(warpfold("paths towns.csv --from Ash --to Fir --limit 1"), 4,
               "no path from Ash to Fir of a length up to 1");
  for (const char* more : {" --json", " --json --k-shortest 2"}) {
    const Ran ran = warpfold(pair + more);
    EXPECT_EQ(ran.exit_code, 4);
    EXPECT_EQ(ran.json()["status"], "no path");
    EXPECT_EQ(ran.json()["cost"], nullptr);
    EXPECT_EQ(ran.json().value("path", Json::array()), Json::array());
    write("none.json", ran.out);
    EXPECT_EQ(warpfold("verify towns.csv none.json").exit_code, 0);
  }
  EXPECT_EQ(warpfold(pair + " -o d.csv").exit_code, 4);
  EXPECT_NE(file("d.csv").find("Ash,Fir,4"), std::string::npos);
}

TEST_F(Paths, WriteLengthsAndSuccessors) {
  const Ran ran = warpfold("paths g.gr -o d.npy --successors s.npy --json");
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  constexpr std::int32_t none = 1073741823;
  EXPECT_EQ(array("d.npy").dtype, "i32");
  EXPECT_EQ(array("d.npy").values<std::int64_t>(),
            (std::vector<std::int64_t>{0, 3, 7, none, 6, 0, 4, none, 2, 5, 0, none, none, none, none, 0}));
  EXPECT_EQ(array("s.npy").dtype, "u16");
  EXPECT_EQ(array("s.npy").values<std::uint32_t>(),
            (std::vector<std::uint32_t>{0, 1, 1, 65535, 2, 1, 2, 65535, 0, 0, 2, 65535, 65535, 65535, 65535, 3}));
}

TEST_F(Paths, OfAMatrixReadItsInfinitiesAsNoEdge) {
  constexpr double no_edge = std::numeric_limits<double>::infinity();
  const std::vector<double> lengths{0, 1.5, no_edge, no_edge, 0, 2, no_edge, no_edge, 0};
  io::write_npy<double>(path("a.npy"), std::span<const double>(lengths), {3, 3});
  EXPECT_EQ(warpfold("paths a.npy -o d.npy -q").exit_code, 0);
  EXPECT_EQ(array("d.npy").values<double>(), (std::vector<double>{0, 1.5, 3.5, no_edge, 0, 2, no_edge, no_edge, 0}));
  EXPECT_EQ(warpfold("paths a.npy --from 0 --to 2 --json").json()["path"], Json({"0", "1", "2"}));
}

TEST_F(Paths, OfAMatrixTakeNoEdgeFromTheValueThatIsNamed) {
  const std::vector<std::uint16_t> lengths{0, 1, 65535, 65535, 0, 2, 65535, 65535, 0};
  io::write_npy<std::uint16_t>(path("a.npy"), std::span<const std::uint16_t>(lengths), {3, 3});
  expect_error(warpfold("paths a.npy -o d.npy"), 3, "a.npy: entry (0, 2) is 65535, the largest u16");
  expect_error(warpfold("paths a.npy --from 0"), 3, "a.npy: entry (0, 2) is 65535");
  EXPECT_EQ(warpfold("paths a.npy --no-edge 65535 --json").json()["reachable"], 3);
  EXPECT_EQ(warpfold("paths a.npy --no-edge inf --json").json()["reachable"], 6);
  ASSERT_EQ(warpfold("paths a.npy --no-edge 65535 -o d.npy --successors s.npy --json > s.json").exit_code, 0);
  EXPECT_EQ(warpfold("verify a.npy s.json").out, "valid\n");
  const std::vector<double> zeros{0, 1, 0, 1, 0, 1, 0, 1, 0};
  io::write_npy<double>(path("z.npy"), std::span<const double>(zeros), {3, 3});
  EXPECT_EQ(warpfold("paths z.npy --no-edge 0 --from 0 --to 2 --json").json()["path"], Json({"0", "1", "2"}));
}

TEST_F(Paths, OfAMatrixOfTruthAreThoseOfOrAnd) {
  io::write_npy_bool(path("t.npy"), std::vector<std::uint8_t>{0, 1, 0, 0, 0, 1, 0, 0, 0}, {3, 3});
  expect_error(warpfold("paths t.npy"), 3, "t.npy: entry (0, 0) is false, which is no length: --semiring or-and");
  EXPECT_EQ(warpfold("paths t.npy --semiring or-and --json").json()["reachable"], 3);
  EXPECT_EQ(warpfold("paths t.npy --no-edge 0 --from 0 --to 2 --json").json()["cost"], 2);
}

TEST_F(Paths, LeaveOutLinesWhoseLengthIsNoEdge) {
  write("g.csv", "0,1,-1\n0,2,4\n2,1,1\n");
  ASSERT_EQ(warpfold("paths g.csv --no-edge -1 --from 0 --to 1 --json > s.json; cat s.json").json()["cost"], 5);
  EXPECT_EQ(warpfold("verify g.csv s.json").out, "valid\n");
  write("n.csv", "a,b,nan\nb,c,1\na,c,NaN\n");
  ASSERT_EQ(warpfold("paths n.csv --no-edge nan --from b --to c --json > s.json; cat s.json").json()["cost"], 1);
  EXPECT_EQ(warpfold("verify n.csv s.json").out, "valid\n");
  EXPECT_EQ(warpfold("paths n.csv --no-edge nan --from a --json").json()["reachable"], 0);
}

TEST_F(Paths, OfASymmetricMatrixGoBothWays) {
  const Json found = warpfold("paths g.mtx --from 3 --to 1 --json").json();
  EXPECT_EQ(found["cost"], 0.75);
  EXPECT_EQ(found["path"], Json({"3", "2", "1"}));
  EXPECT_EQ(found["dtype"], "f64");
}

TEST_F(Paths, FromOneVertexAreThoseOfAllPairs) {
  const Ran ran = warpfold("paths towns.csv --from Ash");
  EXPECT_NE(ran.out.find("\n3: Elm\n7: Oak\n4: Fir\n"), std::string::npos) << ran.out << ran.err;
  const Json lengths = {{"Elm", 3}, {"Oak", 7}, {"Fir", 4}};
  for (const std::string algorithm : {"dijkstra", "bellman-ford", "johnson", "blocked", "reference"}) {
    const Json found = warpfold("paths towns.csv --from Ash --json -a " + algorithm).json();
    EXPECT_EQ(found["algorithm"], algorithm);
    EXPECT_EQ(found["lengths"], lengths) << found.dump();
    EXPECT_EQ(warpfold("paths g.mtx --from 3 --to 1 --json -a " + algorithm).json()["path"], Json({"3", "2", "1"}));
  }
  write("below.csv", "a,b,-1\nb,c,3\n");
  EXPECT_EQ(warpfold("paths below.csv --from a --json").json()["algorithm"], "bellman-ford");
  for (const std::string asked : {"", " -a dijkstra"}) {
    EXPECT_EQ(warpfold("paths towns.csv --from Ash --json --estimate" + asked).json()["algorithm"],
              warpfold("paths towns.csv --from Ash --json" + asked).json()["algorithm"]);
  }
}

/// A room with a wall between two of its corners.
TEST_F(Paths, InAnOutlineGoRoundItsCorners) {
  write("room.csv", "0 0\n4 0\n4 3\n2 1\n0 3\n");
  const Json found =
      warpfold(
          "paths room.csv --outline --from 2 --to 4 -o d.npy --successors s.npy --picture p.svg --json > x.json; "
          "cat x.json")
          .json();
  EXPECT_EQ(found["path"], Json({"2", "3", "4"}));
  EXPECT_DOUBLE_EQ(found["cost"].get<double>(), 2 * std::sqrt(8.0));
  EXPECT_EQ(found["outline"], true);
  EXPECT_EQ(warpfold("verify room.csv x.json").out, "valid\n");
  EXPECT_EQ(array("d.npy").values<double>()[4 * 5 + 0], 3);
  EXPECT_TRUE(exists("p.svg"));
  const Ran tree = warpfold("paths --outline room.csv --from 0 --picture tree.svg --dtype f32");
  EXPECT_NE(tree.out.find("5: 2\n"), std::string::npos) << tree.out << tree.err;
  EXPECT_TRUE(exists("tree.svg"));
}

TEST_F(Paths, KnowTheWidestOne) {
  const Json found = warpfold("paths towns.csv --semiring max-min --from Ash --to Oak --json").json();
  EXPECT_EQ(found["cost"], 8);
  EXPECT_EQ(found["path"], Json({"Ash", "Oak"}));
}

TEST_F(Paths, OfOrAndSayWhatCanBeReachedAndHow) {
  const Json found =
      warpfold(
          "paths towns.csv --semiring or-and --from Oak --to Fir -o d.npy --successors s.npy --json > x.json; "
          "cat x.json")
          .json();
  EXPECT_EQ(found["cost"], 1);
  EXPECT_EQ(found["path"], Json({"Oak", "Ash", "Elm", "Fir"}));
  EXPECT_EQ(found["dtype"], "u8");
  EXPECT_EQ(array("d.npy").dtype, "bool");
  EXPECT_EQ(array("d.npy").weights<std::uint8_t>(),
            (std::vector<std::uint8_t>{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 1}));
  EXPECT_EQ(warpfold("verify towns.csv x.json").out, "valid\n");
}

TEST_F(Paths, AreEstimatedInEverySemiring) {
  for (const std::string semiring : {"min-plus", "max-plus", "min-max", "max-min", "or-and"}) {
    const Ran ran = warpfold("paths g.gr --estimate --json --semiring " + semiring);
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_EQ(ran.json()["n"], 4);
  }
}

TEST_F(Paths, AreVerifiedFromTheirFiles) {
  ASSERT_EQ(warpfold("paths towns.csv --from Ash --to Oak -o d.npy --successors s.npy --json > x.json").exit_code, 0);
  const Ran right = warpfold("verify towns.csv x.json --json");
  EXPECT_EQ(right.exit_code, 0) << right.out << right.err;
  EXPECT_EQ(right.json()["valid"], true);
  const io::NpyArray lengths = array("d.npy");
  for (std::size_t entry = 0; entry < 16; ++entry) {
    std::vector<std::int32_t> wrong = lengths.values<std::int32_t>();
    wrong[entry] -= 1;
    io::write_npy<std::int32_t>(path("d.npy"), std::span<const std::int32_t>(wrong), {4, 4});
    EXPECT_EQ(warpfold("verify towns.csv x.json").exit_code, 3) << entry;
  }
  ASSERT_EQ(warpfold("paths towns.csv -o d.npy --json > x.json").exit_code, 0);
  ASSERT_EQ(warpfold("paths towns.csv -o d.npy --dtype i64 -q").exit_code, 0);
  expect_error(warpfold("verify towns.csv x.json"), 3, "the output is of i64, not of i32");
  ASSERT_EQ(warpfold("paths towns.csv -o d.npy --json | sed 's/\"reachable\":9/\"reachable\":8/' > x.json").exit_code,
            0);
  expect_error(warpfold("verify towns.csv x.json"), 3, "'reachable' is 8: 9 pairs of vertices have a path");
}

TEST_F(Paths, RefuseInOneLine) {
  write("cycle.csv", "a,b,1\nb,a,-2\n");
  expect_error(warpfold("paths cycle.csv"), 4, "the cycle a -> b -> a has a negative length");
  expect_error(warpfold("paths towns.csv --to Ash"), 2, "--to");
  expect_error(warpfold("paths towns.csv -a dijkstra --device cuda"), 2, "algorithm 'dijkstra' searches on the CPU");
  expect_error(warpfold("paths cycle.csv --from a -a dijkstra"), 3, "does not solve graphs in which an edge improves");
  expect_error(warpfold("paths towns.csv --from Ash --picture p.svg"), 2, "it needs --outline and --from");
  expect_error(warpfold("paths towns.csv --feature 0"), 2, "they need --outline");
  expect_error(warpfold("paths towns.csv --outline"), 3, "towns.csv:");
  expect_error(warpfold("paths towns.csv --from Ash --to Yew"), 2,
               "--to is 'Yew': the name of a vertex of towns.csv is accepted");
  expect_error(warpfold("paths towns.csv --semiring plus-times"), 2, "--semiring is 'plus-times': min-plus, ");
  expect_error(warpfold("paths towns.csv --semiring or-and --dtype i32"), 2, "dtype 'i32' is not accepted here: u8 is");
  expect_error(warpfold("paths towns.csv --dtype u8"), 2, "dtype 'u8' is not accepted here");
  expect_error(warpfold("paths towns.csv -o d.txt"), 2, "d.txt");
  expect_error(warpfold("paths none.csv"), 3, "none.csv");
  write("long.csv", "a,b,9223372036854775807\n");
  expect_error(warpfold("paths long.csv --dtype i64"), 3,
               "long.csv: the edge from a to b has length 9223372036854775807: i64 holds");
  write("rounded.csv", "b,a,0.2\na,b,-0.2\nb,c,0.9\n");
  expect_error(warpfold("paths rounded.csv --from b --to c -a blocked"), 4,
               "the successors from b to c do not end there");
}

}  // namespace
}  // namespace warpfold::app::test
