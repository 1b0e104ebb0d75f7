#include "papers/registry.hpp"

#include <gtest/gtest.h>

#include <set>

#include "warpfold/core/error.hpp"

namespace warpfold::papers {
namespace {

Experiment returning(const Table& table) {
  return {"paper/figure", "Author, Title", "What it shows", [table](const RunOptions&) { return table; }};
}

std::string failure(const Table& table) {
  try {
    static_cast<void>(run(returning(table), {}));
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::internal);
    return error.what();
  }
  return "none";
}

const Table small_table{{key("n"), in_seconds(measured("time, \"s\"", "Some CPU")), published("")},
                        {{1, 2.5, "not printed"}, {2, 10, 9}},
                        {"a note"},
                        Chart{0, {}, {1, 2}}};

Table with_rows(std::vector<Column> columns, std::vector<std::vector<Cell>> rows) { return {columns, rows}; }

TEST(Registry, FailsAnExperimentWithAnEmptyCell) {
  EXPECT_EQ(failure(small_table), "none");
  EXPECT_EQ(failure(with_rows({key("n"), recorded("time", "G")}, {{1, 2}, {2, nullptr}})),
            "paper/figure: the cell of row 1 and column 'time, recorded (G)' is empty");
  EXPECT_EQ(failure(with_rows({key("n")}, {{""}})), "paper/figure: the cell of row 0 and column 'n' is empty");
  EXPECT_EQ(failure(with_rows({key("n"), key("time")}, {{1}})), "paper/figure: row 0 has 1 cells for 2 columns");
  EXPECT_EQ(failure(with_rows({key("n")}, {})), "paper/figure has no row");
}

TEST(Registry, NamesEveryExperimentOnce) {
  std::set<std::string> ids;
  for (const Experiment& one : experiments()) {
    EXPECT_TRUE(ids.insert(one.id).second) << one.id;
    EXPECT_EQ(&find_experiment(one.id), &one);
  }
  EXPECT_THROW(static_cast<void>(find_experiment("paper/none")), Error);
}

std::string refusal(const std::string& id) {
  try {
    static_cast<void>(find_experiment(id));
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    return error.what();
  }
  return "none";
}

TEST(Registry, HintsAtWhatAnUnknownNameMayMean) {
  EXPECT_EQ(refusal("theorem-6"), "experiment 'theorem-6' is unknown: memory-machines-2012/theorem-6 is accepted");
  EXPECT_EQ(refusal("memory-machines-2012/figure-4"),
            "experiment 'memory-machines-2012/figure-4' is unknown: `warpfold paper example "
            "memory-machines-2012/figure-4` has it");
  EXPECT_NE(refusal("pipeline-dp-2018").find("unknown: pipeline-dp-2018/table-1, pipeline-dp-2018/figure-8, "),
            std::string::npos);
  EXPECT_EQ(refusal("pipeline-dp-2018").find("memory-machines-2012"), std::string::npos);
  EXPECT_NE(refusal("nothing").find("memory-machines-2012/table-1, "), std::string::npos);
}

TEST(Registry, RunsEveryExperimentThatNeedsNoGpu) {
  RunOptions few;
  few.trials = 20;
  for (const char* id :
       {"memory-machines-2012/table-1", "umm-dynamic-programming-2013/table-1", "p-fold-pipeline-2023/figure-9",
        "p-fold-pipeline-2023/figure-10", "p-fold-pipeline-2023/figure-12", "p-fold-pipeline-2023/figure-13",
        "p-fold-pipeline-2023/figure-14", "p-fold-pipeline-2023/memory-machines"}) {
    EXPECT_FALSE(run(find_experiment(id), few).rows.empty()) << id;
  }
}

TEST(PFoldFigures, AgreeWithWhatTheTextPrints) {
  const Table fold = run(find_experiment("p-fold-pipeline-2023/figure-12"), {});
  for (const auto& row : fold.rows) {
    if (row[0].number() != 100) continue;
    EXPECT_NEAR(row[1].number(), 9, 0.5);  // "9-fold", k = 20, offsets above 100
    EXPECT_EQ(row[2].value, 9);
  }
  const Table collisions = run(find_experiment("p-fold-pipeline-2023/figure-10"), {});
  EXPECT_EQ(collisions.rows.back()[1].value, 50);  // "closer to K", if all offsets are chosen
}

TEST(Table1Of2012, StaysWithinThePrintedExpressions) {
  for (const auto& row : run(find_experiment("memory-machines-2012/table-1"), {}).rows) {
    EXPECT_LE(row.back().number(), 1.01) << row[0].value << " on the " << row[1].value;
    EXPECT_GE(row.back().number(), 0.5) << row[0].value << " on the " << row[1].value;
  }
}

TEST(Table1Of2013, StaysWithinThePrintedExpressions) {
  for (const auto& row : run(find_experiment("umm-dynamic-programming-2013/table-1"), {}).rows) {
    EXPECT_LE(row[10].number(), 4) << row[0].value << ", " << row[1].value;
  }
}

TEST(CoalescedReads, TakeAtMostTwoStagesAndStrideReadsOneForEveryThread) {
  for (const auto& row : run(find_experiment("gpu-polygon-triangulation-2013/coalescing"), {}).rows) {
    if (row[3].value == "stride") {
      EXPECT_EQ(row[4].value, 32) << row[0].value << row[1].value;
    } else {
      EXPECT_LE(row[4].number(), 2) << row[0].value << row[1].value;
    }
  }
}

TEST(Writers, QuoteCommasAndQuotesInCsvAndLeaveNumbersPlain) {
  EXPECT_EQ(to_csv(small_table),
            "n,\"time, \"\"s\"\", this machine (Some CPU) [s]\",published\n1,2.5,not printed\n2,10,9\n");
}

TEST(Writers, PutEveryCellAndNoteIntoMarkdown) {
  const std::string page = to_markdown(returning(small_table), small_table, {.seed = 5, .trials = 3});
  EXPECT_NE(page.find("| n | time, \"s\", this machine (Some CPU) | published |\n|---|---|---|\n"
                      "| 1 | 2.5 s | not printed |\n| 2 | 10 s | 9 |\n"),
            std::string::npos)
      << page;
  EXPECT_NE(page.find("* a note\n"), std::string::npos);
  EXPECT_NE(page.find("`warpfold paper run paper/figure --seed 5 --trials 3`"), std::string::npos) << page;
}

TEST(Writers, LetNoBarEndACellOfMarkdown) {
  EXPECT_EQ(markdown_table(with_rows({key("a|b")}, {{"c|d"}})), "| a\\|b |\n|---|\n| c\\|d |\n");
}

TEST(Writers, KeepColumnsSourcesRowsAndSpreadsInJson) {
  Table table = small_table;
  table.rows[1][1].spread = 0.25;
  const auto object = to_json(returning(table), table);
  EXPECT_EQ(object["id"], "paper/figure");
  EXPECT_EQ(object["columns"][2], "published");
  EXPECT_EQ(object["sources"], (nlohmann::ordered_json{"key", "measured", "published"}));
  EXPECT_EQ(object["rows"][1][1], 10);
  EXPECT_EQ(object["spreads"][1][1], 0.25);
}

}  // namespace
}  // namespace warpfold::papers
