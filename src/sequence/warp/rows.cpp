#include <algorithm>
#include <vector>

#include "sequence/kept_rows.hpp"
#include "sequence/warp/backends.hpp"

namespace warpfold::sequence::warp {

namespace {

template <class Cost>
KeptRows plan_of(const Size& size, std::size_t bytes_left) {
  return size.script ? rows_for_script<Cost>(size.n(), size.m(), 1, bytes_left) : KeptRows{.state_rows = 1};
}

template <class T>
class Rows {
 public:
  using Cost = WarpingCost<T>;
  using Row = std::vector<Cost>;

  Rows(const Query<T>& query, SolveMonitor& monitor) : query_(query), monitor_(monitor) {}

  [[nodiscard]] Cost distance() const {
    Row row = first();
    for (std::size_t i = 1; i <= query_.n(); ++i) {
      next(i, query_.m(), row);
      if (query_.request.max_distance && query_.exceeds_bound(std::ranges::min(row))) return unreachable<Cost>;
    }
    return row.back();
  }

  [[nodiscard]] Script script(const KeptRows& plan) const {
    Walker walker{*this, {query_.n() - 1, query_.m() - 1}};
    walk_up(walker, 0, first(), plan, plan.levels);
    return walker.walk.finished();
  }

 private:
  /// A walk for `walk_up`. Row 0 of the table is the one before the first point.
  struct Walker {
    const Rows& table;
    WarpingWalk walk;

    [[nodiscard]] std::size_t row() const { return walk.i + 1; }
    [[nodiscard]] bool is_done() const { return walk.is_done(); }
    void advance(std::size_t from, std::size_t to, Row& row) const {
      for (std::size_t i = from + 1; i <= to; ++i) table.next(i, walk.j + 1, row);
    }
    void walk_through(std::size_t from, const Row& row) { table.walk_through(walk, from, row); }
  };

  [[nodiscard]] Row first() const {
    Row row(query_.m() + 1, unreachable<Cost>);
    row[0] = 0;
    return row;
  }

  /// From row i - 1 to row i, up to column `last`.
  void next(std::size_t i, std::size_t last, Row& row) const {
    monitor_.check();
    const std::size_t begin = query_.size.band.begin(i - 1), end = std::min(query_.size.band.end(i - 1), last);
    Cost diagonal = row[begin];
    Cost before = row[begin] = unreachable<Cost>;
    for (std::size_t j = begin + 1; j <= end; ++j) {
      const Cost above = row[j];
      before = row[j] = query_.distance(i - 1, j - 1) + std::min({diagonal, above, before});
      diagonal = above;
    }
  }

  void walk_through(WarpingWalk& walk, std::size_t from, const Row& first) const {
    std::vector<Row> rows = {first};
    while (from + rows.size() <= walk.i + 1) {
      rows.push_back(rows.back());
      next(from + rows.size() - 1, walk.j + 1, rows.back());
    }
    while (!walk.is_done() && walk.i + 1 > from) {
      const Row &above = rows[walk.i - from], &row = rows[walk.i + 1 - from];
      walk.take(step_from(above[walk.j], above[walk.j + 1], row[walk.j]));
    }
  }

  const Query<T>& query_;
  SolveMonitor& monitor_;
};

}  // namespace

template <class T>
std::size_t bytes_of_rows(const Size& size, const Options& options) {
  using Cost = WarpingCost<T>;
  return plan_of<Cost>(size, Budget(options).left()).rows() * sizeof(Cost) * (size.band.m + 1);
}

template <class T>
Warping<T> by_rows(const Query<T>& query, Context& context) {
  using Cost = WarpingCost<T>;
  const KeptRows plan = plan_of<Cost>(query.size, context.budget.left());
  const auto taken = context.budget.reserve(plan.rows() * (query.m() + 1), sizeof(Cost));
  SolveMonitor monitor(context.options, query.size.n());
  const Rows<T> rows(query, monitor);
  const Cost distance = rows.distance();
  if (query.exceeds_bound(distance)) return {};
  Warping<T> solution{.distance = distance};
  if (query.request.script && distance < unreachable<Cost>) solution.script = rows.script(plan);
  return solution;
}

template std::size_t bytes_of_rows<float>(const Size&, const Options&);
template std::size_t bytes_of_rows<double>(const Size&, const Options&);
template std::size_t bytes_of_rows<std::int32_t>(const Size&, const Options&);
template Warping<float> by_rows(const Query<float>&, Context&);
template Warping<double> by_rows(const Query<double>&, Context&);
template Warping<std::int32_t> by_rows(const Query<std::int32_t>&, Context&);

}  // namespace warpfold::sequence::warp
