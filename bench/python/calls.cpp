// What do the calls that the Python package makes take in C++? python/bench/calls.py asks, and measures its own beside.
#include <iostream>

#include "../dense.hpp"
#include "warpfold/interval/batch.hpp"
#include "warpfold/interval/matrix_chain.hpp"
#include "warpfold/interval/solve.hpp"
#include "warpfold/minplus/multiply.hpp"

namespace {

using namespace warpfold;
using bench::Json;

/// `calls` of them are timed together, for what a clock cannot tell apart.
Json timed(const std::string& work, int calls, int repeats, const std::function<void()>& call) {
  bench::Timing timing = bench::measure(repeats, [&] {
    for (int k = 0; k < calls; ++k) call();
  });
  timing.median_seconds /= calls;
  return bench::row(work, {{"calls", calls}}, timing, 1, 0);
}

Json chain(std::size_t matrices, int calls) {
  auto dimensions = bench::random_values<std::int64_t>(matrices + 1, 1);
  for (std::int64_t& one : dimensions) ++one;
  return timed("chain_order of " + std::to_string(matrices), calls, 15,
               [&] { static_cast<void>(interval::solve(interval::MatrixChain(dimensions))); });
}

Json triangulation() {
  const auto weights = bench::random_values<double>(64 * 64, 1);
  return timed("triangulate 64", 200, 15, [&] {
    static_cast<void>(interval::solve(interval::Triangulation<double>({weights.data(), 64, 64, 64})));
  });
}

Json batch() {
  constexpr std::size_t count = 10000, n = 64;
  const auto weights = bench::random_values<double>(count * n * n, 1);
  return timed("triangulate 10000 x 64", 1, 7, [&] {
    std::vector<interval::Triangulation<double>> problems;
    problems.reserve(count);
    for (std::size_t at = 0; at < count; ++at) {
      problems.emplace_back(MatrixView<const double>{weights.data() + at * n * n, n, n, n});
    }
    static_cast<void>(interval::solve_batch<double>(problems));
  });
}

Json product() {
  constexpr std::size_t n = 4096;
  const auto a = bench::random_values<float>(n * n, 1), b = bench::random_values<float>(n * n, 2);
  return timed("matmul 4096 float32", 1, 5, [&] {
    static_cast<void>(minplus::multiply<float>({}, {a.data(), n, n, n}, {b.data(), n, n, n}));
  });
}

}  // namespace

int main() {
  std::vector<Json> rows{chain(5, 20000), chain(50, 2000), chain(400, 200), triangulation(), batch(), product()};
  std::cout << Json(rows).dump() << '\n';
}
