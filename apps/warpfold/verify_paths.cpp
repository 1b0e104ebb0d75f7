#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

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

/// What the run says of all lengths.
template <class T>
Flaw flaw_of_reach(const Json& solution, const Matrix<T>& lengths, T zero) {
  std::size_t reachable = 0;
  for (std::size_t i = 0; i < lengths.rows(); ++i) {
    for (std::size_t j = 0; j < lengths.rows(); ++j) reachable += i != j && lengths(i, j) != zero;
  }
  if (whole<std::size_t>(value_at(solution, "reachable")) == reachable) return std::nullopt;
  return fmt::format("'reachable' is {}: {} pairs of vertices have a path", json_text(value_at(solution, "reachable")),
                     reachable);
}

/// Whether edges lead along a path of that length; a sum of floats is rounded.
template <class T>
Flaw flaw_of_walk(const std::vector<std::size_t>& path, const Matrix<T>& edges, paths::Semiring semiring, T length) {
  if (path.size() > edges.rows()) return "'path' has a vertex twice";
  return minplus::with_tag<T>(semiring, [&](auto tag) -> Flaw {
    T walked = tag.one();
    double sum_of_lengths = 0;
    for (std::size_t at = 0; at + 1 < path.size(); ++at) {
      const T edge = edges(path[at], path[at + 1]);
      if (edge == tag.zero()) return "'path' has a step that is no edge";
      walked = tag.times(walked, edge);
      sum_of_lengths += std::abs(static_cast<double>(edge));
    }
    const bool is_rounded = std::is_floating_point_v<T> && semiring.adds();
    const double rounding = 2 * static_cast<double>(path.size()) * std::numeric_limits<T>::epsilon() * sum_of_lengths;
    const bool is_as_long =
        is_rounded ? std::abs(static_cast<double>(walked) - static_cast<double>(length)) <= rounding : walked == length;
    return is_as_long ? Flaw() : "'path' has another length than the run says";
  });
}

/// What the run says of one path.
template <class T>
Flaw flaw_of_path(const GraphInput& input, const Json& solution, const paths::AllPairs<T>& found,
                  const Matrix<T>& edges, paths::Semiring semiring) {
  const T zero = semiring.zero<T>();
  const std::size_t from = input.vertex("from", value_at(solution, "from").get<std::string>());
  const std::size_t to = input.vertex("to", value_at(solution, "to").get<std::string>());
  const Json &path = value_at(solution, "path"), &cost = value_at(solution, "cost");
  const T length = found.lengths(from, to);
  if (path.empty() != (length == zero)) return "'path' is not what the length from 'from' to 'to' says";
  if (path.empty() && !cost.is_null()) return "'cost' is there, and no path";
  const bool is_infinite = std::isinf(static_cast<double>(length));  // of no edges, which JSON does not hold
  if (!path.empty() && (is_infinite ? !cost.is_null() : number_at<T>(solution, "cost") != length)) {
    return "'cost' is not the length from 'from' to 'to'";
  }
  if (found.successors.empty()) {
    std::vector<std::size_t> vertices;
    for (const Json& name : path) vertices.push_back(input.vertex("path", name.get<std::string>()));
    if (vertices.empty()) return std::nullopt;
    if (vertices.front() != from || vertices.back() != to) return "'path' does not lead from 'from' to 'to'";
    return flaw_of_walk(vertices, edges, semiring, length);
  }
  Json expected = Json::array();
  for (const std::uint32_t vertex : found.path(from, to, [&](std::size_t v) { return input.name(v); }))
    expected.push_back(input.name(vertex));
  if (path != expected) return "'path' is not that of the successors";
  return std::nullopt;
}

/// What the run says of the paths from one vertex to all.
template <class T>
Flaw flaw_of_lengths(const GraphInput& input, const Json& solution, const Matrix<T>& all, T zero) {
  const std::size_t from = input.vertex("from", value_at(solution, "from").get<std::string>());
  const Json& lengths = value_at(solution, "lengths");
  std::size_t reachable = 0;
  for (std::size_t to = 0; to < all.columns(); ++to) {
    if (to == from || all(from, to) == zero) continue;
    const auto said = lengths.find(input.name(to));
    if (said == lengths.end() || number<T>(*said) != all(from, to)) {
      return fmt::format("'lengths' has not the length from 'from' to '{}'", input.name(to));
    }
    ++reachable;
  }
  if (lengths.size() != reachable) return "'lengths' names a vertex to which there is no path";
  return std::nullopt;
}

/// What the run says besides of what was asked.
template <class T>
Flaw flaw_of_question(const GraphInput& input, const Json& solution, const paths::AllPairs<T>& found,
                      const Matrix<T>& edges, paths::Semiring semiring) {
  if (solution.contains("to")) return flaw_of_path(input, solution, found, edges, semiring);
  if (!value_at(solution, "cost").is_null()) return "'cost' is there, and no 'to'";
  if (solution.contains("from")) return flaw_of_lengths(input, solution, found.lengths, semiring.zero<T>());
  return std::nullopt;
}

template <class T>
Verdict verdict_of(const GraphInput& input, paths::Semiring semiring, const Json& solution, const Options& limits) {
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
  const Matrix<T> edges = input.edges<T>(semiring);
  const paths::Request request{semiring, !found.successors.empty(), [&](std::size_t v) { return input.name(v); }};
  Verdict verdict = paths::verify(edges, found, limits, request);
  if (verdict.flaw) return verdict;
  if (Flaw flaw = flaw_of_reach(solution, found.lengths, semiring.zero<T>())) return miscounted(*flaw);
  if (Flaw flaw = flaw_of_question(input, solution, found, edges, semiring)) return infeasible(*flaw);
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
  if (!solution.contains("output")) return infeasible("'output' is not there: a run with -o FILE.npy is accepted");
  const auto semiring = minplus::parse_semiring(value_at(solution, "semiring").get<std::string>());
  return with_paths_dtype(value_at(solution, "dtype").get<std::string>(), semiring,
                          [&]<class T>(T) { return verdict_of<T>(input, semiring, solution, limits); });
}

}  // namespace warpfold::app
