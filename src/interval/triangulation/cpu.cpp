#include <cstdint>

#include "core/number_types.hpp"
#include "interval/backends.hpp"
#include "interval/triangulation/small.hpp"
#include "interval/triangulation/triangulation_recurrence.hpp"

namespace warpfold::interval::cpu {

template <class T>
Solution<T> solve(const Triangulation<T>& problem, Context& context) {
  return with_recurrence(problem, context, [&](const auto& recurrence, const Triangulation<T>& stated) {
    const std::size_t n = stated.vertices();
    if (small::solves<T>(n, context.options)) {
      const Budget::Reservation taken = context.budget.reserve(small::bytes<T>(n));
      const SolveMonitor monitor(context.options, 0);
      monitor.check();
      return small::solve(recurrence, n);
    }
    const Budget::Reservation taken = detail::take_table<std::decay_t<decltype(recurrence)>>(n, context);
    return solution_of(recurrence, detail::fill_table(recurrence, n, context), context);
  });
}

#define WARPFOLD_INSTANTIATE(T) template Solution<T> solve(const Triangulation<T>&, Context&);
WARPFOLD_FOR_EACH_TABLE_TYPE(WARPFOLD_INSTANTIATE)
#undef WARPFOLD_INSTANTIATE

}  // namespace warpfold::interval::cpu
