#include <set>

#include "cli/app/play_figure.hpp"

namespace warpfold::app::test {
namespace {

using Paper = PlayFigure;

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

TEST_F(Paper, GoesThroughAPaperSectionBySection) {
  const std::string listed = warpfold("paper list pipeline-dp-2018").out;
  EXPECT_NE(listed.find("\nIV-C, Lemmas 1 and 2, Theorem 1: "), std::string::npos) << listed;
  EXPECT_NE(listed.find("\n    warpfold paper run pipeline-dp-2018/theorem-1\n"), std::string::npos) << listed;
  const Json paper = warpfold("paper list memory-machines-2012 --json").json();
  EXPECT_EQ(paper["items"][0]["item"], "Fig. 1");
  EXPECT_EQ(paper["items"][0]["commands"], Json::array({"paper example memory-machines-2012/figure-1"}));
  for (const Json& item : paper["items"]) {
    EXPECT_NE(item["commands"].empty(), item["nothing_to_run"] == "") << item;
  }
  expect_error(warpfold("paper list nothing"), 2, "paper 'nothing' is unknown: memory-machines-2012, ");
}

TEST_F(Paper, PrintsAndWritesATableInEveryFormat) {
  const std::string run = "paper run p-fold-pipeline-2023/figure-12 --trials 10 ";
  const Json table = warpfold(run + "--json").json();
  EXPECT_EQ(table["command"], "paper");
  EXPECT_EQ(table["columns"], (Json{"g", "p", "published"}));
  EXPECT_EQ(table["sources"], (Json{"key", "counted", "published"}));
  EXPECT_EQ(table["rows"].size(), 20u);
  EXPECT_NE(warpfold(run).out.find("| g | p | published |"), std::string::npos);
  for (const char* name : {"t.md", "t.csv", "t.json", "t.svg"}) {
    const Ran ran = warpfold(run + "-o " + name);
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_FALSE(file(name).empty()) << name;
  }
  EXPECT_EQ(file("t.csv").substr(0, 12), "g,p,publishe");
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

/// Each part of an example begins with the command that repeats its run. That run must end with the last row of the
/// table that the example draws.
TEST_F(Paper, ExamplesRunAsTheyAreShown) {
  std::size_t tables = 0;
  const Json examples = warpfold("paper example --json").json();
  for (const Json& one : examples["examples"]) {
    const Json example = warpfold("paper example " + one["id"].get<std::string>() + " --json").json();
    for (const Json& part : example["parts"]) {
      const Ran ran = shell(part["run"].get<std::string>() + " --json");
      ASSERT_EQ(ran.exit_code, 0) << part["run"] << ran.err;
      for (const Json& grid : part["grids"]) {
        if (!grid["title"].get<std::string>().starts_with("ST after each step")) continue;
        ++tables;
        std::vector<std::int64_t> values;
        for (const Json& cell : grid["rows"].back()["cells"])
          values.push_back(std::stoll(cell["text"].get<std::string>()));
        EXPECT_EQ(ran.json()["outputs"]["ST"], Json(values)) << part["run"];
      }
    }
  }
  EXPECT_GT(tables, 10u);
}

/// The recorded results are found beside the program from any working folder.
TEST_F(Paper, SaysWhatIsPublishedWhatIsRecordedWhereAndWhatThisMachineMeasures) {
  const std::string out = warpfold("paper run gpu-polygon-triangulation-2013/conversion").out;
  EXPECT_NE(out.find("published (GeForce GTX 680) | recorded (NVIDIA H200, 20"), std::string::npos) << out;
  EXPECT_NE(out.find("| this machine ("), std::string::npos) << out;
  EXPECT_NE(out.find("| 7.80 ms | 416 µs |"), std::string::npos) << out;
}

TEST_F(Paper, TakesTheRecordedResultsOfTheFolderThatIsNamed) {
  std::filesystem::create_directories(path("mine/h200"));
  write("mine/h200/paper_gpu_polygon_2013.json",
        R"({"machine": "Mine", "date": "2026-01-02T03:04:05Z", "commit": "abc", "command": "c",
            "rows": [{"work": "conversion", "n": 8192, "median_seconds": 2.5}]})");
  const std::string run = "paper run gpu-polygon-triangulation-2013/conversion --results ";
  const std::string out = warpfold(run + "mine").out;
  EXPECT_NE(out.find("recorded (Mine, 2026-01-02, commit abc)"), std::string::npos) << out;
  EXPECT_NE(out.find("| 2.5 s |"), std::string::npos) << out;
  expect_error(warpfold(run + "yours"), 3, "yours/h200/paper_gpu_polygon_2013.json");
}

TEST_F(Paper, MeasuresTheCpusRowsHere) {
  const Json table = warpfold("paper run gpu-polygon-triangulation-2013/weights --json").json();
  ASSERT_EQ(table["sources"].back(), "measured");
  for (const Json& row : table["rows"]) EXPECT_GT(row.back().get<double>(), 0) << row;
}

TEST_F(Paper, WritesAPageForEachPaperWithWhatEveryCommandOfItSays) {
  const Ran ran = warpfold("paper run all --trials 10 -o pages/all");
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(ran.out, "");
  for (const char* paper : {"memory-machines-2012", "umm-dynamic-programming-2013", "gpu-polygon-triangulation-2013",
                            "pipeline-dp-2018", "p-fold-pipeline-2023"}) {
    const std::string page = file(std::string("pages/all/") + paper + ".md");
    EXPECT_NE(page.find("| `warpfold "), std::string::npos) << paper;
    EXPECT_TRUE(file(std::string("pages/all/") + paper + ".html").ends_with("</html>\n")) << paper;
    EXPECT_NE(file("pages/all/index.html").find(paper), std::string::npos);
  }
  // The commands of the errata must print what docs/explanation/errata.md shows.
  const std::string page = file("pages/all/umm-dynamic-programming-2013.md");
  EXPECT_NE(page.find("28,291 time units, formula 28,291"), std::string::npos);
  EXPECT_NE(page.find("28,227 time units, formula 28,227"), std::string::npos);
  EXPECT_NE(page.find("the result is WRONG"), std::string::npos);
  // The page contains the result for the given input.
  EXPECT_NE(page.find("M(1,n-1) = 6"), std::string::npos);
  EXPECT_NE(file("pages/all/pipeline-dp-2018.md").find("ST = 1,1,2,3,5,8,13,"), std::string::npos);
  EXPECT_TRUE(exists("pages/all/gpu-polygon-triangulation-2013-table-3.svg"));
  // Its figure shows the command line's numbers at every step.
  if (browser().empty()) return;
  expect_the_command_lines_numbers(file("pages/all/umm-dynamic-programming-2013.html"),
                                   {{13, "umm", 4, 5, 16, 8}, {12, "dmm", 8, 2, 32, 6}});
  expect_the_command_lines_numbers(file("pages/all/p-fold-pipeline-2023.html"),
                                   {{15, "umm", 8, 5, 32, 48}, {17, "dmm", 4, 1, 16, 4}});
}

TEST_F(Paper, WritesNoPageWhereItCannot) {
  write("taken", "a file");
  expect_error(warpfold("paper run all"), 2, "-o DIR is accepted");
  expect_error(warpfold("paper run all -o pages --json"), 2, "--json is given with all");
  expect_error(warpfold("paper run all -o taken"), 3, "taken");
  expect_error(warpfold("paper run all -o pages --results nowhere"), 3, "nowhere");
  EXPECT_TRUE(!exists("pages") || std::filesystem::is_empty(path("pages")));
  EXPECT_EQ(file("taken"), "a file");
}

TEST_F(Paper, NamesWhatItRefuses) {
  expect_error(warpfold("paper example nothing"), 2, "example 'nothing' is unknown: memory-machines-2012/figure-1,");
  expect_error(warpfold("paper example pipeline-dp-2018/figure-3 -o x.pdf"), 2, ".svg");
  expect_error(warpfold("paper example -o x.svg"), 2, "--output is given with the list");
  EXPECT_FALSE(exists("x.svg"));
  expect_error(warpfold("paper run nothing"), 2, "experiment 'nothing' is unknown");
  expect_error(warpfold("paper example p-fold-pipeline-2023/figure-9"), 2,
               "`warpfold paper run p-fold-pipeline-2023/figure-9` has it");
  // A figure that is not drawn: where its content is.
  expect_error(warpfold("paper example gpu-polygon-triangulation-2013/figure-7"), 2,
               "is not drawn: section 3, 'Figs. 6 and 7', is answered by `warpfold machine run contiguous");
  expect_error(warpfold("paper example p-fold-pipeline-2023/figure-6"), 2, "section 4.2");
  expect_error(warpfold("paper run p-fold-pipeline-2023/figure-9 --trials -1"), 2, "--trials is -1");
  expect_error(warpfold("paper run p-fold-pipeline-2023/figure-9 --trials 1 -o t.pdf"), 2, "'.pdf'");
  EXPECT_FALSE(exists("t.pdf"));
  expect_error(warpfold("paper"), 2, "");
}

}  // namespace
}  // namespace warpfold::app::test
