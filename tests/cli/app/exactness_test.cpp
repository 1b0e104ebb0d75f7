#include <fmt/format.h>

#include "cli/app/schema.hpp"

/// Integers are solved as integers, or the result says that it is rounded.
namespace warpfold::app::test {
namespace {

class Exactness : public CommandLine {
 protected:
  void SetUp() override {
    CommandLine::SetUp();
    // Chords of 2^61 + 1 and 2^61, which are equal in floating point.
    write("large.csv", "0,0,2305843009213693953,0\n0,0,0,2305843009213693952\n0,0,0,0\n0,0,0,0\n");
  }
};

TEST_F(Exactness, OfIntegersThatNoTypeAddsIsNotClaimed) {
  const Ran ran = warpfold("triangulate --matrix large.csv --json");
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(ran.json()["exact"], false);
  EXPECT_EQ(ran.json()["status"], "rounded");
  EXPECT_EQ(ran.err, "warpfold: note: the integers were added in f64, which rounds them: the result is not exact\n");
}

TEST_F(Exactness, IsRefusedByNameInAnAskedForTypeThatDoesNotHoldTheNumbers) {
  write("forbidding.csv", "0,0,4611686018427387904,0\n0,0,0,4611686018427387904\n0,0,0,0\n0,0,0,0\n");
  expect_error(warpfold("triangulate --matrix forbidding.csv --dtype i64"), 3,
               "forbidding.csv: chord (0, 2) weighs 4611686018427387904: i64 does not hold it");
  expect_error(warpfold("triangulate --matrix large.csv --dtype i64"), 3, "weight (0, 2) is 2305843009213693953");
}

TEST_F(Exactness, IsKeptWhereADoubleAddsTheNumbersToo) {
  write("w.csv", "0,0,7,0\n0,0,0,9\n0,0,0,0\n0,0,0,0\n");
  for (const char* dtype : {"i32", "i64", "f32", "f64"}) {
    const Ran ran = warpfold(fmt::format("triangulate --matrix w.csv --json --dtype {}", dtype));
    EXPECT_EQ(ran.json()["exact"], true) << dtype;
    EXPECT_EQ(ran.err, "");
  }
}

TEST_F(Exactness, OfTreesAndRecurrencesEndsAt2To63NoMoreSilently) {
  write("p.txt", "9223372036854775808 1\n");
  write("q.txt", "1 1 1\n");
  const Ran tree = warpfold("tree p.txt q.txt --json");
  ASSERT_EQ(tree.exit_code, 0) << tree.err;
  EXPECT_EQ(tree.json()["exact"], false);
  EXPECT_EQ(tree.json()["dtype"], "f64");
  expect_error(warpfold("tree p.txt q.txt --dtype i64"), 3, "p: entry 0 is 9223372036854775808: i64 holds");

  const Json kept = warpfold("recurrence --op or --offsets 1 --initial 9223372036854775809 -n 2 --json").json();
  EXPECT_EQ(kept["dtype"], "u64");
  EXPECT_EQ(kept["values"].dump(), "[9223372036854775809,9223372036854775809]");
  const Ran rounded = warpfold("recurrence --op max --offsets 1 --initial 99999999999999999999 -n 2 --json");
  EXPECT_EQ(rounded.json()["exact"], false) << rounded.err;
}

TEST_F(Exactness, OfAFiniteNumberNeverMakesNoValueOfIt) {
  const Json object = warpfold("recurrence --offsets 1 --initial 1073741823 -n 2 --json").json();
  EXPECT_EQ(object["values"].dump(), "[1073741823,1073741823]");
  expect_error(warpfold("recurrence --offsets 1 --initial 1073741823 -n 2 --dtype i32"), 3,
               "initial: entry 0 is 1073741823: i32 holds integers from -1073741822 to 1073741822, i64 holds it");
}

/// 2^53 + 1 is not representable as a double. With a fraction in the input, all numbers are doubles.
TEST_F(Exactness, OfAWholeNumberAmongFractionsIsSaid) {
  write("g.csv", "a,b,9007199254740993\na,c,9007199254740992\nc,b,0.5\n");
  write("p.txt", "0.5 9007199254740993\n");
  write("q.txt", "0 0 0\n");
  write("w.csv", "0,0,0.5,1\n0,0,0,9007199254740993\n0,0,0,0\n0,0,0,0\n");
  for (const std::string command : {"paths g.csv --from a --to b", "tree p.txt q.txt", "triangulate --matrix w.csv",
                                    "recurrence --offsets 1,2 --initial 9007199254740993,0.5 --op max -n 3",
                                    "recurrence --offsets 1,2 --initial 1,0.5 --weights 0,9007199254740993 -n 3"}) {
    SCOPED_TRACE(command);
    const Ran ran = warpfold(command + " --json");
    EXPECT_EQ(ran.json()["exact"], false);
    EXPECT_EQ(ran.json()["status"], "rounded");
    EXPECT_NE(ran.err.find("rounds them: the result is not exact"), std::string::npos) << ran.err;
  }
  expect_error(warpfold("recurrence --offsets 1,2 --initial 9007199254740993,1e3 -n 3 --dtype i64"), 3,
               "entry 0 is 9007199254740992: i64 takes integers");
}

TEST_F(Exactness, OfACoordinateThatNoDoubleHoldsIsSaid) {
  write("o.geojson",
        R"({"type":"Polygon","coordinates":[[[0,0],[9007199254740993,0],[9007199254740993,3],[0,3],[0,0]]]})");
  write("o.wkt", "POLYGON ((0 0, 9007199254740993 0, 9007199254740993 3, 0 3, 0 0))");
  write("o.txt", "0 0\n9007199254740993 0\n9007199254740993 3\n0 3\n");
  for (const std::string name : {"o.geojson", "o.wkt", "o.txt"}) {
    EXPECT_EQ(warpfold("triangulate " + name + " --json").json()["exact"], false) << name;
    EXPECT_EQ(warpfold("paths " + name + " --outline --from 0 --to 2 --json").json()["exact"], false) << name;
  }
  write("near.wkt", "POLYGON ((0 0, 9007199254740992 0, 9007199254740992 3, 0 3, 0 0))");
  EXPECT_EQ(warpfold("triangulate near.wkt --json").json()["exact"], true);
}

TEST_F(Exactness, IsNotDeniedWhereNothingIsAdded) {
  write("g.csv", "a,b,9007199254740993\na,c,9007199254740992\nc,b,0.5\n");
  EXPECT_EQ(warpfold("paths g.csv --semiring or-and --json").json()["exact"], true);
  EXPECT_EQ(warpfold("recurrence --offsets 1 --initial=-9223372036854775808 --op min -n 3 --json").json()["exact"],
            true);
}

TEST_F(Exactness, OfASmallFloatEndsInAnErrorAndNotInInfinity) {
  expect_error(warpfold("recurrence --offsets 1 --initial 1e39 -n 2 --dtype f32"), 3, "f32 does not hold it");
  expect_error(warpfold("recurrence --op sum --offsets 2,1 --initial 1e308,1e308 -n 9"), 3,
               "value 2 or a sum on the way to it is larger than f64 holds");
  write("far.csv", "0,0\n1e30,0\n1e30,1e30\n0,1e30\n");
  expect_error(warpfold("triangulate far.csv --weight squared --dtype f32"), 3,
               "far.csv: chord (0, 2) weighs more than f32 holds, f64 does");
}

using ExactRuns = SchemaRuns;

TEST_F(ExactRuns, SayThatTheyAreExact) {
  for (const auto& [left, right] : schema_lines()) {
    if (!right.starts_with("SOLVED")) continue;
    const Ran ran = warpfold(left + " --json");
    if (ran.err.find("has no MPI") != std::string::npos) continue;
    ASSERT_EQ(ran.exit_code, 0) << left << ": " << ran.err;
    EXPECT_EQ(ran.json()["exact"], true) << left;
  }
}

}  // namespace
}  // namespace warpfold::app::test
