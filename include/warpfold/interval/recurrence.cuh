#pragma once

#include "interval/user/recurrence_rules.cuh"
#include "run/staging.hpp"
#include "tiles/gpu/launch.cuh"
#include "tiles/gpu/workspace.cuh"
#include "warpfold/run/clock.hpp"
#include "warpfold/run/devices.hpp"

/// Solves a user's recurrence (recurrence_model.hpp) on a GPU: the same struct, in a file that nvcc compiles. Link with
/// warpfold::gpu, which sets nvcc's options.
///
/// Its members are called on the device, so make them constexpr. The struct holds numbers, and pointers or std::spans
/// to device memory (`Array` copies lists there). Only product_split() is called on the host; its lists may be on
/// either. If several GPUs solve, pointers refer to the first, and the others read over the link. A product split's
/// lists are copied to each.
///
/// Values have 4 or 8 bytes and are trivially copyable. Integers of 1 or 2 bytes are widened. `times` may be any
/// function. `plus` must be commutative, because terms are added in another order than on the CPU. A selective or
/// exactly counting semiring gives the CPU's values. A sum of rounded floats differs in its last digits.
///
/// With `static constexpr bool nonnegative = true;` a (min,+) struct over float promises that no value is below 0. It
/// then takes three instructions for two splits instead of four.
namespace warpfold::interval::cuda {

/// A list on the current device that a recurrence can read there.
template <class T>
class Array {
 public:
  explicit Array(std::span<const T> values) : values_(values) {}
  [[nodiscard]] std::span<const T> span() const { return {values_.data(), values_.size()}; }

 private:
  warpfold::cuda::Buffer<T> values_;
};

/// The finished table, on the device.
template <class T>
class DeviceTable {
 public:
  using Stored = device::DeviceValue<T>;
  static_assert(IntervalTable<T>::side == device::tile_side);

  explicit DeviceTable(std::size_t points, const TableMeaning<T>& meaning)
      : points_(points), meaning_(meaning), values_(table_size(points, device::tile_side)) {}

  static std::size_t bytes(std::size_t points) { return table_size(points, device::tile_side) * sizeof(Stored); }

  [[nodiscard]] std::size_t points() const { return points_; }
  /// The stored values. Value (i,j), i <= j, is at entry_offset(i, j, 64) (warpfold/tiles/tile_table.hpp), in the form
  /// of stored_values.hpp.
  [[nodiscard]] Stored* data() const { return values_.data(); }

  /// Copies one value to the host.
  [[nodiscard]] T value(std::size_t i, std::size_t j) const {
    if (i == j) return meaning_.one;
    Stored value;
    warpfold::cuda::check(cudaMemcpy(&value, values_.data() + entry_offset(i, j, device::tile_side), sizeof value,
                                     cudaMemcpyDeviceToHost),
                          "send a value");
    return meaning_(static_cast<T>(value));
  }
  [[nodiscard]] T value() const { return value(0, points_ - 1); }  ///< of the whole interval
  /// Copies the whole table to the host, where `structure` can read it.
  [[nodiscard]] IntervalTable<T> to_host(const Options& options = {}) const {
    const SolveMonitor monitor(options, 0);
    IntervalTable<T> table(points_, meaning_);
    if constexpr (std::is_same_v<T, Stored>) {
      download(table.tile(0, 0), options, monitor);
    } else {
      std::vector<Stored> wide(values_.size());
      download(wide.data(), options, monitor);
      std::transform(wide.begin(), wide.end(), table.tile(0, 0), [](Stored value) { return static_cast<T>(value); });
    }
    return table;
  }

 private:
  void download(Stored* to, const Options& options, const SolveMonitor& monitor) const {
    const warpfold::cuda::DeviceScope scope(values_.device());
    warpfold::cuda::download(values_.data(), warpfold::cuda::rows_of(MatrixView<Stored>{to, 1, values_.size(), 0}),
                             options.threads, monitor);
  }

  std::size_t points_;
  TableMeaning<T> meaning_;
  warpfold::cuda::Buffer<Stored> values_;
};

namespace detail {

/// A value that the solver rejected, computed again for the message.
template <class T>
struct Refused {
  std::size_t k;
  T value;
};
template <class R>
__global__ void find_refused(const R recurrence, std::size_t i, std::size_t j, device::Misfit::Kind kind,
                             Refused<ValueOf<R>>* found) {
  if constexpr (closes_by_weight<R>) {
    if (kind == device::Misfit::weight) *found = {i, recurrence.weight(i, j)};
  }
  if constexpr (splits_freely<R>) {
    if (kind != device::Misfit::split) return;
    for (std::size_t k = i + 1; k < j; ++k) {
      *found = {k, recurrence.split(i, k, j)};
      if (!interval::detail::Stored<typename R::Semiring>::accepts(found->value)) return;
    }
  }
}

/// One solve: the table and what its kernel needs besides.
template <class R>
class DeviceSolve {
 public:
  using Semiring = typename R::Semiring;
  using T = ValueOf<R>;
  using Stored = device::DeviceValue<T>;
  static_assert(std::is_trivially_copyable_v<R>, "the struct is copied to the device: spans, not vectors");
  static_assert(std::is_trivially_copyable_v<T> && (sizeof(Stored) == 4 || sizeof(Stored) == 8));
  static_assert(sizeof(R) <= 1024, "a large struct is an Array of its own");

  DeviceSolve(const R& recurrence, std::size_t points, std::span<const int> others = {})
      : recurrence_(recurrence),
        points_(points),
        table_(points, TableMeaning<T>::template of<Semiring>()),
        workspace_(tiles::one_table(points), table_.data(), others),
        misfit_(1) {
    if constexpr (splits_by_product<R>) copy_split();
  }

  /// The bytes on each of `gpus` GPUs.
  static std::size_t bytes(std::size_t points, std::size_t gpus = 1) {
    const std::size_t lists = splits_by_product<R> ? 3 * padded(points) * sizeof(T) : 0;
    return DeviceTable<T>::bytes(points) + Workspace::bytes(tiles::one_table(points), gpus) + lists;
  }

  /// Fills the table. May be called again.
  warpfold::cuda::RunningSolve start(cudaStream_t stream) {
    workspace_.clear(stream);
    check(cudaMemsetAsync(misfit_.data(), 0xff, misfit_.bytes(), stream), "clear its counters");
    if (fused_) {
      launch<true>(stream);
    } else {
      launch<false>(stream);
    }
    return workspace_.running();
  }

  /// Raises Error{overflow} or Error{input} if the solver rejected a value.
  void check_fit() const {
    device::Misfit misfit{};
    check(cudaMemcpy(&misfit.code, misfit_.data(), sizeof misfit.code, cudaMemcpyDeviceToHost), "send its result");
    if (misfit.code == device::Misfit::none) return;
    const std::string place = std::to_string(misfit.i()) + ',', end = std::to_string(misfit.j()) + ')';
    if (misfit.kind() == device::Misfit::value) {
      interval::detail::reject_value<Semiring>("value(" + place + end, table_.value(misfit.i(), misfit.j()));
    }
    const Refused<T> refused = find(misfit);
    if (misfit.kind() == device::Misfit::weight) {
      interval::detail::reject_value<Semiring>("weight(" + place + end, refused.value);
    }
    interval::detail::reject_value<Semiring>("split(" + place + std::to_string(refused.k) + ',' + end, refused.value);
  }
  [[nodiscard]] const DeviceTable<T>& table() const { return table_; }
  [[nodiscard]] DeviceTable<T> take_table() { return std::move(table_); }

 private:
  template <class Value>
  using Buffer = warpfold::cuda::Buffer<Value>;
  using Workspace = device::Workspace<Stored>;
  static void check(cudaError_t status, const char* action) { warpfold::cuda::check(status, action); }

  /// The entries in a list of a product split. Closing reads up to a sub-block beyond whole tiles.
  static std::size_t padded(std::size_t points) {
    return (tile_count(points, device::tile_side) + 1) * device::tile_side;
  }

  void copy_split() {
    const ProductSplit<T> given = recurrence_.product_split();
    std::vector<T> lists(3 * padded(points_), T{0});
    std::array<const T*, 3> from = {given.left, given.middle, given.right};
    for (std::size_t list = 0; list < from.size(); ++list) {
      if (from[list] == nullptr) continue;  // check_product reports it
      T* to = lists.data() + list * padded(points_);
      check(cudaMemcpy(to, from[list], points_ * sizeof(T), cudaMemcpyDefault), "send a split's list");
      from[list] = to;
    }
    interval::detail::check_product<Semiring>(from, points_);
    workspace_.prepare([&] { lists_.emplace_back(std::span<const T>(lists)); });
    fused_ = std::is_floating_point_v<T> && given.fused;
  }
  [[nodiscard]] ProductSplit<T> split_on(unsigned gpu) const {
    if (lists_.empty()) return {};
    const T* at = lists_[gpu].data();
    return {at, at + padded(points_), at + 2 * padded(points_), fused_};
  }

  template <bool fused>
  void launch(cudaStream_t stream) {
    if constexpr (!fused || (splits_by_product<R> && std::is_floating_point_v<T>)) {
      using Rules = device::RecurrenceRules<R, fused>;
      const auto points = static_cast<unsigned>(points_);
      const auto rules_of = [&](unsigned gpu) {
        return Rules{recurrence_, split_on(gpu), points, misfit_.data(), workspace_.stop()};
      };
      device::launch_each<Rules>(workspace_, rules_of, stream);
    }
  }

  Refused<T> find(const device::Misfit& misfit) const {
    const Buffer<Refused<T>> result(1);
    find_refused<<<1, 1>>>(recurrence_, misfit.i(), misfit.j(), misfit.kind(), result.data());
    warpfold::cuda::check_launch("find what it refused");
    Refused<T> refused;
    check(cudaMemcpy(&refused, result.data(), sizeof refused, cudaMemcpyDeviceToHost), "send what it refused");
    return refused;
  }

  R recurrence_;
  std::size_t points_;
  DeviceTable<T> table_;
  Workspace workspace_;
  Buffer<unsigned long long> misfit_;
  std::vector<Buffer<T>> lists_;  ///< of a product split, on each GPU
  bool fused_ = false;
};

template <class R>
using UserBackend = interval::detail::UserBackend<R, DeviceTable<ValueOf<R>>>;
template <class R>
using UserProblem = interval::detail::UserProblem<R>;

template <class R>
std::size_t device_bytes(const UserProblem<R>& problem, const Options& options) {
  return DeviceSolve<R>::bytes(problem.points, 1 + options.device.more.size());
}

template <class R>
DeviceTable<ValueOf<R>> solve_tiled(const UserProblem<R>& problem, Context& context) {
  const Options& options = context.options;
  const auto start = std::chrono::steady_clock::now();
  const warpfold::cuda::DeviceScope scope(options.device.index);
  const std::size_t of_each = device_bytes(problem, options);
  context.take_device_memory(of_each, of_each);
  SolveMonitor monitor(options, problem.operations());
  DeviceSolve<R> solve(problem.recurrence, problem.points, options.device.more);
  context.report.prepare_seconds = seconds_since(start);
  const warpfold::cuda::Stream stream;
  context.report.solve_seconds =
      warpfold::cuda::run(stream, problem.operations(), monitor, [&] { return solve.start(stream.get()); });
  solve.check_fit();
  return solve.take_table();
}

/// The backends that solve_recurrence chooses from.
template <class R>
std::span<const UserBackend<R>> builtin_backends() {
  static const UserBackend<R> tiled = {
      .info = {"tiled", "cuda", "64 x 64 tiles by one persistent kernel",
               "n^3/6 operations, 0.5 n^2 values of the GPU"},
      .run = solve_tiled<R>,
      .supports_multi_gpu = true,
      .device_bytes = device_bytes<R>,
      .operations = interval::detail::operations_of<R>,
      .seconds = interval::detail::seconds_of_points<interval::detail::UserProblem<R>, DeviceTable<ValueOf<R>>>,
      .probe_size = IntervalTable<ValueOf<R>>::side};
  return {&tiled, 1};
}

inline void check(std::size_t points, const Options& options) {
  interval::detail::check_points(points, tiles::max_points, " on a GPU");
  if (options.device.kind != Device::Kind::cpu) return;
  throw Error(ErrorKind::device, "cuda::solve_recurrence runs on a GPU: interval::solve_recurrence runs on the CPU");
}

}  // namespace detail

/// Solves a recurrence for 2 to 4,194,240 points on GPU options.device.index, together with the GPUs of
/// options.device.more. Returns the table, which is on the first GPU.
///
/// Raises:
/// * Error{input} for other numbers of points;
/// * Error{overflow} or Error{input} for a value outside the accepted range. It names the shortest interval seen before
///   the solve stopped; the CPU's solver may name another;
/// * Error{infeasible} as on the CPU;
/// * Error{usage} for an algorithm other than "tiled";
/// * Error{device} for the CPU, a GPU that does not exist, or GPUs without a link;
/// * Error{memory_limit} if device memory is short;
/// * Error{time_limit}, Error{memory_limit} and Error{cancelled} as the options ask.
///
/// Memory: about n*n/2 values on each GPU.
template <class R>
[[nodiscard]] Outcome<DeviceTable<ValueOf<R>>> solve_recurrence(const R& recurrence, std::size_t points,
                                                                const Options& options = {}) {
  detail::check(points, options);
  const detail::UserProblem<R> problem{recurrence, points};
  auto outcome = solve_by(detail::builtin_backends<R>(), problem, problem, options);
  interval::detail::check_feasible<typename R::Semiring>(points, outcome.solution.value());
  return outcome;
}

/// Estimates solve_recurrence on a GPU, as interval::estimate_recurrence does on the CPU.
template <class R>
[[nodiscard]] Estimate estimate_recurrence(const R& recurrence, std::size_t points, const Options& options = {}) {
  detail::check(points, options);
  return estimate_by(detail::builtin_backends<R>(), {recurrence, points}, options);
}

}  // namespace warpfold::interval::cuda
