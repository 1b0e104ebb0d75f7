#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "warpfold/io/npy.hpp"
#include "warpfold/io/numbers.hpp"

namespace warpfold::formats {

/// The weights of the chords of an n-gon: an n x n matrix, row by row. Only entries (i,j) of chords count: i < j, and
/// not an edge of the polygon. All others read as 0. +inf forbids a chord, and no other value does.
class WeightMatrix {
 public:
  /// Takes n * n entries. Raises Error{input} for NaN or -inf at a chord. `path` is used in messages only.
  WeightMatrix(std::string path, std::size_t n, std::variant<io::NpyArray, io::Numbers> entries);

  [[nodiscard]] std::size_t n() const { return n_; }
  /// Returns whether a double represents exactly every entry that is written as an integer.
  [[nodiscard]] bool doubles_hold() const;
  /// Returns whether every entry that counts is an integer or +inf. In a file of floats an integer must be one that
  /// doubles represent exactly.
  [[nodiscard]] bool is_integral() const { return is_integral_; }
  /// Returns the largest absolute value of the finite entries that count, rounded to a double.
  [[nodiscard]] double largest() const { return largest_; }

  /// Returns the entries as T, with +inf as infinity<T>. Raises Error{input} for a fraction if T is an integer type,
  /// and Error{overflow} for a number beyond T's range. Both name the chord and its weight. For floating-point T every
  /// entry is rounded.
  template <class T>
  [[nodiscard]] std::vector<T> values() const;

 private:
  template <class Visit>
  void each_chord(const Visit& visit) const;

  std::string path_;
  std::size_t n_;
  std::variant<io::NpyArray, io::Numbers> entries_;
  bool is_integral_ = true;
  double largest_ = 0;
};

/// A row of the table of formats (format.hpp).
struct WeightFormat {
  std::string name;
  std::vector<std::string> endings;
  bool (*recognizes)(std::string_view content);
  WeightMatrix (*parse)(const std::string& path, std::string content);
};
/// Returns every format that can be read, in the order in which help lists them.
[[nodiscard]] std::span<const WeightFormat> weight_formats();

/// Reads a square matrix from a .npy file, a Matrix Market array, or text in the form of `parse_text_matrix`, where
/// only chords need a number. Raises Error{input} that names the file and the place.
[[nodiscard]] WeightMatrix read_weights(const std::string& path);

/// Reads a square matrix from text in memory. `path` is used in messages only.
[[nodiscard]] WeightMatrix parse_weights(const std::string& path, std::string_view text);

}  // namespace warpfold::formats
