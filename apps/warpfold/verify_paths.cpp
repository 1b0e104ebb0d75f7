#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>

#include "paths_input.hpp"
#include "verify.hpp"
#include "warpfold/paths/verify.hpp"

namespace warpfold::app {

namespace {

/// A matrix of that type that the run wrote, each entry through `convert`.
template <class T, class Entry, class Convert>
Matrix<T> read_result(const Json& solution, const char* key, std::size_t n, const std::string& dtype,
                      const Convert& convert) {
  const io::NpyArray array = io::read_npy(value_at(solution, key).get<std::string>());
  if (array.dtype != dtype) throw UnlikeOurs(fmt::format("the {} is of {}, not of {}", key, array.dtype, dtype));
  if (array.shape != std::vector{n, n}) throw UnlikeOurs(fmt::format("the {} has another shape than the graph", key));
  const std::vector<Entry> entries = array.weights<Entry>();
  Matrix<T> matrix(n, n);
  std::transform(entries.begin(), entries.end(), matrix.view().data, convert);
  return matrix;
}

paths::Request request_of(const GraphInput& input, paths::Semiring semiring, bool successors) {
  return {semiring, successors, [&](std::size_t vertex) { return input.name(vertex); }};
}

/// A length as the run wrote it. JSON holds none that is infinite: that of a path whose every edge is.
template <class T>
T length_at(const Json& object, const char* key, paths::Semiring semiring) {
  const T one = semiring.one<T>();
  const bool is_infinite = value_at(object, key).is_null() && std::isinf(static_cast<double>(one));
  return is_infinite ? one : number_at<T>(object, key);
}

/// What the run says of all lengths from one vertex, or from all: a row each.
template <class T>
Flaw flaw_of_reach(const Json& solution, const Matrix<T>& lengths, const std::vector<std::uint32_t>& rows, T zero) {
  std::size_t reachable = 0;
  for (std::size_t i = 0; i < lengths.rows(); ++i) {
    for (std::size_t j = 0; j < lengths.columns(); ++j) reachable += rows[i] != j && lengths(i, j) != zero;
  }
  if (whole<std::size_t>(value_at(solution, "reachable")) == reachable) return std::nullopt;
  return fmt::format("'reachable' is {}: {} pairs of vertices have a path", json_text(value_at(solution, "reachable")),
                     reachable);
}

std::uint32_t vertex_at(const GraphInput& input, const Json& solution, const char* key) {
  return static_cast<std::uint32_t>(input.vertex(key, value_at(solution, key).get<std::string>()));
}

/// Whether 'path' leads along edges of the graph from 'from' to 'to', and is so long.
template <class T>
Flaw flaw_of_walk(const GraphInput& input, const Json& solution, const paths::SparseGraph<T>& graph,
                  const paths::Request& request, T length) {
  std::vector<std::uint32_t> path;
  for (const Json& name : value_at(solution, "path")) {
    path.push_back(static_cast<std::uint32_t>(input.vertex("path", name.get<std::string>())));
  }
  const bool is_none = length == request.semiring.zero<T>();
  if (path.empty() != is_none) return "'path' is not what the length from 'from' to 'to' says";
  if (is_none) return std::nullopt;
  if (path.front() != vertex_at(input, solution, "from") || path.back() != vertex_at(input, solution, "to")) {
    return "'path' does not lead from 'from' to 'to'";
  }
  return paths::verify_path<T>(graph, path, length, request).flaw;
}

/// What the run says of one path.
template <class T>
Flaw flaw_of_path(const GraphInput& input, const Json& solution, const paths::AllPairs<T>& found,
                  const paths::Request& request) {
  const std::uint32_t from = vertex_at(input, solution, "from"), to = vertex_at(input, solution, "to");
  const Json &path = value_at(solution, "path"), &cost = value_at(solution, "cost");
  const T length = found.lengths(from, to);
  if (path.empty() && !cost.is_null()) return "'cost' is there, and no path";
  if (!path.empty() && length_at<T>(solution, "cost", request.semiring) != length) {
    return "'cost' is not the length from 'from' to 'to'";
  }
  if (found.successors.empty()) {
    const paths::SparseGraph<T> graph(input.vertices(), input.list<T>(request.semiring));
    return flaw_of_walk(input, solution, graph, request, length);
  }
  Json expected = Json::array();
  for (const std::uint32_t vertex : found.path(from, to, request.name)) expected.push_back(input.name(vertex));
  if (path != expected) return "'path' is not that of the successors";
  return std::nullopt;
}

/// The lengths that the run says from one vertex to all others.
template <class T>
std::vector<T> lengths_of(const GraphInput& input, const Json& solution, paths::Semiring semiring) {
  const std::size_t from = vertex_at(input, solution, "from");
  const Json& said = value_at(solution, "lengths");
  if (!said.is_object()) throw UnlikeOurs(fmt::format("'lengths': {} stands where an object does", json_text(said)));
  std::vector<T> lengths(input.vertices(), semiring.zero<T>());
  lengths[from] = semiring.one<T>();
  std::size_t names = 0;
  for (std::size_t to = 0; to < lengths.size(); ++to) {
    const std::string name = input.name(to);
    if (to == from || !said.contains(name)) continue;
    lengths[to] = length_at<T>(said, name.c_str(), semiring);
    ++names;
  }
  if (said.size() != names) throw UnlikeOurs("'lengths' names what is no other vertex of the graph");
  return lengths;
}

/// What the run says of the paths from one vertex to all.
template <class T>
Flaw flaw_of_lengths(const GraphInput& input, const Json& solution, const Matrix<T>& all, paths::Semiring semiring) {
  const std::size_t from = vertex_at(input, solution, "from");
  const std::vector<T> lengths = lengths_of<T>(input, solution, semiring);
  for (std::size_t to = 0; to < lengths.size(); ++to) {
    if (to == from || lengths[to] == all(from, to)) continue;
    return fmt::format("'lengths' has not the length from 'from' to '{}'", input.name(to));
  }
  return std::nullopt;
}

/// What the run says besides of what was asked.
template <class T>
Flaw flaw_of_question(const GraphInput& input, const Json& solution, const paths::AllPairs<T>& found,
                      const paths::Request& request) {
  if (solution.contains("to")) return flaw_of_path(input, solution, found, request);
  if (!value_at(solution, "cost").is_null()) return "'cost' is there, and no 'to'";
  if (solution.contains("from")) return flaw_of_lengths(input, solution, found.lengths, request.semiring);
  return std::nullopt;
}

std::vector<std::uint32_t> all_vertices(std::size_t n) {
  std::vector<std::uint32_t> vertices(n);
  std::iota(vertices.begin(), vertices.end(), 0U);
  return vertices;
}

template <class T>
Verdict verdict_of_all_pairs(const GraphInput& input, paths::Semiring semiring, const Json& solution,
                             const Options& limits) {
  const std::size_t n = input.vertices();
  paths::AllPairs<T> found;
  const std::string lengths_dtype = std::is_same_v<T, std::uint8_t> ? "bool" : std::string(dtype_name<T>());
  found.lengths = read_result<T, T>(solution, "output", n, lengths_dtype, [](T x) { return x; });
  if (solution.contains("successors")) {
    const bool is_short = has_short_successors(n);
    found.successors = read_result<std::uint32_t, std::uint32_t>(
        solution, "successors", n, is_short ? "u16" : "u32",
        [&](std::uint32_t vertex) { return is_short && vertex == 65535 ? paths::no_vertex : vertex; });
  }
  const paths::Request request = request_of(input, semiring, !found.successors.empty());
  Verdict verdict = paths::verify(input.edges<T>(semiring), found, limits, request);
  if (verdict.flaw) return verdict;
  if (Flaw flaw = flaw_of_reach(solution, found.lengths, all_vertices(n), semiring.zero<T>())) return miscounted(*flaw);
  if (Flaw flaw = flaw_of_question(input, solution, found, request)) return infeasible(*flaw);
  return verdict;
}

/// The run says lengths, or one path, and of no vertex which is before it. We find that anew: together the two prove
/// that the lengths are right, or not.
template <class T>
Verdict verdict_of_one_source(const GraphInput& input, paths::Semiring semiring, const Json& solution,
                              const Options& limits) {
  const paths::SparseGraph<T> graph(input.vertices(), input.list<T>(semiring));
  const paths::Request request = request_of(input, semiring, true);
  paths::PathsFrom<T> found =
      paths::from_sources(graph, {vertex_at(input, solution, "from")}, limits, request).solution;
  const Json& cost = value_at(solution, "cost");
  if (solution.contains("to")) {
    const bool is_none = value_at(solution, "path").empty();
    if (is_none && !cost.is_null()) return miscounted("'cost' is there, and no path");
    const T length = is_none ? semiring.zero<T>() : length_at<T>(solution, "cost", semiring);
    if (Flaw flaw = flaw_of_walk(input, solution, graph, request, length)) return infeasible(*flaw);
    found.lengths(0, vertex_at(input, solution, "to")) = length;
  } else {
    if (!cost.is_null()) return miscounted("'cost' is there, and no 'to'");
    const std::vector<T> lengths = lengths_of<T>(input, solution, semiring);
    std::copy(lengths.begin(), lengths.end(), found.lengths.view().row(0));
  }
  Verdict verdict = paths::verify(graph, found, limits, request);
  if (verdict.flaw) return miscounted(*verdict.flaw);
  if (Flaw flaw = flaw_of_reach(solution, found.lengths, found.sources, semiring.zero<T>())) return miscounted(*flaw);
  return verdict;
}

GraphInput read_input(const std::string& graph, const Json& solution, const Options& limits) {
  if (!solution.value("outline", false)) return GraphInput(graph);
  formats::OutlineChoice choice;
  if (solution.contains("feature")) choice.feature = whole<std::size_t>(value_at(solution, "feature"));
  if (solution.contains("part")) choice.part = whole<std::size_t>(value_at(solution, "part"));
  return {graph, choice, limits};
}

}  // namespace

Verdict verify_paths(const std::string& graph, const Json& solution, const Options& limits) {
  const GraphInput input = read_input(graph, solution, limits);
  if (Flaw flaw = flaw_of_run(solution, input.vertices())) return infeasible(*flaw);
  const bool of_one_source = solution.contains("from") && !solution.contains("successors");
  if (!solution.contains("output") && !of_one_source) {
    return infeasible("'output' is not there: a run with --from, or with -o FILE.npy, is accepted");
  }
  const auto semiring = minplus::parse_semiring(value_at(solution, "semiring").get<std::string>());
  return with_paths_dtype(value_at(solution, "dtype").get<std::string>(), semiring, [&]<class T>(T) {
    return solution.contains("output") ? verdict_of_all_pairs<T>(input, semiring, solution, limits)
                                       : verdict_of_one_source<T>(input, semiring, solution, limits);
  });
}

}  // namespace warpfold::app
