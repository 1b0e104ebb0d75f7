#include <cstdint>

#include "interval/backends.hpp"
#include "interval/polygon.hpp"

namespace warpfold::interval::cpu {

template <class T>
Solution<T> solve(const Triangulation<T>& problem, Context& context) {
  const Polygon<T> polygon{problem};
  const Budget::Share taken = detail::take_table<Polygon<T>>(problem.vertices(), context);
  return solution_of(polygon, detail::fill_table(polygon, problem.vertices(), context), context);
}

template Solution<std::int32_t> solve(const Triangulation<std::int32_t>&, Context&);
template Solution<std::int64_t> solve(const Triangulation<std::int64_t>&, Context&);
template Solution<float> solve(const Triangulation<float>&, Context&);
template Solution<double> solve(const Triangulation<double>&, Context&);

}  // namespace warpfold::interval::cpu
