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
namespace warpfold::tiles {
struct TableHandle;
}  // namespace warpfold::tiles
namespace warpfold::tiles::device {
class PeerTables;
struct RunningSolve;
template <class T>
struct Job;
}  // namespace warpfold::tiles::device

/// Triangulations on a GPU whose data stays there: device pointers in and out, on the caller's stream.
namespace warpfold::interval::cuda {

/// A cudaStream_t of the plan's device; null is its default stream.
using Stream = CUstream_st*;

/// What the caller promises of the weights, since nobody looks at them on their way.
template <class T>
struct WeightBounds {
  T largest_total = 0;       ///< integers: Triangulation::largest_total(), or more as long as 4 * it fits into T
  bool nonnegative = false;  ///< no weight is below 0: f32 then takes three instructions for two splits, not four
};

/// The workspace and order of solving one polygon, or a batch of them, again and again. A plan belongs to the device it
/// was made on (the one that was current), whichever is current later, and to one solve at a time; any number of plans
/// run at once, from any threads. Nothing here waits for the device except the constructor, and the destructor for the
/// plan's own work.
///
/// Other GPUs of the host may help it, whose memory is linked (NVLink): each of them then has a copy of the tables,
/// takes tiles as it is free to, and writes those that it has finished to all copies. Everything else stays on the
/// plan's own device, whose streams wait for the others; they read weights there. Of a polygon whose copies take more
/// than each of them may give, the tiles far from the diagonal are on one GPU each, and the others read them there.
///
/// Device memory: workspace_bytes(vertices), about n*n/2 values a polygon, and about as much on each of the others. T
/// is int32_t, int64_t, float or double.
template <class T>
class Plan {
 public:
  static constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

  /// `vertices`: how many each polygon has. `others`: the numbers of GPUs that help; where all polygons have at most 64
  /// vertices none does. `max_memory` of each GPU: where a single polygon would take more, tiles are shared, as many as
  /// it needs. `by_tiles`: those of at most 64 vertices, too. Raises Error{usage} for no polygon and for others than 3
  /// to 4,194,240 vertices, Error{memory_limit} where device memory is short, Error{device} where there is no device,
  /// or no link between two.
  explicit Plan(std::span<const std::size_t> vertices, std::span<const int> others = {},
                std::size_t max_memory = unlimited, bool by_tiles = false);
  explicit Plan(std::size_t vertices, std::span<const int> others = {}, std::size_t max_memory = unlimited)
      : Plan(std::span<const std::size_t>(&vertices, 1), others, max_memory) {}
  ~Plan();
  Plan(Plan&&) noexcept;
  Plan& operator=(Plan&&) noexcept;

  /// Of each of so many GPUs. Raises Error{usage} as the constructor does.
  [[nodiscard]] static std::size_t workspace_bytes(std::span<const std::size_t> vertices, std::size_t gpus = 1,
                                                   std::size_t max_memory = unlimited);

  /// Fills the tables: value(i,j) of Triangulation, the same bits. `weights`: on the device, or on the host where the
  /// device can read it (pinned): then each weight crosses the bus once, while the solver runs. The polygons' n x n
  /// matrices follow one another; `stride` is for a single polygon, 0 meaning n. Raises Error{usage} for no matrix
  /// (`check_view`), and for a stride where there are several.
  void solve(const T* weights, std::size_t stride, const WeightBounds<T>& bounds, Stream stream = nullptr);

  /// The same for convex polygons whose chords weigh what the distance of their ends says: dx*dx + dy*dy, rounded at
  /// every step, for `length` its root, then rounded to T. `points`: the polygons' vertices one after another, on the
  /// device or where it can read them. The bits are those of the matrix of these weights, which is never stored.
  void solve(const Point* points, ChordWeight weight, const WeightBounds<T>& bounds, Stream stream = nullptr);

  /// After solve, on the same stream: the n-2 triangles of each polygon, one polygon after another, in the order
  /// of Solution::triangles, to `triangles` on the device. What has no finite total has some without meaning.
  void structure(Triangle* triangles, Stream stream = nullptr);

  /// Copies each polygon's cost, value(0,n-1), to `costs` on the device.
  void costs(T* costs, Stream stream = nullptr);

  /// The table of a polygon on the device, in packed tiles of `tile_side` (warpfold/tiles/tile_table.hpp). Not where
  /// GPUs share its tiles: `jobs` knows where they are.
  [[nodiscard]] const T* table(std::size_t polygon = 0) const;
  static constexpr std::size_t tile_side = 64;

  /// For another thread or stream while a solve runs: how many of `tasks()` tiles were taken, and to take no more.
  /// Polygons of at most 64 vertices are solved beside them, by a warp each, and count as none.
  [[nodiscard]] std::size_t tasks() const;
  [[nodiscard]] const unsigned* tasks_taken() const;  ///< on the device
  /// On the device: writing `solves()` there ends the last solve that was called early, also one that still waits in
  /// its stream. A number that comes too late ends no other.
  [[nodiscard]] unsigned* stop() const;
  [[nodiscard]] unsigned solves() const;
  [[nodiscard]] tiles::device::RunningSolve running() const;  ///< the same, for this library's own solvers
  /// For them, too: from now on super-tiles of the only table, which lies on the host besides, come and go, by at most
  /// so many threads, and do so while the next solve runs. The exchange already knows what comes. `peers` get what they
  /// need of it by themselves, and outlive that solve.
  void connect(TableExchange& exchange, const SuperTiles& host, const tiles::device::PeerTables& peers, int threads);
  void complete(const SolveMonitor& monitor);  ///< waits behind a solve until all that comes has come
  [[nodiscard]] tiles::TableHandle handle();   ///< lets other processes write to the only table once it is connected
  [[nodiscard]] const tiles::device::Job<T>* jobs() const;  ///< the tables on the device, for them, too

 private:
  struct State;
  std::unique_ptr<State> state_;
};

extern template class Plan<std::int32_t>;
extern template class Plan<std::int64_t>;
extern template class Plan<float>;
extern template class Plan<double>;

}  // namespace warpfold::interval::cuda
