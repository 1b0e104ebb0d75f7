#include <cstdint>
#include <vector>

#include "core/magnitude.hpp"
#include "core/number_types.hpp"
#include "interval/backends.hpp"
#include "interval/close.hpp"
#include "interval/triangulation/traceback.hpp"
#include "run/large_vector.hpp"

namespace warpfold::interval::reference {

namespace {

/// The least value(i,k) + value(k,j).
template <class T>
T min_candidate(const T* value, std::size_t n, std::size_t i, std::size_t j) {
  T best = static_cast<T>(value[i * n + i + 1] + value[(i + 1) * n + j]);
  for (std::size_t k = i + 2; k < j; ++k) best = std::min(best, static_cast<T>(value[i * n + k] + value[k * n + j]));
  return best;
}

}  // namespace

/// The recurrence as it is written, on an n x n table. It knows nothing of tiles and stays naive.
template <class T>
Solution<T> solve(const Triangulation<T>& problem, Context& context) {
  const std::size_t n = problem.vertices();
  const Budget::Reservation taken = context.budget.reserve(n * n, sizeof(T));
  SolveMonitor monitor(context.options, split_count(n));
  std::vector<T> value;
  grow(value, n * n, T{}, monitor);
  const T infinite = infinite_from(problem.largest_total());
  for (std::size_t d = 2; d < n; ++d) {
    for (std::size_t i = 0; i + d < n; ++i) {
      const std::size_t j = i + d;
      value[i * n + j] = close_entry(min_candidate(value.data(), n, i, j), problem.weight(i, j), infinite);
      monitor.check();
      monitor.advance(static_cast<double>(d - 1));
    }
  }

  return search_table(value, n, monitor);
}

#define WARPFOLD_INSTANTIATE(T) template Solution<T> solve(const Triangulation<T>&, Context&);
WARPFOLD_FOR_EACH_TABLE_TYPE(WARPFOLD_INSTANTIATE)
#undef WARPFOLD_INSTANTIATE

}  // namespace warpfold::interval::reference
