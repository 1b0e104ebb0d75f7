#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "warpfold/core/point.hpp"
#include "warpfold/interval/triangulation.hpp"

struct CUstream_st;
namespace warpfold {
class SolveMonitor;
class TableExchange;
struct SuperTiles;
}  // namespace warpfold
namespace warpfold::cuda {
struct RunningSolve;
}  // namespace warpfold::cuda
namespace warpfold::tiles {
struct TableHandle;
}  // namespace warpfold::tiles
namespace warpfold::tiles::device {
class PeerTables;
template <class T>
struct Job;
}  // namespace warpfold::tiles::device

/// Triangulations on a GPU whose data stays there: device pointers in and out, on the caller's stream.
namespace warpfold::interval::cuda {

/// A cudaStream_t of the plan's device. Null is its default stream.
using Stream = CUstream_st*;

/// Properties of the weights that the caller promises. They are not checked.
template <class T>
struct WeightBounds {
  /// For integers: Triangulation::largest_total(), or more as long as 4 times it fits T.
  T largest_total = 0;
  /// No weight is below 0. f32 then takes three instructions for two splits instead of four.
  bool nonnegative = false;
};

/// The device memory and launch order for solving one polygon, or a batch of polygons, again and again.
///
/// A plan belongs to the device that was current when it was made. It runs one solve at a time. Any number of plans run
/// at one time, from any threads. Only the constructor waits for the device, and the destructor for the plan's own
/// work.
///
/// Device memory: workspace_bytes(vertices), about n*n/2 values a polygon, and about as much on each other GPU. T is
/// int32_t, int64_t, float or double.
///
/// Other GPUs of the host may help if NVLink connects them. Each has a copy of the tables, takes tiles when it is free,
/// and writes finished tiles to all copies. All other data stays on the plan's device, where the others read the
/// weights. If a polygon's copies exceed the memory limit of a GPU, each tile far from the diagonal is on one GPU, and
/// the others read it there.
template <class T>
class Plan {
 public:
  static constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

  /// Makes a plan.
  /// * `vertices`: the number of vertices of each polygon, 3 to 4,194,240.
  /// * `others`: the numbers of GPUs that help. They are not used if all polygons have at most 64 vertices.
  /// * `max_memory`: bytes of each GPU. A single polygon that needs more shares as many tiles as it must.
  /// * `by_tiles`: fill polygons of at most 64 vertices by tiles, too.
  ///
  /// Raises Error{usage} for no polygon and for other numbers of vertices. Raises Error{memory_limit} if device memory
  /// is short. Raises Error{device} if there is no device, or no link between two.
  explicit Plan(std::span<const std::size_t> vertices, std::span<const int> others = {},
                std::size_t max_memory = unlimited, bool by_tiles = false);
  explicit Plan(std::size_t vertices, std::span<const int> others = {}, std::size_t max_memory = unlimited)
      : Plan(std::span<const std::size_t>(&vertices, 1), others, max_memory) {}
  ~Plan();
  Plan(Plan&&) noexcept;
  Plan& operator=(Plan&&) noexcept;

  /// The device memory of a plan in bytes, on each of `gpus` GPUs. Raises Error{usage} as the constructor does.
  [[nodiscard]] static std::size_t workspace_bytes(std::span<const std::size_t> vertices, std::size_t gpus = 1,
                                                   std::size_t max_memory = unlimited);

  /// Fills the tables with value(i,j) of Triangulation, the same bits.
  ///
  /// `weights` holds the polygons' n x n matrices, one after the other. It is on the device, or in host memory that the
  /// device can read (pinned). From the host, each weight crosses the bus once while the solver runs. `stride` is in
  /// values and for a single polygon; 0 means n.
  ///
  /// Raises Error{usage} for an impossible view (`check_view`), and for a stride with several polygons.
  void solve(const T* weights, std::size_t stride, const WeightBounds<T>& bounds, Stream stream = nullptr);

  /// Fills the tables of convex polygons whose weights follow from the vertices. A chord's squared length is dx*dx +
  /// dy*dy, rounded at every step; `length` takes its root. The result is rounded to T.
  ///
  /// `points` holds the polygons' vertices, one polygon after the other, on the device or where it can read them. The
  /// values have the same bits as from the matrix of these weights, which is never stored.
  void solve(const Point* points, ChordWeight weight, const WeightBounds<T>& bounds, Stream stream = nullptr);

  /// Writes the n-2 triangles of each polygon to `triangles` on the device, one polygon after the other, in the order
  /// of Solution::triangles. Call it after solve, on the same stream. The triangles of a polygon without a finite total
  /// have no meaning.
  void structure(Triangle* triangles, Stream stream = nullptr);

  /// Copies each polygon's cost, value(0,n-1), to `costs` on the device.
  void costs(T* costs, Stream stream = nullptr);

  /// The table of a polygon on the device, in packed tiles of `tile_side` (warpfold/tiles/tile_table.hpp). Not if GPUs
  /// share its tiles: use `jobs`.
  [[nodiscard]] const T* table(std::size_t polygon = 0) const;
  static constexpr std::size_t tile_side = 64;

  /// The number of tiles of a solve. Together with `tasks_taken` and `stop` it lets another thread or stream watch and
  /// end a running solve. Polygons of at most 64 vertices have no tiles: a warp solves each.
  [[nodiscard]] std::size_t tasks() const;
  [[nodiscard]] const unsigned* tasks_taken() const;  ///< on the device: how many tiles were taken
  /// A word on the device. Writing `solves()` there ends the last solve early, even while it waits in its stream. A
  /// number that comes too late ends no other solve.
  [[nodiscard]] unsigned* stop() const;
  [[nodiscard]] unsigned solves() const;
  [[nodiscard]] warpfold::cuda::RunningSolve running() const;  ///< the same as one object, for this library's solvers
  /// For this library's solvers: exchanges super-tiles of the only table with `exchange` during the next solve. `host`
  /// is the host's copy of the table. At most `threads` threads copy. The exchange must already know which super-tiles
  /// come. `peers` get what they need without it, and must outlive that solve.
  void connect(TableExchange& exchange, const SuperTiles& host, const tiles::device::PeerTables& peers, int threads);
  /// After a solve: waits until all super-tiles that come have come.
  void complete(const SolveMonitor& monitor);
  /// Lets other processes write to the only table after it is connected.
  [[nodiscard]] tiles::TableHandle handle();
  /// The tables on the device, for this library's solvers.
  [[nodiscard]] const tiles::device::Job<T>* jobs() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

extern template class Plan<std::int32_t>;
extern template class Plan<std::int64_t>;
extern template class Plan<float>;
extern template class Plan<double>;

}  // namespace warpfold::interval::cuda
