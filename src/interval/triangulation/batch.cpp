#include "warpfold/interval/batch.hpp"

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <numeric>
#include <utility>

#include "core/number_types.hpp"
#include "interval/backends.hpp"
#include "interval/triangulation/lanes.hpp"
#include "interval/triangulation/traceback.hpp"
#include "interval/tuning.hpp"
#include "warpfold/core/tile_storage.hpp"
#include "warpfold/run/batch.hpp"
#include "warpfold/run/devices.hpp"

namespace warpfold::interval {

namespace {

/// The properties of a batch that decide where it is solved.
struct BatchSize {
  double splits = 0;
  double weights = 0;
  bool of_matrices = true;

  template <class T>
  explicit BatchSize(std::span<const Triangulation<T>> problems) {
    for (const Triangulation<T>& problem : problems) {
      splits += split_count(problem.vertices());
      weights += static_cast<double>(problem.vertices()) * static_cast<double>(problem.vertices());
      of_matrices = of_matrices && problem.matrix();
    }
  }
  /// Whether there is much work, and much for every weight that is copied to the GPU.
  [[nodiscard]] bool gains_on_gpu() const {
    return splits >= split_count(cuda_gains_from) && splits >= cuda_batch_gains_from / 6.0 * weights;
  }
};

/// Divides a batch into groups, which one thread solves: multiples of `lanes::count` matrices with equal numbers of
/// vertices, or one polygon alone.
template <class T>
class Groups {
 public:
  Groups(const std::span<const Triangulation<T>>& problems, std::size_t threads)
      : order_(problems.size()), groups_(problems.size()) {
    const auto vertices = [&](std::size_t at) -> std::size_t {
      const Triangulation<T>& problem = problems[at];
      return problem.matrix() && problem.vertices() <= lane_vertices ? problem.vertices() : 0;
    };
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::ranges::stable_sort(order_, {}, vertices);
    const std::size_t together = lanes::count<T>();
    // several groups for each thread, so that none waits long for another
    const std::size_t max_size = std::clamp<std::size_t>(problems.size() / (4 * threads * together), 1, 8) * together;
    for (std::size_t first = 0; first < order_.size();) {
      const std::size_t n = vertices(order_[first]);
      std::size_t size = 1;
      while (n > 0 && size < max_size && first + size < order_.size() && vertices(order_[first + size]) == n) ++size;
      size = size < together ? 1 : size / together * together;
      if (size > 1) largest_ = std::max(largest_, n);
      groups_[order_[first]] = {&order_[first], size};
      first += size;
    }
  }
  /// The problems that are solved with this one, empty if it is not the first of them.
  [[nodiscard]] std::span<const std::size_t> of(std::size_t at) const { return groups_[at]; }
  /// The vertices of the largest polygon that is not alone, or 0.
  [[nodiscard]] std::size_t largest() const { return largest_; }

 private:
  std::vector<std::size_t> order_;
  std::vector<std::span<const std::size_t>> groups_;
  std::size_t largest_ = 0;
};

/// Solves groups, each thread in a table that it takes and gives back.
template <class T>
class GroupSolver {
 public:
  GroupSolver(const std::span<const Triangulation<T>>& problems, std::vector<Solution<T>>& solutions,
              std::size_t values)
      : problems_(problems), solutions_(solutions), values_(values) {}

  void solve(std::span<const std::size_t> group) {
    TileStorage<T> table = take();
    for (; !group.empty(); group = group.subspan(lanes::count<T>())) {
      solve_together(group.first(lanes::count<T>()), table.data());
    }
    give_back(std::move(table));
  }

 private:
  void solve_together(std::span<const std::size_t> polygons, T* table) {
    lanes::Group<T> group{.n = problems_[polygons.front()].vertices()};
    for (std::size_t lane = 0; lane < polygons.size(); ++lane) {
      std::vector<Triangle>& triangles = solutions_[polygons[lane]].triangles;
      triangles.resize(group.n - 2);
      group.triangles[lane] = triangles.data();
      group.weights[lane] = problems_[polygons[lane]].matrix();
    }
    lanes::solve(group, table);
    for (std::size_t lane = 0; lane < polygons.size(); ++lane) {
      solutions_[polygons[lane]].cost = group.costs[lane];
      list_chords(solutions_[polygons[lane]]);
    }
  }
  TileStorage<T> take() {
    const std::unique_lock lock(mutex_);
    if (spare_.empty()) {
      TileStorage<T> table(values_);
      std::fill_n(table.data(), values_, T{});
      return table;
    }
    TileStorage<T> table = std::move(spare_.back());
    spare_.pop_back();
    return table;
  }
  void give_back(TileStorage<T>&& table) {
    const std::unique_lock lock(mutex_);
    spare_.push_back(std::move(table));
  }

  const std::span<const Triangulation<T>>& problems_;
  std::vector<Solution<T>>& solutions_;
  std::size_t values_;
  std::mutex mutex_;
  std::vector<TileStorage<T>> spare_;
};

/// Threads take one group or polygon after the other. Without much memory all polygons are alone.
template <class T>
std::vector<Solution<T>> solve_by_threads(const std::span<const Triangulation<T>>& problems, Context& context) {
  std::vector<Solution<T>> solutions(problems.size());
  const auto threads = static_cast<std::size_t>(thread_count(context.options.threads));
  const Groups<T> groups(problems, threads);
  const std::size_t values = groups.largest() > 0 ? lanes::table_size<T>(groups.largest()) : 0;
  const std::size_t bytes = values * sizeof(T) * threads;
  const bool in_groups = bytes > 0 && bytes <= context.budget.left() / 2;
  const Budget::Reservation taken = context.budget.reserve(in_groups ? bytes : 0);
  GroupSolver<T> solver(problems, solutions, values);
  const auto solve_one = [&](std::size_t at, const Options& each) {
    const std::span<const std::size_t> group = groups.of(at);
    if (in_groups && group.size() != 1) {
      if (!group.empty()) solver.solve(group);
    } else {
      Report unread;
      Context own(each, unread);
      solutions[at] = cpu::solve(problems[at], own);
    }
    return split_count(problems[at].vertices());
  };
  const double splits = BatchSize(problems).splits;
  add_part(context.report, warpfold::detail::solve_each(problems.size(), splits, context.options, solve_one));
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
      all.push_back({.info = {"tiled", "cuda", "all polygons in one launch or two"},
                     .cost = [](const BatchSize& size, const Options&) { return size.gains_on_gpu() ? 0.0 : 2.0; },
                     .bytes = nullptr,
                     .run = solve_on_gpu<T>,
                     .unsupported_reason = [](const BatchSize& size) -> std::string {
                       return size.of_matrices ? "" : "takes a batch of matrices alone";
                     },
                     .supports_multi_gpu = true});
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
WARPFOLD_FOR_EACH_TABLE_TYPE(WARPFOLD_INSTANTIATE)
#undef WARPFOLD_INSTANTIATE

}  // namespace warpfold::interval
