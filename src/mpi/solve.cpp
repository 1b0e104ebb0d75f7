#include "warpfold/mpi/solve.hpp"

#include <cstdint>
#include <optional>
#include <utility>

#include "core/number_types.hpp"
#include "interval/backends.hpp"
#include "interval/triangulation/traceback.hpp"
#include "interval/triangulation/triangulation_recurrence.hpp"
#include "mpi/rank_filler.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/interval/batch.hpp"
#include "warpfold/mpi/recurrence.hpp"
#include "warpfold/run/devices.hpp"

namespace warpfold::mpi {

namespace {

template <class T>
Outcome<interval::Solution<T>> to_solution(std::size_t n, Outcome<RecurrenceSolution<T>> found) {
  interval::check_feasible(found.solution.value);
  interval::Solution<T> solution;
  solution.cost = found.solution.value;
  std::size_t next = 0;  // both go from the root down, left children first
  interval::search_structure(
      n, [&](std::size_t, std::size_t) { return found.solution.splits[next++].k; }, solution);
  return {std::move(solution), std::move(found.report)};
}

/// The algorithm of ranks on GPUs. Raises what the choice among algorithms and devices raises.
const AlgorithmInfo& on_gpus(const Communicator& ranks, const Options& options) {
  static const AlgorithmInfo tiled{"tiled", "cuda", "interval's tiled, each rank a GPU", "n^3/6 operations"};
  const Candidate only{.info = &tiled};
  together(ranks, [&] {
    static_cast<void>(find_gpus(options.device));
    static_cast<void>(choose({&only, 1}, options));
  });
  return tiled;
}

/// Solves a problem with its recurrence, by the ranks' processors or by a GPU each.
template <class R, class T>
Outcome<interval::Solution<T>> solve_polygon(const R& recurrence, const interval::Triangulation<T>& problem,
                                             MPI_Comm comm, const Options& options) {
  const std::size_t n = problem.vertices();
  if (options.device.kind != Device::Kind::cuda) return to_solution(n, solve_recurrence(recurrence, n, comm, options));
  using Filler = RankFiller<T>;
  const Communicator ranks(comm);
  const Options own = on_gpu_of_rank(ranks, options);
  return to_solution(n, detail::solve_by<Filler>(recurrence, n, ranks, own, on_gpus(ranks, own),
                                                 [&](auto& filler, const detail::RankPart& part, Context& context) {
                                                   filler.emplace(problem, part, context);
                                                 }));
}

}  // namespace

template <class T>
Outcome<interval::Solution<T>> solve(const interval::Triangulation<T>& problem, MPI_Comm comm, const Options& options) {
  if (const auto* weights = problem.formula()) {
    return solve_polygon(interval::FormulaRecurrence<T>{*weights}, problem, comm, options);
  }
  if (const auto* weights = problem.matrix()) {
    return solve_polygon(interval::MatrixRecurrence<T>{*weights}, problem, comm, options);
  }
  throw Error(ErrorKind::input, "the outline is not strictly convex: such a one, or a matrix of weights is accepted");
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
  template Outcome<std::vector<interval::Solution<T>>> solve_batch(std::span<const interval::Triangulation<T>>, \
                                                                   MPI_Comm, const Options&);
WARPFOLD_FOR_EACH_TABLE_TYPE(WARPFOLD_INSTANTIATE)
#undef WARPFOLD_INSTANTIATE

}  // namespace warpfold::mpi
