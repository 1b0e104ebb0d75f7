#include <cstring>
#include <string>

#include "cli/app/run.hpp"

namespace warpfold::app::test {
namespace {

class Chain : public CommandLine {};
class Tree : public CommandLine {};

TEST_F(Chain, AnswersWithOrderSplitsAndPath) {
  const Ran ran = warpfold("chain 30 35 15 5 10 20 25 --json");
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  const Json object = ran.json();
  EXPECT_EQ(object["cost"], 15125);
  EXPECT_EQ(object["n"], 6);
  EXPECT_EQ(object["order"], "((A1(A2A3))((A4A5)A6))");
  EXPECT_EQ(object["splits"][0], Json({0, 3, 6}));
  EXPECT_EQ(object["path"].size(), 5u);
}

TEST_F(Chain, FilesAndAlgorithmsAgreeAndVerify) {
  write("chain.txt", "40 20 # rows and columns\n30, 10; 30\n");
  EXPECT_EQ(warpfold("chain chain.txt --json >dp.json").exit_code, 0);
  EXPECT_EQ(warpfold("chain chain.txt -a hu-shing -o hu-shing.json -q").exit_code, 0);
  EXPECT_EQ(Json::parse(file("dp.json"))["cost"], Json::parse(file("hu-shing.json"))["cost"]);
  for (const char* solution : {"dp.json", "hu-shing.json"}) {
    EXPECT_EQ(warpfold(std::string("verify chain.txt ") + solution).out, "valid\n");
  }
}

TEST_F(Chain, TheTiledProgramAnswersInEveryTypeAndVerifies) {
  std::string dimensions;
  for (int t = 0; t < 30; ++t) dimensions += std::to_string(7 + t * 13 % 29) + ' ';
  write("chain.txt", dimensions);
  ASSERT_EQ(warpfold("chain chain.txt -o hu-shing.json -q").exit_code, 0);
  const Json expected = Json::parse(file("hu-shing.json"));
  for (const std::string dtype : {"", "i32", "i64", "f32", "f64"}) {
    const std::string asked = dtype.empty() ? "" : " --dtype " + dtype;
    const Ran ran = warpfold("chain chain.txt -a dp --json" + asked + " | tee dp.json");
    EXPECT_EQ(ran.json()["cost"], expected["cost"]) << dtype << ran.err;
    EXPECT_EQ(ran.json()["status"], "optimal");
    EXPECT_EQ(ran.json()["algorithm"], "dp");
    EXPECT_EQ(ran.json()["dtype"], dtype.empty() ? "i32" : dtype);
    EXPECT_EQ(warpfold("verify chain.txt dp.json").out, "valid\n");
  }
}

TEST_F(Chain, WritesNumpysTables) {
  ASSERT_EQ(warpfold("chain 30 35 15 5 10 20 25 --tables m.npy s.npy -q").exit_code, 0);
  const std::string m = file("m.npy");
  const std::string s = file("s.npy");
  const auto entry = [](const std::string& npy, std::size_t i, std::size_t j) {
    std::int64_t value = 0;
    std::memcpy(&value, npy.data() + npy.size() - 8 * (36 - 6 * i - j), 8);
    return value;
  };
  EXPECT_NE(m.find("'shape': (6,6,)"), std::string::npos);
  EXPECT_EQ(entry(m, 0, 5), 15125);
  EXPECT_EQ(entry(m, 1, 4), 7125);
  EXPECT_EQ(entry(s, 0, 5), 2);
  expect_error(warpfold("chain 3 4 5 --tables m.npy s.txt"), 2, "s.txt");
  expect_error(warpfold("chain 3 4 5 --tables m.npy s.npy --max-memory 10"), 5, "10");
}

TEST_F(Chain, TablesThatCannotBothBeWrittenLeaveNoFile) {
  expect_error(warpfold("chain 3 4 5 --tables m.npy none/s.npy"), 3, "none/s.npy");
  expect_error(warpfold("chain 3 4 5 --tables m.npy s.npy -o none/x.json"), 3, "none/x.json");
  expect_error(warpfold("chain 3 4 5 --tables m.npy m.npy"), 2, "m.npy");
  EXPECT_FALSE(exists("m.npy"));
  EXPECT_FALSE(exists("s.npy"));
}

TEST_F(Chain, TablesAndTheAnswerComeFromOneProgram) {
  const Json answer = warpfold("chain 30 35 15 5 10 20 25 --tables m.npy s.npy --json").json();
  EXPECT_EQ(answer["algorithm"], "dp");
  EXPECT_EQ(answer["dtype"], "i64");
  EXPECT_EQ(answer["cost"], 15125);
  EXPECT_EQ(answer["status"], "optimal");
  // 4097 * 4099 * 4111 needs more than the 24 bits of f32.
  const Json rounded = warpfold("chain 4097 4099 4111 4127 --tables m.npy s.npy --dtype f32 --json").json();
  EXPECT_EQ(rounded["dtype"], "f32");
  EXPECT_EQ(rounded["status"], "rounded");
  expect_error(warpfold("chain 3 4 5 --tables m.npy s.npy -a hu-shing"), 2, "hu-shing");
}

TEST_F(Chain, EstimatesWhatASolveDoes) {
  std::string dimensions = "chain";
  for (int t = 0; t < 40; ++t) dimensions += ' ' + std::to_string(7 + t * 13 % 29);
  EXPECT_EQ(warpfold("chain 3 4 5 --estimate --json").json()["algorithm"], "dp");
  const Json alone = warpfold(dimensions + " --estimate --json").json();
  const Json tables = warpfold(dimensions + " --tables m.npy s.npy --estimate --json").json();
  EXPECT_EQ(alone["algorithm"], "hu-shing");
  EXPECT_EQ(tables["algorithm"], "dp");
  EXPECT_EQ(tables["candidates"], 39 * 40 * 38 / 6);
  EXPECT_GE(tables["peak_bytes"], 39 * 39 * 16);
  EXPECT_FALSE(exists("m.npy"));
}

TEST_F(Chain, CostsBeyond64BitsArePrintedExactly) {
  const std::string p = "1000000000000 ";
  const Ran ran = warpfold("chain " + p + p + p + " --json");
  EXPECT_NE(ran.out.find("\"cost\":1000000000000000000000000000000000000,"), std::string::npos) << ran.out << ran.err;
}

TEST_F(Chain, VerifyFindsEachCorruption) {
  write("chain.txt", "30 35 15 5 10 20 25");
  ASSERT_EQ(warpfold("chain chain.txt --json >answer.json").exit_code, 0);
  const Json answer = Json::parse(file("answer.json"));
  const auto expect_violation = [&](const char* key, const Json& value, const std::string& violation) {
    Json wrong = answer;
    wrong[key] = value;
    write("wrong.json", wrong.dump());
    expect_error(warpfold("verify chain.txt wrong.json"), 3, violation);
  };
  expect_violation("cost", 15124, "'cost' is 15124");
  expect_violation("order", "A1", "'order'");
  expect_violation("splits", Json::array(), "no entry for (0,6)");
  expect_violation("path", Json::array(), "'path'");
  expect_violation("n", 5, "'n' is 5");
}

TEST_F(Chain, RefusesBadInputInOneLine) {
  expect_error(warpfold("chain 5"), 3, "1 are given");
  expect_error(warpfold("chain 5 0 3"), 3, "dimension 1 is 0");
  expect_error(warpfold("chain 5 x 3"), 2, "'x'");
  expect_error(warpfold("chain none.txt"), 3, "none.txt");
  write("bad.txt", "3 4\n5 x\n");
  expect_error(warpfold("chain bad.txt"), 3, "bad.txt:2: 'x'");
  write("empty.txt", "");
  expect_error(warpfold("chain empty.txt"), 3, "empty.txt: a chain needs");
  write("real.txt", "3 4.5");
  expect_error(warpfold("chain real.txt"), 3, "integers");
  expect_error(warpfold("chain 5 4 3 -a magic"), 2, "'magic'");
  expect_error(warpfold("chain 5 4 3 --dtype i64 -a hu-shing"), 2, "-a dp");
  EXPECT_EQ(warpfold("chain 5 4 3 --dtype i64 --json").json()["dtype"], "i64");
  expect_error(warpfold("chain 5 4 3 -a dp --dtype i16"), 2, "i16");
  expect_error(warpfold("chain 9000000 9000000 3 9000000 -a dp --dtype i64"), 3, "may not fit i64");
  expect_error(warpfold("chain 5 4 3 --device cuda"), 6, "CPU");
  expect_error(warpfold("chain 5 4 3 -a dp --device cuda:99"), 6, "device auto or cpu is accepted");
}

TEST_F(Tree, AnswersFromOneFileOrTwoAndVerifies) {
  write("tree.json", R"({"p": [15, 10, 5, 10, 20], "q": [5, 10, 5, 5, 5, 10]})");
  write("p.txt", "15 10 5 10 20");
  write("q.txt", "5 10 5 5 5 10");
  const Ran one = warpfold("tree tree.json --json | tee answer.json");
  EXPECT_EQ(one.json()["cost"], 275);
  EXPECT_EQ(one.json()["root"], 1);
  EXPECT_EQ(one.json()["parents"], Json({1, -1, 3, 4, 1}));
  EXPECT_EQ(warpfold("tree p.txt q.txt --json").json()["parents"], one.json()["parents"]);
  EXPECT_EQ(warpfold("tree tree.json -a dp --dtype f64 --json").json()["cost"], 275.0);
  EXPECT_EQ(warpfold("verify tree.json answer.json").out, "valid\n");
}

TEST_F(Tree, OfKeyWeightsAloneHasGapsOfWeightZero) {
  write("p.txt", "34\n8\n50\n");
  write("q.txt", "0 0 0 0");
  const Ran alone = warpfold("tree p.txt --json | tee answer.json");
  EXPECT_EQ(alone.json()["cost"], 142);  // 50 + 2 * 34 + 3 * 8
  EXPECT_EQ(alone.json()["parents"], warpfold("tree p.txt q.txt --json").json()["parents"]);
  EXPECT_EQ(warpfold("verify p.txt answer.json").out, "valid\n");
}

TEST_F(Tree, TwoFilesVerifyInEveryType) {
  write("p.txt", "15 10 5 10 20");
  write("q.txt", "5 10 5 5 5 10");
  for (const std::string dtype : {"i32", "i64", "f32", "f64"}) {
    const Ran ran = warpfold("tree p.txt q.txt --json --dtype " + dtype + " | tee answer.json");
    EXPECT_EQ(ran.json()["cost"], 275) << ran.err;
    EXPECT_EQ(ran.json()["dtype"], dtype);
    EXPECT_EQ(warpfold("verify p.txt q.txt answer.json").out, "valid\n");
  }
  EXPECT_EQ(warpfold("tree p.txt q.txt --json").json()["dtype"], "i32");
  write("other.txt", "5 10 5 5 5 11");
  expect_error(warpfold("verify p.txt other.txt answer.json"), 3, "the tree costs 278");
  expect_error(warpfold("verify p.txt p.txt answer.json"), 3, "not one longer");
  write("chain.txt", "3 4 5");
  ASSERT_EQ(warpfold("chain chain.txt --json >chain.json").exit_code, 0);
  expect_error(warpfold("verify chain.txt chain.txt chain.json"), 2, "3 files: an instance of chain, one file");
}

TEST_F(Tree, VerifyFindsEachCorruption) {
  write("tree.json", R"({"p": [1, 2, 3], "q": [1, 1, 1, 1]})");
  ASSERT_EQ(warpfold("tree tree.json --json >answer.json").exit_code, 0);
  const Json answer = Json::parse(file("answer.json"));
  const auto expect_violation = [&](const char* key, const Json& value, const std::string& violation) {
    Json wrong = answer;
    wrong[key] = value;
    write("wrong.json", wrong.dump());
    expect_error(warpfold("verify tree.json wrong.json"), 3, violation);
  };
  expect_violation("cost", 1, "'cost' is 1");
  expect_violation("parents", {-1, 0}, "2 entries");
  expect_violation("parents", {1, 2, 1}, "'root'");
  expect_violation("parents", {-1, -1, 0}, "same place");
  expect_violation("parents", {2, 0, -1}, "'root'");
}

TEST_F(Tree, RefusesBadInputInOneLine) {
  write("short.json", R"({"p": [1, 2], "q": [1, 2]})");
  write("negative.json", R"({"p": [1, -2], "q": [1, 2, 3]})");
  write("word.json", R"({"p": [1, "x"], "q": [1, 2, 3]})");
  write("cut.json", R"({"p": [1, 2)");
  expect_error(warpfold("tree short.json"), 3, "short.json: the gaps' weights q have 2 entries: 3");
  expect_error(warpfold("tree negative.json"), 3, "p[1] is -2");
  expect_error(warpfold("tree word.json"), 3, "p[1]");
  expect_error(warpfold("tree cut.json"), 3, "cut.json");
  expect_error(warpfold("tree short.json --dtype i16"), 2, "i16");
  write("p.txt", "1 2 nan");
  write("q.txt", "1 2 3 4");
  expect_error(warpfold("tree p.txt q.txt"), 3, "p.txt, q.txt: p[2] is nan");
  expect_error(warpfold("tree q.txt q.txt"), 3, "q.txt, q.txt: the gaps' weights q have 4 entries: 5");
  expect_error(warpfold("tree - -", "echo 1 2 |"), 2, "standard input");
  expect_error(warpfold("tree p.txt q.txt --dtype i64"), 3, "integers");
  write("large.txt", "3000000000");
  write("two.txt", "1 2");
  expect_error(warpfold("tree large.txt two.txt --dtype i32"), 3, "i32 holds integers from");
  EXPECT_EQ(warpfold("tree large.txt two.txt --json").json()["dtype"], "i64");
}

}  // namespace
}  // namespace warpfold::app::test
