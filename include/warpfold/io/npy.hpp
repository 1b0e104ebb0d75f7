#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "warpfold/io/numbers.hpp"

namespace warpfold::io {

/// An array of a .npy file. Its entries are little-endian and row by row, in whichever order the file stores them.
struct NpyArray {
  std::string path;                ///< for messages
  std::string dtype;               ///< "bool", "i8" .. "i64", "u8" .. "u64", "f32" or "f64"
  std::vector<std::size_t> shape;  ///< extents; empty for a scalar
  std::string content;             ///< the whole file; the entries are not copied out of it
  std::size_t first_byte = 0;      ///< the offset of the first entry in `content`
  bool is_rounded = false;         ///< whether an integer of a text is rounded, because no double represents it

  [[nodiscard]] std::size_t size() const;  ///< the number of entries
  [[nodiscard]] bool is_integral() const;  ///< whether dtype is an integer type

  /// Returns the entries as T. Raises Error{input} that names the file, the entry and its value if T is an integer type
  /// and cannot represent it: a fraction, NaN, or an integer out of range. For floating-point T every entry is rounded.
  /// For a signed integer type +inf becomes `infinity<T>`.
  template <class T>
  [[nodiscard]] std::vector<T> values() const;

  /// Returns the entries as T, and keeps both infinities. Those of floats, and `infinity<S>` and `-infinity<S>` of a
  /// file of type S = i16, i32 or i64, become T's. Raises what `values` raises, and Error{overflow} for an integer of
  /// another type that equals an infinity of T.
  template <class T>
  [[nodiscard]] std::vector<T> weights() const;

  /// Returns the entries as lengths of edges. An entry that equals `no_edge` (nan: is not a number) becomes `none`.
  /// Without `no_edge`, if `none` is an infinity, raises Error{input} for an entry that other programs write for "no
  /// edge": false, and the largest value of an integer type of 2 bytes or more (for a negative `none` also the
  /// smallest).
  template <class T>
  [[nodiscard]] std::vector<T> lengths(T none, const std::optional<Number>& no_edge) const;
};

/// Reads a NumPy .npy file of version 1 to 3, in C or Fortran order and of either byte order, or the only array of a
/// .npz archive ("FILE.npz:NAME": that one). Entries of float16 become f32, and x86's long doubles f64 if that loses
/// nothing. Raises Error{input} for anything else.
[[nodiscard]] NpyArray read_npy(const std::string& path);

/// Whether bytes are a .npy file, or an archive of a sparse matrix, which `parse_npy` rejects by name.
[[nodiscard]] bool is_npy(std::string_view content);

/// Reads a .npy file from bytes in memory. `path` is used in messages only.
[[nodiscard]] NpyArray parse_npy(const std::string& path, std::string bytes);

/// Writes a .npy file of version 1, in C order. Raises Error{usage} if the product of `shape` is not the number of
/// values, Error{input} if that product exceeds std::size_t, and what `write_file` raises.
template <class T>
void write_npy(const std::string& path, std::span<const T> values, const std::vector<std::size_t>& shape);

/// Writes zeros and ones as a .npy file of dtype bool. Raises what `write_npy` raises.
void write_npy_bool(const std::string& path, std::span<const std::uint8_t> values,
                    const std::vector<std::size_t>& shape);

}  // namespace warpfold::io
