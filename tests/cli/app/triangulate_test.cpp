#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "cli/app/run.hpp"

namespace warpfold::app::test {
namespace {

const std::string notched = "0,0\n4,0\n1,1\n0,4\n";
// A square whose chords (0,2) and (1,3) weigh 7 and 9. A hexagon whose chords are all forbidden.
const std::string square_weights = "0,0,7,0\n0,0,0,9\n0,0,0,0\n0,0,0,0\n";

std::string circle(int n) {
  std::string text;
  for (int k = 0; k < n; ++k) {
    const double angle = 2 * std::numbers::pi * k / n;
    text += fmt::format("{} {}\n", 1000 * std::cos(angle), 1000 * std::sin(angle));
  }
  return text;
}

class Triangulate : public CommandLine {};

TEST_F(Triangulate, AnswersWithEveryKeyOfTheContract) {
  write("notched.csv", notched);
  const Ran ran = warpfold("triangulate notched.csv --json");
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(ran.err, "");
  const Json object = ran.json();
  for (const char* key : {"command", "status", "n", "cost", "dtype", "device", "algorithm", "threads", "seconds",
                          "peak_bytes", "version", "chords", "triangles"}) {
    EXPECT_TRUE(object.contains(key)) << key;
  }
  for (const char* key : {"read", "prepare", "solve", "traceback", "total"}) {
    EXPECT_TRUE(object["seconds"].contains(key)) << key;
  }
  EXPECT_EQ(object["command"], "triangulate");
  EXPECT_EQ(object["status"], "optimal");
  EXPECT_EQ(object["n"], 4);
  EXPECT_EQ(object["dtype"], "f64");
  EXPECT_EQ(object["algorithm"], "sparse");
  EXPECT_EQ(object["cost"].get<double>(), std::sqrt(2.0));
  EXPECT_EQ(object["chords"], Json::parse("[[0,2]]"));
  EXPECT_EQ(object["triangles"], Json::parse("[[0,2,3],[0,1,2]]"));
}

TEST_F(Triangulate, ReadsStandardInputAndEveryFormat) {
  write("a.csv", notched);
  write("a.txt", "0 0\n4 0\n1 1\n0 4\n0 0\n");
  write("a.wkt", "POLYGON ((0 0, 4 0, 1 1, 0 4, 0 0))");
  write("a.geojson", R"({"type":"Polygon","coordinates":[[[0,0],[4,0],[1,1],[0,4],[0,0]]]})");
  for (const char* name : {"a.csv", "a.txt", "a.wkt", "a.geojson"}) {
    const Ran named = warpfold(fmt::format("triangulate {} --json", name));
    ASSERT_EQ(named.exit_code, 0) << named.err;
    EXPECT_EQ(named.json()["chords"], Json::parse("[[0,2]]"));
    const Ran piped = warpfold("triangulate - --json", fmt::format("cat {} |", name));
    ASSERT_EQ(piped.exit_code, 0) << piped.err;
    EXPECT_EQ(piped.json()["chords"], Json::parse("[[0,2]]"));
  }
}

TEST_F(Triangulate, WeighsByLengthSquareAndFile) {
  write("a.csv", "0,0\n4,0\n5,3\n0,2\n");
  write("w.csv", "0,0,9007199254740993,0\n0,0,0,9007199254740995\n0,0,0,0\n0,0,0,0\n");
  EXPECT_EQ(warpfold("triangulate a.csv --json").json()["cost"].get<double>(), std::sqrt(20.0));
  const Json squared = warpfold("triangulate a.csv --weight squared --json").json();
  EXPECT_EQ(squared["cost"].dump(), "20");
  EXPECT_EQ(squared["dtype"], "i32");
  const Json filed = warpfold("triangulate a.csv --weight w.csv --json").json();
  EXPECT_EQ(filed["cost"].dump(), "9007199254740993");
  EXPECT_EQ(filed["dtype"], "i64");
}

TEST_F(Triangulate, SolvesAMatrixInTheSmallestExactArithmetic) {
  write("w.csv", square_weights);
  for (const char* spelling : {"triangulate --matrix w.csv --json", "triangulate w.csv --matrix --json"}) {
    const Json object = warpfold(spelling).json();
    EXPECT_EQ(object["cost"].dump(), "7");
    EXPECT_EQ(object["dtype"], "i32");
  }
  for (const char* dtype : {"i32", "i64", "f32", "f64"}) {
    const Json object = warpfold(fmt::format("triangulate --matrix w.csv --json --dtype {}", dtype)).json();
    EXPECT_EQ(object["dtype"], dtype);
    EXPECT_EQ(object["cost"].get<double>(), 7);
  }
}

TEST_F(Triangulate, DrawsGeoJsonAsAMapWhateverTheFileIsCalled) {
  const std::string map = R"({"type":"Polygon","coordinates":[[[0,60],[4,60],[4,62],[0,62],[0,60]]]})";
  write("a.geojson", map);
  write("a.json", map);
  write("a.csv", "0,60\n4,60\n4,62\n0,62\n");
  for (const char* input : {"a.geojson", "a.json", "- < a.geojson", "a.csv"}) {
    ASSERT_EQ(warpfold(fmt::format("triangulate -q -o {}.svg {}", input[0] == '-' ? "a" : input, input)).exit_code, 0);
  }
  EXPECT_EQ(file("a.json.svg"), file("a.geojson.svg"));
  EXPECT_EQ(file("a.svg"), file("a.geojson.svg"));
  EXPECT_NE(file("a.csv.svg"), file("a.geojson.svg"));
}

TEST_F(Triangulate, WritesEveryFormat) {
  write("a.csv", notched);
  ASSERT_EQ(warpfold("triangulate a.csv -q -o a.svg").exit_code, 0);
  EXPECT_NE(file("a.svg").find("4 vertices, optimal triangulation: total length 1.41421"), std::string::npos);
  EXPECT_TRUE(file("a.svg").ends_with("</svg>\n"));
  ASSERT_EQ(warpfold("triangulate a.csv -q -o a.obj").exit_code, 0);
  EXPECT_EQ(file("a.obj"), "v 0 0 0\nv 4 0 0\nv 1 1 0\nv 0 4 0\nf 1 3 4\nf 1 2 3\n");
  ASSERT_EQ(warpfold("triangulate a.csv -q -o a.geojson").exit_code, 0);
  const Json triangles = Json::parse(file("a.geojson"));
  ASSERT_EQ(triangles["features"].size(), 2u);
  EXPECT_EQ(triangles["features"][1]["geometry"]["coordinates"], Json::parse("[[[0,0],[4,0],[1,1],[0,0]]]"));
  ASSERT_EQ(warpfold("triangulate a.csv -q -o a.json").exit_code, 0);
  EXPECT_EQ(Json::parse(file("a.json"))["chords"], Json::parse("[[0,2]]"));
  write("w.csv", square_weights);
  EXPECT_EQ(warpfold("triangulate --matrix w.csv -q -o w.svg").exit_code, 0);
}

TEST_F(Triangulate, WritesNumbersAndWeightsIntoPicturesOfUpTo40Vertices) {
  write("a.csv", notched);
  ASSERT_EQ(warpfold("triangulate a.csv -q -o a.svg").exit_code, 0);
  for (const char* label : {">0</text>", ">3</text>", ">1.414</text>"}) {
    EXPECT_NE(file("a.svg").find(label), std::string::npos) << label;
  }
  write("w.csv", "0,0,5,0\n0,0,0,7\n0,0,0,0\n0,0,0,0\n");
  ASSERT_EQ(warpfold("triangulate --matrix w.csv -q -o w.svg").exit_code, 0);
  EXPECT_NE(file("w.svg").find(">5</text>"), std::string::npos);
  std::string circle;
  for (int i = 0; i < 41; ++i) circle += fmt::format("{},{}\n", std::cos(i * 0.153), std::sin(i * 0.153));
  write("c.csv", circle);
  ASSERT_EQ(warpfold("triangulate c.csv -q -o c.svg").exit_code, 0);
  EXPECT_EQ(file("c.svg").find(">40</text>"), std::string::npos);
}

TEST_F(Triangulate, SummarizesForPeopleAndEstimates) {
  write("a.csv", notched);
  const Ran ran = warpfold("triangulate a.csv");
  EXPECT_EQ(ran.exit_code, 0);
  for (const char* word : {"vertices", "chords", "total", "seconds", "rate"}) {
    EXPECT_NE(ran.out.find(word), std::string::npos) << ran.out;
  }
  EXPECT_EQ(warpfold("triangulate a.csv --quiet").out, "");
  const Json estimate = warpfold("triangulate a.csv --estimate --json").json();
  EXPECT_EQ(estimate["status"], "estimate");
  EXPECT_GT(estimate["peak_bytes"].get<int>(), 0);
}

TEST_F(Triangulate, RefusesWrongUsageWithTwo) {
  write("a.csv", notched);
  write("w.csv", "0 0 1.5 0\n0 0 0 2\n0 0 0 0\n0 0 0 0");
  EXPECT_EQ(warpfold("triangulate").exit_code, 2);
  EXPECT_EQ(warpfold("triangulate a.csv --no-such-option").exit_code, 2);
  expect_error(warpfold("triangulate a.csv --dtype i8"), 2, "i8");
  expect_error(warpfold("triangulate a.csv --dtype i32"), 2, "integer weights");
  expect_error(warpfold("triangulate --matrix w.csv --dtype i64"), 2, "integer weights");
  expect_error(warpfold("triangulate a.csv -o a.png"), 2, ".svg");
  expect_error(warpfold("triangulate --matrix w.csv -o w.obj"), 2, "no coordinates");
  expect_error(warpfold("triangulate a.csv --weight heavy"), 2, "heavy");
  expect_error(warpfold("triangulate a.csv --device tpu"), 2, "tpu");
  expect_error(warpfold("triangulate a.csv -a magic"), 2, "magic");
  expect_error(warpfold("triangulate a.csv --time-limit -1"), 2, "time-limit");
  expect_error(warpfold("triangulate a.csv --feature 1"), 2, "--feature");
}

TEST_F(Triangulate, RefusesBadDataWithThreeAndItsPlace) {
  write("bow.csv", "0 0\n2 2\n2 0\n0 2\n");
  write("words.csv", "0 0\n1 0\nfar away\n");
  write("holed.wkt", "POLYGON ((0 0, 9 0, 0 9, 0 0), (1 1, 2 1, 1 2, 1 1))");
  write("nan.csv", "0 0\n1 nan\n1 1\n");
  write("two.csv", "0 0\n1 1\n");
  write("w.csv", "0 0 nan 0\n0 0 0 2\n0 0 0 0\n0 0 0 0");
  write("small.csv", "1,2\n3,4");
  expect_error(warpfold("triangulate missing.csv"), 3, "missing.csv");
  expect_error(warpfold("triangulate bow.csv"), 3, "bow.csv: the outline is not simple: Self-intersection at (1, 1)");
  expect_error(warpfold("triangulate words.csv"), 3, "words.csv:3: ");
  expect_error(warpfold("triangulate holed.wkt"), 3, "holes");
  expect_error(warpfold("triangulate nan.csv"), 3, "vertex 1: y is nan");
  expect_error(warpfold("triangulate two.csv"), 3, "2 vertices");
  expect_error(warpfold("triangulate --matrix w.csv"), 3, "nan");
  expect_error(warpfold("triangulate --matrix small.csv"), 3, "2 x 2");
  write("huge.csv", "0 0 1e308 0\n0 0 0 1.5\n0 0 0 0\n0 0 0 0\n");
  expect_error(warpfold("triangulate --matrix huge.csv"), 3, "huge.csv: weight (0, 2) is 1e+308");
  write("m.npy", std::string("\x93NUMPY\x01\x00v\x00", 10));
  expect_error(warpfold("triangulate m.npy"), 3, "m.npy: ");
}

TEST_F(Triangulate, SaysWithFourThatNoTriangulationIsLeft) {
  write("w.csv", "0 0 inf 0\n0 0 0 inf\n0 0 0 0\n0 0 0 0");
  expect_error(warpfold("triangulate --matrix w.csv"), 4, "no triangulation");
  write("a.csv", notched);
  expect_error(warpfold("triangulate a.csv --weight w.csv"), 4, "no triangulation");
}

TEST_F(Triangulate, StopsAtALimitWithFiveAndLeavesNoFile) {
  write("circle.txt", circle(3000));
  expect_error(warpfold("triangulate circle.txt -a sparse --time-limit 0.05 -o a.svg"), 5, "time limit");
  expect_error(warpfold("triangulate circle.txt --max-memory 100K -o a.svg"), 5, "limit");
  EXPECT_FALSE(exists("a.svg"));
}

TEST_F(Triangulate, SaysWithSixThatADeviceIsNotThere) {
  write("circle.txt", circle(20));
  expect_error(warpfold("triangulate circle.txt --device cuda:99"), 6, "");
}

TEST_F(Triangulate, StopsOnAnInterruptWith130AndLeavesNoFile) {
  write("circle.txt", circle(4000));
  const Ran ran =
      warpfold("triangulate circle.txt -a sparse --threads 1 -o a.svg", "timeout --preserve-status --signal INT 0.5");
  EXPECT_EQ(ran.exit_code, 130) << ran.out << ran.err;
  EXPECT_FALSE(exists("a.svg"));
}

class Verify : public CommandLine {
 protected:
  void solve(const std::string& arguments) {
    ASSERT_EQ(warpfold("triangulate " + arguments + " -q -o s.json").exit_code, 0);
    solution_ = Json::parse(file("s.json"));
  }

  void expect_violation(const Json& changed, const std::string& instance, const std::string& part) const {
    write("changed.json", changed.dump());
    expect_error(warpfold("verify " + instance + " changed.json"), 3, part);
  }

  Json solution_;
};

TEST_F(Verify, AcceptsWhatTriangulateAnswers) {
  const std::string island = std::string(WARPFOLD_EXAMPLES) + "/great-britain.geojson";
  ASSERT_EQ(warpfold("triangulate " + island + " -q -o s.json").exit_code, 0);
  const Ran ran = warpfold("verify " + island + " s.json --json");
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(ran.json()["valid"], true);
  write("w.csv", square_weights);
  for (const char* dtype : {"i32", "f32", "f64"}) {
    ASSERT_EQ(warpfold(fmt::format("triangulate --matrix w.csv --dtype {} -q -o m.json", dtype)).exit_code, 0);
    EXPECT_EQ(warpfold("verify w.csv m.json").out, "valid\n");
  }
}

TEST_F(Verify, RejectsEachKindOfCorruption) {
  write("a.csv", "0,0\n4,0\n1,1\n3,3\n0,4\n");
  solve("a.csv");
  Json changed = solution_;
  changed["cost"] = solution_["cost"].get<double>() * (1 + 1e-12);
  expect_violation(changed, "a.csv", "the cost is");
  changed = solution_;
  changed["dtype"] = "i64";
  changed["cost"] = 5;
  expect_violation(changed, "a.csv", "i64 holds integers");
  changed = solution_;
  changed["chords"].push_back({0, 2});
  expect_violation(changed, "a.csv", "3 chords");
  changed = solution_;
  changed["chords"] = Json::parse("[[0,2],[0,2]]");
  expect_violation(changed, "a.csv", "twice");
  changed = solution_;
  changed["chords"] = Json::parse("[[0,3],[2,4]]");
  expect_violation(changed, "a.csv", "cross");
  changed = solution_;
  changed["chords"] = Json::parse("[[0,2],[1,9]]");
  expect_violation(changed, "a.csv", "no chord");
  changed["chords"] = Json::parse("[[0,2],[-1,9]]");
  expect_violation(changed, "a.csv", "-1 is no integer from 0 to 4294967295");
  changed = solution_;
  changed["chords"] = Json::parse("[[0,3],[1,3]]");
  changed["triangles"] = Json::parse("[[0,1,3],[1,2,3],[0,3,4]]");
  expect_violation(changed, "a.csv", "does not lie in the interior");
  changed = solution_;
  changed["triangles"][0] = {0, 1, 4};
  expect_violation(changed, "a.csv", "triangle");
  changed = solution_;
  changed["n"] = 6;
  expect_violation(changed, "a.csv", "'n' is 6");
  changed = solution_;
  changed.erase("chords");
  expect_violation(changed, "a.csv", "chords");
  changed = solution_;
  changed["status"] = "unknown";
  expect_violation(changed, "a.csv", "status");
  changed = solution_;
  changed["command"] = "divine";
  expect_violation(changed, "a.csv", "divine");
  write("broken.json", "{\"command\":");
  expect_error(warpfold("verify a.csv broken.json"), 3, "no JSON");
}

TEST_F(Verify, SaysWhyInJsonToo) {
  write("a.csv", notched);
  solve("a.csv");
  solution_["cost"] = 1;
  write("changed.json", solution_.dump());
  const Ran ran = warpfold("verify a.csv changed.json --json");
  EXPECT_EQ(ran.exit_code, 3);
  EXPECT_EQ(ran.json()["valid"], false);
  EXPECT_NE(ran.json()["violation"].get<std::string>().find("the cost is"), std::string::npos);
}

TEST_F(Triangulate, NamesEveryAlgorithmThatAnOutlineAccepts) {
  write("a.csv", "0 0\n4 0\n1 1\n0 4\n");
  expect_error(warpfold("triangulate a.csv -a nosuch"), 2, "sparse");
}

TEST_F(Triangulate, TakesWholeWeightsBeyondTheWholeNumberTypesAsReals) {
  write("w.csv", "0,0,4611686018427387904,0\n0,0,0,9223372036854775807\n0,0,0,0\n0,0,0,0\n");
  const Ran ran = warpfold("triangulate --matrix w.csv --json");
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(ran.json()["dtype"], "f64");
  EXPECT_EQ(ran.json()["cost"], 0x1p62);
  expect_error(warpfold("triangulate --matrix w.csv --dtype i32"), 3, "i32 does not hold it");
}

}  // namespace
}  // namespace warpfold::app::test
