#include <algorithm>
#include <vector>

#include "sequence/warp/backends.hpp"

namespace warpfold::sequence::warp {

namespace {

/// D(i,j) for all i and j, by the recurrence in time_warping.hpp.
template <class T>
class Table {
 public:
  using Cost = WarpingCost<T>;

  Table(const Query<T>& query, SolveMonitor& monitor)
      : query_(query), columns_(query.m() + 1), values_((query.n() + 1) * columns_, unreachable<Cost>) {
    at(0, 0) = 0;
    for (std::size_t i = 1; i <= query.n(); ++i) {
      for (std::size_t j = query.size.band.begin(i - 1) + 1; j <= query.size.band.end(i - 1); ++j) {
        at(i, j) = query.distance(i - 1, j - 1) + std::min({at(i - 1, j - 1), at(i - 1, j), at(i, j - 1)});
      }
      monitor.check();
    }
  }

  [[nodiscard]] Cost distance() const { return values_.back(); }

  [[nodiscard]] Script script() const {
    WarpingWalk walk{query_.n() - 1, query_.m() - 1};
    while (!walk.is_done()) {
      const std::size_t i = walk.i + 1, j = walk.j + 1;
      walk.take(step_from(at(i - 1, j - 1), at(i - 1, j), at(i, j - 1)));
    }
    return walk.finished();
  }

 private:
  [[nodiscard]] Cost& at(std::size_t i, std::size_t j) { return values_[i * columns_ + j]; }
  [[nodiscard]] Cost at(std::size_t i, std::size_t j) const { return values_[i * columns_ + j]; }

  const Query<T>& query_;
  std::size_t columns_;
  std::vector<Cost> values_;
};

}  // namespace

template <class T>
Warping<T> reference(const Query<T>& query, Context& context) {
  const auto taken = context.budget.reserve((query.n() + 1) * (query.m() + 1), sizeof(WarpingCost<T>));
  SolveMonitor monitor(context.options, query.size.n());
  const Table<T> table(query, monitor);
  if (query.exceeds_bound(table.distance())) return {};
  Warping<T> solution{.distance = table.distance()};
  if (query.request.script && table.distance() < unreachable<WarpingCost<T>>) solution.script = table.script();
  return solution;
}

template Warping<float> reference(const Query<float>&, Context&);
template Warping<double> reference(const Query<double>&, Context&);
template Warping<std::int32_t> reference(const Query<std::int32_t>&, Context&);

}  // namespace warpfold::sequence::warp
