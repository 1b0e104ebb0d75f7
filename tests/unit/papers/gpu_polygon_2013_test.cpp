#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "papers/gpu-polygon-triangulation-2013/as_printed.hpp"
#include "papers/registry.hpp"
#include "papers/results.hpp"
#include "temporary_folder.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold::papers {
namespace {

using gpu_polygon_2013::Form;

TEST(AsPrinted2013, EachFormulaFailsAndItsCorrectionHolds) {
  for (const auto& row : gpu_polygon_2013::table({}).rows) {
    EXPECT_GT(row[2], 0) << row[0];
    EXPECT_EQ(row[3], 0) << row[0];
  }
}

TEST(AsPrinted2013, TheRecurrenceLosesTheShortestChords) {
  constexpr std::size_t n = 4;
  std::vector<std::int64_t> weights(n * n, 0);
  weights[0 * n + 2] = 5;
  weights[1 * n + 3] = 7;
  EXPECT_EQ(gpu_polygon_2013::cost(weights, n, Form::corrected), 5);
  EXPECT_EQ(gpu_polygon_2013::cost(weights, n, Form::printed), 0);
}

TEST(AsPrinted2013, TheSlidingRowLeavesTheArrayOnlyOnTheMainDiagonal) {
  EXPECT_EQ(gpu_polygon_2013::sliding_row(8, 3, 3, Form::printed), 8u);
  EXPECT_EQ(gpu_polygon_2013::sliding_row(8, 3, 4, Form::printed), 7u);
  EXPECT_EQ(gpu_polygon_2013::sliding_row(8, 3, 3, Form::corrected), 0u);
}

class ResultFile : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directory(options_.results / "h200"); }
  void write(const std::string& content) const {
    std::ofstream(options_.results / "h200" / "paper_gpu_polygon_2013.json") << content;
  }

  test::TemporaryFolder folder_;
  RunOptions options_{.results = folder_.path()};
};

TEST_F(ResultFile, FillsTheCellsOfATable) {
  write(R"({"machine": "G", "date": "D", "commit": "C", "command": "X",
            "rows": [{"work": "conversion", "n": 8192, "median_seconds": 0.0005}]})");
  const Table table = run(find_experiment("gpu-polygon-triangulation-2013/conversion"), options_);
  EXPECT_DOUBLE_EQ(table.rows[0][2].get<double>(), 0.5);
  EXPECT_NE(table.notes[1].find("G, D, commit C, by X"), std::string::npos);
}

TEST_F(ResultFile, WithoutTheRowLeavesAnEmptyCellThatFails) {
  write(R"({"machine": "G", "date": "D", "commit": "C", "command": "X", "rows": []})");
  try {
    (void)run(find_experiment("gpu-polygon-triangulation-2013/conversion"), options_);
    FAIL() << "an empty cell passed";
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()),
              "gpu-polygon-triangulation-2013/conversion: the cell of row 0 and column 'here [ms]' is empty");
  }
}

TEST_F(ResultFile, IsRefusedWhenMissingOrDamaged) {
  for (const char* content : {"", "[1, 2", "{}", R"({"machine": "G", "date": "D", "commit": "C", "command": "X"})"}) {
    if (*content) write(content);
    try {
      (void)Results(options_, "h200", "paper_gpu_polygon_2013");
      FAIL() << "accepted: " << content;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input);
      EXPECT_NE(std::string(error.what()).find("paper_gpu_polygon_2013.json"), std::string::npos);
    }
  }
}

// An experiment with an empty cell fails in run().
TEST(CommittedResults, FillEveryCellOfThePapersThatNeedAGpu) {
  RunOptions options;
  options.results = WARPFOLD_RESULTS;
  int count = 0;
  for (const Experiment& one : experiments()) {
    if (!one.id.starts_with("gpu-polygon") && !one.id.starts_with("pipeline-dp") &&
        one.id.find("/gpu-") == std::string::npos) {
      continue;
    }
    EXPECT_NO_THROW((void)run(one, options)) << one.id;
    ++count;
  }
  EXPECT_EQ(count, 12);
}

}  // namespace
}  // namespace warpfold::papers
