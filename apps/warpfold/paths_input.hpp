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

/// The graphs of `paths`, for the command and for its verifier.
namespace warpfold::app {

/// How a graph is read.
struct GraphReading {
  formats::EdgeListOptions list = {};
  bool undirected = false;                 ///< every edge leads both ways
  bool in_utf8 = false;                    ///< names that are no UTF-8 are rejected
  std::optional<io::Number> no_edge = {};  ///< a length that means no edge
};

/// The columns of an edge list, as --columns names them. Raises Error{usage} for any other text.
[[nodiscard]] std::vector<std::string> columns_of(const std::string& text);

/// A graph as a matrix of lengths, or as a list of edges: that of a file, or the visibility graph of an outline.
class GraphInput {
 public:
  /// An array by its content or the ending .npy; every other file as `formats::read_graph` says.
  explicit GraphInput(const std::string& path, const GraphReading& reading = {});
  /// An outline, whose vertices are joined where they see each other; the options are for finding that.
  GraphInput(const std::string& path, const formats::OutlineChoice& choice, const Options& options);

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::size_t vertices() const;
  /// What the file calls a vertex, and which vertex it calls so: Error{usage} that names the option for none.
  [[nodiscard]] std::string name(std::size_t vertex) const;
  [[nodiscard]] std::size_t vertex(const std::string& option, const std::string& name) const;

  [[nodiscard]] bool is_list() const { return std::holds_alternative<formats::Graph>(content_); }  ///< of edges
  /// The numbers of the vertices, if only those that occur in the file are vertices; else nothing.
  [[nodiscard]] const std::vector<std::uint64_t>& ids() const;
  [[nodiscard]] const std::vector<std::string>& notes() const;  ///< what to know about the file, a sentence each

  [[nodiscard]] bool is_integer() const;
  [[nodiscard]] bool doubles_hold() const;  ///< each length, or coordinate, that is written as an integer

  /// "u8" for or-and; for integers "i32" or "i64", the first where every path's length fits; f32 for a matrix of those,
  /// else "f64".
  [[nodiscard]] std::string dtype(minplus::Semiring semiring) const;

  /// zero() of the semiring where there is no edge, the best of several edges between two vertices; in or-and every
  /// edge of a list is one(). Raises Error{overflow} for a length that T does not hold.
  template <class T>
  [[nodiscard]] Matrix<T> edges(minplus::Semiring semiring) const;
  /// The same one by one, of several between two vertices all.
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

/// Calls visit(T{}) for the type of that name. Raises Error{usage} for others, and for one that the semiring has not.
template <class Visit>
auto with_paths_dtype(const std::string& dtype, minplus::Semiring semiring, const Visit& visit) {
  if (semiring.kind == minplus::Semiring::or_and) return with_dtype_among(TypeList<std::uint8_t>(), dtype, visit);
  return with_dtype(dtype, visit);
}

/// Whether the lengths of all pairs are lines from,to,length.
[[nodiscard]] inline bool is_csv(const std::string& output) { return io::extension(output) == ".csv"; }

/// Successors are written in 16 bits where that tells every vertex from none.
[[nodiscard]] inline bool has_short_successors(std::size_t vertices) { return vertices < 65536; }

}  // namespace warpfold::app
