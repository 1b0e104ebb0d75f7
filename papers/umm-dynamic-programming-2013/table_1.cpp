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
  const char *loop, *access;
  bool writes;
  const char *length, *fragmentation;
  Time time;
  const char* remark;
};

const std::vector<Access>& accesses() {
  static const std::vector<Access> all = {
      {"loop A", "M[i,j]", true, "< n^2", "n - 3", Time::table, "none"},
      {"loop B", "M[i,j]", true, "n - 1", "n - 2", Time::line, "the paper's M[i,i]"},
      {"loop C", "M[i,i+r-1]", false, "n - r - 1", "n - r - 2", Time::line, "none"},
      {"loop C", "b", true, "n - r - 1", "0", Time::line_integer, "none"},
      {"loop D", "M[i,j]", false, "< n^2", "n - r - 2", Time::table, "none"},
      {"loop D", "M[i,j]", true, "< n^2", "n - r - 2", Time::table, "none"},
      {"loop D", "M[i,i+r-1]", false, "< n^2", "n - r - 2", Time::line_integer, "the time is misprinted"},
      {"loop D", "M[i+r,j]", false, "< n^2", "n - r - 2", Time::table, "none"},
      {"loop E", "M[i,j]", false, "< n^2", "n - r - 2", Time::table, "none"},
      {"loop E", "M[i,j]", true, "< n^2", "n - r - 2", Time::table, "none"},
      {"loop E", "M[i,j-r]", false, "< n^2", "n - r - 2", Time::table, "none"},
      {"loop E", "b", false, "< n^2", "n - r - 2", Time::table, "the paper's m_(j-r+1)"},
      {"loop F", "M[i,j]", false, "n - r - 1", "n - r - 2", Time::line, "the paper's M[i,i+r]"},
      {"loop F", "M[i,j]", true, "n - r - 1", "n - r - 2", Time::line, "the paper's M[i,i+r]"},
      {"loop F", "c[i-1,i+r]", false, "n - r - 1", "n - r - 2", Time::line, "none"},
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

const Access& access_of(const std::string& loop, const std::string& name) {
  return *std::ranges::find_if(accesses(), [&](const Access& row) { return row.loop == loop && row.access == name; });
}

const machine::SequenceReport& sequence_of(const machine::RunReport& report, const Access& row) {
  for (const auto& phase : report.phases) {
    if (phase.name != row.loop) continue;
    for (const auto& sequence : phase.sequences) {
      if (sequence.name == row.access && sequence.writes == row.writes) return sequence;
    }
  }
  throw Error(ErrorKind::internal, fmt::format("umm-opt has no access to {} in {}", row.access, row.loop));
}

constexpr std::uint32_t p = 1024, w = 32, l = 100;

machine::RunResult umm_opt(std::uint64_t n, const RunOptions& options) {
  return machine::run(machine::find_algorithm("umm-opt"),
                      {.machine = machine::umm(w, l), .threads = p, .n = n, .seed = options.seed});
}

/// Loop D's read of M[i,i+r-1], whose printed time is that of n words, and of n^2 words as its length says.
Table loop_d(const RunOptions& options) {
  const Access& row = access_of("loop D", "M[i,i+r-1]");
  Table table{{key("n"), counted("stages"), counted("time units"), published("time a stage"),
               counted("over stages x printed"), key("corrected"), counted("over stages x corrected")},
              {}};
  for (const std::uint32_t n : {32u, 64u, 128u, 192u}) {
    const machine::RunResult result = umm_opt(n, options);
    const machine::SequenceReport& measured = sequence_of(result.report, row);
    const auto over = [&](Time time) {
      return static_cast<double>(measured.time_units.count) /
             (static_cast<double>(measured.sequences) * value(time, n, p, w, l));
    };
    table.rows.push_back({n, measured.sequences, measured.time_units.count, text(row.time), over(row.time),
                          text(Time::table), over(Time::table)});
  }
  table.notes = {
      fmt::format("p = {}, w = {}, l = {}, lockstep timing, constants 1; a quotient that grows with n has no "
                  "bound",
                  p, w, l)};
  return table;
}

Table table_1(const RunOptions& options) {
  constexpr std::uint32_t n = 128;
  const machine::RunResult result = umm_opt(n, options);

  Table table{{key("loop"), key("accessed array"), key("access"), published("length"), counted("longest"),
               published("fragmentation"), counted("most fragmented"), published("time a stage"), counted("stages"),
               counted("time units"), counted("over stages x printed, constants 1"), key("remark")},
              {}};
  for (const Access& row : accesses()) {
    const machine::SequenceReport& measured = sequence_of(result.report, row);
    const double printed = value(row.time, n, p, w, l) * static_cast<double>(measured.sequences);
    table.rows.push_back({row.loop, row.access, row.writes ? "write" : "read", row.length, measured.longest,
                          row.fragmentation, measured.most_fragmented, text(row.time), measured.sequences,
                          measured.time_units.count, static_cast<double>(measured.time_units.count) / printed,
                          row.remark});
  }
  const auto total = result.report.total.time_units.count;
  const double printed = double{n} * n * n / w + double{n} * n * n * l / p + double{n} * l + double{n} * n;
  table.rows.push_back({"all", "all", "all", "not printed", "not applicable", "not printed", "not applicable",
                        "O(n^3/w + n^3 l/p + nl + n^2)", n - 1, total, static_cast<double>(total) / printed,
                        "all stages together"});
  table.notes = {
      fmt::format("n = {}, p = {}, w = {}, l = {}, lockstep timing; the paper prints expressions and no numbers", n, p,
                  w, l),
      "length and fragmentation are those of the longest and the most fragmented stage; reads and writes are "
      "sequential "
      "accesses of their own (section II), and the paper gives both of M[i,j] in one row",
      "the printed time of Loop D's M[i,i+r-1] is that of n words, though its length is that of the rows: Theorem 1 "
      "gives O(n^2/w + n^2 l/p + l + n), as for the other accesses of the loop (docs/explanation/errata.md, row 21)",
      "Loop C runs in its right form, which copies one element more a stage than is printed "
      "(docs/explanation/errata.md, row 1)",
      fmt::format("the result is {}", result.correct ? "right" : "WRONG")};
  return table;
}

}  // namespace

std::vector<Experiment> experiments() {
  return {{"umm-dynamic-programming-2013/table-1", paper, "Running time of Algorithm UMM-OPT, loop by loop", table_1},
          {"umm-dynamic-programming-2013/loop-d", paper, "Loop D's read of the last diagonal, printed and corrected",
           loop_d}};
}

}  // namespace warpfold::papers::umm_2013
