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

/// The recurrence as it is written.
Wide least_cost(const std::vector<std::int64_t>& p) {
  const std::size_t n = p.size();
  std::vector<Wide> value(n * n, 0);
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t j = i + 2; j < n; ++j) {
      Wide best = -1;
      for (std::size_t k = i + 1; k < j; ++k) {
        const Wide cost = value[i * n + k] + value[k * n + j] + Wide{p[i]} * p[k] * p[j];
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

}  // namespace
}  // namespace warpfold::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace warpfold::fuzz;
  Bytes bytes(data, size);
  return with_one_of<std::int32_t, std::int64_t, float, double>(bytes.below(4), [&]<class T>(T) { order<T>(bytes); });
}
