// Two sequences by diagonals, in the arrangements of Ito and Nakano, "A GPU Implementation of Dynamic Programming for
// the Optimal Polygon Triangulation" (2013), section 4.
#include <algorithm>

#include "machine/algorithms/list.hpp"
#include "machine/algorithms/sequence_pair.hpp"
#include "machine/formulas.hpp"

namespace warpfold::machine {

namespace {

using formulas::PairArrangement;

/// Table D in its arrangement. The neighbors of a cell have names of their own, so that each is a sequence.
struct Diagonals {
  const SequencePair* pair;
  formulas::PairLayout layout;
  Array<Value> a, b, d, diagonal, above, left, mirror;
};

/// A cell of the diagonal for each thread in turn.
Program by_diagonals(Thread thread, Diagonals of) {
  const std::uint64_t n = of.pair->n(), m = of.pair->m();
  const bool is_mirrored = of.layout.arrangement == PairArrangement::mirroring;
  for (std::uint64_t r = 0; r + 1 < n + m; ++r) {
    co_await phase("diagonals");
    const std::uint64_t first = r < m ? 0 : r + 1 - m, last = std::min(r, n - 1);
    for (std::uint64_t i = first + thread.id; i <= last; i += thread.count) {
      const std::uint64_t j = r - i;
      const Value of_a = co_await of.a.read(i);
      const Value of_b = co_await of.b.read(j);
      Value diagonal = of.pair->corner(i, j), above = of.pair->border(j + 1), left = of.pair->border(i + 1);
      if (i > 0 && j > 0) {
        diagonal = co_await of.diagonal.read(of.layout.place(i - 1, j - 1));
      } else {
        co_await skip();
      }
      if (i > 0) {
        above = co_await of.above.read(of.layout.place(i - 1, j));
      } else {
        co_await skip();
      }
      if (j > 0) {
        left = co_await of.left.read(is_mirrored ? of.layout.mirror_place(i, j - 1) : of.layout.place(i, j - 1));
      } else {
        co_await skip();
      }
      const Value best = of.pair->cell(of_a == of_b, diagonal, above, left);
      co_await of.d.write(of.layout.place(i, j), best);
      if (is_mirrored) co_await of.mirror.write(of.layout.mirror_place(i, j), best);
    }
  }
}

/// The table of an arrangement, row by row.
std::vector<Value> unfolded(const SequencePair& pair, const formulas::PairLayout& layout,
                            const std::vector<Value>& words) {
  std::vector<Value> table;
  for (std::uint64_t i = 0; i < pair.n(); ++i) {
    for (std::uint64_t j = 0; j < pair.m(); ++j) table.push_back(words[layout.place(i, j)]);
  }
  return table;
}

template <PairMeasure measure, PairArrangement arrangement>
RunResult run_pair_diagonals(const RunRequest& request) {
  constexpr bool is_mirrored = arrangement == PairArrangement::mirroring;
  const SequencePair pair = pair_of(request, measure);
  const std::uint64_t padding = request.parameter("padding", 0);
  accept_parameter("padding", padding, padding <= 32768, "0 to 32768 words");
  const formulas::PairLayout layout{arrangement, pair.n(), pair.m(), padding};
  check_data(request, layout.words() + layout.mirror_words());
  Simulation simulation(request.machine, request.threads, request.options);
  const auto d = simulation.array<Value>("D(i,j)", layout.words());
  const auto mirror = simulation.array<Value>("D(j,i)", layout.mirror_words());
  const Diagonals diagonals{&pair,
                            layout,
                            simulation.array("A[i]", pair.a),
                            simulation.array("B[j]", pair.b),
                            d,
                            simulation.named(d, "D(i-1,j-1)"),
                            simulation.named(d, "D(i-1,j)"),
                            simulation.named(is_mirrored ? mirror : d, "D(i,j-1)"),
                            mirror};
  simulation.run([&](Thread thread) { return by_diagonals(thread, diagonals); });
  RunResult result = pair_table_result(request, simulation, pair, unfolded(pair, layout, simulation.values(d)));
  result.formula = formulas::pair_diagonals(request.machine, request.threads, layout);
  result.formula_text = "sum over the diagonals' accesses of stages + ceil(length/p) (l - 1)";
  return result;
}

constexpr std::string_view source_of_arrangements = "the arrangements of GPU polygon 2013, section 4";

template <PairMeasure measure>
Algorithm naive(std::string_view name, std::string_view description) {
  return pair_algorithm(name, description, source_of_arrangements, run_pair_diagonals<measure, PairArrangement::naive>,
                        {{"padding", "words between two rows of the table; default: 0"}});
}

}  // namespace

Algorithm lcs_diagonals() {
  return naive<PairMeasure::lcs>(
      "lcs", "The longest common subsequence of two sequences of n and m symbols by diagonals, D(i,j) at (i, j).");
}

Algorithm lcs_sliding() {
  return pair_algorithm(
      "lcs-sliding",
      "The longest common subsequence of two sequences of n and m symbols by diagonals, D(i,j) at (i + j, i).",
      source_of_arrangements, run_pair_diagonals<PairMeasure::lcs, PairArrangement::sliding>);
}

Algorithm lcs_mirroring() {
  return pair_algorithm("lcs-mirroring",
                        "The longest common subsequence of two sequences of n and m symbols by diagonals, D(i,j) at "
                        "(i, j) and, of a second table, at (j, i).",
                        source_of_arrangements, run_pair_diagonals<PairMeasure::lcs, PairArrangement::mirroring>);
}

Algorithm edit_distance_diagonals() {
  return naive<PairMeasure::edit>(
      "edit-distance", "The edit distance of two sequences of n and m symbols by diagonals, D(i,j) at (i, j).");
}

Algorithm edit_distance_sliding() {
  return pair_algorithm("edit-distance-sliding",
                        "The edit distance of two sequences of n and m symbols by diagonals, D(i,j) at (i + j, i).",
                        source_of_arrangements, run_pair_diagonals<PairMeasure::edit, PairArrangement::sliding>);
}

Algorithm edit_distance_mirroring() {
  return pair_algorithm("edit-distance-mirroring",
                        "The edit distance of two sequences of n and m symbols by diagonals, D(i,j) at (i, j) and, of "
                        "a second table, at (j, i).",
                        source_of_arrangements, run_pair_diagonals<PairMeasure::edit, PairArrangement::mirroring>);
}

}  // namespace warpfold::machine
