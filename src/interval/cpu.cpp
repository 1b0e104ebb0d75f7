#include <chrono>
#include <cstdint>

#include "interval/backends.hpp"
#include "interval/polygon.hpp"
#include "interval/traceback.hpp"
#include "run/clock.hpp"

namespace warpfold::interval::cpu {

template <class T>
Solution<T> solve(const Triangulation<T>& problem, Context& context) {
  const std::size_t n = problem.vertices();
  const Polygon<T> polygon{problem};
  const Budget::Share taken = detail::take_table<Polygon<T>>(n, context);
  const auto table = detail::fill_table(polygon, n, context);

  const auto start = std::chrono::steady_clock::now();
  Solution<T> solution;
  solution.cost = table.value();
  const Watch watch(context.options, 0);
  const auto split = [&](std::size_t i, std::size_t j) {
    watch.check();
    return best_split(polygon, table, i, j).k;
  };
  search_structure(n, split, solution);
  context.report.traceback_seconds = seconds_since(start);
  return solution;
}

template Solution<std::int32_t> solve(const Triangulation<std::int32_t>&, Context&);
template Solution<std::int64_t> solve(const Triangulation<std::int64_t>&, Context&);
template Solution<float> solve(const Triangulation<float>&, Context&);
template Solution<double> solve(const Triangulation<double>&, Context&);

}  // namespace warpfold::interval::cpu
