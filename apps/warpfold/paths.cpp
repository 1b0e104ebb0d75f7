#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include "algorithms.hpp"
#include "arguments.hpp"
#include "core/exact_type.hpp"
#include "core/listed.hpp"
#include "core/quantity.hpp"
#include "estimate.hpp"
#include "io/text.hpp"
#include "npy_output.hpp"
#include "number_lists.hpp"
#include "outputs.hpp"
#include "paths_input.hpp"
#include "ranks_option.hpp"
#include "result.hpp"
#include "solve_options.hpp"
#include "terminal.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/formats/format.hpp"
#include "warpfold/formats/picture.hpp"
#include "warpfold/paths/from_sources.hpp"
#include "warpfold/paths/k_shortest.hpp"

namespace warpfold::app {

using io::with_file_context;

namespace {

/// The searches of sparse graphs, without the one that uses an algorithm for matrices.
std::vector<AlgorithmInfo> searches() {
  std::vector<AlgorithmInfo> all = paths::algorithms_from_sources();
  std::erase_if(all, [](const AlgorithmInfo& one) { return one.name == "all-pairs"; });
  return all;
}

}  // namespace

std::vector<AlgorithmInfo> paths_algorithms() {
  std::vector<AlgorithmInfo> all = paths::algorithms();
  for (const AlgorithmInfo& search : searches()) all.push_back(search);
  return all;
}

namespace {

using paths::AllPairs;
using paths::Request;

constexpr const char* no_path = "no path";  ///< the status

struct PathsOptions {
  SolveOptions solve;
  std::string graph, semiring = "min-plus", successors, picture, ids;
  std::optional<std::string> from, to, header, columns, no_edge;
  std::optional<std::size_t> vertices, k_shortest;
  std::optional<double> limit;
  bool outline = false, directed = false, undirected = false, unweighted = false;
  formats::OutlineChoice choice;

  /// Whether the k shortest paths of a pair are requested.
  [[nodiscard]] bool wants_k_paths() const { return k_shortest.has_value(); }
  [[nodiscard]] bool wants_successors() const { return !successors.empty() || from; }
  /// Whether only the paths from one vertex are requested.
  [[nodiscard]] bool asks_one_source() const { return from && solve.output.empty() && successors.empty(); }
  /// Whether only the paths from one vertex are computed. All pairs are computed if the options name a GPU, ranks or an
  /// algorithm for all pairs.
  [[nodiscard]] bool wants_one_source() const {
    const bool all_pairs = solve.ranks || solve.device.starts_with("cuda");
    return asks_one_source() && (solve.algorithm.empty() || names_search()) && !all_pairs;
  }
  /// Whether the named algorithm is a search of a sparse graph.
  [[nodiscard]] bool names_search() const {
    const auto all = searches();
    return std::ranges::find(all, solve.algorithm, &AlgorithmInfo::name) != all.end();
  }
};

/// The input of one run.
struct PathsTask {
  const PathsOptions& options;
  const GraphInput& input;
  Request request;
  std::optional<std::uint32_t> from, to;

  /// Whether searches of a list of edges may compute all pairs.
  [[nodiscard]] bool searches() const { return !options.solve.ranks && (input.is_list() || options.names_search()); }
};

GraphReading reading_of(const PathsOptions& options) {
  GraphReading reading{.undirected = options.undirected, .in_utf8 = options.solve.json && options.from};
  if (options.header) reading.list.header = *options.header == "yes";
  if (options.columns) reading.list.columns = columns_of(*options.columns);
  reading.list.directed = options.directed;
  reading.list.unweighted = options.unweighted;
  reading.list.vertices = options.vertices;
  reading.no_edge = parse_no_edge(options.no_edge);
  reading.list.knows_no_edge = reading.no_edge.has_value();
  reading.list.accepts_nan = reading.no_edge && std::isnan(reading.no_edge->real);
  return reading;
}

paths::Semiring semiring_of(const PathsOptions& options) {
  const paths::Semiring semiring = minplus::parse_semiring(options.semiring);
  if (semiring.is_selective()) return semiring;
  throw Error(ErrorKind::usage, fmt::format("--semiring is '{}': {} is accepted", options.semiring,
                                            listed(minplus::semiring_names(true))));
}

/// Checks the options that need --from.
void check_one_source(const PathsOptions& options) {
  if (options.k_shortest && !(options.from && options.to && options.asks_one_source())) {
    throw Error(ErrorKind::usage,
                "--k-shortest finds the paths of a pair: it needs --from and --to, and neither --output nor "
                "--successors");
  }
  if (options.k_shortest && (options.semiring != "min-plus" || options.solve.ranks || !options.picture.empty())) {
    throw Error(ErrorKind::usage, "--k-shortest is accepted with --semiring min-plus, without --ranks and --picture");
  }
  if (options.limit && (options.k_shortest || !options.asks_one_source() || options.semiring != "min-plus")) {
    throw Error(ErrorKind::usage,
                "--limit is accepted with --from and --semiring min-plus, without --output, --successors and "
                "--k-shortest");
  }
}

void check_usage(const PathsOptions& options) {
  check_one_source(options);
  if (options.solve.ranks && options.semiring == "or-and") {
    throw Error(ErrorKind::usage, "--ranks do not solve or-and: one process does, in bits");
  }
  if (!options.picture.empty() && !(options.outline && options.from)) {
    throw Error(ErrorKind::usage, "--picture draws paths in an outline: it needs --outline and --from");
  }
  if (!options.picture.empty() && options.semiring != "min-plus") {
    throw Error(ErrorKind::usage, "--picture draws shortest paths: --semiring min-plus is accepted");
  }
  const bool reads_list = options.header || options.columns || options.vertices || options.directed ||
                          options.undirected || options.unweighted;
  if (options.outline && reads_list) {
    throw Error(ErrorKind::usage,
                "--header, --columns, --vertices, --directed, --undirected and --unweighted say how edges are read: "
                "--outline has none");
  }
  if (!options.outline && (options.choice.feature || options.choice.part)) {
    throw Error(ErrorKind::usage, "--feature and --part choose an outline: they need --outline");
  }
  if (options.outline && options.no_edge) {
    throw Error(ErrorKind::usage, "--no-edge belongs to a file of lengths: --outline has none");
  }
  if (options.names_search() && (options.solve.ranks || options.solve.device.starts_with("cuda"))) {
    throw Error(ErrorKind::usage, fmt::format("algorithm '{}' searches on the CPU: it is accepted without --ranks and "
                                              "--device cuda",
                                              options.solve.algorithm));
  }
  check_algorithm(options.solve,
                  options.wants_k_paths() ? paths::algorithms_of_k_shortest_paths() : paths_algorithms());
  if (!is_csv(options.solve.output)) require_extension("--output", options.solve.output, ".npy", ", or in .csv");
  require_extension("--successors", options.successors, ".npy");
  require_extension("--ids", options.ids, ".txt");
  require_extension("--picture", options.picture, ".svg");
  check_outputs({options.solve.output, options.successors, options.picture, options.ids});
}

std::size_t successor_bytes(std::size_t n) {
  return n * n * (has_short_successors(n) ? sizeof(std::uint16_t) : sizeof(std::uint32_t));
}

/// Makes the graph, if the memory suffices for it and for that many rows of lengths.
template <class T>
paths::SparseGraph<T> graph_of(const PathsTask& task, const Options& limits, std::size_t rows) {
  return with_file_context(task.input.path(), [&] {
    const std::vector<paths::Edge<T>> edges = task.input.list<T>(task.request.semiring);
    const std::size_t n = task.input.vertices();
    Budget budget(limits);
    const auto of_graph = budget.reserve(paths::SparseGraph<T>::bytes(n, edges.size()));
    static_cast<void>(budget.reserve(bytes_of(rows, n), sizeof(T)));
    return paths::SparseGraph<T>(n, edges);
  });
}

/// The resources of the solve, plus those of the command.
template <class T>
void estimate_solve(const PathsTask& task, const Options& limits, Expected& expected) {
  const std::size_t n = task.input.vertices();
  if (!task.options.wants_one_source() && !task.searches()) {
    expected.solve = paths::estimate<T>(n, limits, task.request);
    expected.beside_bytes = n * n * sizeof(T);
    return;
  }
  const paths::SparseGraph<T> graph = graph_of<T>(task, limits, 0);
  expected.solve = task.options.wants_one_source() ? paths::estimate_from_sources(graph, 1, limits, task.request)
                                                   : paths::estimate_all_pairs(graph, limits, task.request);
  // The list of edges exists while the graph is made from it.
  expected.beside_bytes = graph.edges() * sizeof(paths::Edge<T>) + paths::SparseGraph<T>::bytes(n, graph.edges());
}

template <class T>
void estimate(const PathsTask& task, const Options& limits, const Stopwatch& total) {
  const Spent before = spent(total);
  const std::size_t n = task.input.vertices(), entries = n * n;
  Expected expected{.command = "paths", .n = n, .solve = {}};
  estimate_solve<T>(task, limits, expected);
  const std::size_t written = task.options.successors.empty() ? 0 : successor_bytes(n);
  expected.file_bytes = written + (task.options.solve.output.empty() ? 0 : entries * sizeof(T));
  print_estimate(task.options.solve, before, expected);
}

void write_successors(const std::string& path, const Matrix<std::uint32_t>& successors) {
  const std::vector<std::size_t> shape{successors.rows(), successors.columns()};
  if (!has_short_successors(successors.rows())) return io::write_npy<std::uint32_t>(path, successors.values(), shape);
  // The largest 32-bit number becomes the largest 16-bit number.
  std::vector<std::uint16_t> narrow(successors.values().size());
  std::transform(successors.values().begin(), successors.values().end(), narrow.begin(),
                 [](std::uint32_t vertex) { return static_cast<std::uint16_t>(vertex); });
  io::write_npy<std::uint16_t>(path, narrow, shape);
}

/// Writes the names of the vertices, one per line, in the order of the rows and columns of --output.
void write_ids(const std::string& path, const GraphInput& input) {
  io::write_file(path, [&](std::ostream& file) {
    for (std::size_t vertex = 0; vertex < input.vertices(); ++vertex) file << input.name(vertex) << '\n';
  });
}

/// Raises Error{usage} if the rows of a matrix that is to be written could not be identified.
void check_ids(const PathsOptions& options, const GraphInput& input) {
  const bool writes_matrix = io::extension(options.solve.output) == ".npy" || !options.successors.empty();
  if (!writes_matrix || input.ids().empty() || !options.ids.empty()) return;
  throw Error(
      ErrorKind::usage,
      fmt::format("a matrix of {} has a row for each of the {} vertices that occur, not for 0 to {}: --ids "
                  "FILE.txt for their numbers, --output FILE.csv, or --vertices {} for all of them, is accepted",
                  input.path(), input.vertices(), input.ids().back(), input.ids().back() + 1));
}

/// Quotes a name as RFC 4180 does, and also if this program would misread it otherwise.
std::string quoted(const std::string& name) {
  if (name.find_first_of(",;\"#% \t{}") == name.npos) return name;
  std::string text = "\"";
  for (const char character : name) text += character == '"' ? "\"\"" : std::string(1, character);
  return text + '"';
}

/// Writes a line from,to,length for each pair that has a path.
template <class T>
void write_pairs(const std::string& path, const PathsTask& task, const Matrix<T>& lengths) {
  const T zero = task.request.semiring.zero<T>();
  std::vector<std::string> names;
  for (std::size_t i = 0; i < lengths.rows(); ++i) names.push_back(quoted(task.input.name(i)));
  io::write_file(path, [&](std::ostream& file) {
    file << "from,to,length\n";
    for (std::size_t i = 0; i < lengths.rows(); ++i) {
      for (std::size_t j = 0; j < lengths.columns(); ++j) {
        if (i != j && lengths(i, j) != zero) file << fmt::format("{},{},{}\n", names[i], names[j], lengths(i, j));
      }
    }
  });
}

/// Notes on how the file was read.
void note_reading(const GraphInput& input) {
  for (const std::string& note : input.notes()) add_note(fmt::format("{}: {}", input.path(), note));
  if (input.outline()) note_outline(input.path(), *input.outline());
}

/// The requested paths: of all pairs, or from one source.
template <class T>
struct Found {
  AllPairs<T> all;
  paths::PathsFrom<T> from;
  std::vector<std::string> path;  ///< from --from to --to, with the file's names of the vertices
  std::vector<std::uint32_t> vertices;
  Report report;
  double read_seconds = 0;
};

/// Computes all pairs of a matrix.
template <class T>
Outcome<AllPairs<T>> solve_matrix(const PathsTask& task, const Options& limits, const std::optional<Ranks>& ranks) {
  const std::size_t n = task.input.vertices();
  const Matrix<T> edges = read_by(ranks, [&] {
    const std::size_t of_solve = ranks ? 0 : paths::estimate_bytes<T>(n, limits, task.request);
    static_cast<void>(Budget(limits).reserve(bytes_of(bytes_of(n, n), sizeof(T)) + of_solve));
    return task.input.edges<T>(task.request.semiring);
  });
  return with_file_context(task.input.path(), [&] {
    if constexpr (!std::is_same_v<T, std::uint8_t>) {  // they do not solve or-and
      if (ranks) return ranks->all_pairs(edges.view(), limits, task.request);
    }
    return paths::all_pairs(edges, limits, task.request);
  });
}

/// Computes all pairs of a list of edges.
template <class T>
Outcome<AllPairs<T>> solve_list(const PathsTask& task, const Options& limits) {
  const paths::SparseGraph<T> graph = graph_of<T>(task, limits, task.input.vertices());
  return with_file_context(task.input.path(), [&] { return paths::all_pairs(graph, limits, task.request); });
}

template <class T>
void solve_all(const PathsTask& task, const Options& limits, const std::optional<Ranks>& ranks, Found<T>& found) {
  auto [all, report] = task.searches() ? solve_list<T>(task, limits) : solve_matrix<T>(task, limits, ranks);
  found.all = std::move(all);
  found.report = std::move(report);
  if (!task.from) return;
  found.from = paths::from_sources(found.all, {*task.from}, task.request);
  if (task.to) found.vertices = found.all.path(*task.from, *task.to, task.request.name);
}

template <class T>
void solve_from(const PathsTask& task, const Options& limits, const Stopwatch& total, Found<T>& found) {
  const paths::SparseGraph<T> graph = graph_of<T>(task, limits, 1);
  found.read_seconds = total.seconds();
  auto [from, report] = with_file_context(
      task.input.path(), [&] { return paths::from_sources(graph, {*task.from}, limits, task.request); });
  found.from = std::move(from);
  found.report = std::move(report);
  if (task.to) found.vertices = found.from.path(0, *task.to);
}

struct Reach {
  std::size_t pairs = 0;  ///< pairs of two different vertices that have a path
  double largest = 0;     ///< |length|
};

/// The summary of the requested paths.
template <class T>
Reach reach_of(const PathsTask& task, const Found<T>& found) {
  Reach reach;
  const T zero = task.request.semiring.zero<T>();
  const bool of_one = task.options.asks_one_source();
  const Matrix<T>& lengths = of_one ? found.from.lengths : found.all.lengths;
  for (std::size_t i = 0; i < lengths.rows(); ++i) {
    const std::size_t from = of_one ? found.from.sources[i] : i;
    for (std::size_t j = 0; j < lengths.columns(); ++j) {
      if (from == j || lengths(i, j) == zero) continue;
      ++reach.pairs;
      reach.largest = std::max(reach.largest, std::abs(static_cast<double>(lengths(i, j))));
    }
  }
  return reach;
}

/// The lengths of the paths from --from, keyed by the names of their ends. The source itself is left out.
template <class T, class Visit>
void each_length(const PathsTask& task, const Found<T>& found, const Visit& visit) {
  const T zero = task.request.semiring.zero<T>();
  for (std::size_t j = 0; j < task.input.vertices(); ++j) {
    const T length = found.from.lengths(0, j);
    if (j != *task.from && length != zero) visit(task.input.name(j), length);
  }
}

/// Adds the keys that tell `verify` how the graph was read.
void add_reading(Json& object, const PathsTask& task) {
  const PathsOptions& options = task.options;
  if (options.outline) object["outline"] = true;
  if (options.header) object["header"] = *options.header;
  if (options.columns) object["columns"] = *options.columns;
  if (options.directed) object["directed"] = true;
  if (options.undirected) object["undirected"] = true;
  if (options.unweighted) object["unweighted"] = true;
  if (options.vertices) object["all_vertices"] = true;
  if (options.no_edge) object["no_edge"] = *options.no_edge;
  if (!task.input.ids().empty()) object["vertices"] = task.input.ids();
  if (options.choice.feature) object["feature"] = *options.choice.feature;
  if (options.choice.part) object["part"] = *options.choice.part;
  if (dropped_vertices(task.input) > 0) object["dropped"] = dropped_vertices(task.input);
}

template <class T>
Json json_of(const PathsTask& task, const Summary& summary, std::size_t reachable, const Found<T>& found) {
  const PathsOptions& options = task.options;
  Json object = common_keys(summary);
  object["semiring"] = to_string(task.request.semiring);
  add_reading(object, task);
  object["reachable"] = reachable;
  if (options.limit) object["limit"] = *options.limit;
  if (task.from) object["from"] = *options.from;
  if (task.to) {
    object["to"] = *options.to;
    object["path"] = found.path;
  } else if (task.from) {
    Json::object_t lengths;  // names are distinct; an ordered object would compare each with all before it
    each_length(task, found, [&](const std::string& name, T length) { lengths.emplace_back(name, length); });
    object["lengths"] = std::move(lengths);
  }
  if (!options.solve.output.empty()) object["output"] = options.solve.output;
  if (!options.successors.empty()) object["successors"] = options.successors;
  if (!options.picture.empty()) object["picture"] = options.picture;
  if (!options.ids.empty()) object["ids"] = options.ids;
  return object;
}

/// The path; without --to the tree of all paths from --from.
template <class T>
void draw(const PathsTask& task, const Found<T>& found) {
  const CheckedOutline& outline = *task.input.outline();
  const std::vector<Point>& vertices = outline.outline.vertices();
  formats::PathsView view{.vertices = vertices, .path = found.vertices};
  std::vector<double> lengths;
  std::string title = fmt::format("{} vertices, {} from {}", vertices.size(),
                                  task.to ? "shortest path" : "distances along the shortest paths", *task.options.from);
  if (task.to) {
    title +=
        fmt::format(" to {}: length {:.6g}", *task.options.to, static_cast<double>(found.from.lengths(0, *task.to)));
  } else {
    for (std::size_t j = 0; j < vertices.size(); ++j) {
      lengths.push_back(static_cast<double>(found.from.lengths(0, j)));
    }
    view.predecessors = {found.from.predecessors.view().row(0), vertices.size()};
    view.lengths = lengths;
  }
  formats::write_svg(task.options.picture, view, {title, outline.is_map ? map_scale(vertices) : 1});
}

template <class T>
void print_found(const PathsTask& task, const Summary& summary, std::size_t reachable, const Found<T>& found) {
  const PathsOptions& options = task.options;
  const Report& ran = summary.report;
  fmt::print("{}, {} with a path{} ({}, {}), {:.3g} s ({}, {})\n", quantity(summary.n, "vertex", "vertices"),
             quantity(reachable, "pair"), options.asks_one_source() ? fmt::format(" from {}", *options.from) : "",
             to_string(task.request.semiring), summary.dtype, ran.solve_seconds, ran.algorithm,
             quantity(ran.threads, "thread"));
  if (task.to) {
    fmt::print("{}: {}\n", found.from.lengths(0, *task.to), fmt::join(found.path, " -> "));
  } else if (task.from) {
    each_length(task, found, [](const std::string& name, T length) { fmt::print("{}: {}\n", length, name); });
  }
}

/// Prints the result. Then raises Error{infeasible} if the pair has no path.
void finish_paths(const PathsTask& task, Json object, bool has_no_path, const std::function<void()>& say) {
  const PathsOptions& options = task.options;
  finish(options.solve, std::move(object), [&] {
    if (!has_no_path) say();
  });
  if (!has_no_path) return;
  const std::string within = options.limit ? fmt::format(" of a length up to {}", *options.limit) : "";
  throw Error(ErrorKind::infeasible, fmt::format("{}: there is no path from {} to {}{}", task.input.path(),
                                                 *options.from, *options.to, within));
}

/// Leaves out the paths that are longer than --limit.
template <class T>
void cut_off(const PathsTask& task, Found<T>& found) {
  const auto limit = static_cast<long double>(*task.options.limit);
  for (std::size_t j = 0; j < task.input.vertices(); ++j) {
    if (static_cast<long double>(found.from.lengths(0, j)) <= limit || j == *task.from) continue;
    found.from.lengths(0, j) = task.request.semiring.zero<T>();
    found.from.predecessors(0, j) = paths::no_vertex;
    if (task.to == j) found.vertices.clear();
  }
}

/// Whether lengths up to the largest one are exact.
template <class T>
bool is_exact(const PathsTask& task, double largest) {
  const bool holds_input = std::is_integral_v<T> || task.input.doubles_hold();
  return holds_input && (!task.input.is_integer() || adds_exactly<T>(largest));
}

template <class T>
Json json_of_paths(const PathsTask& task, const std::vector<paths::RankedPath<T>>& found) {
  Json list = Json::array();
  for (const auto& [length, vertices] : found) {
    Json names = Json::array();
    for (const std::uint32_t vertex : vertices) names.push_back(task.input.name(vertex));
    list.push_back({{"length", length}, {"path", names}});
  }
  return list;
}

/// The k shortest paths of a pair.
template <class T>
void solve_k_paths(const PathsTask& task, const Options& limits, const Stopwatch& total) {
  const PathsOptions& options = task.options;
  const paths::SparseGraph<T> graph = graph_of<T>(task, limits, 1);
  const double read_seconds = total.seconds();
  const auto [found, report] = with_file_context(task.input.path(), [&] {
    return paths::k_shortest_paths(graph, *task.from, *task.to, *options.k_shortest, limits, task.request);
  });
  Summary summary{.command = "paths", .n = task.input.vertices(), .dtype = std::string(dtype_name<T>())};
  summary.of(report, read_seconds, total);
  if (found.empty()) summary.status = no_path;
  if (!found.empty()) summary.cost = found.front().length;
  const double longest = found.empty() ? 0 : static_cast<double>(found.back().length);
  summary.exact = is_exact<T>(task, longest);
  note_rounding(summary);
  Json object = common_keys(summary);
  object["semiring"] = to_string(task.request.semiring);
  add_reading(object, task);
  object["from"] = *options.from;
  object["to"] = *options.to;
  object["k"] = *options.k_shortest;
  object["paths"] = json_of_paths(task, found);
  if (!options.ids.empty()) write_ids(options.ids, task.input);
  if (!options.ids.empty()) object["ids"] = options.ids;
  finish_paths(task, std::move(object), found.empty(), [&, &ranked = found] {
    fmt::print("{} from {} to {}\n", quantity(ranked.size(), "path"), *options.from, *options.to);
    for (const auto& [length, vertices] : ranked) {
      std::vector<std::string> names;
      for (const std::uint32_t vertex : vertices) names.push_back(task.input.name(vertex));
      fmt::print("{}: {}\n", length, fmt::join(names, " -> "));
    }
  });
}

template <class T>
void solve(const PathsTask& task, const Options& limits, const std::optional<Ranks>& ranks, const Stopwatch& total) {
  const PathsOptions& options = task.options;
  const std::size_t n = task.input.vertices();
  if (options.solve.estimate) return estimate<T>(task, limits, total);
  if constexpr (!std::is_same_v<T, std::uint8_t>) {
    if (options.wants_k_paths()) return solve_k_paths<T>(task, limits, total);
  }
  Found<T> found;
  found.read_seconds = total.seconds();
  options.wants_one_source() ? solve_from(task, limits, total, found) : solve_all(task, limits, ranks, found);
  if (options.limit) cut_off(task, found);
  if (ranks && !ranks->is_first()) return;
  Summary summary{.command = "paths", .n = n, .dtype = std::string(dtype_name<T>())};
  summary.of(found.report, found.read_seconds, total);
  for (const std::uint32_t vertex : found.vertices) found.path.push_back(task.input.name(vertex));
  if (is_csv(options.solve.output)) {
    write_pairs(options.solve.output, task, found.all.lengths);
  } else if (!options.solve.output.empty()) {
    write_values(options.solve.output, found.all.lengths.values(), {n, n});
  }
  if (!options.successors.empty()) write_successors(options.successors, found.all.successors);
  if (!options.picture.empty()) draw(task, found);
  if (!options.ids.empty()) write_ids(options.ids, task.input);
  const auto [reachable, largest] = reach_of(task, found);
  const bool has_no_path = task.to && found.path.empty();
  if (has_no_path) summary.status = no_path;
  if (!found.path.empty()) summary.cost = found.from.lengths(0, *task.to);
  const bool has_lengths = task.request.semiring.kind != minplus::Semiring::or_and;
  summary.exact = !has_lengths || is_exact<T>(task, largest);
  note_rounding(summary);
  Json object = json_of(task, summary, reachable, found);
  if (ranks) add_ranks(object, *ranks, found.report);
  finish_paths(task, std::move(object), has_no_path,
               [&, pairs = reachable] { print_found(task, summary, pairs, found); });
}

GraphInput read_input(const PathsOptions& options) {
  if (!options.outline) return GraphInput(options.graph, reading_of(options));
  return {options.graph, options.choice, options.solve.resolve()};
}

void run(const PathsOptions& options) {
  const Stopwatch total;
  check_usage(options);
  const std::optional<Ranks> ranks = ranks_of(options.solve);
  const GraphInput input = read_by(ranks, [&] { return read_input(options); });
  check_ids(options, input);
  note_reading(input);
  PathsTask task{
      options,
      input,
      {semiring_of(options), options.wants_successors(), [&](std::size_t vertex) { return input.name(vertex); }},
      {},
      {}};
  if (options.from) task.from = input.vertex("--from", *options.from);
  if (options.to) task.to = input.vertex("--to", *options.to);
  const Options limits = options.solve.resolve();  // after reading the file, whose memory counts
  with_paths_dtype(options.solve.dtype.empty() ? input.dtype(task.request.semiring) : options.solve.dtype,
                   task.request.semiring, [&]<class T>(T) { solve<T>(task, limits, ranks, total); });
}

/// The formats of lists of edges, with their endings.
std::string graphs() {
  std::vector<std::string> names;
  for (const formats::GraphFormat& format : formats::graph_formats()) {
    names.push_back(format.name);
    if (!format.endings.empty()) names.back() += fmt::format(" ({})", listed(format.endings));
  }
  return listed(names);
}

/// The options that say how edges are read.
void add_reading_options(Command command, PathsOptions& options) {
  command.option("--header", options.header, "whether the first line is a header; default: by the lines")
      .one_of({"yes", "no"})
      .takes("yes|no");
  command
      .option("--columns", options.columns,
              "columns of an edge list: names of its header, or numbers from 1; default: by the header, or the first "
              "three")
      .takes("FROM,TO[,LENGTH]");
  command.number("--vertices", options.vertices,
                 "number of vertices, 0 to N - 1; default: from the largest number, or those that occur if it is far "
                 "beyond the number of edges",
                 1);
  const Argument directed =
      command.flag("--directed", options.directed, "one edge for each line, even if the file says two");
  command.flag("--undirected", options.undirected, "edges that lead both ways").excludes(directed);
  command.flag("--unweighted", options.unweighted, "edges of length 1, whether or not lines have lengths");
  command.option("--no-edge", options.no_edge, no_edge_help).takes("VALUE");
}

}  // namespace

void add_paths(Command command) {
  command.examples("warpfold paths towns.csv --from Alderwick --to Castlemoor",
                   "warpfold paths towns.csv -o lengths.npy --successors next.npy");
  auto options = std::make_shared<PathsOptions>();
  command
      .option("GRAPH", options->graph,
              fmt::format("edges: {}; or a .npy matrix of lengths, infinite where there is no edge", graphs()))
      .required();
  command.flag(
      "--outline", options->outline,
      fmt::format("GRAPH as an outline ({}), whose vertices, counted from 0, are joined where they see each other",
                  listed(formats::endings_of(formats::outline_formats()))));
  command.number("--feature", options->choice.feature,
                 "index of a feature of GeoJSON, or of a geometry of WKT, from 0");
  command.number("--part", options->choice.part, "index of a polygon in a MultiPolygon or GeometryCollection, from 0");
  add_reading_options(command, *options);
  const Argument from =
      command.option("--from", options->from, "first vertex, as the file names it; default: all").takes("VERTEX");
  command.option("--to", options->to, "last vertex; default: all").takes("VERTEX").needs(from);
  command
      .number("--k-shortest", options->k_shortest,
              "number of paths from --from to --to, the shortest first, none with a vertex twice", 1)
      .takes("K");
  command.number("--limit", options->limit, "length of the longest paths that are found; default: any").takes("LENGTH");
  command.in(Group::solving)
      .option("--semiring", options->semiring,
              "what is best: min-plus: shortest; max-plus: longest, without cycles; min-max: least longest edge; "
              "max-min: widest; or-and: any path")
      .takes(fmt::format("{}", fmt::join(minplus::semiring_names(true), "|")));
  const Command output = command.in(Group::output);
  output
      .option("--picture", options->picture,
              ".svg file for a picture of the path in the outline or, without --to, of the tree of paths")
      .takes("FILE");
  output
      .option("--successors", options->successors,
              ".npy file for the vertex after i on the path to j; 65535 where there is no path, from 65536 vertices on "
              "4294967295")
      .takes("FILE");
  output.option("--ids", options->ids, ".txt file for the names of the vertices, in the order of a matrix's rows")
      .takes("FILE");
  add_solve_options(command, options->solve, ".npy, or .csv with names", "i32|i64|f32|f64|u8");
  add_ranks_option(command, options->solve);
  command.runs([options] { run(*options); });
}

}  // namespace warpfold::app
