#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "warpfold/formats/graph.hpp"

namespace warpfold::formats {

/// Reads a matrix of lengths whose rows and columns have the same labels, as pandas, R and Gephi write it. Returns
/// nothing for any other text. Raises Error{input} that names the file, the line and the word.
[[nodiscard]] std::optional<Graph> parse_labeled_matrix(const std::string& path, std::string_view content,
                                                        const EdgeListOptions& options);

}  // namespace warpfold::formats
