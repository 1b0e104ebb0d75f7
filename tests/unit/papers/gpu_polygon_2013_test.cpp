#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "papers/data.hpp"
#include "papers/gpu-polygon-triangulation-2013/as_printed.hpp"
#include "papers/gpu-polygon-triangulation-2013/conventional.hpp"
#include "papers/registry.hpp"
#include "papers/results.hpp"
#include "temporary_folder.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/interval/solve.hpp"

namespace warpfold::papers {
namespace {

using gpu_polygon_2013::Form;

TEST(AsPrinted2013, EachFormulaFailsAndItsCorrectionHolds) {
  for (const auto& row : gpu_polygon_2013::table({}).rows) {
    EXPECT_GT(row[2].number(), 0) << row[0].value;
    EXPECT_EQ(row[3].number(), 0) << row[0].value;
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
  RunOptions options_{.results = folder_.path(), .row_seconds = 0};
};

TEST_F(ResultFile, FillsTheCellsOfATable) {
  write(R"({"machine": "G", "date": "D", "commit": "C", "command": "X",
            "rows": [{"work": "conversion", "n": 8192, "median_seconds": 0.0005, "spread": 0.1}]})");
  const Table table = run(find_experiment("gpu-polygon-triangulation-2013/conversion"), options_);
  EXPECT_EQ(table.rows[0][2].value, 0.0005);
  EXPECT_EQ(table.rows[0][2].spread, 0.1);
  EXPECT_EQ(heading(table.columns[2]), "recorded (G, D, commit C)");
  EXPECT_EQ(table.notes[0], "recorded: G, D, commit C, by X (results/h200/paper_gpu_polygon_2013.json)");
}

TEST_F(ResultFile, WithoutTheRowLeavesAnEmptyCellThatFails) {
  write(R"({"machine": "G", "date": "D", "commit": "C", "command": "X", "rows": []})");
  try {
    (void)run(find_experiment("gpu-polygon-triangulation-2013/conversion"), options_);
    FAIL() << "an empty cell passed";
  } catch (const Error& error) {
    EXPECT_EQ(
        std::string(error.what()),
        "gpu-polygon-triangulation-2013/conversion: the cell of row 0 and column 'recorded (G, D, commit C)' is empty");
  }
}

TEST_F(ResultFile, IsRefusedWhenMissingOrDamaged) {
  for (const char* content : {"", "[1, 2", "{}", R"({"machine": "G", "date": "D", "commit": "C", "command": "X"})",
                              R"({"machine": 1, "date": "D", "commit": "C", "command": "X", "rows": []})"}) {
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

TEST_F(ResultFile, WithATextForATimeIsRefusedByName) {
  write(R"({"machine": "G", "date": "D", "commit": "C", "command": "X",
            "rows": [{"work": "conversion", "n": 8192, "median_seconds": "soon"}]})");
  try {
    (void)run(find_experiment("gpu-polygon-triangulation-2013/conversion"), options_);
    FAIL() << "a text passed for a time";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    EXPECT_NE(std::string(error.what()).find("median_seconds is \"soon\": a number is accepted"), std::string::npos);
  }
}

// An experiment with an empty cell fails in run().
TEST(RecordedResults, FillEveryCellOfEveryExperiment) {
  for (const Experiment& one : experiments()) {
    EXPECT_NO_THROW((void)run(one, {.trials = 5, .results = recorded_results(), .row_seconds = 0})) << one.id;
  }
}

TEST(RecordedResults, AreMissedWithoutFailing) {
  const Table table = run(find_experiment("gpu-polygon-triangulation-2013/table-3"), {.row_seconds = 0});
  for (const auto& row : table.rows) {
    EXPECT_EQ(row[3].value, "not recorded");
    EXPECT_EQ(row[5].value, "not recorded");
    EXPECT_EQ(row[6].value, "not recorded");
  }
}

/// The times for n = 8192: the paper's, the same method's on recent hardware, and this library's.
TEST(Table3Of2013, PutsThisLibraryBesideThePapersMethods) {
  const Table table =
      run(find_experiment("gpu-polygon-triangulation-2013/table-3"), {.results = recorded_results(), .row_seconds = 0});
  ASSERT_EQ(table.rows.size(), 4u * 7);
  const std::size_t largest = table.rows.size() - 4;
  const auto seconds = [&](std::size_t method, std::size_t column) {
    return table.rows[largest + method][column].number();
  };
  EXPECT_EQ(seconds(0, 2), 1939.02);
  EXPECT_EQ(seconds(1, 2), 5.57);
  EXPECT_NEAR(seconds(1, 3), 0.288, 0.001);
  EXPECT_NEAR(seconds(2, 3), 0.0093, 0.0001);
  EXPECT_NEAR(seconds(3, 3), 0.781, 0.001);
  EXPECT_EQ(seconds(1, 8), 348.02);
  EXPECT_DOUBLE_EQ(seconds(2, 9), seconds(0, 3) / seconds(2, 3));
  EXPECT_DOUBLE_EQ(seconds(2, 10), seconds(1, 3) / seconds(2, 3));
}

TEST(Table3Of2013, SaysOfEveryTimeOnWhichMachineItWasTaken) {
  const RunOptions options{.results = recorded_results(), .row_seconds = 0};
  const Experiment& experiment = find_experiment("gpu-polygon-triangulation-2013/table-3");
  const Table table = run(experiment, options);
  EXPECT_EQ(table.rows[0][4].value, "Core i7 870");
  EXPECT_EQ(table.rows[1][4].value, "GeForce GTX 680");
  EXPECT_EQ(table.rows[1][5].value, "NVIDIA H200");
  EXPECT_NE(to_svg(experiment, table).find(">this library, CPU, recorded (2 cores of an AMD EPYC, Zen 5)<"),
            std::string::npos);
}

TEST(Table1Of2013, SaysWhatTheArrangementsGain) {
  const RunOptions options{.results = recorded_results(), .row_seconds = 0};
  const auto notes = [&](const char* id) { return run(find_experiment(id), options).notes; };
  EXPECT_NE(notes("gpu-polygon-triangulation-2013/table-1a")[0].find("113.14 s / 13.92 s = 8.13"), std::string::npos);
  EXPECT_NE(notes("gpu-polygon-triangulation-2013/table-1b")[0].find("28.33 s / 5.94 s = 4.77"), std::string::npos);
}

TEST(Figure9Of2013, PutsDiagonalsIntoRowsAndColumnsIntoRows) {
  const Table table = run(find_experiment("gpu-polygon-triangulation-2013/figure-9"), {});
  EXPECT_EQ(table.rows[1][1 + 2].value, "M(1,2)");
  EXPECT_EQ(table.rows[1][1].value, "free");
  EXPECT_EQ(table.rows[1][1 + 5 + 2].value, "M(1,2)");
  EXPECT_EQ(table.rows[2][1 + 5 + 1].value, "M(1,2)");
}

TEST(Table3Of2013, DividesWronglyTwice) {
  std::vector<std::size_t> wrong;
  for (const auto& row : run(find_experiment("gpu-polygon-triangulation-2013/table-3-speed-ups"), {}).rows) {
    if (row.back().value == "no") wrong.push_back(row[0].value.get<std::size_t>());
  }
  EXPECT_EQ(wrong, (std::vector<std::size_t>{128, 1024}));
}

TEST(ConventionalLoop, FindsTheLeastWeight) {
  constexpr std::size_t n = 40;
  const std::vector<float> weights = gpu_polygon_2013::uniform_weights(n);
  std::vector<float> table(n * n, -7);  // whatever it held
  Options reference;
  reference.algorithm = "reference";
  EXPECT_EQ(gpu_polygon_2013::conventional_loop(weights, n, table),
            interval::solve(interval::Triangulation<float>({weights.data(), n, n, n}), reference).solution.cost);
}

}  // namespace
}  // namespace warpfold::papers
