#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

/// Exchange of table parts between the solver that fills a table and a partner: a folder of checkpoints or other
/// processes. The unit is the super-tile (I,J), I <= J, a square group of tiles.
namespace warpfold {

struct Options;

/// Supplies super-tiles that a run does not compute, and receives those that it computes.
class TableExchange {
 public:
  /// Whether super-tile (I,J) comes from the partner. The run then does not compute it, and waits for it where needed.
  [[nodiscard]] virtual bool comes(std::size_t i, std::size_t j) const = 0;
  /// Whether the run must call `made` for a super-tile (I,J) that it computes. If its table is on a GPU, it must first
  /// copy these super-tiles to the host.
  [[nodiscard]] virtual bool wants(std::size_t /*i*/, std::size_t /*j*/) const { return true; }
  /// Tells that super-tile (I,J) is final. The thread that computed it calls this.
  virtual void made(std::size_t i, std::size_t j) = 0;
  /// Calls arrived(I,J) once for every super-tile that has come since the last call. Only the thread that started the
  /// run calls this, at the beginning and then often. An exception ends the run.
  virtual void progress(const std::function<void(std::size_t, std::size_t)>& arrived) = 0;

 protected:
  ~TableExchange() = default;
};

/// The place of the super-tiles of a packed table (tiles/tile_table.hpp) in memory.
struct SuperTiles {
  std::byte* first;        ///< the first byte of the table
  std::size_t tile_bytes;  ///< bytes of one tile
  std::size_t tiles;       ///< along a side of the table
  std::size_t group;       ///< tiles along a side of a super-tile; the last super-tiles have fewer

  [[nodiscard]] std::size_t along() const { return (tiles + group - 1) / group; }
};

/// The part of a table that one of several processes holds.
struct TablePart {
  int rank = 0;  ///< counted from 0
  /// Whether this process computes super-tile (I,J) or needs it.
  std::function<bool(std::size_t i, std::size_t j)> holds = [](std::size_t, std::size_t) { return true; };
  /// Runs an action in every process and returns after all have finished it. If it raises in one, it raises in all.
  std::function<void(const std::function<void()>&)> together = [](const auto& action) { action(); };
};

/// A table before it is filled, with a description that tells its problem from others.
struct KeptTable {
  std::string type;  ///< of its values, for example "f32"
  std::size_t points;
  SuperTiles place;
  /// Appends the part of the problem that belongs to point i to `bytes`. All points together describe the whole
  /// problem. Several threads call it.
  std::function<void(std::size_t i, std::vector<std::byte>& bytes)> describe;
  TablePart part = {};
  /// Further tables with super-tiles of the same number and group, which are saved together with those of `place`.
  std::vector<SuperTiles> more = {};
  const char* unit = "points";  ///< what `points` counts, for messages
  /// If above 1, `describe` is called only for the points 0, points_at_once, .. and appends as many at a time.
  std::size_t points_at_once = 1;
};

/// Saves the super-tiles of a table as they become final, and supplies those of an earlier run (Options::checkpointer).
class Checkpointer : public TableExchange {
 public:
  /// Calls fill(), which uses this exchange. Returns after it has ended and the required super-tiles are saved. Raises
  /// what `fill` raises. If several processes share the table, each calls it.
  virtual void solve(const KeptTable& table, const Options& options, const std::function<void()>& fill) = 0;

 protected:
  ~Checkpointer() = default;
};

}  // namespace warpfold
