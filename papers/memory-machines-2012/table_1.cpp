#include <algorithm>
#include <numeric>

#include "papers/papers.hpp"
#include "papers/statements.hpp"
#include "warpfold/machine/algorithm.hpp"

namespace warpfold::papers::memory_machines_2012 {

namespace {

using machine::Kind;

struct Entry {
  const char* algorithm;
  Kind kind;
  const char* printed;
  double (*value)(const Sizes&);  ///< the printed expression with all constants 1
};

double greatest_common_divisor(const Sizes& s) {
  return static_cast<double>(std::gcd(static_cast<std::uint64_t>(s.n / s.p), static_cast<std::uint64_t>(s.w)));
}

const std::vector<Entry>& entries() {
  static const std::vector<Entry> all = {
      {"contiguous", Kind::pram, "O(n/p)", [](const Sizes& s) { return s.n / s.p; }},
      {"contiguous", Kind::bpram, "O(n/w)", [](const Sizes& s) { return s.n / s.w; }},
      {"contiguous", Kind::dmm, "O(n/w + nl/p)", [](const Sizes& s) { return s.n / s.w + s.n * s.l / s.p; }},
      {"contiguous", Kind::umm, "O(n/w + nl/p)", [](const Sizes& s) { return s.n / s.w + s.n * s.l / s.p; }},
      {"stride", Kind::pram, "O(n/p)", [](const Sizes& s) { return s.n / s.p; }},
      {"stride", Kind::bpram, "O(n/w)", [](const Sizes& s) { return s.n / s.w; }},
      {"stride", Kind::dmm, "O(n/w G + nl/p), G = gcd(n/p, w)",
       [](const Sizes& s) { return s.n / s.w * greatest_common_divisor(s) + s.n * s.l / s.p; }},
      {"stride", Kind::umm, "O(min(n, n/w n/p) + nl/p)",
       [](const Sizes& s) { return std::min(s.n, s.n / s.w * (s.n / s.p)) + s.n * s.l / s.p; }},
  };
  return all;
}

/// Table I as printed: a row for each access, a column for each machine.
PaperGrid grid_of(const Table& table) {
  PaperGrid grid{{"PRAM", "BPRAM", "DMM", "UMM"}, {}, published("time"), {counted("time units at p = 1024, n/p = 64")}};
  grid.quotient = "the printed expression, with every constant 1, over ours";
  for (const auto& row : table.rows) {
    if (row[2].value != 1024 || row[3].value != 64) continue;
    const std::string name = text(table.columns[0], row[0]);
    if (grid.rows.empty() || grid.rows.back().heading != name) grid.rows.push_back({name, name, {}, {{}}});
    grid.rows.back().printed.push_back(verbatim(row[5].number(), text(table.columns[4], row[4])));
    grid.rows.back().ours[0].push_back(row[6]);
  }
  return grid;
}

Table table_1(const RunOptions& options) {
  Table table{{key("operation"), key("machine"), key("p"), key("n/p"), published("time"),
               counted("printed, constants 1"), counted("time units"), counted("time units over printed")},
              {}};
  constexpr std::uint32_t w = 32, l = 100;
  for (const Entry& cell : entries()) {
    // Few and many threads; a stride that is a multiple of the width, one without a common factor, and a short one.
    for (const auto& [p, stride] : {std::pair{1024u, 64u}, {1024u, 63u}, {8192u, 8u}}) {
      machine::RunRequest request;
      request.machine = {.kind = cell.kind, .width = w, .latency = l};
      request.threads = p;
      request.n = std::uint64_t{p} * stride;
      request.seed = options.seed;
      const auto result = machine::run(machine::find_algorithm(cell.algorithm), request);
      const double printed = cell.value({static_cast<double>(request.n), static_cast<double>(p), w, l});
      const auto measured = result.report.total.time_units.count;
      table.rows.push_back({cell.algorithm, to_string(cell.kind), p, stride, cell.printed, printed, measured,
                            static_cast<double>(measured) / printed});
    }
  }
  table.notes = {"w = 32, l = 100, lockstep timing; the paper prints expressions and no numbers",
                 "`warpfold machine run NAME --machine KIND --width 32 --latency 100 --threads P -n N` repeats a row"};
  table.grid = grid_of(table);
  return table;
}

}  // namespace

std::vector<Experiment> experiments() {
  return {{"memory-machines-2012/table-1", paper, "Time of the contiguous and the stride access", table_1},
          {"memory-machines-2012/gpu-latency", paper, "The latency of a GPU's memories",
           [](const RunOptions& options) { return gpu_latency(options, "not printed", "400-800"); }}};
}

}  // namespace warpfold::papers::memory_machines_2012
