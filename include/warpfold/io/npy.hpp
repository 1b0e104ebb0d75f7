#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace warpfold::io {

/// An array as stored in a .npy file: little-endian, row by row.
struct NpyArray {
  std::string path;                ///< for messages
  std::string dtype;               ///< "bool", "i8" .. "i64", "u8" .. "u64", "f32" or "f64"
  std::vector<std::size_t> shape;  ///< extents; empty for a scalar
  std::string content;             ///< the whole file; the entries are not copied out of it
  std::size_t first_byte = 0;      ///< the offset of the first entry in `content`

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
};

/// Reads a NumPy .npy file of version 1 to 3, in C order. Raises Error{input} for anything else.
[[nodiscard]] NpyArray read_npy(const std::string& path);

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
