#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

/// Who exchanges parts of a table with the solver that fills it: a folder of checkpoints, or other processes. They
/// count in super-tiles (I,J), I <= J, which are square groups of tiles.
namespace warpfold {

struct Options;

/// Super-tiles that a run does not make itself, and what becomes of those that it makes.
class TableExchange {
 public:
  /// Whether super-tile (I,J) comes from elsewhere: the run leaves it out, and waits for it where it needs it.
  [[nodiscard]] virtual bool comes(std::size_t i, std::size_t j) const = 0;
  /// Whether `made` has to say that (I,J), which the run makes, is final. A run whose table is on a GPU has to have
  /// those on the host, too.
  [[nodiscard]] virtual bool wants(std::size_t /*i*/, std::size_t /*j*/) const { return true; }
  /// Super-tile (I,J) is final; called by the thread that made it.
  virtual void made(std::size_t i, std::size_t j) = 0;
  /// Calls arrived(I,J) once for every super-tile that has come since. Called at the beginning and often then, by the
  /// thread that started the run alone. What it raises ends the run.
  virtual void progress(const std::function<void(std::size_t, std::size_t)>& arrived) = 0;

 protected:
  ~TableExchange() = default;
};

/// Where the super-tiles of a packed table (tiles/tile_table.hpp) lie.
struct SuperTiles {
  std::byte* first;        ///< of the table's bytes
  std::size_t tile_bytes;  ///< of one tile
  std::size_t tiles;       ///< along a side of the table
  std::size_t group;       ///< along a side of a super-tile; the last ones have fewer

  [[nodiscard]] std::size_t along() const { return (tiles + group - 1) / group; }
};

/// What one of several processes has of a table that they fill together.
struct TablePart {
  int rank = 0;  ///< counted from 0
  /// Whether it makes super-tile (I,J) or needs it.
  std::function<bool(std::size_t i, std::size_t j)> holds = [](std::size_t, std::size_t) { return true; };
  /// Runs an action in all of them, and returns when it has ended in all. What it raises in one it raises in all.
  std::function<void(const std::function<void()>&)> together = [](const auto& action) { action(); };
};

/// A table before it is filled, and what tells its problem from others.
struct KeptTable {
  std::string type;  ///< of its values: "f32"
  std::size_t points;
  SuperTiles place;
  /// Appends to `bytes` what the problem says of point i: all points together say all of it. Called by several threads.
  std::function<void(std::size_t i, std::vector<std::byte>& bytes)> describe;
  TablePart part = {};
};

/// Keeps the super-tiles of a table as they become final, and may have some from an earlier run
/// (Options::checkpointer).
class Checkpointer : public TableExchange {
 public:
  /// Runs fill(), which asks this exchange from then on, and returns when it has ended and what has to be kept is.
  /// Raises what `fill` raises. Every process of several calls it.
  virtual void solve(const KeptTable& table, const Options& options, const std::function<void()>& fill) = 0;

 protected:
  ~Checkpointer() = default;
};

}  // namespace warpfold
