#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "warpfold/io/npy.hpp"
#include "warpfold/io/numbers.hpp"

/// Readers of dense matrices. Each raises Error{input} that names the file and the place.
namespace warpfold::formats {

/// A matrix from a text, row by row.
struct TextMatrix {
  std::size_t rows = 0;
  std::size_t columns = 0;
  io::Numbers numbers;
};

/// Whether entry (i, j) of a square matrix with that many columns is needed.
using IsNeeded = std::function<bool(std::size_t columns, std::size_t i, std::size_t j)>;

/// Reads a matrix from text, one line per row. Commas, semicolons or white space separate the numbers, which include
/// `inf`. If semicolons separate them, a comma between digits is a decimal comma. Comments after a #, a separator at
/// the end of a line, and names are skipped. Names are a first line of words, and a first column whose top cell is
/// empty or missing. In a square matrix they may also be 0, 1, 2, .. or 1, 2, 3, .. An entry that is not needed may be
/// empty, and is read as 0. `path` is used in messages only.
[[nodiscard]] TextMatrix parse_text_matrix(const std::string& path, std::string_view text,
                                           const IsNeeded& is_needed = {});

/// Reads a Matrix Market `array`. Raises Error{input} for `coordinate`, which does not state all entries.
[[nodiscard]] TextMatrix parse_market_array(const std::string& path, std::string_view content);

/// A row of the table of formats (format.hpp).
struct MatrixFormat {
  std::string name;
  std::vector<std::string> endings;
  bool (*recognizes)(std::string_view content);
  io::NpyArray (*parse)(const std::string& path, std::string content);
};
/// Returns every format that is read, in the order in which help lists them.
[[nodiscard]] std::span<const MatrixFormat> matrix_formats();

/// Reads a matrix, or from a .npy file an array of any dimensions. Numbers in text become i64 if all are integers below
/// infinity<i64>, else f64.
[[nodiscard]] io::NpyArray read_matrix(const std::string& path);

/// The same from a file's content.
[[nodiscard]] io::NpyArray parse_matrix(const std::string& path, std::string content);

}  // namespace warpfold::formats
