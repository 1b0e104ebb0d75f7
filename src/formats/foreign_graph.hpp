#pragma once

#include <string>
#include <string_view>

namespace warpfold::formats {

/// Raises Error{input} that names the format of a graph that is no list of edges, such as Graphviz's DOT, whose lines
/// could be taken for edges.
void check_is_edge_list(const std::string& path, std::string_view content);

}  // namespace warpfold::formats
