#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "warpfold/io/numbers.hpp"

/// Readers of weighted directed graphs. A length is any finite number, negative ones included. A missing edge has no
/// line in the file. A graph has up to 2^31 vertices. Loops and several edges between two vertices are accepted. Every
/// reader raises Error{input} that names the file, the line and the word.
namespace warpfold::formats {

/// A directed edge. Vertices are counted from 0.
struct GraphEdge {
  std::uint32_t from = 0;
  std::uint32_t to = 0;

  bool operator==(const GraphEdge&) const = default;
};

/// A weighted directed graph, as read from a file.
struct Graph {
  std::size_t vertices = 0;
  std::vector<GraphEdge> edges;    ///< in the order of the file
  io::Numbers lengths;             ///< one for each edge, all finite
  std::vector<std::string> names;  ///< distinct names of the vertices; empty if the file numbers them
  std::size_t first = 0;           ///< the number of vertex 0 in a file without names: 1 in DIMACS and Matrix Market
  std::optional<io::Whole> type_largest;  ///< of an array of integers: the value that other programs write for no edge

  /// Returns the file's name or number of a vertex, which must be less than `vertices`.
  [[nodiscard]] std::string name(std::size_t vertex) const;

  /// Returns the vertex of that name or number, if there is one. Cost: a search through all names if the file has
  /// names.
  [[nodiscard]] std::optional<std::uint32_t> find(std::string_view name) const;
};

/// A row of the table of formats (format.hpp).
struct GraphFormat {
  std::string name;
  std::vector<std::string> endings;
  bool (*recognises)(std::string_view content);
  Graph (*parse)(const std::string& path, std::string_view content);
};
/// Returns every format that can be read, in the order in which help lists them.
[[nodiscard]] std::span<const GraphFormat> graph_formats();

/// Returns the format of a file: by its ending, .gr or .mtx, else by its content. Raises Error{input} for a .npy
/// matrix.
[[nodiscard]] const GraphFormat& graph_format(const std::string& path, std::string_view content);

/// Reads a graph from a file, or from standard input for "-". `graph_format` chooses the format.
[[nodiscard]] Graph read_graph(const std::string& path);

/// Reads a graph from text in memory. `path` chooses the format by its ending, and is used in messages.
[[nodiscard]] Graph parse_graph(const std::string& path, std::string_view content);

/// Reads an edge list: one line `from,to,length` per edge, at least one. `path` is used in messages only.
///
/// * Commas separate the words. A line without commas may use semicolons, and one without either may use blanks.
/// * Empty lines and text after a # are skipped. So is a first line of column names, whose third word is length,
///   weight, distance, cost or time.
/// * Vertices have names. A pair of quotes around a name is removed.
/// * If every name is an integer without leading zeros, these are the vertex numbers, and the largest one plus 1 is the
///   number of vertices. Otherwise vertices are numbered in the order in which their names first occur.
[[nodiscard]] Graph parse_edge_list(const std::string& path, std::string_view content);

/// Reads a .gr file of the 9th DIMACS implementation challenge (shortest paths). It has comments `c ..`, one line `p sp
/// VERTICES ARCS`, and that many lines `a FROM TO LENGTH`. Vertices are counted from 1.
[[nodiscard]] Graph parse_dimacs(const std::string& path, std::string_view content);

/// Reads a square matrix of Matrix Market, `coordinate` or `array`, `real`, `integer` or `pattern`, `general`,
/// `symmetric` or `skew-symmetric`. Entry (i, j) is an edge from i to j. Vertices are counted from 1. The edges of a
/// pattern have length 1. An infinite entry of an array is no edge. A symmetric matrix has one of its triangles in the
/// file. Each of its entries off the diagonal is two edges, one after the other.
[[nodiscard]] Graph parse_matrix_market(const std::string& path, std::string_view content);

/// A sparse matrix as scipy.sparse.save_npz writes it, of the formats csr, csc and coo: entry (i, j) is an edge from i
/// to j, a stored 0, too. Those of one place are added up, as SciPy adds them.
[[nodiscard]] Graph parse_sparse_npz(const std::string& path, std::string_view content);

}  // namespace warpfold::formats
