#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "warpfold/core/error.hpp"
#include "warpfold/core/matrix.hpp"
#include "warpfold/formats/graph.hpp"
#include "warpfold/io/npy.hpp"
#include "warpfold/minplus/semiring.hpp"

/// The graphs of `paths`, for the command and for its verifier.
namespace warpfold::app {

/// A graph as a matrix of lengths, or as a list of edges.
class GraphInput {
 public:
  /// A .npy matrix by its ending; every other file as `formats::read_graph` says.
  explicit GraphInput(const std::string& path);

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::size_t vertices() const;
  /// What the file calls a vertex, and which vertex it calls so: Error{usage} that names the option for none.
  [[nodiscard]] std::string name(std::size_t vertex) const;
  [[nodiscard]] std::size_t vertex(const std::string& option, const std::string& name) const;

  [[nodiscard]] bool is_whole() const;

  /// "i32" or "i64" for whole numbers, the former where every path's length fits; f32 for a matrix of those, else
  /// "f64".
  [[nodiscard]] std::string dtype() const;

  /// zero() of the semiring where there is no edge, the best of several edges between two vertices. Raises
  /// Error{overflow} for a length that T does not hold.
  template <class T>
  [[nodiscard]] Matrix<T> edges(minplus::Semiring semiring) const;

 private:
  std::string path_;
  std::variant<io::NpyArray, formats::Graph> content_;
};

/// Calls visit(T{}) for the type of that name. Raises Error{usage} for others.
template <class Visit>
auto with_paths_dtype(const std::string& dtype, const Visit& visit) {
  if (dtype == "i32") return visit(std::int32_t{});
  if (dtype == "i64") return visit(std::int64_t{});
  if (dtype == "f32") return visit(float{});
  if (dtype == "f64") return visit(double{});
  throw Error(ErrorKind::usage, "dtype '" + dtype + "': i32, i64, f32 or f64 is accepted");
}

/// Successors are written in 16 bits where that tells every vertex from none.
[[nodiscard]] inline bool has_short_successors(std::size_t vertices) { return vertices < 65536; }

}  // namespace warpfold::app
