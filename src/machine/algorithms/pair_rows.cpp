#include <algorithm>
#include <array>

#include "machine/algorithms/list.hpp"
#include "machine/algorithms/sequence_pair.hpp"
#include "machine/formulas.hpp"

namespace warpfold::machine {

namespace {

/// A cell without its left neighbor is a term of its row. A cell is the best term at or before it, less what the steps
/// between cost: D(i,j) = max over k <= j of T(k), or j + min over k <= j of T(k) - k. So a row is its terms and their
/// prefix maxima or minima, log2 m rounds between two buffers.
struct Rows {
  const SequencePair* pair;
  Array<Value> a, b, d, diagonal, above;
  std::array<Array<Value>, 2> buffers;

  [[nodiscard]] Value less_steps(Value x, std::uint64_t j) const {
    return pair->is_edit() ? x - static_cast<Value>(j) : x;
  }
  [[nodiscard]] Value with_steps(Value x, std::uint64_t j) const {
    return pair->is_edit() ? x + static_cast<Value>(j) : x;
  }
  [[nodiscard]] Value best(Value x, Value y) const { return pair->is_edit() ? std::min(x, y) : std::max(x, y); }
  /// The term of a cell. Only the first one has a left neighbor, the border.
  [[nodiscard]] Value term(std::uint64_t i, std::uint64_t j, bool equal, Value diagonal_value,
                           Value above_value) const {
    const Value left = j == 0 ? pair->border(i + 1) : above_value;
    return pair->cell(equal, diagonal_value, above_value, left);
  }
};

Program by_rows(Thread thread, Rows of) {
  const std::uint64_t n = of.pair->n(), m = of.pair->m(), p = thread.count;
  for (std::uint64_t i = 0; i < n; ++i) {
    co_await phase("terms");
    for (std::uint64_t j = thread.id; j < m; j += p) {
      const Value of_a = co_await of.a.read(i);
      const Value of_b = co_await of.b.read(j);
      Value diagonal = of.pair->corner(i, j), above = of.pair->border(j + 1);
      if (i > 0 && j > 0) {
        diagonal = co_await of.diagonal.read((i - 1) * m + j - 1);
      } else {
        co_await skip();
      }
      if (i > 0) above = co_await of.above.read((i - 1) * m + j);
      const Value term = of.term(i, j, of_a == of_b, diagonal, above);
      if (m == 1) {
        co_await of.d.write(i, term);
      } else {
        co_await of.buffers[0].write(j, of.less_steps(term, j));
      }
    }
    std::size_t from = 0;
    for (std::uint64_t reach = 1; reach < m; reach *= 2, from = 1 - from) {
      co_await phase("prefixes");
      for (std::uint64_t j = thread.id; j < m; j += p) {
        Value best = co_await of.buffers[from].read(j);
        if (j >= reach) {
          const Value before = co_await of.buffers[from].read(j - reach);
          best = of.best(best, before);
        } else {
          co_await skip();
        }
        if (2 * reach >= m) {
          co_await of.d.write(i * m + j, of.with_steps(best, j));
        } else {
          co_await of.buffers[1 - from].write(j, best);
        }
      }
    }
  }
}

template <PairMeasure measure>
RunResult run_pair_rows(const RunRequest& request) {
  const SequencePair pair = pair_of(request, measure);
  Simulation simulation(request.machine, request.threads, request.options);
  const auto d = simulation.array<Value>("D(i,j)", pair.n() * pair.m());
  const Rows rows{&pair,
                  simulation.array("A[i]", pair.a),
                  simulation.array("B[j]", pair.b),
                  d,
                  simulation.named(d, "D(i-1,j-1)"),
                  simulation.named(d, "D(i-1,j)"),
                  {simulation.array<Value>("T", pair.m()), simulation.array<Value>("T'", pair.m())}};
  simulation.run([&](Thread thread) { return by_rows(thread, rows); });
  RunResult result =
      pair_result(request, simulation, pair, simulation.values(d).back(), simulation.values(d) == pair.table());
  result.formula = formulas::pair_rows(request.machine, request.threads, pair.n(), pair.m());
  result.formula_text = "n rows of 5 accesses, and of 3 in each of log2 m rounds: stages + ceil(m/p) (l - 1) each";
  result.bound = formulas::pair_rows_bound(request.machine, request.threads, pair.n(), pair.m());
  result.bound_text = "(n m/w + n m l/p + n l) log2 m";
  return result;
}

constexpr std::string_view source_of_rows = "the prefix sums of textbooks, with the minimum for the sum";

}  // namespace

Algorithm lcs_rows() {
  return pair_algorithm(
      "lcs-rows",
      "The longest common subsequence of two sequences of n and m symbols, row by row, each by prefix maxima.",
      source_of_rows, run_pair_rows<PairMeasure::lcs>);
}

Algorithm edit_distance_rows() {
  return pair_algorithm("edit-distance-rows",
                        "The edit distance of two sequences of n and m symbols, row by row, each by prefix minima.",
                        source_of_rows, run_pair_rows<PairMeasure::edit>);
}

}  // namespace warpfold::machine
