#include "warpfold/mpi/solve.hpp"

#include <cstdint>
#include <utility>

#include "interval/backends.hpp"
#include "interval/polygon.hpp"
#include "interval/traceback.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/interval/batch.hpp"
#include "warpfold/mpi/recurrence.hpp"

namespace warpfold::mpi {

namespace {

/// A strictly convex outline, whose chords are all interior.
template <class T>
struct ConvexPolygon {
  using Semiring = MinPlus<T>;
  const polygon::Outline& outline;
  polygon::Weight formula;

  T leaf(std::size_t) const { return 0; }
  T weight(std::size_t i, std::size_t j) const {
    if (i == 0 && j + 1 == outline.size()) return 0;
    return to_value(polygon::chord_weight(formula, outline[i], outline[j]));
  }

 private:
  /// What T does not hold becomes a number that the solver refuses.
  static T to_value(double weight) {
    constexpr auto most = static_cast<double>(interval::detail::Stored<Semiring>::largest);
    if (weight <= most) return static_cast<T>(weight);
    return static_cast<T>(interval::detail::Stored<Semiring>::largest * 2);
  }
};

template <class T>
Outcome<interval::Solution<T>> to_solution(std::size_t n, Outcome<RecurrenceSolution<T>> found) {
  interval::check_feasible(found.solution.value);
  interval::Solution<T> solution;
  solution.cost = found.solution.value;
  std::size_t next = 0;  // both go down from the root, to the left first
  interval::search_structure(
      n, [&](std::size_t, std::size_t) { return found.solution.splits[next++].k; }, solution);
  return {std::move(solution), std::move(found.report)};
}

}  // namespace

template <class T>
Outcome<interval::Solution<T>> solve(const interval::Triangulation<T>& problem, MPI_Comm comm, const Options& options) {
  const interval::Polygon<T> polygon{problem};
  return to_solution(problem.vertices(), solve_recurrence(polygon, problem.vertices(), comm, options));
}

template <class T>
Outcome<interval::Solution<T>> solve(const polygon::Outline& outline, polygon::Weight weight, MPI_Comm comm,
                                     const Options& options) {
  if (!outline.strictly_convex()) {
    throw Error(ErrorKind::input, "the outline is not strictly convex: ranks solve such a one, or a matrix of weights");
  }
  const ConvexPolygon<T> polygon{outline, weight};
  return to_solution(outline.size(), solve_recurrence(polygon, outline.size(), comm, options));
}

template <class T>
Outcome<std::vector<interval::Solution<T>>> solve_batch(std::span<const interval::Triangulation<T>> problems,
                                                        MPI_Comm comm, const Options& options) {
  const Communicator ranks(comm);
  const auto step = static_cast<std::size_t>(ranks.size());
  std::vector<interval::Triangulation<T>> own;
  for (auto at = static_cast<std::size_t>(ranks.rank()); at < problems.size(); at += step) own.push_back(problems[at]);
  Outcome<std::vector<interval::Solution<T>>> solved;
  together(ranks, [&] { solved = interval::solve_batch<T>(own, options); });
  std::vector<T> costs;
  std::vector<interval::Triangle> triangles;
  for (const interval::Solution<T>& solution : solved.solution) {
    costs.push_back(solution.cost);
    triangles.insert(triangles.end(), solution.triangles.begin(), solution.triangles.end());
  }
  costs = gather(ranks, costs);
  triangles = gather(ranks, triangles);
  std::vector<interval::Solution<T>> all(problems.size());
  auto cost = costs.begin();
  auto triangle = triangles.begin();
  for (std::size_t rank = 0; rank < step; ++rank) {
    for (std::size_t at = rank; at < problems.size(); at += step) {
      all[at].cost = *cost++;
      if (all[at].cost >= infinity<T>) continue;
      interval::search_structure(
          problems[at].vertices(), [&](std::size_t, std::size_t) { return (triangle++)->k; }, all[at]);
    }
  }
  return {std::move(all), std::move(solved.report)};
}

#define WARPFOLD_INSTANTIATE(T)                                                                                 \
  template Outcome<interval::Solution<T>> solve(const interval::Triangulation<T>&, MPI_Comm, const Options&);   \
  template Outcome<interval::Solution<T>> solve<T>(const polygon::Outline&, polygon::Weight, MPI_Comm,          \
                                                   const Options&);                                             \
  template Outcome<std::vector<interval::Solution<T>>> solve_batch(std::span<const interval::Triangulation<T>>, \
                                                                   MPI_Comm, const Options&);
WARPFOLD_INSTANTIATE(std::int32_t)
WARPFOLD_INSTANTIATE(std::int64_t)
WARPFOLD_INSTANTIATE(float)
WARPFOLD_INSTANTIATE(double)
#undef WARPFOLD_INSTANTIATE

}  // namespace warpfold::mpi
