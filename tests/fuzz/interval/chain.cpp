#include <fmt/format.h>

#include <algorithm>

#include "fuzz/alike.hpp"
#include "fuzz/drawn.hpp"
#include "warpfold/interval/matrix_chain.hpp"
#include "warpfold/interval/verify.hpp"

namespace warpfold::fuzz {
namespace {

using interval::ChainSolution;
using interval::MatrixChain;
using interval::Wide;

/// The recurrence as it is written; what 128 bits do not hold is no cost.
Wide least_cost(const std::vector<std::int64_t>& p) {
  const std::size_t n = p.size();
  std::vector<Wide> value(n * n, 0);
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t j = i + 2; j < n; ++j) {
      Wide best = -1;
      for (std::size_t k = i + 1; k < j; ++k) {
        Wide cost = 0;
        if (__builtin_mul_overflow(Wide{p[i]} * p[k], Wide{p[j]}, &cost)) continue;
        if (__builtin_add_overflow(cost, value[i * n + k] + value[k * n + j], &cost)) continue;
        if (best < 0 || cost < best) best = cost;
      }
      value[i * n + j] = best;
    }
  }
  return value[n - 1];
}

std::string text(const ChainSolution& solution) { return bits(solution.cost, solution.splits, solution.exact); }

template <class T>
void order(Bytes& bytes) {
  Numbers numbers(bytes);
  numbers.negative = false;
  std::vector<std::int64_t> dimensions = numbers.list<std::int64_t>(bytes, 2 + bytes.size(200), std::int64_t{1} << 39);
  for (std::int64_t& p : dimensions) p = 1 + p % (std::int64_t{1} << (numbers.are_small() ? 20 : 39));
  const MatrixChain chain(dimensions);
  const std::string problem = fmt::format("chain of {} matrices, {}", chain.size(), dtype_name<T>());
  const Wide expected = least_cost(dimensions);
  for (const std::string& algorithm : names_on_cpu(interval::chain_algorithms())) {
    const ChainSolution solution = solve(chain, by(algorithm)).solution;
    expect(solution.cost == expected, problem + ": '" + algorithm + "' costs otherwise");
    expect(verify(chain, solution), problem + ", " + algorithm);
  }
  expect_each_alike(problem, names_on_cpu(interval::chain_algorithms()),
                    [&](const Options& options) { return text(solve(chain, options).solution); });
  expect_each_alike(problem + " by the program", {""},
                    [&](const Options& options) { return text(solve_by_dp<T>(chain, options).solution); });
  expect_each_alike(problem + ", tables", {""}, [&](const Options& options) {
    const auto tables = interval::chain_tables<T>(chain, options).solution;
    return bits(tables.costs, tables.splits) + text(tables.solution);
  });
  std::reverse(dimensions.begin(), dimensions.end());
  expect(solve(MatrixChain(dimensions)).solution.cost == expected, problem + ": costs otherwise from its end");
  const ChainSolution by_program = solve_by_dp<T>(chain, by("")).solution;
  expect(by_program.exact ? by_program.cost == expected : by_program.cost >= expected, problem + " by the program");
  expect(verify(chain, by_program), problem + " by the program");
}

/// A few large dimensions among small ones: of the orders that join three large ones many pass 128 bits.
void order_of_extremes(Bytes& bytes) {
  std::vector<std::int64_t> dimensions(2 + bytes.below(16));
  for (std::int64_t& p : dimensions)
    p = bytes.between(1, bytes.one_in(3) ? (std::int64_t{1} << 59) >> bytes.below(20) : 3);
  for (std::size_t t = 0; t < dimensions.size(); ++t) {  // no two beside each other, so that the optimum fits
    std::int64_t& next = dimensions[(t + 1) % dimensions.size()];
    if (dimensions[t] > 3) next = std::min<std::int64_t>(next, 3);
  }
  const MatrixChain chain(dimensions);
  const Wide expected = least_cost(dimensions);
  for (const char* algorithm : {"hu-shing", "dp"}) {
    if (chain.size() > interval::small_chain && std::string_view(algorithm) == "dp") continue;  // counts in 64 bits
    const ChainSolution solution = solve(chain, by(algorithm)).solution;
    expect(solution.cost == expected,
           fmt::format("a chain of {} extremes, {}: costs otherwise", chain.size(), algorithm));
    expect(verify(chain, solution), "a chain of extremes");
  }
}

}  // namespace
}  // namespace warpfold::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace warpfold::fuzz;
  Bytes bytes(data, size);
  if (bytes.one_in(8)) order_of_extremes(bytes);
  return with_one_of<std::int32_t, std::int64_t, float, double>(bytes.below(4), [&]<class T>(T) { order<T>(bytes); });
}
