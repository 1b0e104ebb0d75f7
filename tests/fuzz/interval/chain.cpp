#include <fmt/format.h>

#include <algorithm>

#include "fuzz/alike.hpp"
#include "fuzz/drawn.hpp"
#include "fuzz/interval/tiled.hpp"
#include "interval/chain/chain_dp.hpp"
#include "warpfold/interval/matrix_chain.hpp"
#include "warpfold/interval/verify.hpp"

namespace warpfold::fuzz {
namespace {

using interval::ChainSolution;
using interval::MatrixChain;
using interval::Wide;

/// The recurrence as written. Costs beyond 128 bits are ignored.
Wide min_cost(const std::vector<std::int64_t>& p) {
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

bool is_too_large(const std::string& found) { return found.find("may not fit i64: hu-shing") < found.size(); }

std::vector<std::int64_t> drawn_dimensions(Bytes& bytes, bool large = false) {
  Numbers numbers(bytes);
  numbers.negative = false;
  const std::size_t count = large ? bytes.large_size() : 2 + bytes.size(200);
  std::vector<std::int64_t> dimensions = numbers.list<std::int64_t>(bytes, count, std::int64_t{1} << 39);
  for (std::int64_t& p : dimensions) p = 1 + p % (std::int64_t{1} << (numbers.are_small() ? 20 : 39));
  return dimensions;
}

/// "dp" may reject costs that may not fit 64 bits. Hu and Shing's algorithm rejects nothing.
void expect_least_cost(const std::string& problem, const MatrixChain& chain, Wide expected) {
  for (const std::string& algorithm : names_on_cpu(interval::chain_algorithms())) {
    const std::string found = answer([&] {
      const ChainSolution solution = solve(chain, by(algorithm)).solution;
      expect(verify(chain, solution), problem + ", " + algorithm);
      return bits(solution.cost);
    });
    if (algorithm != "dp" || !is_too_large(found)) expect_same(bits(expected), found, problem + " by " + algorithm);
  }
}

/// On a GPU, "dp" rejects exactly the problems that it rejects on the CPU in tiles.
void expect_refused_alike(const std::string& problem, const MatrixChain& chain) {
  if (gpus().empty()) return;
  Options options = by("dp");
  options.device.kind = Device::Kind::cuda;
  const std::string on_gpu = answer([&] { return text(solve(chain, options).solution); });
  const std::string in_tiles =
      answer([&] { return text(interval::solve_by_dp<std::int64_t>(chain, by("")).solution); });
  expect(is_too_large(on_gpu) == is_too_large(in_tiles), problem + ": a GPU gives " + shown(on_gpu));
  expect(is_too_large(on_gpu) || !on_gpu.starts_with("error "), problem + ": a GPU gives " + shown(on_gpu));
}

template <class T>
void expect_program_alike(const std::string& problem, const MatrixChain& chain, Wide expected) {
  const auto by_program = [&](const Options& options) {
    const ChainSolution solution = solve_by_dp<T>(chain, options).solution;
    expect(verify(chain, solution), problem);
    expect(solution.exact ? solution.cost == expected : solution.cost >= expected, problem + " costs otherwise");
    return text(solution);
  };
  expect_each_alike(problem, {""}, by_program);
  expect_each_alike(problem + ", tables", {""}, [&](const Options& options) {
    const auto tables = interval::chain_tables<T>(chain, options).solution;
    return bits(tables.costs, tables.splits) + text(tables.solution);
  });
}

template <class T>
void order(Bytes& bytes) {
  std::vector<std::int64_t> dimensions = drawn_dimensions(bytes);
  const MatrixChain chain = stated([&] { return MatrixChain(dimensions); });
  const std::string problem = fmt::format("chain of {} matrices, {}", chain.size(), dtype_name<T>());
  const Wide expected = min_cost(dimensions);
  expect_least_cost(problem, chain, expected);
  expect_each_alike(problem, names_on_cpu(interval::chain_algorithms()),
                    [&](const Options& options) { return text(solve(chain, options).solution); });
  expect_refused_alike(problem, chain);
  expect_program_alike<T>(problem + " by the program", chain, expected);
  if (answer([&] { return text(solve_by_dp<T>(chain).solution); }).starts_with("error ")) return;
  expect_groups_alike(problem, interval::recurrence_of<T>(chain), chain.size() + 1);
  std::reverse(dimensions.begin(), dimensions.end());
  expect_least_cost(problem + " from its end", MatrixChain(dimensions), expected);
  std::rotate(dimensions.begin(), dimensions.begin() + bytes.below(dimensions.size()), dimensions.end());
  expect_least_cost(problem + " turned", MatrixChain(dimensions), expected);
}

template <class T>
void order_large(Bytes& bytes) {
  const MatrixChain chain = stated([&] { return MatrixChain(drawn_dimensions(bytes, true)); });
  expect_large_alike(fmt::format("chain of {} matrices, {}", chain.size(), dtype_name<T>()), "dp",
                     [&](const Options& options) { return text(solve_by_dp<T>(chain, options).solution); });
}

/// A few large dimensions among small ones. Many orders that join three large ones exceed 128 bits.
void order_of_extremes(Bytes& bytes) {
  std::vector<std::int64_t> dimensions(2 + bytes.below(16));
  for (std::int64_t& p : dimensions)
    p = bytes.between(1, bytes.one_in(3) ? (std::int64_t{1} << 59) >> bytes.below(20) : 3);
  for (std::size_t t = 0; t < dimensions.size(); ++t) {  // no two neighbors, so that the optimum fits
    std::int64_t& next = dimensions[(t + 1) % dimensions.size()];
    if (dimensions[t] > 3) next = std::min<std::int64_t>(next, 3);
  }
  const MatrixChain chain = stated([&] { return MatrixChain(dimensions); });
  const std::string problem = fmt::format("a chain of {} extremes", chain.size());
  expect_least_cost(problem, chain, min_cost(dimensions));
  expect_refused_alike(problem, chain);
}

}  // namespace
}  // namespace warpfold::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace warpfold::fuzz;
  return run_input_in_one_of<std::int32_t, std::int64_t, float, double>(data, size, []<class T>(Bytes& bytes) {
    if (is_large(bytes)) return order_large<T>(bytes);
    if (bytes.one_in(8)) return order_of_extremes(bytes);
    order<T>(bytes);
  });
}
