#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpfold::io {

/// One file of a zip archive, as in the archive's directory. Sizes and places are in bytes.
struct ZipMember {
  std::uint64_t flags = 0, method = 0, crc = 0, packed_bytes = 0, bytes = 0, header_at = 0;
};

/// A .npz file: a zip archive of .npy files, stored or deflated. It refers to the bytes from which it was constructed.
class Npz {
 public:
  /// Reads the archive's directory. Raises Error{input} that names the file if the directory is damaged or truncated,
  /// or if anything follows it. `path` is used in messages only.
  Npz(std::string path, std::string_view bytes);

  /// The names of the arrays, without ".npy", in the archive's order.
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  [[nodiscard]] bool contains(std::string_view name) const;

  /// Returns array `name` as a .npy file. Raises Error{input} if there is none, if it is damaged or encrypted, or if
  /// its stated size is impossible.
  [[nodiscard]] std::string content(std::string_view name) const;

  /// Whether it is a sparse matrix that scipy.sparse.save_npz wrote.
  [[nodiscard]] bool is_sparse() const;

 private:
  [[nodiscard]] std::uint64_t number_at(std::uint64_t at, std::size_t size) const;
  void read_directory();
  std::uint64_t read_entry(std::uint64_t at);
  void widen(ZipMember& member, std::uint64_t at, std::uint64_t size) const;
  [[nodiscard]] std::string_view packed(const ZipMember& member) const;

  std::string path_;
  std::string_view bytes_;
  std::vector<std::string> names_;
  std::vector<ZipMember> members_;  ///< one for each name
};

/// Collects arrays for a .npz file, stored, as numpy.savez writes them.
class NpzContent {
 public:
  /// Adds an array of float64 or int64. Raises Error{usage} if the shape is not that of the values.
  void add(std::string_view name, std::span<const double> values, const std::vector<std::size_t>& shape);
  void add(std::string_view name, std::span<const std::int64_t> values, const std::vector<std::size_t>& shape);
  /// Adds a text as an array of bytes without dimensions.
  void add(std::string_view name, std::string_view text);

  /// The whole file. Raises Error{overflow} from 4 GB on.
  [[nodiscard]] std::string bytes() const;

 private:
  void add_member(std::string_view name, const std::string& content);

  std::string members_, directory_;
  std::size_t count_ = 0;
};

}  // namespace warpfold::io
