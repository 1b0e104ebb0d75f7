// How long do matrix chains of 5 and of a million matrices take by default, and a search tree of 20,000 keys on one
// core, and how much memory?
#include <sys/resource.h>

#include <cstdint>

#include "../question.hpp"
#include "timing/dense.hpp"
#include "warpfold/interval/matrix_chain.hpp"
#include "warpfold/interval/search_tree.hpp"

namespace {

using namespace warpfold;
using namespace warpfold::interval;

std::vector<std::int64_t> random_dimensions(std::size_t matrices) {
  auto p = bench::random_values<std::int64_t>(matrices + 1, 1);
  for (std::int64_t& x : p) ++x;
  return p;
}

/// Reversing a chain does not change its cost. A short chain is checked against the dynamic program.
void check_chain(const std::vector<std::int64_t>& p) {
  const MatrixChain chain(p);
  const Wide cost = solve(chain).solution.cost;
  bench::require(solve(MatrixChain({p.rbegin(), p.rend()})).solution.cost == cost,
                 "the reversed chain has another cost");
  if (p.size() > 1000) return;
  bench::require(solve_by_dp<std::int64_t>(chain).solution.cost == cost, "the dynamic program has another cost");
}

/// Times `calls` solves together, if one is too short for the clock.
void measure_chain(std::size_t matrices, int calls, int repeats) {
  const auto p = random_dimensions(matrices);
  check_chain(p);
  const MatrixChain chain(p);
  std::string algorithm;
  bench::Timing timing = bench::measure(repeats, [&] {
    for (int call = 0; call < calls; ++call) algorithm = solve(chain).report.algorithm;
  });
  timing.median_seconds /= calls;
  bench::keep(bench::row("chain", {{"matrices", matrices}, {"algorithm", algorithm}, {"threads", 1}}, timing,
                         static_cast<double>(matrices), 0));
}

template <class T>
void measure_tree(std::size_t keys, int repeats) {
  const auto whole_p = bench::random_values<std::int64_t>(keys, 1);
  const auto whole_q = bench::random_values<std::int64_t>(keys + 1, 2);
  const SearchTree<T> tree({whole_p.begin(), whole_p.end()}, {whole_q.begin(), whole_q.end()});
  const SearchTree<T> mirrored({whole_p.rbegin(), whole_p.rend()}, {whole_q.rbegin(), whole_q.rend()});
  bench::require(solve(tree).solution.cost == solve(mirrored).solution.cost, "the mirrored tree has another cost");
  const bench::Timing timing = bench::measure(repeats, [&] { static_cast<void>(solve(tree)); });
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto n = static_cast<double>(keys);
  bench::keep(bench::row("search tree",
                         {{"keys", keys},
                          {"dtype", dtype_name<T>()},
                          {"threads", 1},
                          {"peak_MB_of_the_process", usage.ru_maxrss * 1024 / 1'000'000}},
                         timing, n * (n + 1) / 2, 0));
}

const bench::Question chains_and_trees_question("chains_and_trees", [](const bench::Arguments&) {
  measure_chain(5, 100'000, 11);
  measure_chain(16, 10'000, 11);
  measure_chain(1000, 100, 11);
  measure_chain(1'000'000, 1, 5);
  measure_tree<std::int64_t>(20'000, 3);
  measure_tree<double>(20'000, 3);
});

}  // namespace
