#include "warpfold/interval/batch.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "core/choose.hpp"
#include "interval/backend.hpp"
#include "interval/tuning.hpp"
#include "warpfold/core/team.hpp"

namespace warpfold::interval {

namespace {

double splits(double n) { return n * (n - 1) * (n - 2) / 6; }

template <class T>
double total_splits(std::span<const Triangulation<T>> problems) {
  double total = 0;
  for (const Triangulation<T>& problem : problems) total += splits(static_cast<double>(problem.vertices()));
  return total;
}

/// A GPU gains where there is much to do, and much for every weight that has to travel.
template <class T>
bool gpu_gains(std::span<const Triangulation<T>> problems) {
  double weights = 0;
  for (const Triangulation<T>& problem : problems) {
    weights += static_cast<double>(problem.vertices()) * static_cast<double>(problem.vertices());
  }
  const double total = total_splits(problems);
  return total >= splits(cuda_gains_from) && total >= cuda_batch_gains_from / 6.0 * weights;
}

template <class T>
std::vector<Backend> backends_for(std::span<const Triangulation<T>> problems) {
  static const AlgorithmInfo on_cpu{"tiled", "cpu", "each polygon by one thread"};
  static const AlgorithmInfo on_gpu{"tiled", "cuda", "all polygons in one launch or two"};
  std::vector<Backend> backends = {{&on_cpu, 1}};
  if (cuda::compiled()) backends.push_back({&on_gpu, gpu_gains(problems) ? 0.0 : 2.0});
  return backends;
}

}  // namespace

namespace cpu {

/// Threads take one polygon after the other.
template <class T>
std::vector<Solution<T>> solve_batch(std::span<const Triangulation<T>> problems, const Options& options,
                                     Report& report) {
  Budget budget(options);
  std::size_t largest = 1;
  for (const Triangulation<T>& problem : problems) {
    largest = std::max(largest, RecurrenceTable<T>::bytes(problem.vertices()));
  }
  const std::size_t room = std::max<std::size_t>(1, budget.left() / largest);  // tables at once
  const auto allowed = static_cast<std::size_t>(thread_count(options.threads));
  Team team(static_cast<int>(std::min({problems.size(), room, allowed})));
  std::vector<Solution<T>> solutions(problems.size());
  Watch watch(options, total_splits(problems));
  Options one = options;
  one.threads = 1;
  one.progress = nullptr;
  one.budget = &budget;
  std::atomic<double> done = 0;
  team.loop(problems.size(), [&](std::size_t at, int member) {
    Report own;
    solutions[at] = solve(problems[at], one, own);
    done += splits(static_cast<double>(problems[at].vertices()));
    if (member == 0) watch.advance(done.exchange(0));
  });
  watch.advance(total_splits(problems));  // what the other threads did last
  report.threads = team.size();
  report.peak_bytes = budget.peak();
  return solutions;
}

}  // namespace cpu

template <class T>
BatchResult<T> triangulate_batch(std::span<const Triangulation<T>> problems, const Options& options) {
  const std::vector<Backend> backends = backends_for(problems);
  BatchResult<T> result;
  run_choice(choose(backends, options), options, result.report, [&](std::size_t at) {
    const bool on_gpu = backends[at].on_gpu();
    if (!problems.empty()) {
      result.solutions = on_gpu ? cuda::solve_batch(problems, options, result.report)
                                : cpu::solve_batch(problems, options, result.report);
    }
    result.report.algorithm = "tiled";
    result.report.device = on_gpu ? gpu_name(options) : "cpu";
  });
  for (Solution<T>& solution : result.solutions) {
    if (solution.cost >= infinity<T>) solution = {infinity<T>, {}, {}};
  }
  return result;
}

template BatchResult<std::int32_t> triangulate_batch(std::span<const Triangulation<std::int32_t>>, const Options&);
template BatchResult<std::int64_t> triangulate_batch(std::span<const Triangulation<std::int64_t>>, const Options&);
template BatchResult<float> triangulate_batch(std::span<const Triangulation<float>>, const Options&);
template BatchResult<double> triangulate_batch(std::span<const Triangulation<double>>, const Options&);

}  // namespace warpfold::interval
