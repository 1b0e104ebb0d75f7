#include "papers/statements.hpp"

#include <gtest/gtest.h>

#include <set>

#include "warpfold/core/error.hpp"

namespace warpfold::papers {
namespace {

Statement contiguous(Statement::Bound bound, double constant) {
  return {"paper/lemma",
          "Author, Title",
          "Reading in order",
          "n/w",
          [](const Point& point) { return sizes_of(point).n / sizes_of(point).w; },
          bound,
          constant,
          {{"contiguous", machine::dmm(4, 1), 16, 64}, {"contiguous", machine::dmm(4, 1), 16, 256}}};
}

TEST(Statements, PutTheMeasuredTimeOverTheExpression) {
  const Table table = run(experiment_of(contiguous(Statement::Bound::above, 1)), {});
  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_EQ(table.rows[1][4].number(), 64);  // a stage for every four words, no latency
  EXPECT_EQ(table.rows[1][5].number(), 64);
  EXPECT_EQ(table.rows[1][6].number(), 1);
}

TEST(Statements, SayParametersOnlyWhereThereAreAnyAndTheRangeOfEachLabel) {
  EXPECT_EQ(run(experiment_of(contiguous(Statement::Bound::above, 1)), {}).columns.size(), 7u);
  Statement labeled = contiguous(Statement::Bound::above, 1);
  labeled.points[0].label = "m = 1";
  labeled.points[1].label = "m = 2";
  const Table table = run(experiment_of(labeled), {});
  EXPECT_EQ(table.rows[1][7].value, "m = 2");
  EXPECT_EQ(table.notes[1], "m = 1: 1 to 1");
}

TEST(Statements, FailWhereTheirConstantDoesNotHold) {
  EXPECT_THROW(static_cast<void>(run(experiment_of(contiguous(Statement::Bound::above, 0.99)), {})), Error);
  EXPECT_THROW(static_cast<void>(run(experiment_of(contiguous(Statement::Bound::below, 1.01)), {})), Error);
  EXPECT_NO_THROW(static_cast<void>(run(experiment_of(contiguous(Statement::Bound::below, 1)), {})));
}

TEST(Statements, OfThePapersHold) {
  int count = 0;
  for (const Experiment& one : experiments()) {
    if (one.id.find("/lemma-") == std::string::npos && one.id.find("/theorem-") == std::string::npos) continue;
    EXPECT_NO_THROW(static_cast<void>(run(one, {}))) << one.id;
    ++count;
  }
  EXPECT_EQ(count, 11);
}

TEST(Statements, HaveNoRowTwice) {
  for (const char* id :
       {"memory-machines-2012/lemma-2", "memory-machines-2012/lemma-3", "memory-machines-2012/theorem-6",
        "memory-machines-2012/lemma-7", "memory-machines-2012/theorem-8", "umm-dynamic-programming-2013/theorem-1",
        "umm-dynamic-programming-2013/theorem-2", "umm-dynamic-programming-2013/theorem-3"}) {
    std::set<std::string> rows;
    for (const auto& row : run(find_experiment(id), {}).rows) {
      std::string text;
      for (const Cell& cell : row) text += cell.value.dump() + ",";
      EXPECT_TRUE(rows.insert(text).second) << id << ": " << text;
    }
  }
}

TEST(Statements, NoTwoThreadsOfTheMatrixChainMeet) {
  for (const auto& row : run(find_experiment("pipeline-dp-2018/theorem-1"), {}).rows) {
    EXPECT_EQ(row[4].number(), 1);
    EXPECT_EQ(row[5].number(), 1);
    EXPECT_EQ(row[6].number(), 1);
    const bool reads_too_early = row[1].value == "printed" && row[0].number() >= 4;
    EXPECT_EQ(row[8].number() > 0, reads_too_early) << row[0].value;
  }
}

/// docs/explanation/errata.md, row 16.
TEST(Statements, TwoByTwoCuresReadsInTurnAndNothingOnTheMemoryMachines) {
  const Table table = run(find_experiment("pipeline-dp-2018/memory-machines"), {});
  const auto row_of = [&](int offsets, const char* machine) {
    for (const auto& row : table.rows) {
      if (row[0].number() == offsets && row[1].value == machine) return row;
    }
    ADD_FAILURE() << machine;
    return table.rows[0];
  };
  const auto in_turn = row_of(32, "PRAM, in turn at an element"),
             scattered = row_of(512, "PRAM, in turn at an element");
  EXPECT_NEAR(in_turn[2].number() / (3 * 4096), 34.0 / 3, 0.1);  // of three steps, one takes 32 times as long
  EXPECT_LT(in_turn[7].number(), 0.5);
  EXPECT_LT(scattered[2].number(), in_turn[2].number() / 3);
  for (const char* machine : {"DMM(w=32, l=1)", "UMM(w=32, l=1)", "DMM(w=32, l=100)", "UMM(w=32, l=100)"}) {
    EXPECT_GT(row_of(32, machine)[7].number(), 1) << machine;
    EXPECT_LT(row_of(32, machine)[3].number(), row_of(128, machine)[3].number()) << machine << ": fewer stages";
  }
}

TEST(Statements, CountsOfPolygonsAreThePrintedOnes) {
  for (const char* id : {"umm-dynamic-programming-2013/counts", "gpu-polygon-triangulation-2013/counts"}) {
    const Table table = run(find_experiment(id), {});
    for (const auto& row : table.rows) {
      for (const std::size_t printed : {1U, 3U, 5U, 7U}) {
        EXPECT_EQ(row[printed].value, row[printed + 1].value) << row[0].value << ", " << table.columns[printed].name;
      }
      EXPECT_TRUE(row[0].number() != 8 || row[8].number() == 132);
    }
  }
}

TEST(Statements, OnTheHmmLessAndLessIsLeftOfTheCubeOverTheWidth) {
  const Table table = run(find_experiment("umm-dynamic-programming-2013/hmm"), {});
  ASSERT_GE(table.rows.size(), 4u);
  for (std::size_t i = 1; i < table.rows.size(); ++i) {
    EXPECT_LT(table.rows[i][6].number(), 0.75 * table.rows[i - 1][6].number()) << table.rows[i][0].value;
    EXPECT_GT(table.rows[i][4].number(), 0.75 * table.rows[i - 1][4].number()) << table.rows[i][0].value;
  }
}

TEST(Statements, TheWorstPermutationTakesAStageAWord) {
  for (const auto& row : run(find_experiment("memory-machines-2012/permutation-worst-case"), {}).rows) {
    if (row[2].value == "random") continue;
    const double n = row[0].number(), w = 8;
    EXPECT_EQ(row[3].number(), n + 3 * n / w) << row[1].value;
    EXPECT_TRUE(row[5].value != "permute-dmm" || row[6].number() == 4 * n / w);
  }
}

TEST(Statements, ThePipelinesAreRightForAllOffsetsInTheIterationsThatThePaperCounts) {
  for (const auto& row : run(find_experiment("p-fold-pipeline-2023/iterations"), {}).rows) {
    EXPECT_EQ(row[7].number(), 0) << row[1].value;
    EXPECT_EQ(row[5].number() > 0, row[2].number() > 1) << row[1].value << ", p = " << row[2].value;
    EXPECT_GE(row[4].number(), row[3].number() - 1e-9);  // the expression, rounded up
    EXPECT_LT(row[4].number(), row[3].number() + 1);
    EXPECT_LT(row[8].number(), 1.5);
  }
  for (const auto& row : run(find_experiment("p-fold-pipeline-2023/knapsack"), {}).rows) {
    EXPECT_EQ(row[6].value, "yes");
    EXPECT_LT(row[5].number(), 1.5);
  }
}

TEST(Statements, ColoringsAndSchedulesHaveNoConflict) {
  for (const auto& row : run(find_experiment("memory-machines-2012/theorem-4"), {}).rows) {
    EXPECT_EQ(row[1].value, row[3].value) << "as many colors as the degree";
    EXPECT_EQ(row[4].value, "yes");
  }
  for (const auto& row : run(find_experiment("memory-machines-2012/lemma-5"), {}).rows) {
    EXPECT_EQ(row[2].value, row[3].value);
    EXPECT_EQ(row[4].number(), 1);
    EXPECT_EQ(row[5].number(), 1);
    EXPECT_GT(row[6].number(), row[3].number()) << "in order there are conflicts";
  }
}

}  // namespace
}  // namespace warpfold::papers
