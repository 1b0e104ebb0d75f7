#include "warpfold/interval/batch.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "interval/backends.hpp"
#include "interval/tuning.hpp"
#include "warpfold/run/devices.hpp"
#include "warpfold/run/team.hpp"

namespace warpfold::interval {

namespace {

/// What decides where polygons are solved.
struct BatchSize {
  double splits = 0;
  double weights = 0;

  template <class T>
  explicit BatchSize(std::span<const Triangulation<T>> problems) {
    for (const Triangulation<T>& problem : problems) {
      splits += split_count(problem.vertices());
      weights += static_cast<double>(problem.vertices()) * static_cast<double>(problem.vertices());
    }
  }
  /// There is much to do, and much for every weight that has to travel.
  [[nodiscard]] bool gains_on_gpu() const {
    return splits >= split_count(cuda_gains_from) && splits >= cuda_batch_gains_from / 6.0 * weights;
  }
};

/// Threads take one polygon after the other.
template <class T>
std::vector<Solution<T>> solve_by_threads(const std::span<const Triangulation<T>>& problems, Context& context) {
  std::size_t largest = 1;
  for (const Triangulation<T>& problem : problems) {
    largest = std::max(largest, RecurrenceTable<T>::bytes(problem.vertices()));
  }
  const std::size_t room = std::max<std::size_t>(1, context.budget.left() / largest);  // tables at once
  const auto allowed = static_cast<std::size_t>(thread_count(context.options.threads));
  Team team(static_cast<int>(std::min({problems.size(), room, allowed})));
  std::vector<Solution<T>> solutions(problems.size());
  const double total = BatchSize(problems).splits;
  Watch watch(context.options, total);
  Options one = context.options;
  one.threads = 1;
  one.progress = nullptr;
  std::atomic<double> done = 0;
  team.loop(problems.size(), [&](std::size_t at, int member) {
    Report unread;
    Context own(one, unread);
    solutions[at] = cpu::solve(problems[at], own);
    done += split_count(problems[at].vertices());
    if (member == 0) watch.advance(done.exchange(0));
  });
  watch.advance(total);  // what the other threads did last
  context.report.threads = team.size();
  return solutions;
}

template <class T>
std::vector<Solution<T>> solve_on_gpu(const std::span<const Triangulation<T>>& problems, Context& context) {
  return problems.empty() ? std::vector<Solution<T>>() : cuda::solve_batch(problems, context);
}

template <class T>
const auto& backends() {
  using OfBatches = Backend<BatchSize, std::span<const Triangulation<T>>, std::vector<Solution<T>>>;
  static const std::vector<OfBatches> list = [] {
    std::vector<OfBatches> all = {{{"tiled", "cpu", "each polygon by one thread"},
                                   [](const BatchSize&, const Options&) { return 1.0; },
                                   nullptr,
                                   solve_by_threads<T>}};
    if (has_cuda()) {
      all.push_back({{"tiled", "cuda", "all polygons in one launch or two"},
                     [](const BatchSize& size, const Options&) { return size.gains_on_gpu() ? 0.0 : 2.0; },
                     nullptr,
                     solve_on_gpu<T>});
    }
    return all;
  }();
  return list;
}

}  // namespace

template <class T>
Outcome<std::vector<Solution<T>>> solve_batch(std::span<const Triangulation<T>> problems, const Options& options) {
  auto outcome = solve_by(std::span(backends<T>()), BatchSize(problems), problems, options);
  for (Solution<T>& solution : outcome.solution) {
    if (solution.cost >= infinity<T>) solution = {infinity<T>, {}, {}};
  }
  return outcome;
}

#define WARPFOLD_INSTANTIATE(T) \
  template Outcome<std::vector<Solution<T>>> solve_batch(std::span<const Triangulation<T>>, const Options&);
WARPFOLD_INSTANTIATE(std::int32_t)
WARPFOLD_INSTANTIATE(std::int64_t)
WARPFOLD_INSTANTIATE(float)
WARPFOLD_INSTANTIATE(double)
#undef WARPFOLD_INSTANTIATE

}  // namespace warpfold::interval
