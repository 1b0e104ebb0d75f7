#include <cstdint>

#include "interval/backends.hpp"
#include "interval/triangulation/triangulation_recurrence.hpp"

namespace warpfold::interval::cpu {

template <class T>
Solution<T> solve(const Triangulation<T>& problem, Context& context) {
  return with_recurrence(problem, context, [&](const auto& recurrence, const Triangulation<T>& stated) {
    const Budget::Reservation taken =
        detail::take_table<std::decay_t<decltype(recurrence)>>(stated.vertices(), context);
    return solution_of(recurrence, detail::fill_table(recurrence, stated.vertices(), context), context);
  });
}

template Solution<std::int32_t> solve(const Triangulation<std::int32_t>&, Context&);
template Solution<std::int64_t> solve(const Triangulation<std::int64_t>&, Context&);
template Solution<float> solve(const Triangulation<float>&, Context&);
template Solution<double> solve(const Triangulation<double>&, Context&);

}  // namespace warpfold::interval::cpu
