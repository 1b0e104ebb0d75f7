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
/// line in the file. A graph has up to 2^31 vertices, whose ids are below 2^64. Loops and several edges between two
/// vertices are accepted. Every reader raises Error{input} that names the file, the line and the word.
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
  io::Numbers lengths;             ///< one for each edge, all finite, but for NaN that is asked for
  std::vector<std::string> names;  ///< distinct names of the vertices; empty if the file numbers them
  std::size_t first = 0;           ///< the number of vertex 0 in a file without names: 1 in DIMACS and Matrix Market
  /// The largest value of an `array` of integers, which other programs write for no edge.
  std::optional<io::Integer> type_largest;
  std::vector<std::uint64_t> ids;  ///< the vertices' numbers in ascending order, if only those that occur are vertices
  std::vector<std::string> notes;  ///< notes for the user, one sentence each

  /// Returns the file's name or number of a vertex, which must be less than `vertices`.
  [[nodiscard]] std::string name(std::size_t vertex) const;

  /// Returns the vertex of that name or number, if there is one. Cost: a search through all names if the file has
  /// names, and log2(vertices) steps if it has ids.
  [[nodiscard]] std::optional<std::uint32_t> find(std::string_view name) const;
};

/// What a caller knows about an edge list. The defaults let the reader find it out.
struct EdgeListOptions {
  std::optional<bool> header = {};  ///< whether the first line is a header
  /// FROM, TO and perhaps LENGTH: names of the header, or numbers counted from 1. Empty: see `parse_edge_list`.
  std::vector<std::string> columns = {};
  bool directed = false;                     ///< a line is one edge, even if the file says that it is two
  bool unweighted = false;                   ///< every length is 1, and a line needs none
  std::optional<std::size_t> vertices = {};  ///< the vertices are 0 to this number - 1
  bool knows_no_edge = false;                ///< a 0 in a labeled matrix is read as a length
  bool accepts_nan = false;                  ///< NaN is read as a length, which the caller takes for no edge
};

/// A row of the table of formats (format.hpp).
struct GraphFormat {
  std::string name;
  std::vector<std::string> endings;
  bool (*recognizes)(std::string_view content);
  Graph (*parse)(const std::string& path, std::string_view content);
};
/// Returns every format that can be read, in the order in which help lists them.
[[nodiscard]] std::span<const GraphFormat> graph_formats();

/// Returns the format of a file: by its ending, .gr or .mtx, else by its content. Raises Error{input} for a .npy
/// matrix.
[[nodiscard]] const GraphFormat& graph_format(const std::string& path, std::string_view content);

/// Reads a graph from a file, or from standard input for "-". `graph_format` chooses the format.
[[nodiscard]] Graph read_graph(const std::string& path, const EdgeListOptions& options = {});

/// Reads a graph from text in memory. `path` chooses the format by its ending, and is used in messages. Raises
/// Error{usage} for options that the format does not have.
[[nodiscard]] Graph parse_graph(const std::string& path, std::string_view content, const EdgeListOptions& options = {});

/// Reads an edge list: one line `from,to,length` per edge, at least one. `path` is used in messages only.
///
/// * Tabs, semicolons, commas or blanks separate the words, the same on all lines. The first of these that makes
///   edges of the first lines is taken. Words may be quoted as in RFC 4180: a quote inside is doubled. Separators at
///   the end of a line are ignored.
/// * Empty lines, lines that begin with # or %, and comments after a length are skipped. KONECT's `% sym` makes every
///   line two edges.
/// * A length may have a decimal comma if commas do not separate the words. If no line has a length, every length is
///   1. NetworkX's `{'weight': 3}` is a length, too.
/// * A first line without numbers is a header. Its usual names find the columns. Otherwise the first three columns
///   are from, to and length, after an index column without a name. If a column `type` says undirected, the line is two
///   edges.
/// * A first line `n m` or `n m s` of integers is a header if m lines follow and every vertex is below n, or from 1
///   to n. If it could be an edge as well, it is rejected unless `header` decides.
/// * A first line of names, followed by a line for each with its name and its lengths, is a matrix. An empty entry,
///   inf or nan is no edge. A 0 off its diagonal is rejected unless `knows_no_edge`.
/// * Vertices have names. If every name is an integer without leading zeros (1.0 is 1), these are the vertex numbers.
///   If the largest is below 4 times the number of edges plus 1000, the vertices are 0 to the largest. Otherwise the
///   vertices are those that occur, in ascending order (Graph::ids). If a name is not an integer, vertices are numbered
///   in the order in which their names first occur.
[[nodiscard]] Graph parse_edge_list(const std::string& path, std::string_view content, const EdgeListOptions& options);
/// Reads an edge list by the default options.
[[nodiscard]] Graph parse_edge_list(const std::string& path, std::string_view content);

/// Reads a .gr file of the 9th DIMACS implementation challenge (shortest paths). It has comments `c ..`, one line `p sp
/// VERTICES ARCS`, and that many lines `a FROM TO LENGTH`. Vertices are counted from 1.
[[nodiscard]] Graph parse_dimacs(const std::string& path, std::string_view content);

/// Reads a square matrix of Matrix Market, `coordinate` or `array`, `real`, `integer` or `pattern`, `general`,
/// `symmetric` or `skew-symmetric`. Entry (i, j) is an edge from i to j. Vertices are counted from 1. The edges of a
/// pattern have length 1. An infinite entry of an array is no edge. A symmetric matrix has one of its triangles in the
/// file. Each of its entries off the diagonal is two edges, one after the other.
[[nodiscard]] Graph parse_matrix_market(const std::string& path, std::string_view content);

/// Reads a sparse matrix that scipy.sparse.save_npz wrote, in the format csr, csc or coo. Entry (i, j) is an edge from
/// i to j, also if it is a stored 0. Entries of the same place are added up, as in SciPy.
[[nodiscard]] Graph parse_sparse_npz(const std::string& path, std::string_view content);

}  // namespace warpfold::formats
