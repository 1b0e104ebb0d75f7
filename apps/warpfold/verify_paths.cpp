#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "paths_input.hpp"
#include "verify.hpp"
#include "warpfold/paths/verify.hpp"

namespace warpfold::app {

namespace {

/// The vertices of a graph by their names.
class Vertices {
 public:
  explicit Vertices(const GraphInput& input) : input_(input) {
    for (std::size_t i = 0; i < input.vertices(); ++i) numbers_.emplace(input.name(i), static_cast<std::uint32_t>(i));
  }

  /// Returns the vertex of a name. Raises Error{usage} that names the key for an unknown name.
  [[nodiscard]] std::uint32_t named(const std::string& name, const char* key) const {
    const auto found = numbers_.find(name);
    return found != numbers_.end() ? found->second : static_cast<std::uint32_t>(input_.vertex(key, name));
  }
  [[nodiscard]] std::uint32_t at(const Json& solution, const char* key) const {
    return named(value_at(solution, key).get<std::string>(), key);
  }

 private:
  const GraphInput& input_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
};

/// The graph and the request that a solution is checked against.
struct Question {
  const GraphInput& input;
  const Json& solution;
  paths::Semiring semiring;
  const Options& limits;
  Vertices vertices{input};

  [[nodiscard]] paths::Request request() const {
    return {.semiring = semiring, .name = [this](std::size_t vertex) { return input.name(vertex); }};
  }
  template <class T>
  [[nodiscard]] paths::SparseGraph<T> graph() const {
    const std::vector<paths::Edge<T>> edges = input.list<T>(semiring);
    static_cast<void>(Budget(limits).reserve(paths::SparseGraph<T>::bytes(input.vertices(), edges.size())));
    return {input.vertices(), edges};
  }
};

/// A matrix of that type that the run wrote. `convert` converts each entry.
template <class T, class Entry, class Convert>
Matrix<T> read_result(const Json& solution, const char* key, std::size_t n, const std::string& dtype,
                      const Convert& convert) {
  const io::NpyArray array = io::read_npy(value_at(solution, key).get<std::string>());
  if (array.dtype != dtype) throw MalformedSolution(fmt::format("the {} is of {}, not of {}", key, array.dtype, dtype));
  if (array.shape != std::vector{n, n})
    throw MalformedSolution(fmt::format("the {} has another shape than the graph", key));
  const std::vector<Entry> entries = array.weights<Entry>();
  Matrix<T> matrix(n, n);
  std::transform(entries.begin(), entries.end(), matrix.view().data, convert);
  return matrix;
}

/// The lengths in the lines from,to,length that the run wrote.
template <class T>
Matrix<T> read_pairs(const Question& asked, const std::string& path) {
  const std::size_t n = asked.input.vertices();
  Matrix<T> lengths(n, n, asked.semiring.zero<T>());
  for (std::size_t i = 0; i < n; ++i) lengths(i, i) = asked.semiring.one<T>();
  const std::string content = io::read_file(path);
  if (content == "from,to,length\n") return lengths;
  const formats::Graph pairs =
      formats::parse_edge_list(path, content, {.header = true, .columns = {"from", "to", "length"}});
  const std::vector<T> values = numbers_as<T>(path, pairs.lengths, false);
  for (std::size_t e = 0; e < values.size(); ++e) {
    const auto [from, to] = pairs.edges[e];
    lengths(asked.vertices.named(pairs.name(from), "output"), asked.vertices.named(pairs.name(to), "output")) =
        values[e];
  }
  return lengths;
}

/// Reads the length under a key. JSON has no infinite lengths, which occur if every edge of a path is infinite.
template <class T>
T length_of(const Json& value, const std::string& key, paths::Semiring semiring) {
  const T one = semiring.one<T>();
  if (value.is_null() && std::isinf(static_cast<double>(one))) return one;
  return number_under<T>(key, value);
}

template <class T>
T cost_of(const Question& asked) {
  return length_of<T>(value_at(asked.solution, "cost"), "cost", asked.semiring);
}

/// Checks all stated lengths from each of these vertices.
template <class T>
Violation find_reach_violation(const Question& asked, const Matrix<T>& lengths,
                               const std::vector<std::uint32_t>& sources) {
  std::size_t reachable = 0;
  const T zero = asked.semiring.zero<T>();
  for (std::size_t i = 0; i < lengths.rows(); ++i) {
    for (std::size_t j = 0; j < lengths.columns(); ++j) reachable += sources[i] != j && lengths(i, j) != zero;
  }
  const Json& said = value_at(asked.solution, "reachable");
  if (integer<std::size_t>(said) == reachable) return std::nullopt;
  return fmt::format("'reachable' is {}: {} pairs of vertices have a path", json_text(said), reachable);
}

/// Checks that 'path' leads along edges of the graph from 'from' to 'to', and has the stated length.
template <class T>
Violation find_walk_violation(const Question& asked, const paths::SparseGraph<T>& graph, T length) {
  std::vector<std::uint32_t> path;
  for (const Json& name : list_at(asked.solution, "path")) {
    path.push_back(asked.vertices.named(name.get<std::string>(), "path"));
  }
  const bool is_none = length == asked.semiring.zero<T>();
  if (path.empty() != is_none) return "'path' is not what the length from 'from' to 'to' says";
  if (is_none) return std::nullopt;
  if (path.front() != asked.vertices.at(asked.solution, "from") ||
      path.back() != asked.vertices.at(asked.solution, "to")) {
    return "'path' does not lead from 'from' to 'to'";
  }
  return paths::verify_path<T>(graph, path, length, asked.request()).violation;
}

/// Checks that the solution has a cost only if it has a path.
Violation find_cost_violation(const Json& solution) {
  if (value_at(solution, "cost").is_null()) return std::nullopt;
  if (!solution.contains("to")) return "'cost' is there, and no 'to'";
  if (solution.contains("paths")) return std::nullopt;
  return list_at(solution, "path").empty() ? Violation("'cost' is there, and no path") : std::nullopt;
}

/// Checks the statements about one path.
template <class T>
Violation find_path_violation(const Question& asked, const paths::AllPairs<T>& found) {
  const std::uint32_t from = asked.vertices.at(asked.solution, "from"), to = asked.vertices.at(asked.solution, "to");
  const Json& path = list_at(asked.solution, "path");
  const T length = found.lengths(from, to);
  if (!path.empty() && cost_of<T>(asked) != length) return "'cost' is not the length from 'from' to 'to'";
  if (found.successors.empty()) return find_walk_violation(asked, asked.graph<T>(), length);
  const paths::Request request = asked.request();
  Json expected = Json::array();
  for (const std::uint32_t vertex : found.path(from, to, request.name)) expected.push_back(asked.input.name(vertex));
  if (path != expected) return "'path' is not that of the successors";
  return std::nullopt;
}

/// Checks the k shortest paths of a pair: each path, and that the first is the shortest. Does not check that no other
/// path comes between them.
template <class T>
Verdict verdict_of_k_paths(const Question& asked) {
  const paths::SparseGraph<T> graph = asked.graph<T>();
  const std::uint32_t from = asked.vertices.at(asked.solution, "from"), to = asked.vertices.at(asked.solution, "to");
  const Json& list = list_at(asked.solution, "paths");
  if (list.size() > integer<std::size_t>(value_at(asked.solution, "k")))
    return infeasible("there are more than 'k' paths");
  paths::PathsFrom<T> best = paths::from_sources(graph, {from}, asked.limits, asked.request()).solution;
  if (Verdict proof = paths::verify(graph, best, asked.limits, asked.request()); proof.violation) return proof;
  if (list.empty() != (best.lengths(0, to) == asked.semiring.zero<T>()))
    return wrong_cost("'paths' has another number of paths");
  std::set<std::vector<std::uint32_t>> known;
  std::optional<T> before;
  for (const Json& entry : list) {
    std::vector<std::uint32_t> path;
    for (const Json& name : list_at(entry, "path"))
      path.push_back(asked.vertices.named(name.get<std::string>(), "paths"));
    const T length = number_at<T>(entry, "length");
    if (path.empty() || path.front() != from || path.back() != to)
      return infeasible("a path does not lead from 'from' to 'to'");
    if (!known.insert(path).second) return infeasible("a path is there twice");
    if (Violation violation = paths::verify_path<T>(graph, path, length, asked.request()).violation)
      return infeasible(*violation);
    if (before ? length < *before : length != best.lengths(0, to))
      return wrong_cost("a path is not as short as it could be");
    before = length;
  }
  if (before && cost_of<T>(asked) != best.lengths(0, to))
    return wrong_cost("'cost' is not the length of the first path");
  return {.unchecked = "other paths may come before the last one"};
}

/// The stated lengths from one vertex to all others.
template <class T>
std::vector<T> lengths_of(const Question& asked) {
  const std::uint32_t from = asked.vertices.at(asked.solution, "from");
  const Json& said = value_at(asked.solution, "lengths");
  if (!said.is_object()) throw MalformedSolution(fmt::format("'lengths': {} is no object", json_text(said)));
  std::vector<T> lengths(asked.input.vertices(), asked.semiring.zero<T>());
  for (const auto& [name, length] : said.items()) {
    const std::uint32_t vertex = asked.vertices.named(name, "lengths");
    lengths[vertex] = length_of<T>(length, name, asked.semiring);
    if (vertex != from && lengths[vertex] != asked.semiring.zero<T>()) continue;
    throw MalformedSolution(
        fmt::format("'lengths' names '{}': other vertices than 'from' to which there is a path are accepted", name));
  }
  lengths[from] = asked.semiring.one<T>();
  return lengths;
}

/// Checks the statements about the paths from one vertex to all.
template <class T>
Violation find_lengths_violation(const Question& asked, const Matrix<T>& all) {
  const std::uint32_t from = asked.vertices.at(asked.solution, "from");
  const std::vector<T> lengths = lengths_of<T>(asked);
  for (std::size_t to = 0; to < lengths.size(); ++to) {
    if (to == from || lengths[to] == all(from, to)) continue;
    return fmt::format("'lengths' has not the length from 'from' to '{}'", asked.input.name(to));
  }
  return std::nullopt;
}

/// Checks the remaining statements.
template <class T>
Violation find_answer_violation(const Question& asked, const paths::AllPairs<T>& found) {
  if (asked.solution.contains("to")) return find_path_violation(asked, found);
  if (asked.solution.contains("from")) return find_lengths_violation(asked, found.lengths);
  return std::nullopt;
}

std::vector<std::uint32_t> all_vertices(std::size_t n) {
  std::vector<std::uint32_t> vertices(n);
  std::iota(vertices.begin(), vertices.end(), 0U);
  return vertices;
}

template <class T>
Verdict verdict_of_all_pairs(const Question& asked) {
  const std::size_t n = asked.input.vertices();
  paths::AllPairs<T> found;
  const std::string lengths_dtype = std::is_same_v<T, std::uint8_t> ? "bool" : std::string(dtype_name<T>());
  const std::string output = text_at(asked.solution, "output");
  found.lengths = is_csv(output) ? read_pairs<T>(asked, output)
                                 : read_result<T, T>(asked.solution, "output", n, lengths_dtype, [](T x) { return x; });
  if (asked.solution.contains("successors")) {
    const bool is_short = has_short_successors(n);
    found.successors = read_result<std::uint32_t, std::uint32_t>(
        asked.solution, "successors", n, is_short ? "u16" : "u32",
        [&](std::uint32_t vertex) { return is_short && vertex == 65535 ? paths::no_vertex : vertex; });
  }
  Verdict verdict = paths::verify(asked.input.edges<T>(asked.semiring), found, asked.limits, asked.request());
  if (verdict.violation) return verdict;
  if (Violation violation = find_reach_violation(asked, found.lengths, all_vertices(n))) return wrong_cost(*violation);
  if (Violation violation = find_answer_violation(asked, found)) return infeasible(*violation);
  return verdict;
}

/// Whether a path is longer than the run's limit.
template <class T>
bool is_beyond(const Question& asked, T length) {
  const double limit = asked.solution.value("limit", std::numeric_limits<double>::infinity());
  return length != asked.semiring.zero<T>() && static_cast<long double>(length) > static_cast<long double>(limit);
}

/// The solution states lengths, or one path, but not the predecessors of vertices. They are computed again. Together
/// with the stated lengths they prove whether these are right.
template <class T>
Verdict verdict_of_one_source(const Question& asked) {
  const paths::SparseGraph<T> graph = asked.graph<T>();
  const paths::Request request = asked.request();
  const std::uint32_t from = asked.vertices.at(asked.solution, "from");
  paths::PathsFrom<T> found = paths::from_sources(graph, {from}, asked.limits, request).solution;
  if (asked.solution.contains("to")) {
    const bool is_none = list_at(asked.solution, "path").empty();
    const T length = is_none ? asked.semiring.zero<T>() : cost_of<T>(asked);
    if (Violation violation = find_walk_violation(asked, graph, length)) return infeasible(*violation);
    T& stated = found.lengths(0, asked.vertices.at(asked.solution, "to"));
    if (!is_none || !is_beyond(asked, stated)) stated = length;
  } else {
    const std::vector<T> lengths = lengths_of<T>(asked);
    for (std::size_t to = 0; to < lengths.size(); ++to) {
      const bool is_cut = lengths[to] == asked.semiring.zero<T>() && is_beyond(asked, found.lengths(0, to));
      if (!is_cut) found.lengths(0, to) = lengths[to];
    }
  }
  Verdict verdict = paths::verify(graph, found, asked.limits, request);
  if (verdict.violation) return wrong_cost(*verdict.violation);
  for (T& length : std::span(found.lengths.view().row(0), found.lengths.columns())) {
    if (is_beyond(asked, length)) length = asked.semiring.zero<T>();
  }
  if (Violation violation = find_reach_violation(asked, found.lengths, found.sources)) return wrong_cost(*violation);
  return verdict;
}

/// How the run read its graph.
GraphReading reading_of(const Json& solution) {
  GraphReading reading{.undirected = solution.value("undirected", false), .no_edge = stated_no_edge(solution)};
  formats::EdgeListOptions& list = reading.list;
  if (solution.contains("header")) list.header = text_at(solution, "header") == "yes";
  if (solution.contains("columns")) list.columns = columns_of(text_at(solution, "columns"));
  list.directed = solution.value("directed", false);
  list.unweighted = solution.value("unweighted", false);
  list.knows_no_edge = reading.no_edge.has_value();
  list.accepts_nan = reading.no_edge && std::isnan(reading.no_edge->real);
  if (solution.value("all_vertices", false)) list.vertices = integer<std::size_t>(value_at(solution, "n"));
  return reading;
}

GraphInput read_input(const std::string& graph, const Json& solution, const Options& limits) {
  if (!solution.value("outline", false)) return GraphInput(graph, reading_of(solution));
  formats::OutlineChoice choice;
  if (solution.contains("feature")) choice.feature = integer<std::size_t>(value_at(solution, "feature"));
  if (solution.contains("part")) choice.part = integer<std::size_t>(value_at(solution, "part"));
  return {graph, choice, limits};
}

/// Whether the solution states that the pair has no path.
bool has_no_path(const Json& solution) {
  if (!solution.contains("to")) return false;
  return list_at(solution, solution.contains("paths") ? "paths" : "path").empty();
}

/// Vertices are numbered without those that are dropped.
Violation find_dropped_vertices_violation(const Json& solution, const GraphInput& input) {
  const std::size_t stated = solution.contains("dropped") ? integer<std::size_t>(value_at(solution, "dropped")) : 0;
  if (stated == dropped_vertices(input)) return std::nullopt;
  return fmt::format("'dropped' is {}, there are {}", stated, dropped_vertices(input));
}

}  // namespace

Verdict verify_paths(const Files& instance, const Json& solution, const Options& limits) {
  const GraphInput input = read_input(instance[0], solution, limits);
  if (Violation violation = find_cost_violation(solution)) return wrong_cost(*violation);
  const char* status = has_no_path(solution) ? "no path" : "optimal";
  if (Violation violation = find_run_violation(solution, input.vertices(), status)) return infeasible(*violation);
  if (Violation violation = find_dropped_vertices_violation(solution, input)) return infeasible(*violation);
  const bool of_one_source = solution.contains("from") && !solution.contains("successors");
  if (!solution.contains("output") && !of_one_source) {
    return infeasible("'output' is not there: a run with --from, or with -o FILE.npy, is accepted");
  }
  const auto semiring = minplus::parse_semiring(value_at(solution, "semiring").get<std::string>());
  const Question asked{input, solution, semiring, limits};
  return with_paths_dtype(value_at(solution, "dtype").get<std::string>(), semiring, [&]<class T>(T) {
    if (solution.contains("paths")) return verdict_of_k_paths<T>(asked);
    return solution.contains("output") ? verdict_of_all_pairs<T>(asked) : verdict_of_one_source<T>(asked);
  });
}

}  // namespace warpfold::app
