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

/// An array of a .npy file. Its entries are little-endian and row by row, however the file has them.
struct NpyArray {
  std::string path;                ///< for messages
  std::string dtype;               ///< "bool", "i8" .. "i64", "u8" .. "u64", "f32" or "f64"
  std::vector<std::size_t> shape;  ///< no entry: one scalar
  std::string content;             ///< the whole file, so that its entries are in memory once
  std::size_t first_byte = 0;      ///< where they begin in it
  bool is_rounded = false;         ///< an integer of a text that is no double stands rounded among them

  [[nodiscard]] std::size_t size() const;  ///< the number of entries
  [[nodiscard]] bool is_integral() const;  ///< whether dtype is a whole-number type

  /// The entries as T. Raises Error{input} that names the file, the entry and its value when one has no exact T:
  /// a fraction or NaN for a whole-number type, or an integer out of its range. To float every entry is rounded;
  /// to a signed whole-number type +inf becomes `infinity<T>`.
  template <class T>
  [[nodiscard]] std::vector<T> values() const;

  /// The same where both infinities are kept: those of a file of i16, i32 or i64, `infinity<S>` and `-infinity<S>`,
  /// and of floats become T's. An integer of another type that T would take for one of them raises
  /// Error{overflow}.
  template <class T>
  [[nodiscard]] std::vector<T> weights() const;

  /// The same of edges' lengths, where an entry that equals `no_edge` (nan: that is not a number) becomes `none`.
  /// Without `no_edge`, and where `none` is an infinity, raises Error{input} for an entry that other programs write for
  /// no edge: a false one, and the largest of an integer type of 2 bytes or more (for a negative `none` the least,
  /// too).
  template <class T>
  [[nodiscard]] std::vector<T> lengths(T none, const std::optional<Number>& no_edge) const;
};

/// Reads a NumPy .npy file, version 1 to 3, in C or Fortran order and either order of bytes, or the only array of a
/// .npz archive ("FILE.npz:NAME": that one). Entries of float16 become f32, and x86's long doubles f64 where that loses
/// nothing. Raises Error{input} for anything else.
[[nodiscard]] NpyArray read_npy(const std::string& path);

/// Whether bytes are those of a .npy file, or of the archive of a sparse matrix, which `parse_npy` refuses by name.
[[nodiscard]] bool is_npy(std::string_view content);

/// The same from bytes in memory; `path` is only for messages.
[[nodiscard]] NpyArray parse_npy(const std::string& path, std::string bytes);

/// Writes a .npy file, version 1, in C order. Raises Error{usage} where the product of `shape` is not the number of
/// values, Error{input} where that is more than any size holds, and what `write_file` raises.
template <class T>
void write_npy(const std::string& path, std::span<const T> values, const std::vector<std::size_t>& shape);

/// Zeros and ones as a .npy file of dtype bool.
void write_npy_bool(const std::string& path, std::span<const std::uint8_t> values,
                    const std::vector<std::size_t>& shape);

}  // namespace warpfold::io
