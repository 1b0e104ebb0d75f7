#include "warpfold/formats/graph.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <unordered_map>
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

std::string_view unquoted(std::string_view word) {
  const bool quoted = word.size() >= 2 && word.starts_with('"') && word.ends_with('"');
  return quoted ? word.substr(1, word.size() - 2) : word;
}

io::Number length_of(std::string_view word) {
  const io::Number length = io::parse_real(word);
  if (!std::isfinite(length.real)) {
    reject_word(word, "is no length: a finite number is accepted, and no line where there is no edge");
  }
  return length;
}

// ---- edge lists

/// Whether a name is an integer without leading zeros, which is how it is written back.
bool is_plain_number(std::string_view name) {
  return !name.empty() && name.find_first_not_of("0123456789") == name.npos && (name[0] != '0' || name.size() == 1);
}

/// The vertex number that a name states, if it states one.
std::optional<std::uint32_t> number_of(std::string_view name) {
  const std::optional<std::uint64_t> number = digits_value(name);
  if (!number || *number >= max_vertices || !is_plain_number(name)) return std::nullopt;
  return static_cast<std::uint32_t>(*number);
}

/// Numbers vertices in the order in which their names first occur.
class Names {
 public:
  /// Names the vertices of edges that were read as numbers.
  explicit Names(std::vector<GraphEdge>& edges) {
    for (auto& [from, to] : edges) {
      from = vertex(std::to_string(from));
      to = vertex(std::to_string(to));
    }
  }

  std::uint32_t vertex(std::string_view name) {
    if (const auto found = vertices_.find(name); found != vertices_.end()) return found->second;
    if (name.empty() || name.find('"') != name.npos || one_line(name) != name) {
      reject_word(name, "is no name: text without quotes and control characters is accepted");
    }
    if (names_.size() == max_vertices) reject_word(name, "is one vertex too many: up to 2^31 are accepted");
    const auto next = static_cast<std::uint32_t>(names_.size());
    return vertices_.emplace(names_.emplace_back(name), next).first->second;
  }

  [[nodiscard]] std::vector<std::string> in_order() const { return {names_.begin(), names_.end()}; }

 private:
  std::deque<std::string> names_;  // stay where they are
  std::unordered_map<std::string_view, std::uint32_t> vertices_;
};

/// Splits a line `from,to,length`. A line with nothing but a comment has no words.
void split_edge(std::string_view line, Words& words) {
  line = io::trimmed(line.substr(0, line.find('#')));
  words.clear();
  if (line.empty()) return;
  const char separator = line.find(',') != line.npos ? ',' : line.find(';') != line.npos ? ';' : ' ';
  separator == ' ' ? split_at_blanks(line, words) : split_at(separator, line, words);
  for (std::string_view& word : words) word = unquoted(word);
}

bool names_columns(const Words& words) {
  if (words.size() != 3) return false;
  const auto columns = {"length", "weight", "distance", "cost", "time"};
  return std::find(columns.begin(), columns.end(), io::lower(words[2])) != columns.end();
}

std::size_t largest_vertex(const std::vector<GraphEdge>& edges) {
  std::size_t largest = 0;
  for (const auto& [from, to] : edges) largest = std::max<std::size_t>({largest, from, to});
  return largest;
}

/// Rejects a file in which every name is a number and one of them is too large for a vertex. Beside other names such a
/// number is a name.
void check_names(const std::string& path, const std::vector<std::string>& names) {
  if (!std::all_of(names.begin(), names.end(), is_plain_number)) return;
  const auto large = std::find_if(names.begin(), names.end(), [](const std::string& name) { return !number_of(name); });
  throw Error(ErrorKind::input, fmt::format("{}: '{}' is no vertex: integers below 2^31, or names, are accepted", path,
                                            io::printable(*large)));
}

// ---- DIMACS

/// Whether the first line that is no comment states a problem. `p sp 3` is an edge of an edge list.
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
  return names.empty() ? std::to_string(vertex + first) : names[vertex];
}

std::optional<std::uint32_t> Graph::find(std::string_view name) const {
  if (!names.empty()) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) return std::nullopt;
    return static_cast<std::uint32_t>(found - names.begin());
  }
  const std::optional<std::uint64_t> number = digits_value(name);
  if (!number || *number < first || *number - first >= vertices) return std::nullopt;
  return static_cast<std::uint32_t>(*number - first);
}

Graph parse_edge_list(const std::string& path, std::string_view content) {
  Graph graph;
  std::optional<Names> names;  // once one is no number
  Words words;
  bool first = true;
  io::each_line(path, content, [&](std::string_view line) {
    split_edge(line, words);
    if (words.empty() || (std::exchange(first, false) && names_columns(words))) return;
    if (words.size() != 3) reject_word(line, "is no edge: 'from,to,length' or 'from to length' is accepted");
    graph.lengths.add(length_of(words[2]));
    const auto from = number_of(words[0]);
    const auto to = number_of(words[1]);
    if (!names && (!from || !to)) names.emplace(graph.edges);
    graph.edges.push_back(names ? GraphEdge{names->vertex(words[0]), names->vertex(words[1])} : GraphEdge{*from, *to});
  });
  if (graph.edges.empty()) throw Error(ErrorKind::input, path + ": has no edge: lines 'from,to,length' are accepted");
  if (!names) {
    graph.vertices = largest_vertex(graph.edges) + 1;
    return graph;
  }
  graph.names = names->in_order();
  graph.vertices = graph.names.size();
  check_names(path, graph.names);
  return graph;
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
    if (std::isinf(length.real)) continue;  // of an array, where there is no edge
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

Graph parse_graph(const std::string& path, std::string_view content) {
  return graph_format(path, content).parse(path, content);
}

Graph read_graph(const std::string& path) { return parse_graph(path, io::read_file(path)); }

}  // namespace warpfold::formats
