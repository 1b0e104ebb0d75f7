#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "warpfold/formats/graph.hpp"
#include "warpfold/io/numbers.hpp"

namespace warpfold::formats {

/// A Matrix Market file. Entry k is at places[k], its row and column counted from 0. A symmetric matrix has each entry
/// off the diagonal twice in a row. In a skew-symmetric one the second has the opposite sign.
struct MarketMatrix {
  std::size_t rows = 0;
  std::size_t columns = 0;
  bool is_array = false;  ///< all entries, in the file's order: column by column
  std::vector<GraphEdge> places;
  io::Numbers values;
};

/// Whether a file begins as Matrix Market files do.
[[nodiscard]] bool is_matrix_market(std::string_view content);

/// Reads a Matrix Market file: `coordinate` or `array`; `real`, `integer` or `pattern` (all entries are 1); `general`,
/// `symmetric` or `skew-symmetric`. Exponents may be Fortran's (1D+2), and entries of an array may be infinite. Raises
/// Error{input} that names the file, the line and the word.
[[nodiscard]] MarketMatrix parse_market_matrix(const std::string& path, std::string_view content);

}  // namespace warpfold::formats
