#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "formats/words.hpp"

namespace warpfold::formats {

using Row = std::vector<std::string>;

/// The columns of an edge list, counted from 0.
struct EdgeColumns {
  std::size_t from = 0;
  std::size_t to = 1;
  std::optional<std::size_t> length = 2;  ///< nothing: every length is 1
  std::optional<std::size_t> type = {};   ///< says "undirected" of an edge that is two
  std::size_t max_words = 3;              ///< words of a line

  /// Returns whether a line has all the words that it needs, and no others.
  [[nodiscard]] bool fit(const Words& words) const {
    return words.size() > std::max(from, to) && words.size() > length.value_or(0) && words.size() <= max_words;
  }
};

/// Returns whether the first column has a usual name of the vertices where edges begin, and the second one of those
/// where they end.
[[nodiscard]] bool names_ends(const Row& header);

/// Returns whether a column has a usual name of lengths.
[[nodiscard]] bool names_length(const Row& header);

/// Returns the columns with the usual names in a header; without such names those at the usual places. Raises
/// Error{input} that names the file if there are several columns of lengths, or columns without a meaning.
[[nodiscard]] EdgeColumns columns_of(const std::string& path, const Row& header);

}  // namespace warpfold::formats
