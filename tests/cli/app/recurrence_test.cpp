#include "cli/app/run.hpp"

namespace warpfold::app::test {
namespace {

class Recurrence : public CommandLine {};
class Coins : public CommandLine {};

const std::string fibonacci = R"({"op": "sum", "offsets": [2, 1], "initial": [0, 1], "n": 91})";

TEST_F(Recurrence, AnswersWithEveryKeyOfTheContract) {
  const Ran ran = warpfold("recurrence --op sum --offsets 1,2 --initial 0,1 -n 91 --json");
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(ran.err, "");
  const Json object = ran.json();
  for (const char* key : {"command", "status", "n", "cost", "dtype", "device", "algorithm", "threads", "seconds",
                          "peak_bytes", "version", "values"}) {
    EXPECT_TRUE(object.contains(key)) << key;
  }
  EXPECT_EQ(object["values"].size(), 91u);
  EXPECT_EQ(object["cost"], 2880067194370816120);
}

TEST_F(Recurrence, ReadsInstancesAndFilesAndItsAnswersVerify) {
  write("fibonacci.json", fibonacci);
  write("offsets.txt", "3 # the largest\n1\n");
  write("initial.csv", "4,inf,2\n");
  EXPECT_EQ(warpfold("recurrence fibonacci.json --json >answer.json; cat answer.json").exit_code, 0);
  EXPECT_EQ(warpfold("verify fibonacci.json answer.json").out, "valid\n");
  const Ran ran = warpfold("recurrence --offsets offsets.txt --initial initial.csv -n 8 --weights 5,-1 --json");
  EXPECT_EQ(ran.json()["values"], Json::parse("[4, null, 2, 1, 0, -1, -2, -3]")) << ran.err;
  EXPECT_EQ(ran.json()["dtype"], "i32");
}

TEST_F(Recurrence, WritesLongTablesAsNpyAndVerifiesThem) {
  write("long.json", R"({"op": "min", "offsets": [3, 5], "initial": [9, 8, 7, 6, 5], "n": 5000, "weights": [2, 1]})");
  EXPECT_EQ(warpfold("recurrence long.json -o table.npy --json >answer.json").exit_code, 0);
  const Json answer = Json::parse(file("answer.json"));
  EXPECT_FALSE(answer.contains("values"));
  EXPECT_EQ(warpfold("verify long.json answer.json").out, "valid\n");
  EXPECT_TRUE(file("table.npy").starts_with("\x93NUMPY"));
}

TEST_F(Recurrence, SaysWhereAListIsTooLongForJson) {
  const std::string line = "recurrence --offsets 1 --initial 1 --json -n ";
  EXPECT_EQ(warpfold(line + "1001").err,
            "warpfold: note: 1001 values are not listed: --json lists up to 1000, -o FILE.npy holds all\n");
  EXPECT_EQ(warpfold(line + "1000").err, "");
  EXPECT_EQ(warpfold(line + "1001 -o all.npy").err, "");
  EXPECT_NE(warpfold("coins --coins 1 --amount 1001 --all --ways --json").err.find("1002 values are not listed"),
            std::string::npos);
  EXPECT_NE(warpfold("coins --coins 1 --amount 9 --all").err.find("10 values are not listed"), std::string::npos);
  EXPECT_EQ(warpfold("coins --coins 1 --amount 9 --all --json").err, "");
}

TEST_F(Recurrence, VerifyFindsAWrongValue) {
  write("fibonacci.json", fibonacci);
  EXPECT_EQ(warpfold("recurrence fibonacci.json --json >answer.json").exit_code, 0);
  Json answer = Json::parse(file("answer.json"));
  answer["values"][50] = 7;
  write("wrong.json", answer.dump());
  expect_error(warpfold("verify fibonacci.json wrong.json"), 3, "value 50 is 7");
  answer["values"].erase(90);
  write("short.json", answer.dump());
  expect_error(warpfold("verify fibonacci.json short.json"), 3, "90 values");
}

TEST_F(Recurrence, RefusesBadInputInOneLine) {
  const std::string two = "recurrence --offsets 2,1 --initial 1,1 ";
  expect_error(warpfold("recurrence"), 2, "--offsets");
  expect_error(warpfold("recurrence --offsets 2 --initial 7,inf -n 6 --op sum"), 3, "initial value 1 is inf");
  expect_error(warpfold(two + "-n 100 --op sum"), 3, "index 92");
  expect_error(warpfold(two + "-n 5 --op plus"), 2, "op 'plus'");
  expect_error(warpfold(two + "-n -5"), 2, "-n is '-5'");
  expect_error(warpfold(two + "-n 1"), 3, "n is 1");
  expect_error(warpfold(two + "-n 9 --op xor --dtype f64"), 3, "integers");
  expect_error(warpfold(two + "-n 9 --dtype i16"), 2, "i16");
  expect_error(warpfold(two + "-n 9 --weights 1"), 3, "1 weight for 2 offsets");
  expect_error(warpfold(two + "-n 9 -o table.csv"), 2, ".npy");
  expect_error(warpfold(two + "-n 9 -a nonsense"), 2, "nonsense");
  expect_error(warpfold(two + "-n 900000000 --max-memory 1M"), 5, "the solve needs");
  expect_error(warpfold("recurrence --offsets 2 --initial 1.5,2 -n 9 --dtype i32"), 3, "initial: entry 0 is 1.5");
  expect_error(warpfold("recurrence --offsets 1,x --initial 1 -n 9"), 3,
               "--offsets: 'x' is no number: 12, -1.5 or 1e3 is accepted");
  expect_error(warpfold("recurrence --offsets 1,1 --initial 1 -n 9 --op sum"), 3, "offset 1 occurs twice");
  expect_error(warpfold("recurrence missing.json"), 3, "missing.json");
  write("broken.json", "{\"op\": ");
  expect_error(warpfold("recurrence broken.json"), 3, "broken.json:1: this is no JSON");
  write("list.json", "[1]");
  expect_error(warpfold("recurrence list.json"), 3, "no object");
  write("odd.json", R"({"offsets": [1, "x"], "initial": [1], "n": 3})");
  expect_error(warpfold("recurrence odd.json"), 3, "'offsets' has the entry \"x\"");
  write("extra.json", R"({"offsets": [1], "initial": [1], "n": 3, "ofsets": 1})");
  expect_error(warpfold("recurrence extra.json"), 3, "'ofsets' is unknown");
  write("lacking.json", R"({"offsets": [1], "initial": [1]})");
  expect_error(warpfold("recurrence lacking.json"), 3, "'n' is missing");
}

TEST_F(Recurrence, EstimatesWithoutSolving) {
  const Ran ran = warpfold("recurrence --offsets 2,1 --initial 1,1 -n 100000000 --json --estimate");
  EXPECT_EQ(ran.json()["status"], "estimate");
  EXPECT_GE(ran.json()["peak_bytes"], 400000000);
}

TEST_F(Coins, ListsEveryCoinUsedAndItsAnswerVerifies) {
  write("purse.json", R"({"coins": [1, 5, 10, 20, 25], "amount": 42})");
  EXPECT_EQ(warpfold("coins purse.json --ways --json >answer.json").exit_code, 0);
  const Json answer = Json::parse(file("answer.json"));
  EXPECT_EQ(answer["fewest"], 4);
  EXPECT_EQ(answer["cost"], 4);
  EXPECT_EQ(answer["coins"], Json::parse("[20, 20, 1, 1]"));
  EXPECT_EQ(warpfold("verify purse.json answer.json").out, "valid\n");
  Json wrong = answer;
  wrong["ways"] = 1;
  write("wrong.json", wrong.dump());
  expect_error(warpfold("verify purse.json wrong.json"), 3, "ways");
  wrong = answer;
  wrong["used"] = Json::parse("[[25, 1], [5, 3], [1, 2]]");
  wrong["fewest"] = wrong["cost"] = 6;
  wrong["coins"] = Json::parse("[25, 5, 5, 5, 1, 1]");
  write("wrong.json", wrong.dump());
  expect_error(warpfold("verify purse.json wrong.json"), 3, "the fewest coins are 4");
}

TEST_F(Coins, PayFromALimitedStock) {
  const Ran ran = warpfold("coins --coins 1,5,10 --stock 9,1,2 --amount 29 --ways --json");
  EXPECT_EQ(ran.json()["fewest"], 7) << ran.err;
  EXPECT_EQ(ran.json()["used"], Json::parse("[[1, 4], [5, 1], [10, 2]]"));
  EXPECT_EQ(ran.json()["ways"], 2);
  expect_error(warpfold("coins --coins 1,5,10 --stock 9,1,2 --amount 35"), 4, "35");
}

TEST_F(Coins, CountWaysExactlyAndModulo) {
  const std::string coins = "coins --coins 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20 --amount 20000 --ways";
  const Ran exact = warpfold(coins + " --json");
  EXPECT_NE(exact.out.find("\"ways\":1"), std::string::npos);
  write("many.json", R"({"coins": [1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20], "amount": 20000})");
  EXPECT_EQ(warpfold(coins + " --json >answer.json").exit_code, 0);
  EXPECT_EQ(warpfold("verify many.json answer.json").out, "valid\n");
  EXPECT_EQ(warpfold(coins + " --modulus 1000000007 --json >modulo.json").exit_code, 0);
  EXPECT_EQ(warpfold("verify many.json modulo.json").out, "valid\n");
}

TEST_F(Coins, AnswerForAllAmounts) {
  const Ran ran = warpfold("coins --coins 4,6 --amount 10 --all --ways --json");
  EXPECT_EQ(ran.json()["all_fewest"], Json::parse("[0, null, null, null, 1, null, 1, null, 2, null, 2]"));
  EXPECT_EQ(ran.json()["all_ways"], Json::parse("[1, 0, 0, 0, 1, 0, 1, 0, 1, 0, 1]"));
  EXPECT_EQ(warpfold("coins --coins 4,6 --amount 5000 --all -o all.npy -q").exit_code, 0);
  EXPECT_TRUE(file("all.npy").starts_with("\x93NUMPY"));
}

TEST_F(Coins, RefuseBadInputInOneLine) {
  expect_error(warpfold("coins"), 2, "--coins");
  expect_error(warpfold("coins --coins 2,4 --amount 7"), 4, "7");
  expect_error(warpfold("coins --coins 2,0 --amount 7"), 3, "coin 0");
  expect_error(warpfold("coins --coins 2,2 --stock 1,1 --amount 7"), 3, "coin 2 occurs twice");
  expect_error(warpfold("coins --coins 2 --amount -3"), 2, "--amount is '-3'");
  expect_error(warpfold("coins --coins 2 --amount 8 --stock 1,2"), 3, "stock has 2");
  expect_error(warpfold("coins --coins 2 --amount 8 --modulus 7"), 2, "--ways");
  expect_error(warpfold("coins --coins 2,3 --amount 8000000000000 --ways"), 5, "the solve needs");
  expect_error(warpfold("coins --coins 2 --amount 8 --dtype f32"), 2, "f32");
  expect_error(warpfold("coins --coins 2 --amount 8 --device cuda"), 6, "CPU");
  expect_error(warpfold("coins --coins 2 --amount 8 -o coins.txt"), 2, ".json");
}

TEST_F(Recurrence, PaysDecimalFractionsExactlyAndCountsACoinGivenTwiceOnce) {
  const Ran ran = warpfold("coins --coins 0.05,0.10,0.25,0.1 --amount 0.4 --ways --json");
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(ran.json()["coins"], Json::parse("[0.25, 0.1, 0.05]"));
  EXPECT_EQ(ran.json()["ways"], 7);
  write("c.json", R"({"coins": [0.05, 0.10, 0.25, 0.1], "amount": 0.4})");
  write("s.json", ran.out);
  EXPECT_EQ(warpfold("verify c.json s.json").out, "valid\n");
  EXPECT_EQ(warpfold("coins --coins 1,5,5,10 --amount 20 --ways --json").json()["ways"],
            warpfold("coins --coins 1,5,10 --amount 20 --ways --json").json()["ways"]);
}

TEST_F(Recurrence, HasNullWhereThereIsNoValueAndVerifiesIt) {
  write("r.json", R"({"op": "min", "offsets": [2, 3], "weights": [1, 1], "initial": [0, "inf", "inf"], "n": 5})");
  const Ran ran = warpfold("recurrence r.json --json >s.json && cat s.json");
  EXPECT_EQ(ran.json()["values"], Json::parse("[0, null, null, 1, null]"));
  EXPECT_EQ(ran.json()["cost"], nullptr);
  EXPECT_EQ(warpfold("verify r.json s.json").out, "valid\n");
  EXPECT_NE(warpfold("recurrence r.json").out.find("inf"), std::string::npos);
  const Ran largest = warpfold("recurrence --op max --offsets 1,2 --weights 1,1 --initial=-inf,-inf -n 3 --json");
  EXPECT_EQ(largest.json()["values"], Json::parse("[null, null, null]"));
}

TEST_F(Recurrence, NamesTheTypesThatItAccepts) {
  expect_error(warpfold("recurrence --offsets 1 --initial 0 -n 3 --dtype i16"), 2, "i32, i64, u64, f32 or f64 is");
  EXPECT_NE(warpfold("recurrence --help").out.find("u64"), std::string::npos);
  EXPECT_EQ(warpfold("coins --help").out.find("f32"), std::string::npos);
}

}  // namespace
}  // namespace warpfold::app::test
