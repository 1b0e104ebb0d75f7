#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/edge_columns.hpp"
#include "formats/separated.hpp"
#include "warpfold/formats/graph.hpp"

namespace warpfold::formats {

/// How the lines of an edge list are read.
struct EdgeLayout {
  Separator separator = Separator::comma;
  EdgeColumns columns = {};
  bool has_header = false;
  /// Names of columns. Their place alone makes them a header, so none of them may be the name of a vertex.
  std::vector<std::string> guessed_header = {};
  bool accepts_nan = false;   ///< whether NaN is a length, which the caller takes for no edge
  bool is_symmetric = false;  ///< whether KONECT's comment says that every line is two edges
};

/// Finds the layout from the first lines, without the very first one if that is skipped. If no layout fits, it is that
/// of lines `from,to,length`. Raises Error{input} that names the file if a requested column is missing, or if there are
/// several columns of lengths.
[[nodiscard]] EdgeLayout layout_of(const std::string& path, std::string_view content, const EdgeListOptions& options,
                                   bool skips_first);

}  // namespace warpfold::formats
