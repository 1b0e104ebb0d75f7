#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "warpfold/run/checkpointer.hpp"

/// What a checkpoint's folder holds: "tiles", each super-tile at its own place, and "list", which says what the table
/// is and has a checksum for each super-tile that is safe in "tiles". Of several processes each has a list of its own,
/// "list.1" and so on, so that none can tear another's; together they say what is safe.
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

/// A process's list as a file.
class List {
 public:
  List(std::string folder, Header header, std::size_t super_tiles, int rank);

  /// Takes over the checksums of all of the folder's lists. Raises Error{input} where one is none, or of another table.
  void read();
  /// Replaces the process's own list as a whole.
  void write() const;
  /// Removes the others', of which this one has everything.
  void remove_others() const;

  std::vector<std::uint64_t> checksums;  ///< by number of super-tile; 0: not there

 private:
  void read(const std::string& path);
  [[nodiscard]] std::vector<std::uint64_t> words() const;

  std::string folder_;
  std::string path_;
  Header header_;
};

/// Raises Error{input} where a run is to go on with a folder that has no list, or to begin in one that has.
void check_folder(const std::string& folder, bool resumes);

/// "tiles": no other run's while a process of this one has it open.
class TileFile {
 public:
  /// The first process of a run makes the folder and the file where they are not there, before the others open it.
  /// Raises Error{input}.
  TileFile(const std::string& folder, bool first);
  ~TileFile();
  TileFile(const TileFile&) = delete;
  TileFile& operator=(const TileFile&) = delete;

  /// The pieces one behind another from `offset` on, which the disk begins to take at once: else synchronize() would
  /// wait for gigabytes, and the end of a solve with it. Raises Error{input}.
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
