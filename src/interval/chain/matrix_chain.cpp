#include "warpfold/interval/matrix_chain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>

#include "interval/backends.hpp"
#include "interval/chain/chain_dp.hpp"
#include "interval/chain/hu_shing.hpp"
#include "interval/tuning.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold::interval {

namespace {

constexpr Wide cost_limit = Wide{1} << 126;
constexpr Wide no_cost = 2 * (cost_limit - 1) + 1;  // the largest Wide

/// left + right + ends * middle, or no_cost if that is more. Three large dimensions that do not follow one another may
/// exceed 128 bits, even in a chain whose optimum is far from it.
Wide joined(Wide left, Wide right, Wide ends, std::int64_t middle) {
  Wide cost = 0;
  const bool is_too_large = __builtin_mul_overflow(ends, Wide{middle}, &cost) ||
                            __builtin_add_overflow(cost, left, &cost) || __builtin_add_overflow(cost, right, &cost);
  return is_too_large ? no_cost : cost;
}

/// The plain recurrence for few matrices. Every table is on the stack. Splits are in preorder.
std::vector<Split> small_recurrence(const std::vector<std::int64_t>& p) {
  constexpr std::size_t side = small_chain + 1;
  const std::uint32_t points = static_cast<std::uint32_t>(p.size());
  std::array<std::array<Wide, side>, side> value;
  std::array<std::array<std::uint32_t, side>, side> best;
  for (std::uint32_t j = 1; j < points; ++j) {
    value[j - 1][j] = 0;
    for (std::uint32_t i = j - 1; i-- > 0;) {
      const Wide ends = Wide{p[i]} * p[j];
      value[i][j] = no_cost;
      for (std::uint32_t k = i + 1; k < j; ++k) {
        const Wide candidate = joined(value[i][k], value[k][j], ends, p[k]);
        if (candidate >= value[i][j]) continue;
        value[i][j] = candidate;
        best[i][j] = k;
      }
    }
  }
  return splits_from_root(points, [&](std::uint32_t i, std::uint32_t j) { return best[i][j]; });
}

/// Sorts into preorder: an interval comes before those inside it, and the left before the right.
void sort_preorder(std::vector<Split>& splits) {
  std::sort(splits.begin(), splits.end(),
            [](const Split& a, const Split& b) { return a.i != b.i ? a.i < b.i : a.j > b.j; });
}

Wide total_cost(const std::vector<std::int64_t>& p, const std::vector<Split>& splits) {
  Wide cost = 0;
  for (const Split& split : splits) cost += Wide{p[split.i]} * p[split.k] * p[split.j];
  return cost;
}

/// Counts the remaining operands before a position: a Fenwick tree.
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

ChainSolution with_cost(const MatrixChain& chain, std::vector<Split> splits) {
  const Wide cost = total_cost(chain.dimensions(), splits);
  return {cost, std::move(splits)};
}

ChainSolution by_hu_shing(const MatrixChain& chain, Context& context) {
  const Budget::Reservation taken = context.budget.reserve(hu_shing_bytes(chain.size() + 1));
  const SolveMonitor monitor(context.options, 0);
  std::vector<Split> splits;
  if (chain.size() > 1) splits = hu_shing(chain.dimensions(), monitor);
  sort_preorder(splits);
  return with_cost(chain, std::move(splits));
}

ChainSolution by_tiles(const MatrixChain& chain, bool on_gpu, Context& context) {
  return with_dp_type(chain, [&]<class T>(T) { return chain_by_dp<T>(chain, on_gpu, context); });
}

/// Whether the recurrence on the stack solves it, which supports no checkpoint.
bool is_small(const MatrixChain& chain, const Options& options) {
  return chain.size() <= small_chain && !options.checkpointer;
}

ChainSolution by_dp(const MatrixChain& chain, Context& context) {
  if (!is_small(chain, context.options)) return by_tiles(chain, false, context);
  std::vector<Split> splits;
  if (chain.size() > 1) splits = small_recurrence(chain.dimensions());
  return with_cost(chain, std::move(splits));
}

ChainSolution by_dp_on_gpu(const MatrixChain& chain, Context& context) { return by_tiles(chain, true, context); }

/// On a GPU every chain is solved in tiles.
std::string tiles_unsupported(const MatrixChain& chain) {
  const std::string text = with_dp_type(chain, [&]<class T>(T) { return misfit<T>(chain); });
  return text.empty() ? "" : "does not solve a chain whose " + text;
}

/// A small chain is counted in 128 bits.
std::string dp_unsupported(const MatrixChain& chain) {
  return chain.size() <= small_chain ? "" : tiles_unsupported(chain);
}

std::size_t dp_bytes(const MatrixChain& chain, const Options& options) {
  if (is_small(chain, options)) return 0;
  return with_dp_type(chain, [&]<class T>(T) { return IntervalTable<T>::bytes(chain.size() + 1); });
}

std::size_t dp_device_bytes(const MatrixChain& chain, const Options& options) {
  return with_dp_type(chain, [&]<class T>(T) { return cuda::chain_device_bytes<T>(chain, options); });
}

using SolutionBackend = ChainBackend<ChainSolution>;

double dp_seconds(const SolutionBackend& dp, const MatrixChain& chain, const Options& options) {
  return is_small(chain, options) ? small_chain_seconds : seconds_of_dp(dp, chain, options);
}

const std::vector<SolutionBackend>& chain_backends() {
  static const auto list = [] {
    auto all = dp_backends<ChainSolution>(dp_bytes, dp_device_bytes, by_dp, by_dp_on_gpu);
    for (auto& dp : all) dp.unsupported_reason = tiles_unsupported;
    auto& on_cpu = all.front();
    on_cpu.unsupported_reason = dp_unsupported;
    on_cpu.seconds = dp_seconds;
    all.insert(
        all.begin(),
        {.info = {"hu-shing", "cpu", "matrix chain by non-crossing candidate chords, chosen by supporting weight",
                  "O(n log n) operations, 100 n bytes"},
         .cost = [](const MatrixChain&, const Options&) { return 1.0; },
         .bytes = [](const MatrixChain& chain, const Options&) { return hu_shing_bytes(chain.size() + 1); },
         .run = by_hu_shing,
         .seconds = [](const SolutionBackend&, const MatrixChain& chain,
                       const Options&) { return hu_shing_seconds * static_cast<double>(chain.size()); }});
    return all;
  }();
  return list;
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
  std::size_t largest = 0;
  for (std::size_t t = 0; t < dimensions_.size(); ++t) {
    const std::int64_t p = dimensions_[t];
    if (p < 1) throw Error(ErrorKind::input, fmt::format("dimension {} is {}: 1 or more is accepted", t, p));
    if (p > dimensions_[largest]) largest = t;
    const std::size_t after = t + 1 < dimensions_.size() ? t + 1 : 0;
    sides += std::min(Wide{p} * std::max<std::int64_t>(dimensions_[after], 1), cost_limit);
    if (dimensions_.size() > 2 && sides >= cost_limit / dimensions_[largest]) {
      throw Error(ErrorKind::overflow, fmt::format("dimension {} is {}: an order of the chain may cost 2^126 or more",
                                                   largest, dimensions_[largest]));
    }
  }
  worst_cost_ = dimensions_.size() > 2 ? sides * dimensions_[largest] : 0;
}

std::vector<AlgorithmInfo> chain_algorithms() { return infos(chain_backends()); }

Outcome<ChainSolution> solve(const MatrixChain& chain, const Options& options) {
  return solve_by(std::span(chain_backends()), chain, chain, options);
}

Estimate estimate(const MatrixChain& chain, const Options& options) {
  return estimate_by(std::span(chain_backends()), chain, options);
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
  // The operand that holds A(i+1) .. Aj is found at its first and at its last matrix.
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
