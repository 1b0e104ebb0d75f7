#include "paths_input.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "arguments.hpp"
#include "core/number_types.hpp"
#include "formats/separated.hpp"
#include "formats/sparse.hpp"
#include "io/json.hpp"
#include "io/printable.hpp"
#include "io/text.hpp"
#include "number_lists.hpp"
#include "warpfold/core/arithmetic.hpp"
#include "warpfold/io/file.hpp"
#include "warpfold/polygon/chords.hpp"

namespace warpfold::app {

namespace {

io::NpyArray parse_square(const std::string& path, std::string content) {
  io::NpyArray array = io::parse_npy(path, std::move(content));
  if (array.shape.size() == 2 && array.shape[0] == array.shape[1]) return array;
  throw Error(ErrorKind::input,
              fmt::format("{}: the array is {}: a square matrix is accepted", path, fmt::join(array.shape, " x ")));
}

bool is_utf8(std::string_view text) {
  if (std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 128; })) return true;
  try {
    static_cast<void>(io::Json(text).dump());
    return true;
  } catch (const io::Json::type_error&) {
    return false;
  }
}

/// JSON has no other names. Invalid UTF-8 is replaced there, so two names could become equal.
void check_names(const std::string& path, std::string_view content) {
  io::each_line(path, content, [](std::string_view line) {
    if (formats::is_comment(line) || is_utf8(line)) return;
    throw Error(ErrorKind::input,
                fmt::format("'{}' is no UTF-8: names in UTF-8 are accepted with --json", io::printable(line)));
  });
}

/// Rejects a length that other programs write for "no edge", as `io::NpyArray::lengths` does.
void check_largest(const std::string& path, const formats::Graph& graph) {
  for (std::size_t e = 0; e < graph.edges.size(); ++e) {
    const io::Number length = graph.lengths.number(e);
    if (!length.is_integral || length.exact != *graph.type_largest) continue;
    throw Error(
        ErrorKind::input,
        fmt::format("{}: the length from {} to {} is {}, the largest of its type: --no-edge {} is accepted where it "
                    "means no edge, --no-edge inf where it is a length",
                    path, graph.edges[e].from, graph.edges[e].to, length.exact, length.exact));
  }
}

bool is_same(const io::Number& length, const io::Number& no_edge) {
  if (length.is_integral && no_edge.is_integral) return length.exact == no_edge.exact;
  return length.real == no_edge.real || (std::isnan(length.real) && std::isnan(no_edge.real));
}

/// Removes the edges whose length means "no edge".
void drop_edges(formats::Graph& graph, const io::Number& no_edge) {
  const std::vector<formats::GraphEdge> edges = std::exchange(graph.edges, {});
  const io::Numbers lengths = std::exchange(graph.lengths, {});
  for (std::size_t e = 0; e < edges.size(); ++e) {
    const io::Number length = lengths.number(e);
    if (is_same(length, no_edge)) continue;
    graph.edges.push_back(edges[e]);
    graph.lengths.add(length);
  }
  graph.lengths.doubles_hold = lengths.doubles_hold;
}

/// Raises Error{usage} for options that do not apply to a matrix.
void check_matrix_reading(const std::string& path, const formats::EdgeListOptions& options) {
  if (!options.header && options.columns.empty() && !options.vertices && !options.directed) return;
  throw Error(ErrorKind::usage,
              path + ": is a matrix: --header, --columns, --vertices and --directed are accepted with lists of edges");
}

void make_undirected(formats::Graph& graph) {
  const std::size_t count = graph.edges.size();
  for (std::size_t e = 0; e < count; ++e) {
    const auto [from, to] = graph.edges[e];
    if (from == to) continue;
    graph.edges.push_back({to, from});
    graph.lengths.add(graph.lengths.number(e));
  }
}

void make_unweighted(const std::string& path, formats::Graph& graph, bool knows_no_edge) {
  if (graph.type_largest && !knows_no_edge) check_largest(path, graph);
  graph.type_largest.reset();
  graph.lengths = {};
  graph.lengths.integers.assign(graph.edges.size(), 1);
}

std::variant<io::NpyArray, formats::Graph> read_graph(const std::string& path, const GraphReading& reading) {
  std::string content = io::read_file(path);
  if (io::extension(path) == ".npy" || (io::is_npy(content) && !formats::is_sparse_npz(content))) {
    check_matrix_reading(path, reading.list);
    return parse_square(path, std::move(content));
  }
  formats::EdgeListOptions list = reading.list;
  if (reading.no_edge) list.unweighted = false;  // they are needed to recognize the lines of edges
  formats::Graph graph = formats::parse_graph(path, content, list);
  if (reading.in_utf8 && !graph.names.empty()) check_names(path, content);
  if (reading.no_edge) drop_edges(graph, *reading.no_edge);
  if (reading.list.unweighted) make_unweighted(path, graph, reading.no_edge.has_value());
  if (reading.undirected) make_undirected(graph);
  return graph;
}

/// Rejects a 0 between two vertices of a matrix whose lengths are about to become 1. Some mean an edge of length 0 by
/// it, and some no edge.
template <class T>
void check_zeros(const std::string& path, const Matrix<T>& edges) {
  for (std::size_t i = 0; i < edges.rows(); ++i) {
    for (std::size_t j = 0; j < edges.rows(); ++j) {
      if (i == j || edges(i, j) != 0) continue;
      throw Error(ErrorKind::input,
                  fmt::format("{}: entry ({}, {}) is 0, which is a length: with --unweighted, --no-edge 0 is accepted "
                              "where it means no edge, --no-edge inf where it is a length",
                              path, i, j));
    }
  }
}

/// The matrix with every edge in both directions, the better length if they differ, or with all lengths 1.
template <class T>
void change_edges(Matrix<T>& edges, minplus::Semiring semiring, const GraphReading& reading) {
  const T zero = semiring.zero<T>();
  minplus::with_choosing_tag<T>(semiring, [&](auto tag) {
    for (std::size_t i = 0; i < edges.rows(); ++i) {
      for (std::size_t j = 0; j < edges.rows(); ++j) {
        if (reading.list.unweighted && edges(i, j) != zero) edges(i, j) = T{1};
        if (reading.undirected && j < i) edges(i, j) = edges(j, i) = tag.plus(edges(i, j), edges(j, i));
      }
    }
  });
}

/// Edges in both directions between vertices that see each other, with the distance as length.
formats::Graph visibility(const polygon::Outline& outline, const Options& options) {
  const polygon::VisibilityGraph chords = polygon::interior_chords(outline, options);
  formats::Graph graph;
  graph.vertices = outline.size();
  graph.edges.reserve(2 * chords.ends.size());
  for (std::uint32_t i = 0; i < chords.size(); ++i) {
    for (const std::uint32_t j : chords.after(i)) {
      const double length = polygon::chord_weight(polygon::Weight::length, outline[i], outline[j]);
      for (const formats::GraphEdge edge : {formats::GraphEdge{i, j}, formats::GraphEdge{j, i}}) {
        graph.edges.push_back(edge);
        graph.lengths.add({.is_integral = false, .real = length});
      }
    }
  }
  return graph;
}

/// The first of i32, i64 and f64 that holds the length of every path.
std::string integer_dtype(double largest, std::size_t vertices, minplus::Semiring semiring) {
  if (largest <= paths::max_length<std::int32_t>(vertices)) return "i32";
  const auto most =
      static_cast<double>(semiring.adds() ? paths::max_length<std::int64_t>(vertices) : infinity<std::int64_t>);
  return largest <= most ? "i64" : "f64";
}

}  // namespace

std::vector<std::string> columns_of(const std::string& text) {
  formats::Splitter splitter(formats::Separator::comma);
  const formats::Words& words = splitter.split(text);
  if (words.size() == 2 || words.size() == 3) return {words.begin(), words.end()};
  throw Error(ErrorKind::usage, fmt::format("--columns is '{}': FROM,TO,LENGTH, or FROM,TO, is accepted", text));
}

GraphInput::GraphInput(const std::string& path, const GraphReading& reading)
    : path_(path), reading_(reading), content_(read_graph(path, reading)) {}

GraphInput::GraphInput(const std::string& path, const formats::OutlineChoice& choice, const Options& options)
    : path_(path), outline_(read_checked_outline(path, choice)), content_(visibility(outline_->outline, options)) {}

std::size_t GraphInput::vertices() const {
  if (const auto* graph = std::get_if<formats::Graph>(&content_)) return graph->vertices;
  return std::get<io::NpyArray>(content_).shape[0];
}

std::string GraphInput::name(std::size_t vertex) const {
  const auto* graph = std::get_if<formats::Graph>(&content_);
  return graph ? graph->name(vertex) : std::to_string(vertex);
}

std::size_t GraphInput::vertex(const std::string& option, const std::string& name) const {
  if (const auto* graph = std::get_if<formats::Graph>(&content_)) {
    if (const auto found = graph->find(name)) return *found;
    if (graph->names.empty() && graph->ids.empty() && graph->vertices > 0) {
      throw Error(ErrorKind::usage, fmt::format("{} is '{}': a vertex of {}, {} to {}, is accepted", option, name,
                                                path_, graph->first, graph->first + graph->vertices - 1));
    }
    throw Error(ErrorKind::usage,
                fmt::format("{} is '{}': the name of a vertex of {} is accepted", option, name, path_));
  }
  if (vertices() == 0) throw Error(ErrorKind::usage, fmt::format("{} is {}: {} has no vertex", option, name, path_));
  const auto number = parse_option<std::size_t>(option, name);
  if (number < vertices()) return number;
  throw Error(ErrorKind::usage,
              fmt::format("{} is {}: a vertex of {}, below {}, is accepted", option, name, path_, vertices()));
}

const std::vector<std::uint64_t>& GraphInput::ids() const {
  static const std::vector<std::uint64_t> none;
  const auto* graph = std::get_if<formats::Graph>(&content_);
  return graph ? graph->ids : none;
}

const std::vector<std::string>& GraphInput::notes() const {
  static const std::vector<std::string> none;
  const auto* graph = std::get_if<formats::Graph>(&content_);
  return graph ? graph->notes : none;
}

bool GraphInput::is_integer() const {
  const auto* graph = std::get_if<formats::Graph>(&content_);
  return graph ? graph->lengths.is_integral : std::get<io::NpyArray>(content_).is_integral();
}

bool GraphInput::doubles_hold() const {
  const auto* graph = std::get_if<formats::Graph>(&content_);
  return !graph || (graph->lengths.doubles_hold && !(outline_ && outline_->is_rounded));
}

std::string GraphInput::dtype(minplus::Semiring semiring) const {
  if (semiring.kind == minplus::Semiring::or_and) return "u8";
  const bool stays_integer = is_integer() && semiring.accepts<std::int64_t>();
  if (const auto* graph = std::get_if<formats::Graph>(&content_)) {
    if (!stays_integer) return "f64";
    return integer_dtype(largest_magnitude(graph->lengths), vertices(), semiring);
  }
  const auto& array = std::get<io::NpyArray>(content_);
  if (!stays_integer) return array.dtype == "f32" ? "f32" : "f64";
  double largest = 0;
  for (const double x : array.lengths(semiring.zero<double>(), reading_.no_edge)) {
    if (!std::isinf(x)) largest = std::max(largest, std::abs(x));
  }
  return integer_dtype(largest, vertices(), semiring);
}

template <class T>
std::vector<paths::Edge<T>> GraphInput::list(minplus::Semiring semiring) const {
  std::vector<paths::Edge<T>> list;
  const auto* graph = std::get_if<formats::Graph>(&content_);
  if (!graph) {
    const Matrix<T> matrix = edges<T>(semiring);
    const std::vector<T>& lengths = matrix.values();
    const auto none = std::count(lengths.begin(), lengths.end(), semiring.zero<T>());
    list.reserve(lengths.size() - static_cast<std::size_t>(none));
    for (std::uint32_t i = 0; i < matrix.rows(); ++i) {
      for (std::uint32_t j = 0; j < matrix.rows(); ++j) {
        if (matrix(i, j) != semiring.zero<T>()) list.push_back({i, j, matrix(i, j)});
      }
    }
    return list;
  }
  list.reserve(graph->edges.size());
  if (semiring.kind == minplus::Semiring::or_and) {
    for (const auto& [from, to] : graph->edges) list.push_back({from, to, semiring.one<T>()});
    return list;
  }
  if (graph->type_largest && !reading_.no_edge && std::abs(semiring.zero<double>()) == infinity<double>) {
    check_largest(path_, *graph);
  }
  const std::vector<T> lengths = numbers_as<T>(path_, graph->lengths, false, [&](std::size_t e) {
    return fmt::format("the length from {} to {}", graph->name(graph->edges[e].from), graph->name(graph->edges[e].to));
  });
  for (std::size_t e = 0; e < lengths.size(); ++e) {
    const auto& [from, to] = graph->edges[e];
    if (lengths[e] >= infinity<T> || lengths[e] <= -infinity<T>) {
      throw Error(ErrorKind::overflow,
                  fmt::format("{}: the edge from {} to {} has length {}: {} holds less than {}", path_,
                              graph->name(from), graph->name(to), lengths[e], dtype_name<T>(), infinity<T>));
    }
    list.push_back({from, to, lengths[e]});
  }
  return list;
}

template <class T>
Matrix<T> GraphInput::edges(minplus::Semiring semiring) const {
  const std::size_t n = vertices();
  Matrix<T> edges(n, n, semiring.zero<T>());
  if (const auto* array = std::get_if<io::NpyArray>(&content_)) {
    const std::vector<T> lengths = array->lengths(semiring.zero<T>(), reading_.no_edge);
    std::copy(lengths.begin(), lengths.end(), edges.view().data);
    const bool has_lengths = std::abs(semiring.zero<double>()) == infinity<double>;
    if (reading_.list.unweighted && !reading_.no_edge && has_lengths) check_zeros(path_, edges);
    if (reading_.undirected || reading_.list.unweighted) change_edges(edges, semiring, reading_);
    return edges;
  }
  minplus::with_choosing_tag<T>(semiring, [&](auto tag) {
    for (const auto& [from, to, length] : list<T>(semiring)) edges(from, to) = tag.plus(edges(from, to), length);
  });
  return edges;
}

#define WARPFOLD_INSTANTIATE(T)                                  \
  template Matrix<T> GraphInput::edges(minplus::Semiring) const; \
  template std::vector<paths::Edge<T>> GraphInput::list(minplus::Semiring) const;
WARPFOLD_FOR_EACH_PATH_TYPE(WARPFOLD_INSTANTIATE)
#undef WARPFOLD_INSTANTIATE

}  // namespace warpfold::app
