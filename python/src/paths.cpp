#include <fmt/format.h>

#include <algorithm>

#include "binding.hpp"
#include "ranks.hpp"
#include "warpfold/paths/all_pairs.hpp"
#include "warpfold/paths/from_sources.hpp"
#include "warpfold/paths/k_shortest.hpp"
#include "warpfold/paths/verify.hpp"

namespace warpfold::python {

namespace {

/// SciPy's number for "no predecessor".
constexpr std::int32_t no_predecessor = -9999;

/// Converts to SciPy's form for the reversed graph: the vertex after j on the path to i is the one before.
std::vector<std::int32_t> predecessors_of(const std::vector<std::uint32_t>& successors, std::size_t n) {
  std::vector<std::int32_t> predecessors(successors.size());
  for (std::size_t at = 0; at < successors.size(); ++at) {
    const bool none = successors[at] == paths::no_vertex || at % (n + 1) == 0;
    predecessors[at] = none ? no_predecessor : static_cast<std::int32_t>(successors[at]);
  }
  return predecessors;
}

/// The lengths, and the predecessors if they are requested.
template <class T>
nb::object arrays_of(paths::AllPairs<T> found, const paths::Request& request) {
  const std::size_t n = found.lengths.rows();
  const std::vector<std::size_t> shape{n, n};
  nb::object lengths = array_of(std::move(found.lengths).values(), shape);
  if (!request.successors) return lengths;
  return nb::make_tuple(lengths, array_of(predecessors_of(found.successors.values(), n), shape));
}

template <class T>
nb::object solve(const Array& graph, const paths::Request& request, const std::optional<Ranks>& ranks,
                 const CallOptions& asked) {
  const auto matrix = graph.matrix<T>();
  const auto n = static_cast<double>(matrix.rows);
  auto found = run(asked, n * n * n, [&](const Options& options) {
    check_within_infinity(graph.name(), matrix);
    if constexpr (!std::is_same_v<T, std::uint8_t>) {
      if (ranks) return ranks->all_pairs(matrix, options, request);
    }
    return paths::all_pairs(matrix, options, request);
  });
  return arrays_of(std::move(found.solution), request);
}

/// The types that a semiring's lengths have: 16 bits are too few for sums of many. A semiring without paths is rejected
/// later.
ElementTypes types_of_lengths(minplus::Semiring semiring) {
  ElementTypes accepted = element_types_of(semiring.is_selective() ? semiring : minplus::Semiring());
  std::erase(accepted, element_type<std::int16_t>);
  return accepted;
}

template <class Visit>
auto with_lengths(const Array& array, const Visit& visit) {
  if (array.holds<std::uint8_t>()) return visit(std::uint8_t{});
  return with_type(array, visit);
}

nb::object all_pairs(nb::handle graph, nb::handle semiring, nb::handle return_predecessors, nb::handle comm,
                     const nb::kwargs& words) {
  const CallOptions options = asked(words);
  const std::optional<Ranks> ranks = ranks_if_any(comm);
  const paths::Request request{.semiring = minplus::parse_semiring(text("semiring", semiring)),
                               .successors = truth("return_predecessors", return_predecessors)};
  const Array array("graph", graph, types_of_lengths(request.semiring), options.dtype, no_value_of(request.semiring));
  check_square(array);
  if (ranks && request.semiring.kind == minplus::Semiring::or_and) {
    throw Error(ErrorKind::usage, "ranks do not solve or-and: one process does, in bits");
  }
  return with_lengths(array, [&]<class T>(T) { return solve<T>(array, request, ranks, options); });
}

/// Whether it is "no value" of the semiring.
template <class T>
bool is_none(T length, const NoValue& none) {
  return *none == 0 ? length == 0 : *none > 0 ? length == infinity<T> : length == static_cast<T>(-infinity<T>);
}

/// A graph as a list of edges, which _paths.py makes.
class EdgeList {
 public:
  EdgeList(std::size_t vertices, nb::handle rows, nb::handle columns, nb::handle lengths, const ElementTypes& accepted,
           const std::string& dtype)
      : vertices_(vertices),
        from_("rows", rows, {element_type<std::uint32_t>}),
        to_("columns", columns, {element_type<std::uint32_t>}),
        lengths_("graph", lengths, accepted, dtype) {}

  [[nodiscard]] std::size_t vertices() const { return vertices_; }
  [[nodiscard]] const Array& lengths() const { return lengths_; }
  template <class T>
  [[nodiscard]] std::vector<paths::Edge<T>> edges(const SolveMonitor&) const {
    const std::size_t count = lengths_.size();
    check_within_infinity("graph", MatrixView<const T>{lengths_.data<T>(), 1, count, count});
    std::vector<paths::Edge<T>> made(count);
    for (std::size_t at = 0; at < count; ++at) {
      made[at] = {from_.data<std::uint32_t>()[at], to_.data<std::uint32_t>()[at], lengths_.data<T>()[at]};
    }
    return made;
  }

 private:
  std::size_t vertices_;
  Array from_, to_, lengths_;
};

/// A graph as a matrix. Its edges are read within the time limit.
class EdgeMatrix {
 public:
  EdgeMatrix(nb::handle graph, minplus::Semiring semiring, const ElementTypes& accepted, const std::string& dtype)
      : none_(no_value_of(semiring)), lengths_("graph", graph, accepted, dtype, none_) {
    check_square(lengths_);
    if (!none_) throw Error(ErrorKind::usage, fmt::format("{} has no shortest paths", to_string(semiring)));
  }

  [[nodiscard]] std::size_t vertices() const { return lengths_.extent(0); }
  [[nodiscard]] const Array& lengths() const { return lengths_; }
  template <class T>
  [[nodiscard]] std::vector<paths::Edge<T>> edges(const SolveMonitor& monitor) const {
    const auto matrix = lengths_.matrix<T>();
    check_within_infinity("graph", matrix);
    std::vector<paths::Edge<T>> edges;
    for (std::size_t i = 0; i < matrix.rows; ++i) {
      monitor.check();
      for (std::size_t j = 0; j < matrix.columns; ++j) {
        const T length = matrix(i, j);
        if (!is_none(length, none_))
          edges.push_back({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j), length});
      }
    }
    return edges;
  }

 private:
  NoValue none_;
  Array lengths_;
};

/// Returns solve(graph, options). The limits of time and memory include making the graph.
template <class T, class Edges, class Solve>
auto run_from(const Edges& edges, std::size_t sources, const CallOptions& asked, const Solve& solve) {
  constexpr double heap = 32;  // steps at most for a vertex
  const double steps = static_cast<double>(edges.lengths().size()) + heap * static_cast<double>(edges.vertices());
  return run(asked, static_cast<double>(sources + 1) * steps, [&](const Options& options) {
    Options silent = options;
    silent.progress = nullptr;
    const SolveMonitor monitor(silent, 0);
    const std::vector<paths::Edge<T>> list = edges.template edges<T>(monitor);
    Budget budget(options);
    const auto taken = budget.reserve(paths::SparseGraph<T>::bytes(edges.vertices(), list.size()));
    Options within = options;
    within.budget = &budget;
    return solve(paths::SparseGraph<T>(edges.vertices(), list), within);
  });
}

nb::object all_pairs_of_edges(std::size_t vertices, nb::handle rows, nb::handle columns, nb::handle lengths,
                              nb::handle semiring, nb::handle return_predecessors, const nb::kwargs& words) {
  const CallOptions options = asked(words);
  const paths::Request request{.semiring = minplus::parse_semiring(text("semiring", semiring)),
                               .successors = truth("return_predecessors", return_predecessors)};
  const EdgeList edges(vertices, rows, columns, lengths, types_of_lengths(request.semiring), options.dtype);
  return with_lengths(edges.lengths(), [&]<class T>(T) {
    auto found = run_from<T>(edges, vertices, options, [&](const auto& graph, const Options& limits) {
      return paths::all_pairs(graph, limits, request);
    });
    return arrays_of(std::move(found.solution), request);
  });
}

/// Returns a list of pairs: a length, and the vertices of its path.
nb::list k_shortest_paths(std::size_t vertices, nb::handle rows, nb::handle columns, nb::handle lengths,
                          std::uint32_t start, std::uint32_t end, nb::handle k, const nb::kwargs& words) {
  const CallOptions options = asked(words);
  const EdgeList edges(vertices, rows, columns, lengths, types_of_lengths({}), options.dtype);
  const auto count = integer<std::size_t>("k", k);
  return with_type(edges.lengths(), [&]<class T>(T) {
    const auto found = run_from<T>(edges, count, options, [&](const auto& graph, const Options& limits) {
      return paths::k_shortest_paths(graph, start, end, count, limits);
    });
    nb::list list;
    for (const auto& [length, path] : found.solution) list.append(nb::make_tuple(number(length), nb::cast(path)));
    return list;
  });
}

template <class Edges>
nb::object solve_from(const Edges& edges, nb::handle indices, const paths::Request& request, const CallOptions& asked) {
  const std::vector<std::uint32_t> sources =
      Array("indices", indices, {element_type<std::uint32_t>}).values<std::uint32_t>();
  return with_lengths(edges.lengths(), [&]<class T>(T) -> nb::object {
    auto found = run_from<T>(edges, sources.size(), asked, [&](const auto& graph, const Options& options) {
                   return paths::from_sources(graph, sources, options, request);
                 }).solution;
    const std::size_t n = edges.vertices();
    std::vector<std::int32_t> before(found.predecessors.values().size());
    for (std::size_t at = 0; at < before.size(); ++at) {
      const std::uint32_t vertex = found.predecessors.values()[at];
      const bool none = vertex == paths::no_vertex || at % n == sources[at / n];
      before[at] = none ? no_predecessor : static_cast<std::int32_t>(vertex);
    }
    const std::vector<std::size_t> shape{sources.size(), n};
    return nb::make_tuple(array_of(std::move(found.lengths).values(), shape), array_of(std::move(before), shape));
  });
}

nb::object paths_from(std::size_t vertices, nb::handle rows, nb::handle columns, nb::handle lengths, nb::handle sources,
                      nb::handle semiring, const nb::kwargs& words) {
  const CallOptions options = asked(words);
  const paths::Request request{.semiring = minplus::parse_semiring(text("semiring", semiring))};
  const EdgeList edges(vertices, rows, columns, lengths, types_of_lengths(request.semiring), options.dtype);
  return solve_from(edges, sources, request, options);
}

nb::object paths_from_matrix(nb::handle graph, nb::handle sources, nb::handle semiring, const nb::kwargs& words) {
  const CallOptions options = asked(words);
  const paths::Request request{.semiring = minplus::parse_semiring(text("semiring", semiring))};
  const EdgeMatrix edges(graph, request.semiring, types_of_lengths(request.semiring), options.dtype);
  return solve_from(edges, sources, request, options);
}

template <class T>
Matrix<T> copy_of(const Array& array) {
  const auto view = array.matrix<T>();
  Matrix<T> copy(view.rows, view.columns);
  for (std::size_t i = 0; i < view.rows; ++i) std::copy_n(view.row(i), view.columns, &copy(i, 0));
  return copy;
}

/// Converts the vertex before `end` on the path from `start` to the library's form, in which a start is its own
/// predecessor.
std::uint32_t vertex_before(std::size_t start, std::size_t end, std::int32_t stated, std::size_t vertices) {
  const bool is_vertex = stated >= 0 && static_cast<std::size_t>(stated) < vertices;
  if (stated != no_predecessor && (!is_vertex || (start == end && static_cast<std::size_t>(stated) != start))) {
    throw Error(ErrorKind::input,
                fmt::format("the predecessor of {} on the path from {} is {}: {}, or {} for none, is accepted", end,
                            start, stated, start == end ? "itself" : "a vertex", no_predecessor));
  }
  if (start == end) return static_cast<std::uint32_t>(start);
  return is_vertex ? static_cast<std::uint32_t>(stated) : paths::no_vertex;
}

/// Converts the other way.
Matrix<std::uint32_t> successors_of(const Array& predecessors) {
  const auto before = predecessors.matrix<std::int32_t>();
  Matrix<std::uint32_t> successors(before.rows, before.columns);
  for (std::size_t j = 0; j < before.rows; ++j) {
    for (std::size_t i = 0; i < before.columns; ++i) successors(j, i) = vertex_before(i, j, before(j, i), before.rows);
  }
  return successors;
}

Verdict verify_all_pairs(nb::handle graph, nb::handle lengths, nb::handle predecessors, nb::handle semiring,
                         const nb::kwargs& words) {
  const CallOptions options = asked_of_check(words);
  const bool with_paths = !predecessors.is_none();
  const paths::Request request{.semiring = minplus::parse_semiring(text("semiring", semiring)),
                               .successors = with_paths};
  const NoValue none = no_value_of(request.semiring);
  const Array said("lengths", lengths, types_of_lengths(request.semiring), options.dtype, none);
  check_square(said);
  return with_lengths(said, [&]<class T>(T) {
    const Array edges("graph", graph, {element_type<T>}, std::string(dtype_name<T>()), none);
    check_square(edges);
    check_within_infinity("graph", edges.matrix<T>());
    paths::AllPairs<T> found{copy_of<T>(said), {}};
    if (with_paths) {
      const Array before("predecessors", predecessors, {element_type<std::int32_t>});
      check_square(before);
      found.successors = successors_of(before);
    }
    const auto n = static_cast<double>(said.extent(0));
    return run(options, n * n * n,
               [&](const Options& limits) { return paths::verify(edges.matrix<T>(), found, limits, request); });
  });
}

/// Row s has the paths from sources[s]. Each source is its own predecessor.
Matrix<std::uint32_t> predecessors_from(const Array& predecessors, const std::vector<std::uint32_t>& sources) {
  const auto before = predecessors.matrix<std::int32_t>();
  Matrix<std::uint32_t> vertices(before.rows, before.columns, paths::no_vertex);
  for (std::size_t s = 0; s < std::min(before.rows, sources.size()); ++s) {
    for (std::size_t j = 0; j < before.columns; ++j) {
      vertices(s, j) = vertex_before(sources[s], j, before(s, j), before.columns);
    }
  }
  return vertices;
}

/// Checks stated paths from some vertices. make(semiring, accepted types, dtype) makes the edges.
template <class Make>
Verdict verify_from(nb::handle lengths, nb::handle predecessors, nb::handle indices, nb::handle semiring,
                    const nb::kwargs& words, const Make& make) {
  const CallOptions options = asked_of_check(words);
  const paths::Request request{.semiring = minplus::parse_semiring(text("semiring", semiring))};
  const Array said("lengths", lengths, types_of_lengths(request.semiring), options.dtype,
                   no_value_of(request.semiring));
  const Array before("predecessors", predecessors, {element_type<std::int32_t>});
  const Array sources("indices", indices, {element_type<std::uint32_t>});
  return with_lengths(said, [&]<class T>(T) {
    const auto edges = make(request.semiring, ElementTypes{element_type<T>}, std::string(dtype_name<T>()));
    paths::PathsFrom<T> found{sources.values<std::uint32_t>(), copy_of<T>(said), {}};
    found.predecessors = predecessors_from(before, found.sources);
    return run_from<T>(edges, found.sources.size(), options, [&](const auto& graph, const Options& limits) {
      return paths::verify(graph, found, limits, request);
    });
  });
}

Verdict verify_paths_from(std::size_t vertices, nb::handle rows, nb::handle columns, nb::handle edges,
                          nb::handle lengths, nb::handle predecessors, nb::handle sources, nb::handle semiring,
                          const nb::kwargs& words) {
  return verify_from(lengths, predecessors, sources, semiring, words,
                     [&](minplus::Semiring, const ElementTypes& accepted, const std::string& dtype) {
                       return EdgeList(vertices, rows, columns, edges, accepted, dtype);
                     });
}

Verdict verify_paths_from_matrix(nb::handle graph, nb::handle lengths, nb::handle predecessors, nb::handle sources,
                                 nb::handle semiring, const nb::kwargs& words) {
  return verify_from(lengths, predecessors, sources, semiring, words,
                     [&](minplus::Semiring of_paths, const ElementTypes& accepted, const std::string& dtype) {
                       return EdgeMatrix(graph, of_paths, accepted, dtype);
                     });
}

}  // namespace

void bind_paths(nb::module_& module) {
  module.def("all_pairs", &all_pairs, "graph"_a, "semiring"_a, "return_predecessors"_a, "comm"_a.none(), "options"_a,
             signature("all_pairs(graph: numpy.typing.ArrayLike, semiring: str, return_predecessors: bool, comm: "
                       "typing.Any, OPTIONS) -> typing.Any"),
             "Returns predecessors of the reversed graph, transposed.");
  module.def("all_pairs_of_edges", &all_pairs_of_edges, "vertices"_a, "rows"_a, "columns"_a, "lengths"_a, "semiring"_a,
             "return_predecessors"_a, "options"_a,
             signature("all_pairs_of_edges(vertices: int, rows: numpy.typing.ArrayLike, columns: "
                       "numpy.typing.ArrayLike, lengths: numpy.typing.ArrayLike, semiring: str, return_predecessors: "
                       "bool, OPTIONS) -> typing.Any"),
             "Returns predecessors of the reversed graph, transposed.");
  module.def("k_shortest_paths", &k_shortest_paths, "vertices"_a, "rows"_a, "columns"_a, "lengths"_a, "start"_a,
             "end"_a, "k"_a, "options"_a,
             signature("k_shortest_paths(vertices: int, rows: numpy.typing.ArrayLike, columns: numpy.typing.ArrayLike, "
                       "lengths: numpy.typing.ArrayLike, start: int, end: int, k: int, OPTIONS) -> "
                       "list[tuple[float, list[int]]]"));
  module.def(
      "paths_from", &paths_from, "vertices"_a, "rows"_a, "columns"_a, "lengths"_a, "sources"_a, "semiring"_a,
      "options"_a,
      signature("paths_from(vertices: int, rows: numpy.typing.ArrayLike, columns: numpy.typing.ArrayLike, lengths: "
                "numpy.typing.ArrayLike, sources: numpy.typing.ArrayLike, semiring: str, OPTIONS) -> typing.Any"));
  module.def(
      "paths_from_matrix", &paths_from_matrix, "graph"_a, "sources"_a, "semiring"_a, "options"_a,
      signature("paths_from_matrix(graph: numpy.typing.ArrayLike, sources: numpy.typing.ArrayLike, semiring: str, "
                "OPTIONS) -> typing.Any"));
  module.def(
      "verify_paths_from", &verify_paths_from, "vertices"_a, "rows"_a, "columns"_a, "edges"_a, "lengths"_a,
      "predecessors"_a, "sources"_a, "semiring"_a, "options"_a,
      signature("verify_paths_from(vertices: int, rows: numpy.typing.ArrayLike, columns: numpy.typing.ArrayLike, "
                "edges: numpy.typing.ArrayLike, lengths: numpy.typing.ArrayLike, predecessors: "
                "numpy.typing.ArrayLike, sources: numpy.typing.ArrayLike, semiring: str, OPTIONS) -> Verdict"));
  module.def("verify_paths_from_matrix", &verify_paths_from_matrix, "graph"_a, "lengths"_a, "predecessors"_a,
             "sources"_a, "semiring"_a, "options"_a,
             signature("verify_paths_from_matrix(graph: numpy.typing.ArrayLike, lengths: numpy.typing.ArrayLike, "
                       "predecessors: numpy.typing.ArrayLike, sources: numpy.typing.ArrayLike, semiring: str, OPTIONS) "
                       "-> Verdict"));
  module.def("verify_all_pairs", &verify_all_pairs, "graph"_a, "lengths"_a, "predecessors"_a.none(), "semiring"_a,
             "options"_a,
             signature("verify_all_pairs(graph: numpy.typing.ArrayLike, lengths: numpy.typing.ArrayLike, predecessors: "
                       "numpy.typing.ArrayLike | None, semiring: str, OPTIONS) -> Verdict"));
}

}  // namespace warpfold::python
