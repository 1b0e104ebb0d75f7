#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "warpfold/formats/graph.hpp"
#include "warpfold/io/numbers.hpp"

namespace warpfold::formats {

/// A Matrix Market file: entry k stands at places[k], its row and column counted from 0. A symmetric one has each entry
/// off the diagonal twice, one behind the other; of a skew-symmetric one the second has the other sign.
struct MarketMatrix {
  std::size_t rows = 0;
  std::size_t columns = 0;
  bool is_array = false;  ///< every entry is there, as the file has them: column by column
  std::vector<GraphEdge> places;
  io::Numbers values;
};

/// Whether a file begins like one.
[[nodiscard]] bool is_matrix_market(std::string_view content);

/// `coordinate` or `array`, `real`, `integer` or `pattern` (whose entries are 1), `general`, `symmetric` or
/// `skew-symmetric`. Exponents may be Fortran's, 1D+2; an array's entries may be infinite. Raises Error{input} that
/// names the file, the line and the word.
[[nodiscard]] MarketMatrix parse_market_matrix(const std::string& path, std::string_view content);

}  // namespace warpfold::formats
