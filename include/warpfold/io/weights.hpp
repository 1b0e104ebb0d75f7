#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warpfold::io {

/// The weights of the chords of an n-gon, n x n, row by row. Only entries (i,j) that stand for a chord count: i < j, no
/// edge. All others read as 0. +inf forbids a chord: infinity<T> for whole numbers.
struct WeightMatrix {
  std::string path;  ///< for messages
  std::size_t n = 0;
  bool whole = true;                 ///< whether every entry that counts is a whole number below 2^62, or +inf
  std::vector<std::int64_t> wholes;  ///< the entries, where `whole`
  std::vector<double> reals;         ///< the entries, where not

  /// The entries as T. Raises Error{input} that names the first entry that has no exact T: a fraction for a
  /// whole-number type, or a number out of its range. To float every entry is rounded.
  template <class T>
  [[nodiscard]] std::vector<T> values() const;
};

/// Reads a square .npy matrix, or a text one: numbers separated by commas, semicolons or white space, n times n of
/// them, `inf` among them. Raises Error{input} that names the file and the place; NaN and -inf count as numbers here.
[[nodiscard]] WeightMatrix read_weights(const std::string& path);

/// The same from text in memory; `path` is only for messages.
[[nodiscard]] WeightMatrix parse_weights(const std::string& path, std::string_view text);

}  // namespace warpfold::io
