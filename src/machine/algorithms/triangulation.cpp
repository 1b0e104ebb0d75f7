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

void state_opt_bounds(const RunRequest& request, RunResult& result) {
  result.bound = formulas::opt_bound(request.machine, request.threads, request.n);
  result.bound_text = "n^3/w + n^3 l/p + n l";
  result.lower_bound = formulas::opt_lower_bound(request.machine, request.threads, request.n);
  result.lower_bound_text = "max(S/w, S l/p, (n - 2) l), S = n(n-1)(n-2)/6";
}

}  // namespace warpfold::machine
