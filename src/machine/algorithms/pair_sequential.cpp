#include "machine/algorithms/list.hpp"
#include "machine/algorithms/sequence_pair.hpp"
#include "machine/formulas.hpp"

namespace warpfold::machine {

namespace {

/// One thread, which keeps the symbol of its row, and the cells to the left and above it.
Program by_one_thread(Thread thread, const SequencePair* pair, Array<Value> a, Array<Value> b, Array<Value> d) {
  if (thread.id > 0) co_return;
  const std::uint64_t n = pair->n(), m = pair->m();
  for (std::uint64_t i = 0; i < n; ++i) {
    const Value of_a = co_await a.read(i);
    Value diagonal = pair->border(i), left = pair->border(i + 1);
    for (std::uint64_t j = 0; j < m; ++j) {
      const Value of_b = co_await b.read(j);
      Value above = pair->border(j + 1);
      if (i > 0) above = co_await d.read((i - 1) * m + j);
      left = pair->cell(of_a == of_b, diagonal, above, left);
      diagonal = above;
      co_await d.write(i * m + j, left);
    }
  }
}

template <PairMeasure measure>
RunResult run_pair_sequential(const RunRequest& request) {
  const SequencePair pair = pair_of(request, measure);
  Simulation simulation(request.machine, request.threads, request.options);
  const auto a = simulation.array("A[i]", pair.a), b = simulation.array("B[j]", pair.b);
  const auto d = simulation.array<Value>("D", pair.n() * pair.m());
  simulation.run([&](Thread thread) { return by_one_thread(thread, &pair, a, b, d); });
  RunResult result = pair_table_result(request, simulation, pair, simulation.values(d));
  result.formula = formulas::pair_sequential(request.machine, pair.n(), pair.m());
  result.formula_text = "(n + (3 n - 1) m) l";
  return result;
}

constexpr std::string_view source_of_one_thread = "the textbooks' double loop";

}  // namespace

Algorithm lcs_sequential() {
  return pair_algorithm("lcs-sequential",
                        "The longest common subsequence of two sequences of n and m symbols by one thread, row by row.",
                        source_of_one_thread, run_pair_sequential<PairMeasure::lcs>);
}

Algorithm edit_distance_sequential() {
  return pair_algorithm("edit-distance-sequential",
                        "The edit distance of two sequences of n and m symbols by one thread, row by row.",
                        source_of_one_thread, run_pair_sequential<PairMeasure::edit>);
}

}  // namespace warpfold::machine
