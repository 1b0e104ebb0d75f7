#include "warpfold/interval/verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/number_types.hpp"
#include "core/quantity.hpp"
#include "warpfold/core/arithmetic.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold::interval {

namespace {

bool is_edge(std::size_t n, const Chord& chord) { return chord.j == chord.i + 1 || (chord.i == 0 && chord.j + 1 == n); }

Violation find_range_violation(std::size_t n, std::span<const Chord> chords) {
  if (chords.size() != n - 3) return fmt::format("{}, n - 3 = {} expected", quantity(chords.size(), "chord"), n - 3);
  for (const Chord& chord : chords) {
    if (chord.i >= chord.j || chord.j >= n) return fmt::format("[{}, {}] is no chord i < j < {}", chord.i, chord.j, n);
    if (is_edge(n, chord)) return fmt::format("[{}, {}] is an edge of the polygon", chord.i, chord.j);
  }
  return std::nullopt;
}

/// Chords that do not cross nest like parentheses.
Violation find_nesting_violation(std::vector<Chord> chords) {
  std::sort(chords.begin(), chords.end(),
            [](const Chord& a, const Chord& b) { return a.i != b.i ? a.i < b.i : a.j > b.j; });
  const auto twin = std::adjacent_find(chords.begin(), chords.end());
  if (twin != chords.end()) return fmt::format("chord [{}, {}] stands there twice", twin->i, twin->j);
  std::vector<Chord> open;
  for (const Chord& chord : chords) {
    while (!open.empty() && open.back().j <= chord.i) open.pop_back();
    if (!open.empty() && open.back().j < chord.j) {
      return fmt::format("chords [{}, {}] and [{}, {}] cross", open.back().i, open.back().j, chord.i, chord.j);
    }
    open.push_back(chord);
  }
  return std::nullopt;
}

Violation find_sides_violation(std::size_t n, std::span<const Chord> chords, std::span<const Triangle> triangles) {
  if (triangles.size() != n - 2) return fmt::format("there are {} triangles, not n - 2 = {}", triangles.size(), n - 2);
  std::map<Chord, int> missing;  // how many triangles with this side are still missing
  for (const Chord& chord : chords) missing[chord] = 2;
  for (std::uint32_t v = 0; v + 1 < n; ++v) missing[{v, v + 1}] = 1;
  missing[{0, static_cast<std::uint32_t>(n - 1)}] = 1;
  for (const auto& [i, k, j] : triangles) {
    if (i >= k || k >= j || j >= n) return fmt::format("[{}, {}, {}] is no triangle i < k < j < {}", i, k, j, n);
    for (const Chord& side : {Chord{i, k}, Chord{k, j}, Chord{i, j}}) {
      const auto found = missing.find(side);
      if (found == missing.end()) {
        return fmt::format("triangle [{}, {}, {}] has side [{}, {}], which is no chord", i, k, j, side.i, side.j);
      }
      if (--found->second < 0) {
        return fmt::format("triangle [{}, {}, {}] is one too many at [{}, {}]", i, k, j, side.i, side.j);
      }
    }
  }
  return std::nullopt;  // n - 2 triangles have as many sides as were to be matched: none is left over
}

}  // namespace

Violation find_structure_violation(std::size_t n, std::span<const Chord> chords, std::span<const Triangle> triangles) {
  if (n < 3) return fmt::format("n is {}: a polygon has 3 vertices or more", n);
  if (const Violation violation = find_range_violation(n, chords)) return violation;
  if (const Violation violation = find_nesting_violation({chords.begin(), chords.end()})) return violation;
  return find_sides_violation(n, chords, triangles);
}

Violation find_cost_violation(std::span<const Chord> chords, const ChordWeights<std::int64_t>& weight,
                              std::int64_t cost) {
  std::int64_t sum = 0;
  for (const Chord& chord : chords) {
    if (__builtin_add_overflow(sum, weight(chord.i, chord.j), &sum)) return "the weights' sum exceeds 64 bits";
  }
  if (sum == cost) return std::nullopt;
  return fmt::format("the weights of the chords add up to {}, the cost is {}", sum, cost);
}

Violation find_cost_violation(std::span<const Chord> chords, const ChordWeights<double>& weight, double cost,
                              double unit) {
  long double sum = 0;
  long double magnitude = 0;
  for (const Chord& chord : chords) {
    sum += weight(chord.i, chord.j);
    magnitude += std::abs(weight(chord.i, chord.j));
  }
  // Each chord's weight is rounded once, and then once in each of the at most 2n sums it becomes a part of.
  const long double slack = 2 * (static_cast<long double>(chords.size()) + 1) * unit * magnitude;
  if (std::abs(sum - cost) <= slack) return std::nullopt;
  return fmt::format("the weights of the chords add up to {}, the cost is {}", static_cast<double>(sum), cost);
}

namespace {

template <class T>
Violation find_forbidden_violation(std::span<const Chord> chords, const ChordWeights<T>& weight) {
  for (const auto& [i, j] : chords) {
    if (weight(i, j) >= infinity<T>) return fmt::format("chord [{}, {}] is forbidden", i, j);
  }
  return std::nullopt;
}

template <class T>
Violation find_total_violation(const Solution<T>& solution, const ChordWeights<T>& weight) {
  if constexpr (std::is_floating_point_v<T>) {
    return find_cost_violation(solution.chords, ChordWeights<double>(weight), solution.cost,
                               std::numeric_limits<T>::epsilon());
  } else {
    return find_cost_violation(solution.chords, ChordWeights<std::int64_t>(weight), std::int64_t{solution.cost});
  }
}

}  // namespace

template <class T>
Verdict verify(std::size_t n, const std::type_identity_t<ChordWeights<T>>& weight, const Solution<T>& solution,
               const Options& options) {
  if (!weight) throw Error(ErrorKind::usage, "there are no weights: a function of two vertices is accepted");
  const SolveMonitor monitor(options, 0);
  if (Violation violation = find_structure_violation(n, solution.chords, solution.triangles))
    return infeasible(*violation);
  if (Violation violation = find_forbidden_violation(solution.chords, weight)) return infeasible(*violation);
  return {.violation = find_total_violation(solution, weight)};
}

template <class T>
Verdict verify(const Triangulation<T>& problem, const Solution<T>& solution, const Options& options) {
  const auto weight = [&](std::size_t i, std::size_t j) { return problem.weight(i, j); };
  return verify<T>(problem.vertices(), weight, solution, options);
}

namespace {

/// Checks whether the splits are one complete order of n matrices, each interval before those inside it.
Violation find_order_violation(std::span<const Split> splits, std::uint32_t n) {
  std::size_t at = 0;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> open{{0, n}};
  while (!open.empty()) {
    const auto [i, j] = open.back();
    open.pop_back();
    if (j - i < 2) continue;
    if (at == splits.size()) return fmt::format("'splits' has no entry for ({},{})", i, j);
    const Split& split = splits[at++];
    if (split.i != i || split.j != j || split.k <= i || split.k >= j) {
      return fmt::format("'splits' entry {} is [{},{},{}], where ({},{}) is to be split", at - 1, split.i, split.k,
                         split.j, i, j);
    }
    open.emplace_back(split.k, j);
    open.emplace_back(i, split.k);
  }
  if (at != splits.size())
    return fmt::format("'splits' has {}, {} expected", quantity(splits.size(), "entry", "entries"), at);
  return std::nullopt;
}

/// Empty if the cost is 2^127 or more, which no optimum is.
std::optional<Wide> cost_of(const std::vector<std::int64_t>& p, std::span<const Split> splits) {
  Wide cost = 0;
  for (const auto& [i, k, j] : splits) {
    Wide product = 0;
    if (__builtin_mul_overflow(Wide{p[i]} * p[k], Wide{p[j]}, &product)) return std::nullopt;
    if (__builtin_add_overflow(cost, product, &cost)) return std::nullopt;
  }
  return cost;
}

}  // namespace

Verdict verify(const MatrixChain& chain, const ChainSolution& solution, const Options& options) {
  const SolveMonitor monitor(options, 0);
  if (Violation violation = find_order_violation(solution.splits, static_cast<std::uint32_t>(chain.size())))
    return infeasible(*violation);
  const std::optional<Wide> cost = cost_of(chain.dimensions(), solution.splits);
  if (cost == solution.cost) return {};
  return wrong_cost(fmt::format("'cost' is {}, the splits cost {}", solution.cost,
                                cost ? fmt::format("{}", *cost) : "2^127 or more"));
}

namespace {

constexpr std::int64_t none = -1;

/// The tree that the parents describe.
struct Shape {
  std::vector<std::int64_t> left, right;  ///< the children of each key
  std::int64_t root = none;

  explicit Shape(std::size_t n) : left(n, none), right(n, none) {}

  /// Where a key hangs below its parent.
  std::int64_t& place(std::int64_t key, std::int64_t parent) {
    if (parent == none) return root;
    return (key < parent ? left : right)[static_cast<std::size_t>(parent)];
  }
};

Violation read_shape(const std::vector<std::int64_t>& parents, Shape& shape) {
  const std::int64_t n = std::ssize(parents);
  for (std::int64_t key = 0; key < n; ++key) {
    const std::int64_t parent = parents[static_cast<std::size_t>(key)];
    if (parent < none || parent >= n || parent == key) return fmt::format("'parents' entry {} is {}", key, parent);
    std::int64_t& place = shape.place(key, parent);
    if (place != none) return fmt::format("keys {} and {} hang at the same place", place, key);
    place = key;
  }
  return std::nullopt;
}

/// The depth of each key, 1 for the root, and 0 for a key that the in-order walk does not meet in its turn. Every key
/// hangs at one place, so the walk from the root meets none twice.
std::vector<std::size_t> depths_in_order(const Shape& shape) {
  std::vector<std::size_t> depth(shape.left.size(), 0);
  std::vector<std::pair<std::int64_t, std::size_t>> path;
  std::int64_t next = 0;
  std::int64_t key = shape.root;
  std::size_t level = 1;
  while (key != none || !path.empty()) {
    for (; key != none; key = shape.left[static_cast<std::size_t>(key)]) path.emplace_back(key, level++);
    const auto [here, its_level] = path.back();
    path.pop_back();
    if (here != next++) break;
    depth[static_cast<std::size_t>(here)] = its_level;
    key = shape.right[static_cast<std::size_t>(here)];
    level = its_level + 1;
  }
  return depth;
}

/// Wide enough for every sum of a tree's weights times depths.
template <class T>
using TreeSum = std::conditional_t<std::is_floating_point_v<T>, long double, Wide>;

template <class T>
TreeSum<T> cost_of(const SearchTree<T>& tree, const std::vector<std::size_t>& depth) {
  TreeSum<T> cost = 0;
  for (std::size_t key = 0; key < tree.size(); ++key) {
    cost += static_cast<TreeSum<T>>(tree.keys()[key]) * static_cast<TreeSum<T>>(depth[key]);
  }
  for (std::size_t gap = 0; gap <= tree.size(); ++gap) {
    const std::size_t before = gap > 0 ? depth[gap - 1] : 0;
    const std::size_t behind = gap < tree.size() ? depth[gap] : 0;
    cost += static_cast<TreeSum<T>>(tree.gaps()[gap]) * static_cast<TreeSum<T>>(std::max(before, behind) + 1);
  }
  return cost;
}

/// A weight is rounded in each of up to 2n sums of its interval. The n levels above it each add once more. None
/// cancels.
template <class T>
bool is_same_cost(T stated, TreeSum<T> cost, std::size_t n) {
  if constexpr (std::is_floating_point_v<T>) {
    const auto slack = 3 * (static_cast<long double>(n) + 1) * std::numeric_limits<T>::epsilon() * cost;
    return std::abs(stated - cost) <= slack;
  } else {
    return TreeSum<T>{stated} == cost;
  }
}

template <class T>
std::string cost_text(TreeSum<T> cost) {
  if constexpr (std::is_floating_point_v<T>) {
    return fmt::format("{}", static_cast<double>(cost));
  } else {
    return fmt::format("{}", cost);
  }
}

}  // namespace

template <class T>
Verdict verify(const SearchTree<T>& tree, const TreeSolution<T>& solution, const Options& options) {
  const SolveMonitor monitor(options, 0);
  const std::size_t n = tree.size();
  const auto& parents = solution.parents;
  if (parents.size() != n) {
    return infeasible(
        fmt::format("'parents' has {} for {}", quantity(parents.size(), "entry", "entries"), quantity(n, "key")));
  }
  Shape shape(n);
  if (Violation violation = read_shape(parents, shape)) return infeasible(*violation);
  if (std::int64_t{solution.root} != shape.root) {
    return infeasible(fmt::format("'root' is {}, of the parents it is {}", solution.root, shape.root));
  }
  const std::vector<std::size_t> depth = depths_in_order(shape);
  const auto missed = std::find(depth.begin(), depth.end(), 0);
  if (missed != depth.end()) {
    return infeasible(fmt::format("key {} is not in its place in the order", missed - depth.begin()));
  }
  const TreeSum<T> cost = cost_of(tree, depth);
  if (is_same_cost(solution.cost, cost, n)) return {};
  return wrong_cost(fmt::format("'cost' is {}, the tree costs {}", solution.cost, cost_text<T>(cost)));
}

#define WARPFOLD_INSTANTIATE(T)                                                                        \
  template Verdict verify<T>(std::size_t, const ChordWeights<T>&, const Solution<T>&, const Options&); \
  template Verdict verify(const Triangulation<T>&, const Solution<T>&, const Options&);                \
  template Verdict verify(const SearchTree<T>&, const TreeSolution<T>&, const Options&);
WARPFOLD_FOR_EACH_TABLE_TYPE(WARPFOLD_INSTANTIATE)
#undef WARPFOLD_INSTANTIATE

}  // namespace warpfold::interval
