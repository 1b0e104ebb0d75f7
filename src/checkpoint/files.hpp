#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "warpfold/tiles/table_keeper.hpp"

/// What a checkpoint's folder holds: "tiles", each super-tile at its own place, and "list", which says what the table
/// is and has a checksum for each super-tile that is safe in "tiles".
namespace warpfold::checkpoint {

using Pieces = std::vector<std::span<std::byte>>;

/// Of all pieces in turn; never 0, which stands for "not there".
[[nodiscard]] std::uint64_t checksum(const Pieces& pieces);

/// What has to be equal for a table to go on with another run's.
struct Header {
  std::uint64_t problem;  ///< the checksum of what describes it
  std::uint64_t points;
  std::string type;
  std::uint64_t group;  ///< tiles along a side of a super-tile
};

/// The list as a file.
class List {
 public:
  List(std::string folder, Header header, std::size_t super_tiles);

  /// Takes over the checksums of the folder's list. Raises Error{input} where there is none, or none of this table.
  void read();
  /// Replaces the folder's list as a whole.
  void write() const;

  std::vector<std::uint64_t> checksums;  ///< by number of super-tile; 0: not there

 private:
  [[nodiscard]] std::vector<std::uint64_t> words() const;

  std::string folder_;
  Header header_;
};

/// Raises Error{input} where a run is to go on with a folder that has no list, or to begin in one that has.
void check_folder(const std::string& folder, bool resumes);

/// "tiles": nobody else's while it is open.
class TileFile {
 public:
  /// Makes the folder and the file where they are not there. Raises Error{input}.
  explicit TileFile(const std::string& folder);
  ~TileFile();
  TileFile(const TileFile&) = delete;
  TileFile& operator=(const TileFile&) = delete;

  /// The pieces one behind another from `offset` on. Raises Error{input}.
  void write(const Pieces& pieces, std::size_t offset) const;
  /// False where the file ends before.
  [[nodiscard]] bool read(const Pieces& pieces, std::size_t offset) const;
  /// Returns once what was written is on the disk.
  void synchronize() const;

 private:
  std::string path_;
  int file_;
};

}  // namespace warpfold::checkpoint
