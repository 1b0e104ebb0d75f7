#include "papers/statements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>

#include "warpfold/core/error.hpp"

namespace warpfold::papers {

namespace {

machine::RunResult run_at(const Point& point, std::uint64_t seed) {
  machine::RunRequest request;
  request.machine = point.machine;
  request.threads = point.threads;
  request.n = point.n;
  request.seed = seed;
  request.parameters = point.parameters;
  return machine::run(machine::find_algorithm(point.algorithm), request);
}

/// The parameters of a point, "fragmentation 63", or its label.
std::string parameters_of(const Point& point) {
  std::string text = point.label;
  for (const auto& [name, value] : point.parameters) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, value);
  }
  return text;
}

/// The minimum and maximum of some ratios.
struct Range {
  double least = std::numeric_limits<double>::infinity(), most = 0;

  void add(double ratio) {
    least = std::min(least, ratio);
    most = std::max(most, ratio);
  }
  [[nodiscard]] std::string text() const { return fmt::format("{:.3g} to {:.3g}", least, most); }
};

std::vector<std::string> notes_of(const Statement& statement, const Range& all,
                                  const std::map<std::string, Range>& by_label) {
  const bool above = statement.bound == Statement::Bound::above;
  std::vector<std::string> notes = {fmt::format("time units over the expression, every constant 1: {}", all.text())};
  for (const auto& [label, range] : by_label) notes.push_back(fmt::format("{}: {}", label, range.text()));
  notes.push_back(fmt::format("a row {} {} fails this run; the threshold is {}", above ? "above" : "below",
                              statement.constant, statement.origin));
  notes.push_back("lockstep timing; every result is right");
  return notes;
}

Table table_of(const Statement& statement, const RunOptions& options) {
  Table table{{key("algorithm"), key("machine"), key("p"), key("n"), counted("time units"),
               counted(statement.expression), counted("time units over the expression")},
              {}};
  const bool above = statement.bound == Statement::Bound::above;
  const bool has_parameters =
      std::ranges::any_of(statement.points, [](const Point& point) { return !parameters_of(point).empty(); });
  if (has_parameters) table.columns.push_back(key("parameters"));
  Range all;
  std::map<std::string, Range> by_label;
  for (const Point& point : statement.points) {
    const machine::RunResult result = run_at(point, options.seed);
    const auto measured = result.report.total.time_units.count;
    const double value = statement.value(point), ratio = static_cast<double>(measured) / value;
    all.add(ratio);
    if (!point.label.empty()) by_label[point.label].add(ratio);
    if (!result.correct || (above ? ratio > statement.constant : ratio < statement.constant)) {
      throw Error(ErrorKind::internal, fmt::format("{}: {} on {} with {} threads and n = {} is {} of the expression{}",
                                                   statement.id, point.algorithm, to_string(point.machine),
                                                   point.threads, point.n, ratio, result.correct ? "" : ", and wrong"));
    }
    table.rows.push_back({point.algorithm, to_string(point.machine), point.threads, point.n, measured, value, ratio});
    if (has_parameters) table.rows.back().push_back(parameters_of(point));
  }
  table.notes = notes_of(statement, all, by_label);
  table.chart = Chart{.x = 5, .by = {0, 1}, .lines = {6}, .constant = statement.constant, .has_lines = false};
  return table;
}

}  // namespace

Experiment experiment_of(Statement statement) {
  const auto kept = std::make_shared<const Statement>(std::move(statement));
  return {kept->id, kept->paper, kept->title, [kept](const RunOptions& options) { return table_of(*kept, options); }};
}

}  // namespace warpfold::papers
