#include "cli/app/run.hpp"

namespace warpfold::app::test {
namespace {

class Knapsack : public CommandLine {};
class SubsetSum : public CommandLine {};

TEST_F(Knapsack, AnswersWithEveryKeyOfTheContract) {
  write("a.txt", "3 10\n3 8\n2 8\n9 1\n");
  const Ran ran = warpfold("knapsack a.txt --json");
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  const Json object = ran.json();
  for (const char* key : {"command", "status", "n", "cost", "dtype", "device", "algorithm", "threads", "seconds",
                          "peak_bytes", "version", "value", "weight", "items", "reason"}) {
    EXPECT_TRUE(object.contains(key)) << key;
  }
  EXPECT_EQ(object["value"], 12);
  EXPECT_EQ(object["weight"], 9);
  EXPECT_EQ(object["items"], (Json{0, 2}));
}

TEST_F(Knapsack, ReadsFilesOfOtherProgramsAndVerifiesWhatItPrinted) {
  write("c.txt", "# n capacity\n3 50\n# value weight\n60 10\n100 20\n120 30\n");
  write("c.csv", "value,weight\n60,10\n100,20\n120,30\n");
  write("c.json", R"({"capacity": 50, "values": [60, 100, 120], "weights": [10, 20, 30]})");
  write("v", "60 100 120");
  write("w", "10\n20\n30\n");
  write("c", "50");
  for (const std::string files : {"c.txt", "c.csv --capacity 50", "c.json", "w v --capacity 50.0", "c w v"}) {
    SCOPED_TRACE(files);
    const Ran ran = warpfold("knapsack " + files + " --json");
    ASSERT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_EQ(ran.json()["value"], 220);
    write("s.json", ran.out);
    EXPECT_EQ(warpfold("verify " + files.substr(0, files.find(" --")) + " s.json --optimal").exit_code, 0);
  }
}

TEST_F(Knapsack, AddsDecimalFractionsExactly) {
  write("d.txt", "3 0.3\n1.5 0.1\n2.25 0.2\n4.75 0.4\n");
  const Ran ran = warpfold("knapsack d.txt --json");
  EXPECT_EQ(ran.json()["value"], 3.75);
  EXPECT_EQ(ran.json()["weight"], 0.3) << "in doubles 0.1 + 0.2 does not fit";
  write("s.json", ran.out);
  EXPECT_EQ(warpfold("verify d.txt s.json --optimal").exit_code, 0);
  std::string wrong = ran.out;
  wrong.replace(wrong.find("\"weight\":0.3"), 12, "\"weight\":0.30000000000000004");
  write("s.json", wrong);
  expect_error(warpfold("verify d.txt s.json"), 3, "no number of up to 1 decimal place");
}

TEST_F(SubsetSum, OfNegativeNumbersAndFractionsIsVerified) {
  write("s.txt", "5 0\n-7\n-3\n-2\n5\n8\n");
  write("l.txt", "-0.7 -0.3 -0.2 0.5 0.85");
  for (const std::string files : {"s.txt", "l.txt --target -0.05"}) {
    SCOPED_TRACE(files);
    const Ran ran = warpfold("subset-sum " + files + " --count --json");
    ASSERT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_EQ(ran.json()["reached"], true);
    write("s.json", ran.out);
    EXPECT_EQ(warpfold("verify " + files.substr(0, 5) + " s.json --optimal").exit_code, 0);
  }
}

TEST_F(SubsetSum, OfAKnapsacksWeightsIsVerified) {
  write("k.txt", "3 10\n3 8\n2 8\n9 1\n");
  write("s.json", warpfold("subset-sum k.txt --json").out);
  EXPECT_EQ(warpfold("verify k.txt s.json --optimal").out, "valid, optimal\n");
}

TEST_F(Knapsack, ReadsStandardInput) {
  const Ran ran = warpfold("knapsack - --json --kind unbounded", "printf '1 10\\n3 4\\n' |");
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(ran.json()["value"], 6);
  EXPECT_EQ(ran.json()["copies"], Json{2});
}

TEST_F(Knapsack, GeneratedInstancesOfEveryFormatHaveOneBestValueAndVerify) {
  Json value;
  for (const std::string format : {"standard", "kplib", "jooken", "pisinger", "csv", "json"}) {
    ASSERT_EQ(warpfold("knapsack --generate weakly-correlated --items 80 --seed 5 --format " + format + " -o i.txt")
                  .exit_code,
              0);
    for (const std::string algorithm : {"core", "table", "reference"}) {
      const Ran ran = warpfold("knapsack i.txt -q -a " + algorithm + " -o s.json");
      ASSERT_EQ(ran.exit_code, 0) << ran.err;
      const Json object = Json::parse(file("s.json"));
      EXPECT_EQ(object["algorithm"], algorithm);
      if (value.is_null()) value = object["value"];
      EXPECT_EQ(object["value"], value);
      EXPECT_EQ(warpfold("verify i.txt s.json").out, "valid\n");
    }
  }
}

TEST_F(Knapsack, SolvesAllInstancesOfAFileOrOne) {
  ASSERT_EQ(warpfold("knapsack --generate circle --items 20 --format pisinger -o a.txt").exit_code, 0);
  ASSERT_EQ(warpfold("knapsack --generate circle --items 20 --format pisinger --seed 2 -o b.txt").exit_code, 0);
  write("two.txt", file("a.txt") + file("b.txt"));
  const Ran all = warpfold("knapsack two.txt --json");
  ASSERT_EQ(all.exit_code, 0) << all.err;
  EXPECT_EQ(all.json()["instances"].size(), 2U);
  write("all.json", all.out);
  EXPECT_EQ(warpfold("verify two.txt all.json").exit_code, 0);
  const Ran one = warpfold("knapsack two.txt --instance 1 --json");
  EXPECT_EQ(one.json()["value"], all.json()["instances"][1]["value"]);
  write("one.json", one.out);
  EXPECT_EQ(warpfold("verify two.txt one.json").exit_code, 0);
  expect_error(warpfold("knapsack two.txt --instance 2 --json"), 2, "0 .. 1");
}

TEST_F(Knapsack, AFalseBestValueInAFileIsRefused) {
  write("a.txt", "name\nn 1\nc 5\nz 4\ntime 0.1\n1,3,2,1\n-----\n");
  expect_error(warpfold("knapsack a.txt --json"), 3, "claims z = 4");
}

TEST_F(Knapsack, EveryCapacityGoesToAFile) {
  write("a.txt", "2 6\n3 2\n4 3\n");
  ASSERT_EQ(warpfold("knapsack a.txt --every-capacity -o v.npy -q").exit_code, 0);
  EXPECT_TRUE(file("v.npy").starts_with("\x93NUMPY"));
  EXPECT_EQ(warpfold("knapsack a.txt --every-capacity --json").json()["values"], (Json{0, 0, 3, 4, 4, 7, 7}));
  expect_error(warpfold("knapsack a.txt --every-capacity"), 2, "FILE.npy");
  expect_error(warpfold("knapsack a.txt --every-capacity -o v.json"), 2, ".npy");
}

TEST_F(Knapsack, BadInputIsOneClearLine) {
  write("short.txt", "3 10\n3 8\n");
  expect_error(warpfold("knapsack short.txt --json"), 3, "short.txt:1: 3 items announced, 1 line left");
  write("negative.txt", "1 10\n-3 8\n");
  expect_error(warpfold("knapsack negative.txt --json"), 3, "negative.txt:2: the value is '-3'");
  write("large.txt", "2 10\n4611686018427387904 8\n1 1\n");
  expect_error(warpfold("knapsack large.txt --json"), 3, "no longer fits");
  write("ok.txt", "2 10\n3 8\n1 1\n");
  expect_error(warpfold("knapsack missing.txt"), 3, "missing.txt");
  expect_error(warpfold("knapsack ok.txt -a nonsense"), 2, "nonsense");
  expect_error(warpfold("knapsack ok.txt --dtype f64"), 2, "f64");
  expect_error(warpfold("knapsack ok.txt --kind sometimes"), 2, "sometimes");
  expect_error(warpfold("knapsack ok.txt -a table --max-memory 10"), 5, "limit");
  expect_error(warpfold("knapsack ok.txt -o solution.txt"), 2, ".json");
  EXPECT_FALSE(exists("solution.txt"));
}

TEST_F(Knapsack, EstimatesWithoutSolving) {
  write("a.txt", "2 1000000000\n3 999999999\n4 999999998\n");
  const Ran ran = warpfold("knapsack a.txt -a table --estimate --json");
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_GE(ran.json()["peak_bytes"], 4000000000);
}

TEST_F(Knapsack, VerifyTellsWhatIsWrong) {
  write("a.txt", "3 10\n3 8\n2 8\n9 1\n");
  Json solution = warpfold("knapsack a.txt --json").json();
  const auto verdict = [&](const Json& changed) {
    write("s.json", changed.dump());
    return warpfold("verify a.txt s.json");
  };
  EXPECT_EQ(verdict(solution).exit_code, 0);
  for (const auto& [key, wrong] : std::vector<std::pair<std::string, Json>>{
           {"items", {0, 1}}, {"items", {0, 0}}, {"items", {0, 3}}, {"value", 13}, {"weight", 8}, {"capacity", 11}}) {
    Json changed = solution;
    changed[key] = wrong;
    expect_error(verdict(changed), 3, "s.json: ");
  }
}

TEST_F(Knapsack, VerifySaysThatValuesAloneCannotBeChecked) {
  write("a.txt", "3 10\n3 8\n2 8\n9 1\n");
  for (const std::string option : {"--value-only", "--every-capacity"}) {
    ASSERT_EQ(warpfold("knapsack a.txt --json " + option + " > s.json").exit_code, 0);
    for (const std::string optimal : {"", " --optimal"}) {
      expect_error(warpfold("verify a.txt s.json" + optimal), 3,
                   "s.json: no items are listed: a solution without --value-only and --every-capacity is accepted");
    }
  }
}

TEST_F(Knapsack, GeneratesAsJsonWhereAskedFor) {
  const Ran ran = warpfold("knapsack --generate circle --items 5 --json");
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(ran.json()["status"], "generated");
  EXPECT_EQ(ran.json()["weights"].size(), 5U);
  const Ran filed = warpfold("knapsack --generate circle --items 5 --json -o i.txt");
  EXPECT_EQ(filed.json()["output"], "i.txt");
  EXPECT_EQ(filed.json()["capacity"], warpfold("knapsack i.txt --json").json()["capacity"]);
}

TEST_F(Knapsack, NamesTheTypesThatItAccepts) {
  expect_error(warpfold("knapsack --generate circle --dtype f64"), 2, "i32 or i64 is");
}

TEST_F(SubsetSum, FindsCountsAndVerifies) {
  write("a.txt", "4 10\n1\n2\n7\n9\n");
  for (const std::string algorithm : {"core", "bitset"}) {
    const Ran ran = warpfold("subset-sum a.txt --count --json -a " + algorithm);
    ASSERT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_EQ(ran.json()["value"], 10);
    EXPECT_EQ(ran.json()["count"], 2);
    write("s.json", ran.out);
    EXPECT_EQ(warpfold("verify a.txt s.json").out, "valid\n");
  }
  Json wrong = warpfold("subset-sum a.txt --json").json();
  wrong["items"] = {0, 1};
  write("s.json", wrong.dump());
  expect_error(warpfold("verify a.txt s.json"), 3, "the numbers sum to 3");
}

TEST_F(SubsetSum, BadInputIsOneClearLine) {
  write("short.txt", "4 10\n1\n2\n");
  expect_error(warpfold("subset-sum short.txt"), 3, "short.txt:1: 4 items announced, 2 lines left");
  write("a.txt", "1 10\n1\n");
  expect_error(warpfold("subset-sum a.txt -a table"), 2, "core, bitset");
  expect_error(warpfold("subset-sum a.txt --modulus 7"), 2, "--count");
}

}  // namespace
}  // namespace warpfold::app::test
