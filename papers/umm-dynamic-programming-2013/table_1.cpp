#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "papers/papers.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/machine/algorithm.hpp"
#include "warpfold/machine/cost.hpp"

namespace warpfold::papers::umm_2013 {

namespace {

enum class Time { table, line, line_integer };  ///< which of the three expressions of Table I applies

/// A printed expression, with its value in stage r = 1.
struct Count {
  const char* text;
  double (*at)(double n);
};

constexpr Count below_square{"< n^2", [](double n) { return n * n; }},
    shorter_by_1{"n - 1", [](double n) { return n - 1; }}, shorter_by_2{"n - 2", [](double n) { return n - 2; }},
    shorter_by_3{"n - 3", [](double n) { return n - 3; }}, diagonal{"n - r - 1", [](double n) { return n - 2; }},
    gaps{"n - r - 2", [](double n) { return n - 3; }}, none{"0", [](double) { return 0.0; }};

/// An access of UMM-OPT, with its row of Table I. The paper has the read and the write of an array in one row.
struct Access {
  const char *loop, *access;
  bool writes;
  const char* array;
  Count length, fragmentation;
  Time time;
  const char* remark;
  const char* ours = "none";  ///< our remark
};

const std::vector<Access>& accesses() {
  static const std::vector<Access> all = {
      {"loop A", "M[i,j]", true, "M(i,j)", below_square, shorter_by_3, Time::table, "initialization by +infinity"},
      {"loop B", "M[i,j]", true, "M(i,i)", shorter_by_1, shorter_by_2, Time::line, "initialization by 0"},
      {"loop C", "M[i,i+r-1]", false, "M(i,i+r-1)", diagonal, gaps, Time::line, "reading from diagonal r - 1"},
      {"loop C", "b", true, "b(i)", diagonal, none, Time::line_integer, "writing in a 1-d array"},
      {"loop D", "M[i,j]", false, "M(i,j)", below_square, gaps, Time::table, "reading/writing row i"},
      {"loop D", "M[i,j]", true, "M(i,j)", below_square, gaps, Time::table, "reading/writing row i"},
      {"loop D", "M[i,i+r-1]", false, "M(i,i+r-1)", below_square, gaps, Time::line_integer,
       "reading from diagonal r - 1", "the time is misprinted"},
      {"loop D", "M[i+r,j]", false, "M(i+r,j)", below_square, gaps, Time::table, "reading from row i + r"},
      {"loop E", "M[i,j]", false, "M(i,j)", below_square, gaps, Time::table, "reading/writing row i"},
      {"loop E", "M[i,j]", true, "M(i,j)", below_square, gaps, Time::table, "reading/writing row i"},
      {"loop E", "M[i,j-r]", false, "M(i,j-r)", below_square, gaps, Time::table, "reading from row i"},
      {"loop E", "b", false, "m(j-r+1)", below_square, gaps, Time::table, "reading from a 1-d array",
       "m(j-r+1) is b(j-r+1)"},
      {"loop F", "M[i,j]", false, "M(i,i+r)", diagonal, gaps, Time::line, "reading/writing diagonal r"},
      {"loop F", "M[i,j]", true, "M(i,i+r)", diagonal, gaps, Time::line, "reading/writing diagonal r"},
      {"loop F", "c[i-1,i+r]", false, "c(i-1,i+r)", diagonal, gaps, Time::line, "reading/writing diagonal r - 1 of w",
       "diagonal r + 1 of c, which is only read"},
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

const Access& access_of(std::string_view loop, std::string_view name) {
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

/// The threads and the latency of a run; the width is `w`.
struct Setting {
  std::uint32_t p, l;
};
constexpr std::uint32_t w = 32;
constexpr Setting of_table{1024, 100};

machine::RunResult umm_opt(std::uint64_t n, const Setting& setting, const RunOptions& options) {
  return machine::run(machine::find_algorithm("umm-opt"),
                      {.machine = machine::umm(w, setting.l), .threads = setting.p, .n = n, .seed = options.seed});
}

/// Loop D's read of M[i,i+r-1], whose printed time is that of n words, and of n^2 words as its length says.
Table loop_d(const RunOptions& options) {
  const Access& row = access_of("loop D", "M[i,i+r-1]");
  Table table{{key("p"), key("l"), key("n"), counted("stages"), counted("time units"), published("time a stage"),
               counted("over stages x printed"), key("corrected"), counted("over stages x corrected")},
              {}};
  for (const Setting& setting : {of_table, Setting{256, 20}}) {
    for (const std::uint32_t n : {32u, 64u, 128u, 192u}) {
      const machine::RunResult result = umm_opt(n, setting, options);
      const machine::SequenceReport& measured = sequence_of(result.report, row);
      const auto over = [&](Time time) {
        return static_cast<double>(measured.time_units.count) /
               (static_cast<double>(measured.sequences) * value(time, n, setting.p, w, setting.l));
      };
      table.rows.push_back({setting.p, setting.l, n, measured.sequences, measured.time_units.count, text(row.time),
                            over(row.time), text(Time::table), over(Time::table)});
    }
  }
  table.notes = {fmt::format("w = {}, lockstep timing", w),
                 "over stages x printed: the time units of all stages over stages (n/w + n l/p + l), every constant 1; "
                 "a quotient that grows with n has no bound"};
  return table;
}

/// Table I as printed: a row for each array of a loop. Ours are the longest and the most fragmented stage, and the time
/// units of all stages.
PaperGrid grid_of_table_1(const machine::RunReport& report, double n) {
  PaperGrid grid{{"accessed array", "length", "fragmentation", "running time", "remark"},
                 {},
                 published("Table I"),
                 {counted(fmt::format("n = {}, p = {}, w = {}, l = {}: the longest and the most fragmented stage, and "
                                      "the time units of all stages",
                                      n, of_table.p, w, of_table.l))}};
  grid.quotient =
      "the printed expression, with every constant 1 and r = 1, over ours; a time is multiplied by the number of "
      "stages";
  for (const Access& row : accesses()) {
    const machine::SequenceReport& measured = sequence_of(report, row);
    const std::string heading = fmt::format("{}L{}", measured.sequences > 1 ? "Stage r, " : "", row.loop + 1);
    const auto time = measured.time_units.count;
    if (!grid.rows.empty() && grid.rows.back().heading == heading &&
        grid.rows.back().printed.front().value == row.array) {
      std::vector<Cell>& read = grid.rows.back().ours[0];
      read[3] = read[3].value.get<std::uint64_t>() + time;
      read[4] = "a read and a write";
      continue;
    }
    const double printed = value(row.time, n, of_table.p, w, of_table.l) * static_cast<double>(measured.sequences);
    grid.rows.push_back(
        {heading,
         heading,
         {row.array, verbatim(row.length.at(n), row.length.text),
          verbatim(row.fragmentation.at(n), row.fragmentation.text), verbatim(printed, text(row.time)), row.remark},
         {{row.access, measured.longest, measured.most_fragmented, time,
           std::string_view(row.ours) == "none" ? "" : row.ours}}});
  }
  return grid;
}

Table table_1(const RunOptions& options) {
  constexpr std::uint32_t n = 128, p = of_table.p, l = of_table.l;
  const machine::RunResult result = umm_opt(n, of_table, options);

  Table table{{key("loop"), key("accessed array"), key("access"), published("length"), counted("longest"),
               published("fragmentation"), counted("most fragmented"), published("time a stage"), counted("stages"),
               counted("time units"), counted("over stages x printed, constants 1"), key("remark")},
              {}};
  for (const Access& row : accesses()) {
    const machine::SequenceReport& measured = sequence_of(result.report, row);
    const double printed = value(row.time, n, p, w, l) * static_cast<double>(measured.sequences);
    table.rows.push_back({row.loop, row.access, row.writes ? "write" : "read", row.length.text, measured.longest,
                          row.fragmentation.text, measured.most_fragmented, text(row.time), measured.sequences,
                          measured.time_units.count, static_cast<double>(measured.time_units.count) / printed,
                          row.ours});
  }
  const auto total = result.report.total.time_units.count;
  const double printed = double{n} * n * n / w + double{n} * n * n * l / p + double{n} * l + double{n} * n;
  constexpr const char* printed_total = "O(n^3/w + n^3 l/p + nl + n^2)";
  table.rows.push_back({"all", "all", "all", "not printed", "not applicable", "not printed", "not applicable",
                        printed_total, n - 1, total, static_cast<double>(total) / printed, "all stages together"});
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
  table.grid = grid_of_table_1(result.report, n);
  table.grid->rows.push_back(
      {"all", "All Stages", {"", "", "", verbatim(printed, printed_total), ""}, {{"", "", "", total, ""}}});
  return table;
}

}  // namespace

std::vector<Experiment> experiments() {
  return {{"umm-dynamic-programming-2013/table-1", paper, "Running time of Algorithm UMM-OPT, loop by loop", table_1},
          {"umm-dynamic-programming-2013/loop-d", paper, "Loop D's read of the last diagonal, printed and corrected",
           loop_d}};
}

}  // namespace warpfold::papers::umm_2013
