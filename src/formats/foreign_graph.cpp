#include "formats/foreign_graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <vector>

#include "core/listed.hpp"
#include "formats/separated.hpp"
#include "io/text.hpp"
#include "warpfold/formats/format.hpp"
#include "warpfold/formats/graph.hpp"

namespace warpfold::formats {

namespace {

bool begins_any(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(), [&](std::string_view word) { return text.starts_with(word); });
}

/// The text without a first word.
std::string_view after(std::string_view text, std::string_view word) {
  return text.starts_with(word) ? io::trimmed(text.substr(word.size())) : text;
}

bool is_json_graph(std::string_view text, std::string_view line) {
  if (text.starts_with('{')) return begins_any(after(text, "{"), {"\"", "}"});
  return text.starts_with('[') && (begins_any(after(text, "["), {"[", "{", "]"}) || line.ends_with(']'));
}

/// Whether a line begins like `digraph G { a -> b; }`, and not like `graph G {'weight': 3}`, an edge of NetworkX.
bool is_dot(std::string_view line) {
  const std::size_t brace = line.find('{');
  if (brace == line.npos || !begins_any(after(line, "strict "), {"graph ", "graph{", "digraph ", "digraph{"}))
    return false;
  const std::string_view inside = io::trimmed(line.substr(brace + 1));
  return !begins_any(inside, {"'", "\"", "}"}) || inside.find("->") != inside.npos || inside.find("--") != inside.npos;
}

bool is_gml(std::string_view text) {
  return text.starts_with("Creator \"") || (text.starts_with("graph") && after(text, "graph").starts_with('['));
}

bool is_pajek(std::string_view line) {
  return begins_any(io::lower(line), {"*vertices", "*network", "*arcs", "*edges"});
}

/// The name of the format that begins with a line, if it is no list of edges, else null.
const char* foreign_format(std::string_view text, std::string_view line) {
  if (text.starts_with('<')) return "XML, such as GraphML or GEXF";
  if (is_json_graph(text, line)) return "JSON";
  if (is_dot(line)) return "DOT of Graphviz";
  if (is_gml(text)) return "GML";
  return is_pajek(line) ? "a network of Pajek" : nullptr;
}

}  // namespace

void check_is_edge_list(const std::string& path, std::string_view content) {
  const std::vector<std::string_view> first = data_lines(content, 1);
  if (first.empty()) return;
  const auto begin = static_cast<std::size_t>(first.front().data() - content.data());
  const char* const name = foreign_format(io::trimmed(content.substr(begin)), io::trimmed(first.front()));
  if (!name) return;
  io::reject_file(path, fmt::format("is {}: lines 'from,to,length', {} are accepted", name,
                                    listed(endings_of(graph_formats()), "and")));
}

}  // namespace warpfold::formats
