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

const Table small{{"n", "time, \"s\"", "printed"}, {{1, 2.5, "not printed"}, {2, 10, "9"}}, {"a note"}, false};

TEST(Registry, FailsAnExperimentWithAnEmptyCell) {
  EXPECT_EQ(failure(small), "none");
  EXPECT_EQ(failure({{"n", "time"}, {{1, 2}, {2, nullptr}}, {}}),
            "paper/figure: the cell of row 1 and column 'time' is empty");
  EXPECT_EQ(failure({{"n"}, {{""}}, {}}), "paper/figure: the cell of row 0 and column 'n' is empty");
  EXPECT_EQ(failure({{"n", "time"}, {{1}}, {}}), "paper/figure: row 0 has 1 cells for 2 columns");
  EXPECT_EQ(failure({{"n"}, {}, {}}), "paper/figure has no row");
}

TEST(Registry, NamesEveryExperimentOnce) {
  std::set<std::string> ids;
  for (const Experiment& one : experiments()) {
    EXPECT_TRUE(ids.insert(one.id).second) << one.id;
    EXPECT_EQ(&find_experiment(one.id), &one);
  }
  EXPECT_THROW(static_cast<void>(find_experiment("paper/none")), Error);
}

TEST(Registry, RunsEveryExperimentThatNeedsNoGpu) {
  RunOptions few;
  few.trials = 20;
  for (const char* id :
       {"memory-machines-2012/table-1", "umm-dynamic-programming-2013/table-1", "p-fold-pipeline-2023/figure-9",
        "p-fold-pipeline-2023/figure-10", "p-fold-pipeline-2023/figure-12", "p-fold-pipeline-2023/figure-13",
        "p-fold-pipeline-2023/figure-14", "p-fold-pipeline-2023/memory-machines", "pipeline-dp-2018/memory-machines"}) {
    EXPECT_FALSE(run(find_experiment(id), few).rows.empty()) << id;
  }
}

TEST(PFoldFigures, AgreeWithWhatTheTextPrints) {
  const Table fold = run(find_experiment("p-fold-pipeline-2023/figure-12"), {});
  for (const auto& row : fold.rows) {
    if (row[0] != 100) continue;
    EXPECT_NEAR(row[1].get<double>(), 9, 0.5);  // "9-fold", k = 20, offsets above 100
  }
  const Table collisions = run(find_experiment("p-fold-pipeline-2023/figure-10"), {});
  EXPECT_EQ(collisions.rows.back()[1], 50);  // "closer to K", where all offsets are chosen
}

TEST(Table1Of2012, StaysWithinThePrintedExpressions) {
  for (const auto& row : run(find_experiment("memory-machines-2012/table-1"), {}).rows) {
    EXPECT_LE(row.back().get<double>(), 1.01) << row[0] << " on the " << row[1];
    EXPECT_GE(row.back().get<double>(), 0.5) << row[0] << " on the " << row[1];
  }
}

TEST(Table1Of2013, StaysWithinThePrintedExpressions) {
  for (const auto& row : run(find_experiment("umm-dynamic-programming-2013/table-1"), {}).rows) {
    EXPECT_LE(row[9].get<double>(), 4) << row[0] << ", " << row[1];
  }
}

TEST(Writers, QuoteCommasAndQuotesInCsv) {
  EXPECT_EQ(to_csv(small), "n,\"time, \"\"s\"\"\",printed\n1,2.5,not printed\n2,10,9\n");
}

TEST(Writers, PutEveryCellAndNoteIntoMarkdown) {
  const std::string page = to_markdown(returning(small), small);
  EXPECT_NE(page.find("| n | time, \"s\" | printed |\n|---|---|---|\n| 1 | 2.5 | not printed |\n| 2 | 10 | 9 |\n"),
            std::string::npos);
  EXPECT_NE(page.find("* a note\n"), std::string::npos);
}

TEST(Writers, DrawALineForEveryColumnOfNumbers) {
  const std::string picture = to_svg(returning(small), small);
  std::size_t lines = 0;
  for (auto at = picture.find("<polyline"); at != std::string::npos; at = picture.find("<polyline", at + 1)) ++lines;
  EXPECT_EQ(lines, 1u);
  EXPECT_THROW(static_cast<void>(to_svg(returning(small), Table{{"name"}, {{"a"}}, {}})), Error);
}

TEST(Writers, KeepColumnsAndRowsInJson) {
  const auto object = to_json(returning(small), small);
  EXPECT_EQ(object["id"], "paper/figure");
  EXPECT_EQ(object["columns"].size(), 3u);
  EXPECT_EQ(object["rows"][1][1], 10);
}

}  // namespace
}  // namespace warpfold::papers
