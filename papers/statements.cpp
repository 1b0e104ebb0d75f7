#include "papers/statements.hpp"

#include <fmt/format.h>

#include <algorithm>
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

std::string text_of(const std::map<std::string, std::uint64_t>& parameters) {
  std::string text;
  for (const auto& [name, value] : parameters) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, value);
  return text.empty() ? "none" : text;
}

Table table_of(const Statement& statement, const RunOptions& options) {
  Table table{{key("algorithm"), key("machine"), key("p"), key("n"), key("parameters"), counted("time units"),
               counted(statement.expression), counted("time units over it")},
              {}};
  const bool above = statement.bound == Statement::Bound::above;
  double least = 1e300, most = 0;
  for (const Point& point : statement.points) {
    const machine::RunResult result = run_at(point, options.seed);
    const auto measured = result.report.total.time_units.count;
    const double value = statement.value(point), ratio = static_cast<double>(measured) / value;
    least = std::min(least, ratio);
    most = std::max(most, ratio);
    if (!result.correct || (above ? ratio > statement.constant : ratio < statement.constant)) {
      throw Error(ErrorKind::internal, fmt::format("{}: {} on {} with {} threads and n = {} is {} of the expression{}",
                                                   statement.id, point.algorithm, to_string(point.machine),
                                                   point.threads, point.n, ratio, result.correct ? "" : ", and wrong"));
    }
    table.rows.push_back({point.algorithm, to_string(point.machine), point.threads, point.n, text_of(point.parameters),
                          measured, value, ratio});
  }
  table.notes = {fmt::format("measured over the expression, every constant 1: {:.3g} to {:.3g}; {} {} at every row",
                             least, most, above ? "at most" : "at least", statement.constant),
                 "lockstep timing; every result is right"};
  return table;
}

}  // namespace

Experiment experiment_of(Statement statement) {
  const auto kept = std::make_shared<const Statement>(std::move(statement));
  return {kept->id, kept->paper, kept->title, [kept](const RunOptions& options) { return table_of(*kept, options); }};
}

}  // namespace warpfold::papers
