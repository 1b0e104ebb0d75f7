#include <fmt/format.h>

#include <cmath>

#include "papers/papers.hpp"
#include "warpfold/machine/sdp.hpp"

namespace warpfold::papers::p_fold_2023 {

namespace {

using Offsets = std::vector<std::uint32_t>;

constexpr int stated_trials = 1000;  // the number for Fig. 9; the paper states none for the others

int trials_of(const RunOptions& options) { return options.trials > 0 ? options.trials : stated_trials; }

/// The mean of `count` over random sets of round(r K) offsets from `smallest` .. `largest`.
template <class Count>
double mean(const RunOptions& options, double r, std::uint32_t pool, std::uint32_t smallest, std::uint32_t largest,
            const Count& count) {
  std::mt19937_64 random(options.seed);
  const auto terms = static_cast<std::uint32_t>(std::lround(r * pool));
  double sum = 0;
  for (int trial = 0; trial < trials_of(options); ++trial) {
    sum += count(machine::random_offsets(terms, smallest, largest, random));
  }
  return sum / trials_of(options);
}

std::vector<std::string> notes(const RunOptions& options, std::vector<std::string> own) {
  own.push_back(
      fmt::format("means of {} random sets of offsets, seed {}; the paper states 1000 sets for Fig. 9 and no "
                  "number for the others",
                  trials_of(options), options.seed));
  own.push_back("the paper's curve is a picture: where its text gives no value, 'not printed'");
  return own;
}

const std::string collisions_note =
    "a collision count is the most threads that read one element in one step; 1 where no two do";
const std::string fold_note = "p is the largest that gives right results, min over q of floor(a_q / (k - q))";

Table figure_9(const RunOptions& options) {
  Table table{{key("K")}, {}};
  for (const char* r : {"0.1", "0.2", "0.3", "0.4", "0.5"}) {
    table.columns.push_back(counted(std::string("collisions, r = ") + r));
  }
  table.columns.push_back(published(""));
  for (const std::uint32_t largest : {10U, 20U, 40U, 80U, 160U, 320U, 640U}) {
    std::vector<Cell> row{largest};
    for (const double r : {0.1, 0.2, 0.3, 0.4, 0.5}) {
      row.push_back(
          mean(options, r, largest, 1, largest, [](const Offsets& a) { return machine::read_collisions(a); }));
    }
    row.push_back("not printed");
    table.rows.push_back(row);
  }
  table.notes = notes(options, {collisions_note});
  table.chart = {0, {}, {1, 2, 3, 4, 5, 6}};
  return table;
}

Table figure_10(const RunOptions& options) {
  Table table{{key("r"), counted("collisions"), published("")}, {}};
  for (int tenths = 1; tenths <= 10; ++tenths) {
    const double r = tenths / 10.0;
    const double collisions = mean(options, r, 50, 1, 50, [](const Offsets& a) { return machine::read_collisions(a); });
    table.rows.push_back({r, collisions, tenths == 10 ? "close to K = 50" : "not printed"});
  }
  table.notes = notes(options, {collisions_note});
  table.chart = {0, {}, {1, 2}};
  return table;
}

Table figure_12(const RunOptions& options) {
  Table table{{key("g"), counted("p"), published("")}, {}};
  for (std::uint32_t gap = 10; gap <= 200; gap += 10) {
    const double fold =
        mean(options, 0.2, 100, gap, 100 + gap, [](const Offsets& a) { return machine::largest_fold(a); });
    table.rows.push_back({gap, fold, gap == 100 ? Cell(9) : Cell("not printed")});
  }
  table.notes = notes(options, {fold_note, "the range of g is ours; the text names g = 100 only"});
  table.chart = {0, {}, {1, 2}};
  return table;
}

Table figure_13(const RunOptions& options) {
  Table table{{key("r"), counted("p"), published("")}, {}};
  for (int tenths = 1; tenths <= 10; ++tenths) {
    const double r = tenths / 10.0;
    const double fold = mean(options, r, 100, 20, 120, [](const Offsets& a) { return machine::largest_fold(a); });
    table.rows.push_back({r, fold, "not printed"});
  }
  table.notes = notes(options, {fold_note});
  table.chart = {0, {}, {1, 2}};
  return table;
}

Table figure_14(const RunOptions& options) {
  Table table{{key("g"), counted("collisions"), published("")}, {}};
  std::vector<std::uint32_t> gaps = {1, 5};
  for (std::uint32_t gap = 10; gap <= 200; gap += 10) gaps.push_back(gap);
  for (const std::uint32_t gap : gaps) {
    const double collisions = mean(options, 0.2, 100, gap, 100 + gap, [](const Offsets& a) {
      return machine::read_collisions(a, std::max(machine::largest_fold(a), 1U));
    });
    table.rows.push_back({gap, collisions, "not printed"});
  }
  table.notes = notes(options, {collisions_note, "each set runs with its own largest p, which the text does not say",
                                "the range of g is ours"});
  table.chart = {0, {}, {1, 2}};
  return table;
}

}  // namespace

std::vector<Experiment> experiments() {
  const std::string id = "p-fold-pipeline-2023/";
  return {{id + "figure-9", paper, "Collisions of the pipeline as the offsets' upper limit K grows", figure_9},
          {id + "figure-10", paper, "Collisions of the pipeline as the offsets' density r grows, K = 50", figure_10},
          {id + "figure-12", paper,
           "Largest p of the p-fold pipeline as the offsets' lower limit g grows, K = 100, r = 0.2", figure_12},
          {id + "figure-13", paper, "Largest p of the p-fold pipeline as the offsets' density r grows, K = 100, g = 20",
           figure_13},
          {id + "figure-14", paper,
           "Collisions of the p-fold pipeline as the offsets' lower limit g grows, K = 100, r = 0.2", figure_14}};
}

}  // namespace warpfold::papers::p_fold_2023
