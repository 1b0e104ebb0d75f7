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

/// A matrix as a text has it, row by row.
struct TextMatrix {
  std::size_t rows = 0;
  std::size_t columns = 0;
  io::Numbers numbers;
};

/// Whether entry (i, j) of a square matrix of so many columns has to be there.
using IsNeeded = std::function<bool(std::size_t columns, std::size_t i, std::size_t j)>;

/// A line for each row, its numbers separated by commas, semicolons or white space, `inf` among them; beside semicolons
/// a comma between digits is a decimal one. What follows a #, a last separator, and names of the columns and of the
/// rows are skipped: a first line of words, with a first column below an empty cell or none; of a square matrix 0, 1,
/// 2, .. or 1, 2, 3, .. as well. An entry that is not needed reads as 0, and may be empty. `path` is only for messages.
[[nodiscard]] TextMatrix parse_text_matrix(const std::string& path, std::string_view text,
                                           const IsNeeded& is_needed = {});

/// Matrix Market's `array`s. Raises Error{input} for `coordinate`, whose other entries are not stated.
[[nodiscard]] TextMatrix parse_market_array(const std::string& path, std::string_view content);

/// A row of the table: format.hpp.
struct MatrixFormat {
  std::string name;
  std::vector<std::string> endings;
  bool (*recognizes)(std::string_view content);
  io::NpyArray (*parse)(const std::string& path, std::string content);
};
/// Every format that is read, in the order in which help lists them.
[[nodiscard]] std::span<const MatrixFormat> matrix_formats();

/// Reads a matrix, or from a .npy file an array of any dimensions. Of a text its integers become i64 where all are
/// below infinity<i64>, else everything becomes f64.
[[nodiscard]] io::NpyArray read_matrix(const std::string& path);

/// The same of what was read from there.
[[nodiscard]] io::NpyArray parse_matrix(const std::string& path, std::string content);

}  // namespace warpfold::formats
