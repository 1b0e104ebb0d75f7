#include "machine/algorithms/triangulation.hpp"

#include <algorithm>

#include "machine/formulas.hpp"

namespace warpfold::machine {

std::vector<Value> random_chords(std::uint64_t n, std::uint64_t seed) {
  std::vector<Value> chords = random_values(n * n, seed);
  chords[n - 1] = 0;
  return chords;
}

Value plain_triangulation(std::uint64_t n, const std::vector<Value>& chords) {
  // Columns are mirrored into rows, so that the inner loop walks two rows.
  std::vector<Value> rows(n * n), columns(n * n);
  for (std::uint64_t r = 1; r + 1 < n; ++r) {
    for (std::uint64_t i = 1; i + r < n; ++i) {
      const std::uint64_t j = i + r;
      Value best = unknown;
      for (std::uint64_t k = i; k < j; ++k) best = std::min(best, rows[i * n + k] + columns[j * n + k + 1]);
      rows[i * n + j] = columns[j * n + i] = best + chords[(i - 1) * n + j];
    }
  }
  return rows[n + n - 1];
}

Program clear_table(Thread thread, std::uint64_t n, Array<Value> m) {
  const std::uint64_t p = thread.count;
  co_await phase("loop A");
  const formulas::Trapezoid upper{0, 0, n - 2};
  for (std::uint64_t q = thread.id, size = upper.size(); q < size; q += p) {
    const auto [row, column] = upper.at(q);
    const std::uint64_t i = row + 1, j = i + 1 + column;
    co_await m.write(i * n + j, unknown);
  }
  co_await phase("loop B");
  for (std::uint64_t i = 1 + thread.id; i <= n - 1; i += p) co_await m.write(i * n + i, 0);
}

std::vector<Value> accepted_chords(const RunRequest& request) {
  accept_n(request, request.n >= 3 && request.n <= largest_polygon, "3 to 65535 vertices");
  return random_chords(request.n, request.seed);
}

RunResult opt_result(const RunRequest& request, Simulation& simulation, Array<Value> m,
                     const std::vector<Value>& chords) {
  const Value cost = simulation.values(m)[request.n + request.n - 1];
  RunResult result = result_of(request, simulation, cost == plain_triangulation(request.n, chords), 0);
  result.bound = formulas::opt_bound(request.machine, request.threads, request.n);
  result.bound_text = "n^3/w + n^3 l/p + n l";
  result.lower_bound = formulas::opt_lower_bound(request.machine, request.threads, request.n);
  result.lower_bound_text = "max(S/w, S l/p, (n - 2) l), S = n(n-1)(n-2)/6";
  return result;
}

}  // namespace warpfold::machine
