#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "dtypes.hpp"
#include "triangulation_input.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/core/matrix.hpp"
#include "warpfold/formats/graph.hpp"
#include "warpfold/io/file.hpp"
#include "warpfold/io/npy.hpp"
#include "warpfold/paths/from_sources.hpp"

/// The graphs of `paths`, for the command and its verifier.
namespace warpfold::app {

/// How a graph is read.
struct GraphReading {
  formats::EdgeListOptions list = {};
  bool undirected = false;                 ///< every edge counts in both directions
  bool in_utf8 = false;                    ///< rejects names that are not UTF-8
  std::optional<io::Number> no_edge = {};  ///< a length that means no edge
};

/// The columns of an edge list in --columns. Raises Error{usage} for any other text.
[[nodiscard]] std::vector<std::string> columns_of(const std::string& text);

/// A graph from a file, or the visibility graph of an outline. It is a matrix of lengths or a list of edges.
class GraphInput {
 public:
  /// Reads an array if the content or the ending .npy says so. `formats::read_graph` reads every other file.
  explicit GraphInput(const std::string& path, const GraphReading& reading = {});
  /// Makes the visibility graph of an outline: vertices that see each other are joined. The options are for computing
  /// it.
  GraphInput(const std::string& path, const formats::OutlineChoice& choice, const Options& options);

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::size_t vertices() const;
  /// The file's name of a vertex, and the vertex of a name. Raises Error{usage} that names the option for an unknown
  /// name.
  [[nodiscard]] std::string name(std::size_t vertex) const;
  [[nodiscard]] std::size_t vertex(const std::string& option, const std::string& name) const;

  /// Whether it is a list of edges.
  [[nodiscard]] bool is_list() const { return std::holds_alternative<formats::Graph>(content_); }
  /// The numbers of the vertices, if only the numbers in the file are vertices; otherwise nothing.
  [[nodiscard]] const std::vector<std::uint64_t>& ids() const;
  /// What the user should know about the file, one sentence each.
  [[nodiscard]] const std::vector<std::string>& notes() const;

  [[nodiscard]] bool is_integer() const;
  /// Whether they hold each length or coordinate that is written as an integer.
  [[nodiscard]] bool doubles_hold() const;

  /// The default type: "u8" for or-and. For integers "i32" or "i64", the first that holds every path's length. f32 for
  /// a matrix of f32, otherwise "f64".
  [[nodiscard]] std::string dtype(minplus::Semiring semiring) const;

  /// The graph as a matrix. Missing edges are zero() of the semiring. The best of several edges between two vertices is
  /// taken. In or-and, every edge of a list is one(). Raises Error{overflow} for a length that T does not hold.
  template <class T>
  [[nodiscard]] Matrix<T> edges(minplus::Semiring semiring) const;
  /// The graph as a list of edges, including all edges between the same two vertices.
  template <class T>
  [[nodiscard]] std::vector<paths::Edge<T>> list(minplus::Semiring semiring) const;

  [[nodiscard]] const std::optional<CheckedOutline>& outline() const { return outline_; }

 private:
  std::string path_;
  GraphReading reading_;
  std::optional<CheckedOutline> outline_;
  std::variant<io::NpyArray, formats::Graph> content_;
};

/// The number of vertices that were dropped from an outline; 0 for any other graph.
[[nodiscard]] inline std::size_t dropped_vertices(const GraphInput& input) {
  return input.outline() ? input.outline()->outline.dropped() : 0;
}

/// Calls visit(T{}) for the type of that name. Raises Error{usage} for any other name, and for a type that the semiring
/// does not support.
template <class Visit>
auto with_paths_dtype(const std::string& dtype, minplus::Semiring semiring, const Visit& visit) {
  if (semiring.kind == minplus::Semiring::or_and) return with_dtype_among(TypeList<std::uint8_t>(), dtype, visit);
  return with_dtype(dtype, visit);
}

/// Whether --output is a .csv file, with lines from,to,length of all pairs.
[[nodiscard]] inline bool is_csv(const std::string& output) { return io::extension(output) == ".csv"; }

/// Whether successors are written in 16 bits, which hold every vertex and "none".
[[nodiscard]] inline bool has_short_successors(std::size_t vertices) { return vertices < 65536; }

}  // namespace warpfold::app
