#include <fmt/format.h>

#include <algorithm>

#include "papers/papers.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/machine/algorithm.hpp"
#include "warpfold/machine/cost.hpp"

namespace warpfold::papers::umm_2013 {

namespace {

enum class Time { table, line, line_integer };  ///< which of the three expressions of Table I applies

/// A row of Table I.
struct Access {
  const char *loop, *access, *length, *fragmentation;
  Time time;
  const char* remark;
};

const std::vector<Access>& accesses() {
  static const std::vector<Access> all = {
      {"loop A", "M[i,j]", "< n^2", "n - 3", Time::table, "written"},
      {"loop B", "M[i,j]", "n - 1", "n - 2", Time::line, "written; the paper's M[i,i]"},
      {"loop C", "M[i,i+r-1]", "n - r - 1", "n - r - 2", Time::line, "read"},
      {"loop C", "b", "n - r - 1", "0", Time::line_integer, "written"},
      {"loop D", "M[i,j]", "< n^2", "n - r - 2", Time::table, "read and written"},
      {"loop D", "M[i,i+r-1]", "< n^2", "n - r - 2", Time::line_integer, "read"},
      {"loop D", "M[i+r,j]", "< n^2", "n - r - 2", Time::table, "read"},
      {"loop E", "M[i,j]", "< n^2", "n - r - 2", Time::table, "read and written"},
      {"loop E", "M[i,j-r]", "< n^2", "n - r - 2", Time::table, "read"},
      {"loop E", "b", "< n^2", "n - r - 2", Time::table, "read; the paper's m_(j-r+1)"},
      {"loop F", "M[i,j]", "n - r - 1", "n - r - 2", Time::line, "read and written; the paper's M[i,i+r]"},
      {"loop F", "c[i-1,i+r]", "n - r - 1", "n - r - 2", Time::line, "read"},
  };
  return all;
}

const char* text(Time time) {
  if (time == Time::table) return "O(n^2/w + n^2 l/p + l + n)";
  return time == Time::line ? "O(n/w + nl/p + l + n)" : "O(n/w + nl/p + l)";
}

double value(Time time, double n, double p, double w, double l) {
  if (time == Time::table) return n * n / w + n * n * l / p + l + n;
  return n / w + n * l / p + l + (time == Time::line ? n : 0);
}

const machine::SequenceReport& sequence_of(const machine::RunReport& report, const Access& row) {
  for (const auto& phase : report.phases) {
    if (phase.name != row.loop) continue;
    for (const auto& sequence : phase.sequences) {
      if (sequence.name == row.access) return sequence;
    }
  }
  throw Error(ErrorKind::internal, fmt::format("umm-opt has no access to {} in {}", row.access, row.loop));
}

Table table_1(const RunOptions& options) {
  constexpr std::uint32_t n = 128, p = 1024, w = 32, l = 100;
  machine::RunRequest request;
  request.machine = machine::umm(w, l);
  request.threads = p;
  request.n = n;
  request.seed = options.seed;
  const machine::RunResult result = machine::run(machine::find_algorithm("umm-opt"), request);

  Table table{{key("loop"), key("access"), published("length"), counted("longest"), published("fragmentation"),
               counted("most fragmented"), published("time a stage"), counted("stages"), counted("time units"),
               counted("over stages x printed, constants 1"), key("remark")},
              {}};
  for (const Access& row : accesses()) {
    const machine::SequenceReport& measured = sequence_of(result.report, row);
    const double printed = value(row.time, n, p, w, l) * static_cast<double>(measured.sequences);
    table.rows.push_back({row.loop, row.access, row.length, measured.longest, row.fragmentation,
                          measured.most_fragmented, text(row.time), measured.sequences, measured.time_units.count,
                          static_cast<double>(measured.time_units.count) / printed, row.remark});
  }
  const auto total = result.report.total.time_units.count;
  const double printed = double{n} * n * n / w + double{n} * n * n * l / p + double{n} * l + double{n} * n;
  table.rows.push_back({"all", "all", "not printed", "not applicable", "not printed", "not applicable",
                        "O(n^3/w + n^3 l/p + nl + n^2)", n - 1, total, static_cast<double>(total) / printed,
                        "all stages together"});
  table.notes = {
      fmt::format("n = {}, p = {}, w = {}, l = {}, lockstep timing; the paper prints expressions and no numbers", n, p,
                  w, l),
      "length and fragmentation are those of the longest and the most fragmented stage; what is read and written "
      "counts "
      "twice",
      "the printed time of Loop D's M[i,i+r-1] is that of n words, though its length is that of the rows: Theorem 1 "
      "gives "
      "O(n^2/w + n^2 l/p + l + n), as for the other accesses of the loop",
      "Loop C runs in its right form, which copies one element more a stage than is printed "
      "(docs/explanation/errata.md, row 1)",
      fmt::format("the result is {}", result.correct ? "right" : "WRONG")};
  return table;
}

}  // namespace

std::vector<Experiment> experiments() {
  return {{"umm-dynamic-programming-2013/table-1", paper, "Running time of Algorithm UMM-OPT, loop by loop", table_1}};
}

}  // namespace warpfold::papers::umm_2013
