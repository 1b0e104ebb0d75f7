#include <set>

#include "cli/app/run.hpp"

namespace warpfold::app::test {
namespace {

using Paper = CommandLine;

TEST_F(Paper, ListsEveryExperimentOnce) {
  const Json listed = warpfold("paper list --json").json();
  std::set<std::string> ids;
  for (const Json& one : listed["experiments"]) EXPECT_TRUE(ids.insert(one["id"]).second) << one["id"];
  for (const char* id :
       {"memory-machines-2012/table-1", "umm-dynamic-programming-2013/table-1", "p-fold-pipeline-2023/figure-9",
        "p-fold-pipeline-2023/figure-10", "p-fold-pipeline-2023/figure-12", "p-fold-pipeline-2023/figure-13",
        "p-fold-pipeline-2023/figure-14"}) {
    EXPECT_TRUE(ids.contains(id)) << id;
  }
  EXPECT_NE(warpfold("paper list").out.find("p-fold-pipeline-2023/figure-9 "), std::string::npos);
}

TEST_F(Paper, PrintsAndWritesATableInEveryFormat) {
  const std::string run = "paper run p-fold-pipeline-2023/figure-12 --trials 10 ";
  const Json table = warpfold(run + "--json").json();
  EXPECT_EQ(table["command"], "paper");
  EXPECT_EQ(table["columns"], (Json{"g", "p", "printed"}));
  EXPECT_EQ(table["rows"].size(), 20u);
  EXPECT_NE(warpfold(run).out.find("| g | p | printed |"), std::string::npos);
  for (const char* name : {"t.md", "t.csv", "t.json", "t.svg"}) {
    const Ran ran = warpfold(run + "-o " + name);
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_FALSE(file(name).empty()) << name;
  }
  EXPECT_EQ(file("t.csv").substr(0, 12), "g,p,printed\n");
  EXPECT_EQ(Json::parse(file("t.json"))["rows"], table["rows"]);
}

TEST_F(Paper, RepeatsItselfForTheSameSeed) {
  const std::string run = "paper run p-fold-pipeline-2023/figure-9 --trials 5 --json --seed ";
  EXPECT_EQ(warpfold(run + "3").out, warpfold(run + "3").out);
  EXPECT_NE(warpfold(run + "3").out, warpfold(run + "4").out);
}

TEST_F(Paper, NamesWhatItRefuses) {
  expect_error(warpfold("paper run nothing"), 2, "experiment 'nothing' is unknown");
  expect_error(warpfold("paper run p-fold-pipeline-2023/figure-9 --trials -1"), 2, "--trials is -1");
  expect_error(warpfold("paper run p-fold-pipeline-2023/figure-9 --trials 1 -o t.pdf"), 2, "'.pdf'");
  EXPECT_FALSE(exists("t.pdf"));
  expect_error(warpfold("paper"), 2, "");
}

}  // namespace
}  // namespace warpfold::app::test
