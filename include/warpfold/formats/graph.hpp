#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "warpfold/io/numbers.hpp"

/// Readers of weighted directed graphs. A length is a finite number, negative ones included: where there is no edge,
/// the file has no line. A graph has up to 2^31 vertices; it may have loops, and several edges between two vertices.
/// Every reader raises Error{input} that names the file, the line and the word.
namespace warpfold::formats {

/// An edge from one vertex to another, counted from 0.
struct GraphEdge {
  std::uint32_t from = 0;
  std::uint32_t to = 0;

  bool operator==(const GraphEdge&) const = default;
};

/// A weighted directed graph as a file has it.
struct Graph {
  std::size_t vertices = 0;
  std::vector<GraphEdge> edges;           ///< in the file's order
  io::Numbers lengths;                    ///< one an edge, all finite
  std::vector<std::string> names;         ///< of the vertices, each another, where the file has names; else empty
  std::size_t first = 0;                  ///< what a file without names calls vertex 0: 1 in DIMACS and Matrix Market
  std::optional<io::Whole> type_largest;  ///< of an array of integers: what other programs write for no edge

  /// What the file calls a vertex, which is less than `vertices`.
  [[nodiscard]] std::string name(std::size_t vertex) const;

  /// The vertex that the file calls so, if there is one: by a search through all names where it has names.
  [[nodiscard]] std::optional<std::uint32_t> find(std::string_view name) const;
};

/// A row of the table: format.hpp.
struct GraphFormat {
  std::string name;
  std::vector<std::string> endings;
  bool (*recognises)(std::string_view content);
  Graph (*parse)(const std::string& path, std::string_view content);
};
/// Every format that is read, in the order in which help lists them.
[[nodiscard]] std::span<const GraphFormat> graph_formats();

/// The format of a file: by its ending, .gr or .mtx, else by its content. Raises Error{input} for a .npy matrix.
[[nodiscard]] const GraphFormat& graph_format(const std::string& path, std::string_view content);

/// Reads a file, or standard input for "-", as `graph_format` says.
[[nodiscard]] Graph read_graph(const std::string& path);

/// The same for what was read from there.
[[nodiscard]] Graph parse_graph(const std::string& path, std::string_view content);

/// Lines `from,to,length`, separated by commas, by semicolons or, in a line without either, by blanks; at least one.
/// Empty lines, what follows a #, and a first line that names the columns (the third is length, weight, distance, cost
/// or time) are skipped. Vertices have names; a pair of quotes around one is no part of it. Where every name is a whole
/// number without leading zeros, these are the vertices' numbers, and there is one vertex more than the largest says;
/// elsewhere vertices are counted as their names come first. `path` is only for messages.
[[nodiscard]] Graph parse_edge_list(const std::string& path, std::string_view content);

/// The .gr files of the 9th DIMACS implementation challenge, on shortest paths: comments `c ..`, one line
/// `p sp VERTICES ARCS`, and as many lines `a FROM TO LENGTH`, counted from 1.
[[nodiscard]] Graph parse_dimacs(const std::string& path, std::string_view content);

/// Matrix Market's square matrices, `coordinate` or `array`, `real`, `integer` or `pattern`, `general`, `symmetric` or
/// `skew-symmetric`: entry (i, j) is an edge from i to j, counted from 1, of a pattern with length 1; an infinite one
/// of an array is none. A symmetric matrix has one of its triangles in the file, and each entry off the diagonal is two
/// edges, one after the other.
[[nodiscard]] Graph parse_matrix_market(const std::string& path, std::string_view content);

/// A sparse matrix as scipy.sparse.save_npz writes it, of the formats csr, csc and coo: entry (i, j) is an edge from i
/// to j, a stored 0, too. Those of one place are added up, as SciPy adds them.
[[nodiscard]] Graph parse_sparse_npz(const std::string& path, std::string_view content);

}  // namespace warpfold::formats
