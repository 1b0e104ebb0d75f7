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

/// The weights of the chords of an n-gon, n x n, row by row. Only entries (i,j) that stand for a chord count: i < j, no
/// edge. All others read as 0. +inf forbids a chord, and nothing else does.
class WeightMatrix {
 public:
  /// `entries`: n * n of them. Raises Error{input} for NaN and -inf where a chord is.
  WeightMatrix(std::string path, std::size_t n, std::variant<io::NpyArray, io::Numbers> entries);

  [[nodiscard]] std::size_t n() const { return n_; }
  /// Whether a double is each entry that is written as an integer.
  [[nodiscard]] bool doubles_hold() const;
  /// Whether every entry that counts is an integer, or +inf: of a file of floats, one that doubles hold exactly.
  [[nodiscard]] bool whole() const { return whole_; }
  /// The largest |entry| that counts and is finite, rounded.
  [[nodiscard]] double largest() const { return largest_; }

  /// The entries as T, +inf as infinity<T>. Raises Error{input} for a fraction in a whole-number type, and
  /// Error{overflow} for a number that T does not hold below its infinity; both name the chord and its weight. To float
  /// every entry is rounded.
  template <class T>
  [[nodiscard]] std::vector<T> values() const;

 private:
  template <class Visit>
  void each_chord(const Visit& visit) const;

  std::string path_;
  std::size_t n_;
  std::variant<io::NpyArray, io::Numbers> entries_;
  bool whole_ = true;
  double largest_ = 0;
};

/// A row of the table: format.hpp.
struct WeightFormat {
  std::string name;
  std::vector<std::string> endings;
  bool (*recognises)(std::string_view content);
  WeightMatrix (*parse)(const std::string& path, std::string content);
};
/// Every format that is read, in the order in which help lists them.
[[nodiscard]] std::span<const WeightFormat> weight_formats();

/// Reads a square matrix: .npy, a Matrix Market array, or text as `parse_text_matrix` says, where only chords need a
/// number. Raises Error{input} that names the file and the place.
[[nodiscard]] WeightMatrix read_weights(const std::string& path);

/// The same from text in memory; `path` is only for messages.
[[nodiscard]] WeightMatrix parse_weights(const std::string& path, std::string_view text);

}  // namespace warpfold::formats
