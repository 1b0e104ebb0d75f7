#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "warpfold/run/checkpointer.hpp"

/// The files of a checkpoint's folder. "tiles" has each super-tile at its own place. "list" describes the table and has
/// a checksum for each durable super-tile in "tiles". With several processes each has its own list ("list", "list.1"
/// and so on), so that none can corrupt another's. Together the lists name all durable super-tiles.
namespace warpfold::checkpoint {

using Pieces = std::vector<std::span<std::byte>>;

/// The checksum of all pieces, in order. It is never 0, which stands for "not there".
[[nodiscard]] std::uint64_t checksum(const Pieces& pieces);

/// What identifies a table. A run continues a table only if its own header is equal.
struct Header {
  std::uint64_t problem;  ///< the checksum of the problem's description
  std::uint64_t points;
  std::string type;
  std::uint64_t group;  ///< tiles along a side of a super-tile
  std::string unit;     ///< of the points, for messages; no part of the file
};

/// The list file of one process.
class List {
 public:
  List(std::string folder, Header header, std::size_t super_tiles, int rank);

  /// Reads the checksums of all lists in the folder. Raises Error{input} for a file that is no list, or a list of
  /// another table.
  void read();
  /// Replaces this process's list as a whole.
  void write() const;
  /// Removes the other processes' lists. This list has all their entries.
  void remove_others() const;

  std::vector<std::uint64_t> checksums;  ///< by number of super-tile; 0: not there

 private:
  void read(const std::string& path);
  [[nodiscard]] std::vector<std::uint64_t> words() const;

  std::string folder_;
  std::string path_;
  Header header_;
};

/// Raises Error{input} if a run resumes in a folder without a list, or begins in a folder with one.
void check_folder(const std::string& folder, bool resumes);

/// The file "tiles". It is locked against other runs while a process of this run has it open.
class TileFile {
 public:
  /// The first process of a run creates the folder and the file, if missing, before the others open it. Raises
  /// Error{input}.
  TileFile(const std::string& folder, bool first);
  ~TileFile();
  TileFile(const TileFile&) = delete;
  TileFile& operator=(const TileFile&) = delete;

  /// Writes the pieces one after another from `offset` on, and starts writing them to the disk at once. Otherwise
  /// synchronize() would wait for gigabytes at the end of a solve. Raises Error{input}.
  void write(const Pieces& pieces, std::size_t offset) const;
  /// Reads the pieces. Returns false if the file ends before them.
  [[nodiscard]] bool read(const Pieces& pieces, std::size_t offset) const;
  /// Waits until all written bytes are on the disk.
  void synchronize() const;

 private:
  std::string path_;
  int file_;
};

}  // namespace warpfold::checkpoint
