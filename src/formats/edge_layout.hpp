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
  /// Names of columns that were taken for a header by their place alone. They name no vertices.
  std::vector<std::string> guessed_header = {};
  bool is_symmetric = false;  ///< whether a comment of KONECT's says that every line is two edges
};

/// Finds out the layout from the first lines, without the very first one if it is skipped. Raises Error{input} that
/// names the file for columns that it does not have, and if there are several columns of lengths. If no layout fits,
/// lines `from,to,length` are expected.
[[nodiscard]] EdgeLayout layout_of(const std::string& path, std::string_view content, const EdgeListOptions& options,
                                   bool skips_first);

}  // namespace warpfold::formats
