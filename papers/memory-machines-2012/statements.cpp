#include "papers/statements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <random>
#include <set>

#include "papers/papers.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/permutation/coloring.hpp"
#include "warpfold/permutation/plan.hpp"

namespace warpfold::papers::memory_machines_2012 {

namespace {

using machine::dmm;
using machine::umm;

constexpr std::uint32_t latencies[] = {1, 10, 100};

double optimal(const Point& point) {
  const Sizes s = sizes_of(point);
  return s.n / s.w + s.n * s.l / s.p;
}

/// Squares with these sides, which the widths divide, with few threads and with one thread per word. (Lemma 3 and what
/// follows from it have at most n/w threads, each with w words of local memory.)
std::vector<Point> of_squares(const char* algorithm, machine::Machine (*of)(std::uint32_t, std::uint32_t),
                              bool local_words) {
  std::vector<Point> points;
  for (const std::uint32_t w : {4u, 32u}) {
    for (const std::uint32_t length : {32u, 64u, 128u}) {
      const std::uint32_t n = length * length;
      for (const std::uint32_t p : std::set<std::uint32_t>{w, local_words ? n / w : n}) {
        for (const std::uint32_t l : latencies) points.push_back({algorithm, of(w, l), p, n});
      }
    }
  }
  return points;
}

std::vector<Point> of_permutations() {
  std::vector<Point> points;
  for (const std::uint32_t w : {4u, 32u}) {
    for (const std::uint32_t n : {1024u, 4096u, 16384u}) {
      for (const std::uint32_t p : {w, n}) {
        for (const std::uint32_t l : latencies) points.push_back({"permute-dmm", dmm(w, l), p, n});
      }
    }
  }
  return points;
}

/// Arrays of w^exponent words.
std::vector<Point> of_powers(const std::vector<std::pair<std::uint32_t, std::uint32_t>>& widths_and_exponents) {
  std::vector<Point> points;
  for (const auto& [w, exponent] : widths_and_exponents) {
    std::uint64_t n = 1;
    for (std::uint32_t i = 0; i < exponent; ++i) n *= w;
    const std::string label = fmt::format("n = w^{}, m = {}", exponent, std::countr_zero(exponent));
    for (const std::uint64_t p : std::set<std::uint64_t>{w, n / w}) {
      for (const std::uint32_t l : latencies) {
        points.push_back({"permute-umm", umm(w, l), static_cast<std::uint32_t>(p), n, {}, label});
      }
    }
  }
  return points;
}

std::vector<std::uint32_t> drawn_permutation(std::uint32_t n, std::mt19937_64& random) {
  std::vector<std::uint32_t> permutation(n);
  std::iota(permutation.begin(), permutation.end(), 0U);
  std::shuffle(permutation.begin(), permutation.end(), random);
  return permutation;
}

/// Colors random regular bipartite multigraphs: the union of `degree` random permutations.
Table colorings(const RunOptions& options) {
  Table table{{key("nodes a side"), key("degree"), key("edges"), counted("colors"),
               counted("no two edges of a color share a node")},
              {}};
  std::mt19937_64 random(options.seed);
  for (const std::uint32_t nodes : {4u, 32u, 1000u}) {
    for (const std::uint32_t degree : {1u, 4u, 31u, 128u}) {
      std::vector<std::uint32_t> left, right;
      for (std::uint32_t d = 0; d < degree; ++d) {
        const std::vector<std::uint32_t> to = drawn_permutation(nodes, random);
        for (std::uint32_t node = 0; node < nodes; ++node) left.push_back(node);
        right.insert(right.end(), to.begin(), to.end());
      }
      const auto color = permutation::color_edges(left, right, nodes, options.seed);
      const std::uint32_t colors = *std::max_element(color.begin(), color.end()) + 1;
      const bool proper = permutation::is_edge_coloring(left, right, nodes, color);
      table.rows.push_back({nodes, degree, left.size(), colors, proper ? "yes" : "NO"});
    }
  }
  table.notes = {"the theorem: as many colors as edges at a node suffice"};
  return table;
}

/// The maximum number of words of a round in one bank, among their sources or destinations.
std::uint32_t max_in_a_bank(const permutation::BankSchedule& schedule, const std::vector<std::uint32_t>* target) {
  std::uint32_t most = 0;
  for (std::size_t round = 0; round < schedule.rounds(); ++round) {
    std::vector<std::uint32_t> in_bank(schedule.width);
    for (std::uint32_t lane = 0; lane < schedule.width; ++lane) {
      const std::uint32_t source = schedule.sources[round * schedule.width + lane];
      if (source == permutation::idle) continue;
      const std::uint32_t address = target ? (*target)[source] : source;
      most = std::max(most, ++in_bank[address % schedule.width]);
    }
  }
  return most;
}

Table schedules(const RunOptions& options) {
  Table table{{key("n"), key("w"), key("n/w"), counted("rounds"), counted("most sources in a bank"),
               counted("most destinations in a bank"), counted("stages of the writes in order")},
              {}};
  std::mt19937_64 random(options.seed);
  for (const std::uint32_t w : {4u, 32u}) {
    for (const std::uint32_t n : {128u, 1024u, 16384u}) {
      const std::vector<std::uint32_t> target = drawn_permutation(n, random);
      const permutation::BankSchedule schedule = permutation::conflict_free_schedule(target, w, options.seed);
      std::vector<std::uint32_t> in_order(n);
      std::iota(in_order.begin(), in_order.end(), 0U);
      table.rows.push_back({n, w, n / w, schedule.rounds(), max_in_a_bank(schedule, nullptr),
                            max_in_a_bank(schedule, &target), permutation::write_stages(target, in_order, w)});
    }
  }
  table.notes = {"random permutations; the lemma: in each round sources and destinations lie in different modules"};
  return table;
}

/// Section V: a permutation that transposes each row of w words. All writes of a warp go to one bank, and to different
/// groups.
Table worst_permutations(const RunOptions& options) {
  Table table{{key("n"), key("machine"), key("permutation"), counted("straightforward, time units"),
               counted("over n/w + n l/p"), key("algorithm without conflicts"), counted("its time units"),
               counted("over n/w + n l/p")},
              {}};
  std::mt19937_64 random(options.seed);
  constexpr std::uint32_t w = 8;
  for (const std::uint32_t n : {w * w, w * w * w * w}) {
    const std::vector<std::uint32_t> drawn = drawn_permutation(n, random);
    std::vector<std::int64_t> transposing;
    for (std::uint32_t i = 0; i < n; ++i) transposing.push_back(i % w * (n / w) + i / w);
    for (const machine::Machine& machine : {dmm(w, 1), umm(w, 1)}) {
      const char* better = machine.kind == machine::Kind::dmm ? "permute-dmm" : "permute-umm";
      for (const auto& [name, list] : {std::pair{"random", std::vector<std::int64_t>(drawn.begin(), drawn.end())},
                                       {"i to (i mod w) n/w + i/w", transposing}}) {
        machine::RunRequest request{.machine = machine, .threads = n / w, .n = n};
        request.lists["permutation"] = list;
        const auto time_of = [&](const char* algorithm) {
          return machine::run(machine::find_algorithm(algorithm), request).report.total.time_units.count;
        };
        const std::uint64_t straight = time_of("permute-straightforward"), scheduled = time_of(better);
        const double least = optimal({better, machine, request.threads, n});
        table.rows.push_back({n, to_string(machine), name, straight, static_cast<double>(straight) / least, better,
                              scheduled, static_cast<double>(scheduled) / least});
      }
    }
  }
  table.notes = {
      "the worst case: n stages for the writes, beside 3 n/w for the other accesses",
      "for n = w^4 permute-umm takes longer than the worst case: its constant there (Theorem 8) is larger than w"};
  return table;
}

}  // namespace

std::vector<Experiment> statements() {
  const std::string id = "memory-machines-2012/";
  const auto statement = [&](const char* name, const char* title, const char* expression, double constant,
                             std::vector<Point> points) {
    return experiment_of(
        {id + name, paper, title, expression, optimal, Statement::Bound::above, constant, std::move(points)});
  };
  return {
      statement("lemma-2", "The diagonal transpose on the DMM", "n/w + n l/p", 4,
                of_squares("transpose-diagonal", dmm, false)),
      statement("lemma-3", "The transpose through local memory on the UMM", "n/w + n l/p", 4,
                of_squares("transpose-rotating", umm, true)),
      {id + "theorem-4", paper, "König: a regular bipartite graph of degree r has a coloring of r colors", colorings},
      {id + "permutation-worst-case", paper, "Permuting in the order of the sources: the worst case",
       worst_permutations},
      {id + "lemma-5", paper, "Rounds of a permutation whose words lie in different banks", schedules},
      statement("theorem-6", "Any permutation on the DMM", "n/w + n l/p", 4, of_permutations()),
      statement("lemma-7", "Any permutation of w^2 words on the UMM", "w + w^2 l/p", 10,
                of_powers({{4, 2}, {8, 2}, {16, 2}, {32, 2}})),
      statement("theorem-8", "Any permutation of n = w^O(1) words on the UMM", "n/w + n l/p", 120,
                of_powers({{4, 2}, {4, 4}, {8, 4}, {2, 8}, {4, 8}}))};
}

}  // namespace warpfold::papers::memory_machines_2012
