#include "papers/statements.hpp"

#include <gtest/gtest.h>

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
  EXPECT_EQ(table.rows[1][5].number(), 64);  // a stage for every four words, no latency
  EXPECT_EQ(table.rows[1][6].number(), 64);
  EXPECT_EQ(table.rows[1][7].number(), 1);
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

TEST(Statements, NoTwoThreadsOfTheMatrixChainMeet) {
  for (const auto& row : run(find_experiment("pipeline-dp-2018/theorem-1"), {}).rows) {
    EXPECT_EQ(row[4].number(), 1);
    EXPECT_EQ(row[5].number(), 1);
  }
}

TEST(Statements, ColouringsAndSchedulesHaveNoConflict) {
  for (const auto& row : run(find_experiment("memory-machines-2012/theorem-4"), {}).rows) {
    EXPECT_EQ(row[1].value, row[3].value) << "as many colours as the degree";
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
