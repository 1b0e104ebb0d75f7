#include "warpfold/interval/matrix_chain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>

#include "core/choose.hpp"
#include "hu_shing.hpp"
#include "interval/backend.hpp"
#include "interval/tuning.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold::interval {

namespace {

constexpr Wide cost_limit = Wide{1} << 126;

/// The plain recurrence for few matrices; every table lives on the stack. Splits come in preorder.
std::vector<Split> small_recurrence(const std::vector<std::int64_t>& p) {
  constexpr std::size_t side = small_chain + 1;
  const std::uint32_t points = static_cast<std::uint32_t>(p.size());
  std::array<std::array<Wide, side>, side> value;
  std::array<std::array<std::uint32_t, side>, side> best;
  for (std::uint32_t j = 1; j < points; ++j) {
    value[j - 1][j] = 0;
    for (std::uint32_t i = j - 1; i-- > 0;) {
      const Wide ends = Wide{p[i]} * p[j];
      value[i][j] = value[i][i + 1] + value[i + 1][j] + ends * p[i + 1];
      best[i][j] = i + 1;
      for (std::uint32_t k = i + 2; k < j; ++k) {
        const Wide candidate = value[i][k] + value[k][j] + ends * p[k];
        if (candidate >= value[i][j]) continue;
        value[i][j] = candidate;
        best[i][j] = k;
      }
    }
  }
  std::vector<Split> splits;
  splits.reserve(points - 2);
  std::array<std::pair<std::uint32_t, std::uint32_t>, side> open;
  std::size_t depth = 0;
  open[depth++] = {0, points - 1};
  while (depth > 0) {
    const auto [i, j] = open[--depth];
    if (j - i < 2) continue;
    const std::uint32_t k = best[i][j];
    splits.push_back({i, k, j});
    open[depth++] = {k, j};
    open[depth++] = {i, k};
  }
  return splits;
}

/// Preorder: an interval comes before those inside it, and the left before the right.
void sort_preorder(std::vector<Split>& splits) {
  std::sort(splits.begin(), splits.end(),
            [](const Split& a, const Split& b) { return a.i != b.i ? a.i < b.i : a.j > b.j; });
}

Wide total_cost(const std::vector<std::int64_t>& p, const std::vector<Split>& splits) {
  Wide cost = 0;
  for (const Split& split : splits) cost += Wide{p[split.i]} * p[split.k] * p[split.j];
  return cost;
}

/// Counts the operands before a position that are still there: a Fenwick tree.
class RemainingOperands {
 public:
  explicit RemainingOperands(std::size_t count) : sums_(count + 1) {
    for (std::size_t t = 1; t <= count; ++t) sums_[t] = t & (~t + 1);
  }

  void remove(std::size_t operand) {
    for (std::size_t t = operand + 1; t < sums_.size(); t += t & (~t + 1)) --sums_[t];
  }

  [[nodiscard]] std::size_t before(std::size_t operand) const {
    std::size_t sum = 0;
    for (std::size_t t = operand; t > 0; t -= t & (~t + 1)) sum += sums_[t];
    return sum;
  }

 private:
  std::vector<std::size_t> sums_;
};

const AlgorithmInfo& chosen_algorithm(std::size_t matrices, const Options& options) {
  static const std::vector<AlgorithmInfo> known = chain_algorithms();
  std::vector<Backend> backends = {{&known[0], 1}, {&known[1], matrices <= small_chain ? 0.0 : 2.0}};
  if (known.size() > 2) backends.push_back({&known[2], 3});
  return known[choose(backends, options).first];
}

}  // namespace

MatrixChain::MatrixChain(std::vector<std::int64_t> dimensions) : dimensions_(std::move(dimensions)) {
  if (dimensions_.size() < 2) {
    throw Error(ErrorKind::input,
                fmt::format("a chain needs at least 2 dimensions (one matrix), {} are given", dimensions_.size()));
  }
  if (dimensions_.size() > std::numeric_limits<std::uint32_t>::max() / 2) {
    throw Error(ErrorKind::input, fmt::format("{} dimensions are too many", dimensions_.size()));
  }
  Wide sides = 0;
  std::int64_t largest = 0;
  for (std::size_t t = 0; t < dimensions_.size(); ++t) {
    const std::int64_t p = dimensions_[t];
    if (p < 1) throw Error(ErrorKind::input, fmt::format("dimension {} is {}: 1 or more is accepted", t, p));
    largest = std::max(largest, p);
    const std::size_t after = t + 1 < dimensions_.size() ? t + 1 : 0;
    sides += std::min(Wide{p} * std::max<std::int64_t>(dimensions_[after], 1), cost_limit);
    if (sides >= cost_limit / largest) {
      throw Error(ErrorKind::input,
                  fmt::format("dimension {} is {}: the cost of the chain does not fit 126 bits", t, p));
    }
  }
  worst_cost_ = sides * largest;
}

std::vector<AlgorithmInfo> chain_algorithms() {
  std::vector<AlgorithmInfo> list = {
      {"hu-shing", "cpu", "matrix chain in O(n log n): non-crossing candidate chords, chosen by supporting weight"},
      {"dp", "cpu", "matrix chain by the recurrence, O(n^3): on the stack up to n = 16, in tiles above"}};
  if (cuda::compiled()) list.push_back({"dp", "cuda", "matrix chain by the recurrence, O(n^3), in tiles"});
  return list;
}

ChainResult solve(const MatrixChain& chain, const Options& options) {
  const auto start = std::chrono::steady_clock::now();
  const std::size_t n = chain.size();
  const AlgorithmInfo& algorithm = chosen_algorithm(n, options);
  if (algorithm.name == "dp" && (n > small_chain || algorithm.device == "cuda")) {
    return chain_dp_dtype(chain) == "i32" ? solve_by_dp<std::int32_t>(chain, options)
                                          : solve_by_dp<std::int64_t>(chain, options);
  }
  ChainResult result;
  if (algorithm.name == "dp") {
    if (n > 1) result.solution.splits = small_recurrence(chain.dimensions());
    result.report.algorithm = "dp";
  } else {
    Budget budget(options);
    const Budget::Share taken = budget.take(hu_shing_bytes(n + 1));
    result.report.peak_bytes = budget.peak();
    if (n > 1) result.solution.splits = hu_shing(chain.dimensions());
    sort_preorder(result.solution.splits);
    result.report.algorithm = "hu-shing";
  }
  result.solution.cost = total_cost(chain.dimensions(), result.solution.splits);
  result.report.device = "cpu";
  result.report.solve_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

Estimate estimate(const MatrixChain& chain, const Options& options) {
  const std::size_t n = chain.size();
  const AlgorithmInfo& algorithm = chosen_algorithm(n, options);
  if (algorithm.name == "dp" && (n > small_chain || algorithm.device == "cuda")) {
    return chain_dp_dtype(chain) == "i32" ? estimate_dp<std::int32_t>(chain, false, options)
                                          : estimate_dp<std::int64_t>(chain, false, options);
  }
  if (algorithm.name == "dp") return {{"dp", 1e-6, 0}};
  return {{"hu-shing", hu_shing_seconds * static_cast<double>(n), hu_shing_bytes(n + 1)}};
}

std::string parentheses(const ChainSolution& solution) {
  const std::size_t n = solution.splits.size() + 1;
  if (n == 1) return "A1";
  std::vector<std::uint32_t> opened(n);
  std::vector<std::uint32_t> closed(n);
  for (const Split& split : solution.splits) {
    ++opened[split.i];
    ++closed[split.j - 1];
  }
  std::string text;
  for (std::size_t t = 0; t < n; ++t) {
    text.append(opened[t], '(');
    fmt::format_to(std::back_inserter(text), "A{}", t + 1);
    text.append(closed[t], ')');
  }
  return text;
}

std::vector<std::pair<std::size_t, std::size_t>> contraction_path(const ChainSolution& solution) {
  const std::size_t n = solution.splits.size() + 1;
  RemainingOperands remaining(2 * n);
  // The operand that holds A(i+1) .. Aj, found at its first and at its last matrix.
  std::vector<std::size_t> begins(n + 1);
  std::vector<std::size_t> ends(n + 1);
  for (std::size_t t = 0; t < n; ++t) begins[t] = ends[t + 1] = t;
  std::vector<std::pair<std::size_t, std::size_t>> path;
  path.reserve(solution.splits.size());
  // Backwards through the preorder, every product comes after both its factors.
  for (auto split = solution.splits.rbegin(); split != solution.splits.rend(); ++split) {
    const std::size_t left = begins[split->i];
    const std::size_t right = ends[split->j];
    path.emplace_back(std::minmax({remaining.before(left), remaining.before(right)}));
    remaining.remove(left);
    remaining.remove(right);
    begins[split->i] = ends[split->j] = n + path.size() - 1;
  }
  return path;
}

}  // namespace warpfold::interval
