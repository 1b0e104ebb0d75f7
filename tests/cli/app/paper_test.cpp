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

TEST_F(Paper, ExamplesAreListedDrawnAndToldInJson) {
  const std::string list = warpfold("paper example").out;
  EXPECT_EQ(list, warpfold("paper example list").out);
  const Json examples = warpfold("paper example --json").json()["examples"];
  EXPECT_GT(examples.size(), 15u);
  for (const Json& one : examples) EXPECT_NE(list.find(one["id"].get<std::string>() + " "), std::string::npos);
  const std::string figure = "paper example p-fold-pipeline-2023/figure-11 ";
  const Ran drawn = warpfold(figure + "-o x.svg");
  EXPECT_EQ(drawn.exit_code, 0);
  EXPECT_EQ(drawn.out, "");
  const Json told = warpfold(figure + "--json").json();
  EXPECT_EQ(told["parts"][0]["grids"][0]["rows"][2]["cells"][10], (Json{{"text", "11*(1!)"}, {"tone", "early"}}));
}

TEST_F(Paper, ThePictureOfAPageIsTheOneThatIsDrawnToday) {
  EXPECT_EQ(warpfold("paper example p-fold-pipeline-2023/figure-11 -o x.svg").exit_code, 0);
  const auto docs = std::filesystem::path(WARPFOLD_EXAMPLES).parent_path() / "docs";
  EXPECT_TRUE(file("x.svg") == read(docs / "images" / "figure-11-of-2023.svg")) << "draw it again";
}

/// Each part of an example begins with the command that repeats its run: the table that it leaves is the last one
/// drawn.
TEST_F(Paper, ExamplesRunAsTheyAreShown) {
  std::size_t tables = 0;
  const Json examples = warpfold("paper example --json").json();
  for (const Json& one : examples["examples"]) {
    const Json example = warpfold("paper example " + one["id"].get<std::string>() + " --json").json();
    for (const Json& part : example["parts"]) {
      const Ran ran = shell(part["run"].get<std::string>() + " --json");
      ASSERT_EQ(ran.exit_code, 0) << part["run"] << ran.err;
      const Json last = part["grids"].back();
      if (!last["title"].get<std::string>().starts_with("ST after each step")) continue;
      ++tables;
      std::vector<std::int64_t> values;
      for (const Json& cell : last["rows"].back()["cells"])
        values.push_back(std::stoll(cell["text"].get<std::string>()));
      EXPECT_EQ(ran.json()["outputs"]["ST"], Json(values)) << part["run"];
    }
  }
  EXPECT_GT(tables, 10u);
}

TEST_F(Paper, NamesWhatItRefuses) {
  expect_error(warpfold("paper example nothing"), 2, "example 'nothing' is unknown: memory-machines-2012/figure-2,");
  expect_error(warpfold("paper example pipeline-dp-2018/figure-3 -o x.pdf"), 2, ".svg");
  expect_error(warpfold("paper example -o x.svg"), 2, "--output is given with the list");
  EXPECT_FALSE(exists("x.svg"));
  expect_error(warpfold("paper run nothing"), 2, "experiment 'nothing' is unknown");
  expect_error(warpfold("paper run p-fold-pipeline-2023/figure-9 --trials -1"), 2, "--trials is -1");
  expect_error(warpfold("paper run p-fold-pipeline-2023/figure-9 --trials 1 -o t.pdf"), 2, "'.pdf'");
  EXPECT_FALSE(exists("t.pdf"));
  expect_error(warpfold("paper"), 2, "");
}

}  // namespace
}  // namespace warpfold::app::test
