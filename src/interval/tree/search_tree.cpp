#include "warpfold/interval/search_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <type_traits>

#include "core/number_types.hpp"
#include "core/quantity.hpp"
#include "interval/tuning.hpp"
#include "warpfold/core/arithmetic.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/interval/split.hpp"
#include "warpfold/run/backend.hpp"

namespace warpfold::interval {

namespace {

template <class T>
void check_weights(const char* name, const std::vector<T>& weights) {
  for (std::size_t t = 0; t < weights.size(); ++t) {
    if (weights[t] >= T{0} && weights[t] <= std::numeric_limits<T>::max()) continue;
    throw Error(ErrorKind::input,
                fmt::format("{}[{}] is {}: finite weights of 0 or more are accepted, since the bounds on "
                            "the roots hold for no others",
                            name, t, weights[t]));
  }
}

/// value(i,j) for 0 <= i <= j <= n, row by row. The search for a root then walks along rows that are in the cache.
template <class T>
class Values {
 public:
  explicit Values(std::size_t n) : n_(n), data_(std::make_unique_for_overwrite<T[]>((n + 1) * (n + 2) / 2)) {}

  /// row(i)[j] is value(i,j), j >= i.
  [[nodiscard]] T* row(std::size_t i) { return data_.get() + offset(i); }
  [[nodiscard]] const T* row(std::size_t i) const { return data_.get() + offset(i); }
  [[nodiscard]] T operator()(std::size_t i, std::size_t j) const { return row(i)[j]; }

  static std::size_t bytes(std::size_t n) { return (n + 1) * (n + 2) / 2 * sizeof(T); }

 private:
  // Rows above i hold n+1, n, .. entries; row i begins with column i.
  [[nodiscard]] std::size_t offset(std::size_t i) const { return i * (n_ + 1) - i * (i + 1) / 2; }

  std::size_t n_;
  std::unique_ptr<T[]> data_;
};

template <class T>
struct BestRoot {
  T value;
  std::size_t root;
};

/// The smallest k in [first, last] that attains the minimum of value(i,k-1) + value(k,j).
template <class T>
BestRoot<T> best_root(const Values<T>& values, std::size_t i, std::size_t j, std::size_t first, std::size_t last) {
  const T* row = values.row(i);
  BestRoot<T> best{row[first - 1] + values(first, j), first};
  for (std::size_t k = first + 1; k <= last; ++k) {
    const T candidate = row[k - 1] + values(k, j);
    if (candidate < best.value) best = {candidate, k};
  }
  return best;
}

template <class T>
class TreeSolver {
 public:
  TreeSolver(const SearchTree<T>& tree, bool bounded, const Options& options)
      : n_(tree.size()),
        bounded_(bounded),
        tree_(tree),
        values_(n_),
        monitor_(options, static_cast<double>(n_) * static_cast<double>(n_) / 2) {}

  void fill();
  [[nodiscard]] TreeSolution<T> structure() const;

 private:
  std::size_t n_;
  bool bounded_;
  const SearchTree<T>& tree_;
  Values<T> values_;
  SolveMonitor monitor_;
};

/// Fills the rows from the last to the first. `roots` holds the roots of row i+1 and, up to column j-1, those of row i:
/// the two bounds of Knuth's range.
template <class T>
void TreeSolver<T>::fill() {
  const std::vector<T>& p = tree_.keys();
  const std::vector<T>& q = tree_.gaps();
  std::vector<std::uint32_t> roots(n_ + 1);
  for (std::size_t i = n_ + 1; i-- > 0;) {
    T* row = values_.row(i);
    row[i] = q[i];
    T weight = q[i];
    for (std::size_t j = i + 1; j <= n_; ++j) {
      weight += p[j - 1] + q[j];
      const std::size_t first = bounded_ && j > i + 1 ? roots[j - 1] : i + 1;
      const std::size_t last = bounded_ && j > i + 1 ? roots[j] : j;
      const BestRoot<T> best = best_root(values_, i, j, first, last);
      row[j] = best.value + weight;
      roots[j] = static_cast<std::uint32_t>(best.root);
    }
    if (!bounded_ || i % 16 == 0) monitor_.check();
    monitor_.advance(static_cast<double>(n_ - i));
  }
}

/// Searches each interval again, from the root down. A tree over keys i+1 .. j-1 is an interval (i,j) of points whose
/// split is its root; 0 and n+1 are no keys.
template <class T>
TreeSolution<T> TreeSolver<T>::structure() const {
  const std::vector<Split> splits = splits_from_root(n_ + 2, [&](std::size_t i, std::size_t j) {
    monitor_.check();
    return best_root(values_, i, j - 1, i + 1, j - 1).root;
  });
  TreeSolution<T> solution;
  solution.cost = values_(0, n_);
  solution.root = splits.front().k - 1;
  solution.parents.resize(n_);
  std::vector<std::size_t> turn(n_ + 2);
  std::size_t turns = 0;
  for (const auto& [i, k, j] : splits) {
    // The parent of an interval's root is the later of the two roots around the interval: the other one is further up.
    const std::uint32_t parent = turn[i] > turn[j] ? i : j;
    solution.parents[k - 1] = turn[parent] > 0 ? std::int64_t{parent} - 1 : -1;
    turn[k] = ++turns;
  }
  return solution;
}

template <class T>
std::size_t bytes_needed(const SearchTree<T>& tree, const Options&) {
  return Values<T>::bytes(tree.size()) + (tree.size() + 1) * sizeof(std::uint32_t);
}

template <class T>
TreeSolution<T> run(const SearchTree<T>& tree, bool bounded, Context& context) {
  using Clock = std::chrono::steady_clock;
  const Budget::Reservation taken = context.budget.reserve(bytes_needed(tree, context.options));
  const auto start = Clock::now();
  TreeSolver<T> solver(tree, bounded, context.options);
  const auto prepared = Clock::now();
  solver.fill();
  const auto solved = Clock::now();
  TreeSolution<T> solution = solver.structure();
  context.report.prepare_seconds = std::chrono::duration<double>(prepared - start).count();
  context.report.solve_seconds = std::chrono::duration<double>(solved - prepared).count();
  context.report.traceback_seconds = std::chrono::duration<double>(Clock::now() - solved).count();
  return solution;
}

double squared(std::size_t n) { return static_cast<double>(n) * static_cast<double>(n); }

template <class T>
double all_candidates(const SearchTree<T>& tree) {
  const auto n = static_cast<double>(tree.size());
  return n * (n + 1) * (n + 2) / 6;
}

template <class T>
using TreeBackend = Backend<SearchTree<T>, SearchTree<T>, TreeSolution<T>>;

template <class T>
const std::vector<TreeBackend<T>>& backends() {
  using Tree = SearchTree<T>;
  static const std::vector<TreeBackend<T>> list = {
      {.info = {"knuth", "cpu", "search tree: a root is sought only between those of the two smaller intervals",
                "1.5 n^2 operations, n^2/2 values"},
       .bytes = bytes_needed<T>,
       .run = [](const Tree& tree, Context& context) { return run(tree, true, context); },
       .operations = [](const Tree& tree) { return 1.5 * squared(tree.size()); },  // bounds leave some 3 roots an entry
       .seconds = [](const TreeBackend<T>&, const Tree& tree,
                     const Options&) { return knuth_seconds * squared(tree.size()) / 2; }},
      {.info = {"dp", "cpu", "search tree: a root is sought among all keys", "n^3/6 operations, n^2/2 values"},
       .cost = [](const Tree&, const Options&) { return 1.0; },
       .bytes = bytes_needed<T>,
       .run = [](const Tree& tree, Context& context) { return run(tree, false, context); },
       .operations = all_candidates<T>,
       .seconds = [](const TreeBackend<T>&, const Tree& tree,
                     const Options&) { return tree_candidate_seconds * all_candidates(tree); }}};
  return list;
}

}  // namespace

template <class T>
SearchTree<T>::SearchTree(std::vector<T> keys, std::vector<T> gaps) : keys_(std::move(keys)), gaps_(std::move(gaps)) {
  if (keys_.empty()) throw Error(ErrorKind::input, "the keys' weights p are empty: 1 key or more is accepted");
  if (gaps_.size() != keys_.size() + 1) {
    throw Error(ErrorKind::input, fmt::format("the gaps' weights q have {}: {}, one more than keys, are accepted",
                                              quantity(gaps_.size(), "entry", "entries"), keys_.size() + 1));
  }
  check_weights("p", keys_);
  check_weights("q", gaps_);
  const double sum =
      std::accumulate(keys_.begin(), keys_.end(), 0.0) + std::accumulate(gaps_.begin(), gaps_.end(), 0.0);
  const double bound = static_cast<double>(std::numeric_limits<T>::max()) / 4 / max_tree_cost(1, keys_.size());
  if (sum < bound) return;
  throw Error(ErrorKind::overflow,
              fmt::format("the weights add up to about {:.4g}: with {} and {}, sums of less than about {:.4g} are "
                          "accepted",
                          sum, quantity(keys_.size(), "key"), dtype_name<T>(), bound));
}

std::vector<AlgorithmInfo> tree_algorithms() { return infos(backends<double>()); }

template <class T>
Outcome<TreeSolution<T>> solve(const SearchTree<T>& tree, const Options& options) {
  return solve_by(std::span(backends<T>()), tree, tree, options);
}

template <class T>
Estimate estimate(const SearchTree<T>& tree, const Options& options) {
  return estimate_by(std::span(backends<T>()), tree, options);
}

#define WARPFOLD_INSTANTIATE(T)                                                  \
  template class SearchTree<T>;                                                  \
  template Outcome<TreeSolution<T>> solve(const SearchTree<T>&, const Options&); \
  template Estimate estimate(const SearchTree<T>&, const Options&);
WARPFOLD_FOR_EACH_TABLE_TYPE(WARPFOLD_INSTANTIATE)
#undef WARPFOLD_INSTANTIATE

}  // namespace warpfold::interval
