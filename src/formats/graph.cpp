#include "warpfold/formats/graph.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <utility>

#include "core/listed.hpp"
#include "formats/announced.hpp"
#include "formats/matrix_market.hpp"
#include "formats/sparse.hpp"
#include "formats/words.hpp"
#include "io/printable.hpp"
#include "io/text.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/formats/format.hpp"
#include "warpfold/io/file.hpp"

namespace warpfold::formats {

namespace {

io::Number length_of(std::string_view word) {
  const io::Number length = io::parse_real(word);
  if (!std::isfinite(length.real)) {
    reject_word(word, "is no length: a finite number is accepted, and no line where there is no edge");
  }
  return length;
}

// ---- DIMACS

/// Whether the first line that is not a comment states a problem, as DIMACS files do. `p sp 3` is an edge of an edge
/// list.
bool is_dimacs(std::string_view content) {
  Words words;
  while (!content.empty()) {
    const std::size_t end = std::min(content.find('\n'), content.size());
    split_at_blanks(content.substr(0, end), words);
    if (!words.empty() && words[0] != "c") return words[0] == "p" && words.size() != 3;
    content.remove_prefix(std::min(end + 1, content.size()));
  }
  return false;
}

}  // namespace

std::string Graph::name(std::size_t vertex) const {
  if (!ids.empty()) return std::to_string(ids[vertex]);
  return names.empty() ? std::to_string(vertex + first) : names[vertex];
}

std::optional<std::uint32_t> Graph::find(std::string_view name) const {
  if (!names.empty()) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) return std::nullopt;
    return static_cast<std::uint32_t>(found - names.begin());
  }
  const std::optional<std::uint64_t> number = digits_value(name);
  if (number && !ids.empty()) {
    const auto found = std::lower_bound(ids.begin(), ids.end(), *number);
    if (found == ids.end() || *found != *number) return std::nullopt;
    return static_cast<std::uint32_t>(found - ids.begin());
  }
  if (!number || *number < first || *number - first >= vertices) return std::nullopt;
  return static_cast<std::uint32_t>(*number - first);
}

Graph parse_dimacs(const std::string& path, std::string_view content) {
  Graph graph;
  std::optional<Announced> size;
  Words words;
  io::each_line(path, content, [&](std::string_view line) {
    split_at_blanks(line, words);
    if (words.empty() || words[0] == "c") return;
    if (words[0] == "a" && words.size() == 4 && size) {
      size->count_edge();
      graph.edges.push_back(size->edge(words[1], words[2]));
      graph.lengths.add(length_of(words[3]));
    } else if (words[0] == "p" && words.size() == 4 && words[1] == "sp" && !size) {
      size.emplace(words[2], words[2], Announced::size_of(words[3]));
    } else {
      reject_word(line, size ? "is no arc: 'a FROM TO LENGTH' is accepted here"
                             : "does not begin a graph: 'p sp VERTICES ARCS' is accepted here");
    }
  });
  if (!size) throw Error(ErrorKind::input, path + ": states no problem: a line 'p sp VERTICES ARCS' is accepted");
  size->check_end(path);
  graph.vertices = size->rows();
  graph.first = 1;
  return graph;
}

Graph parse_matrix_market(const std::string& path, std::string_view content) {
  MarketMatrix matrix = parse_market_matrix(path, content);
  if (matrix.rows != matrix.columns) {
    throw Error(ErrorKind::input, fmt::format("{}: is {} x {}: as many rows as columns, a vertex each, are accepted",
                                              path, matrix.rows, matrix.columns));
  }
  Graph graph;
  graph.vertices = matrix.rows;
  graph.first = 1;
  for (std::size_t k = 0; k < matrix.places.size(); ++k) {
    const io::Number length = matrix.values.number(k);
    if (std::isinf(length.real)) continue;  // an infinite entry of an array is no edge
    graph.edges.push_back(matrix.places[k]);
    graph.lengths.add(length);
  }
  graph.lengths.doubles_hold = matrix.values.doubles_hold;
  return graph;
}

std::span<const GraphFormat> graph_formats() {
  static const GraphFormat all[] = {
      {"lines from,to,length", {}, any_other, parse_edge_list},
      {"DIMACS", {".gr"}, is_dimacs, parse_dimacs},
      {"Matrix Market", {".mtx"}, is_matrix_market, parse_matrix_market},
      {"SciPy's sparse matrices", {".npz"}, is_sparse_npz, parse_sparse_npz},
  };
  return all;
}

const GraphFormat& graph_format(const std::string& path, std::string_view content) {
  content = io::without_mark(content);
  if (content.starts_with("\x93NUMPY")) {
    throw Error(ErrorKind::input, fmt::format("{}: this is a .npy matrix: a list of edges, {} is accepted", path,
                                              listed(endings_of(graph_formats()))));
  }
  return find_format(graph_formats(), path, content);
}

Graph parse_graph(const std::string& path, std::string_view content, const EdgeListOptions& options) {
  const GraphFormat& format = graph_format(path, content);
  if (format.recognizes == any_other) return parse_edge_list(path, content, options);
  if (options.header || !options.columns.empty() || options.vertices || options.directed) {
    throw Error(ErrorKind::usage,
                fmt::format("{}: is {}: --header, --columns, --vertices and --directed are accepted with lines "
                            "from,to,length",
                            path, format.name));
  }
  return format.parse(path, content);
}

Graph read_graph(const std::string& path, const EdgeListOptions& options) {
  return parse_graph(path, io::read_file(path), options);
}

}  // namespace warpfold::formats
