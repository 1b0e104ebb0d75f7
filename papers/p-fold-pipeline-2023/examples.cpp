#include <fmt/format.h>
#include <fmt/ranges.h>

#include "papers/papers.hpp"
#include "papers/traced.hpp"

namespace warpfold::papers::p_fold_2023 {

namespace {

using List = std::vector<std::int64_t>;

Drawing pipeline(const List& offsets, std::uint64_t n) {
  const auto terms = static_cast<std::uint32_t>(offsets.size());
  return {step_part(traced("sdp-pipeline", sdp_request(offsets, n, terms)), sdp_table(offsets))};
}

Drawing figure_3() { return pipeline({6, 3, 1}, 13); }

Drawing figure_4() {
  Drawing drawing = pipeline({5, 4, 3, 2, 1}, 11);
  drawing.front().notes.push_back(
      "with consecutive offsets all threads read one element: the paper has them take turns, five times as long; "
      "the DMM and the UMM serve equal addresses at once (warpfold paper run pipeline-dp-2018/memory-machines)");
  return drawing;
}

/// Why steps 3 to 7 cannot be one step: three of them write ST[12].
Drawing figure_5() {
  constexpr std::uint64_t element = 12;
  const List offsets = {10, 8, 5};
  const TracedRun run = traced("sdp-pipeline", sdp_request(offsets, 17, 3));
  std::vector<std::string> writers;
  std::size_t number = 0;
  for (const Step& step : steps_of(run)) {
    ++number;
    for (const Visit& write : step.writes) {
      if (write.element == element) writers.push_back(fmt::format("thread {} in step {}", write.thread, number));
    }
  }
  Part part = step_part(run, sdp_table(offsets));
  part.notes.push_back(
      fmt::format("ST[12] is written by {}: in one step all but one of them would be lost", fmt::join(writers, ", ")));
  return {part};
}

/// A run of an algorithm with parameter `fold`, compared with the right table, which fold 1 gives.
Part folded(const char* algorithm, machine::RunRequest request, std::uint64_t fold, const Table1d& table) {
  request.parameters["fold"] = fold;
  const TracedRun run = traced(algorithm, request);
  request.parameters["fold"] = 1;
  Part part = step_part(run, table, traced(algorithm, request).result.outputs.at("ST"));
  part.notes.push_back(
      fmt::format("p = {}; the largest that is right is {}", fold, run.result.counts.at("largest_fold")));
  return part;
}

/// Figs. 7 and 11: the same offsets with p = 3 and p = 4.
Drawing p_fold(std::uint32_t p) {
  const List offsets = {10, 8, 5};
  Part part = folded("sdp-p-fold", sdp_request(offsets, 22, 3 * p), p, sdp_table(offsets));
  part.notes.push_back("that is the least of a_q / (k - q), rounded down: 10/3, 8/2, 5/1");
  return {part};
}

/// ST in rows and columns, ST[i,j] = ST[i (C + 1) + j], with the optimum of all items and the full capacity, and the
/// two elements that it is computed from.
Grid knapsack_table(const machine::RunRequest& request, std::uint64_t capacity, std::int64_t last_weight) {
  const List table = traced("knapsack-p-fold", request).result.outputs.at("ST");
  const std::size_t columns = capacity + 1, rows = table.size() / columns;
  const auto lighter = static_cast<std::size_t>(last_weight);
  Grid grid{"The table ST[i,j] in rows and columns: the optimum, and the two elements in the row above", {}, {}};
  for (std::size_t j = 0; j < columns; ++j) grid.columns.push_back(fmt::format("j = {}", j));
  for (std::size_t i = 0; i < rows; ++i) {
    grid.rows.push_back({fmt::format("i = {}", i), {}});
    for (std::size_t j = 0; j < columns; ++j) {
      const bool is_operand = i + 2 == rows && (j == capacity || j + lighter == capacity);
      const bool is_optimum = i + 1 == rows && j == capacity;
      grid.rows.back().cells.push_back({std::to_string(table[i * columns + j]), is_optimum   ? Tone::color_1
                                                                                : is_operand ? Tone::color_0
                                                                                             : Tone::none});
    }
  }
  return grid;
}

/// Section 4.3 on items that we chose, C = 4: with the largest p that is right, and with p = C + 1.
Drawing figure_8() {
  constexpr std::uint64_t capacity = 4;
  const Table1d table{[](std::uint64_t element) { return element <= capacity ? 0 : 2; }};
  machine::RunRequest request{.machine = machine::pram(), .threads = 10};
  request.parameters = {{"capacity", capacity}};
  request.lists = {{"weights", {2, 3, 2}}, {"profits", {3, 5, 4}}};
  const Grid in_rows = knapsack_table(request, capacity, 2);
  Drawing drawing;
  for (const std::uint64_t p : {3, 5}) {
    drawing.push_back(folded("knapsack-p-fold", request, p, table));
    drawing.back().notes.push_back("that is (C + 1 + w_min) / 2, rounded down: (4 + 1 + 2) / 2");
  }
  drawing.front().grids.push_back(in_rows);
  return drawing;
}

}  // namespace

std::vector<Example> examples() {
  const std::string id = "p-fold-pipeline-2023/";
  return {{id + "figure-3", paper, "The pipeline, k = 3, a_0 = 6, a_1 = 3, a_2 = 1", "n, the initial values", figure_3},
          {id + "figure-4", paper, "The pipeline's worst case, a_0 = 5 to a_4 = 1", "n, the initial values", figure_4},
          {id + "figure-5", paper, "Steps that cannot be taken together, a_0 = 10, a_1 = 8, a_2 = 5",
           "n, the initial values", figure_5},
          {id + "figure-7", paper, "The 3-fold pipeline, a_0 = 10, a_1 = 8, a_2 = 5", "n, the initial values",
           [] { return p_fold(3); }},
          {id + "figure-8", paper, "The 0-1 knapsack's table, 3 items, C = 4: p = 3, and p = C + 1", "the items, C",
           figure_8},
          {id + "figure-11", paper, "The 4-fold pipeline, which is impossible, a_0 = 10, a_1 = 8, a_2 = 5",
           "n, the initial values", [] { return p_fold(4); }}};
}

}  // namespace warpfold::papers::p_fold_2023
