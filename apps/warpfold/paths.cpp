#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include "command.hpp"
#include "core/exact_type.hpp"
#include "core/listed.hpp"
#include "core/quantity.hpp"
#include "estimate.hpp"
#include "npy_output.hpp"
#include "number_lists.hpp"
#include "paths_input.hpp"
#include "ranks_option.hpp"
#include "warpfold/formats/format.hpp"
#include "warpfold/formats/picture.hpp"
#include "warpfold/paths/from_sources.hpp"

namespace warpfold::app {

std::vector<AlgorithmInfo> paths_algorithms() {
  std::vector<AlgorithmInfo> all = paths::algorithms();
  all.push_back(paths::algorithms_from_sources().front());  // the other takes one of those
  return all;
}

namespace {

using paths::AllPairs;
using paths::Request;

struct PathsOptions {
  SolveOptions solve;
  std::string graph, semiring = "min-plus", successors, picture;
  std::optional<std::string> from, to, no_edge;
  bool outline = false;
  formats::OutlineChoice choice;

  [[nodiscard]] bool wants_successors() const { return !successors.empty() || from; }
  /// Whether the paths from one vertex are all that is asked.
  [[nodiscard]] bool asks_one_source() const { return from && solve.output.empty() && successors.empty(); }
  /// Whether they alone are found. A GPU, ranks, and an algorithm for all pairs, have to be named.
  [[nodiscard]] bool wants_one_source() const {
    const bool dijkstra = solve.algorithm.empty() || solve.algorithm == "dijkstra";
    const bool all_pairs = solve.ranks || solve.device.starts_with("cuda");
    return asks_one_source() && dijkstra && !all_pairs;
  }
};

/// What one run works on.
struct PathsTask {
  const PathsOptions& options;
  const GraphInput& input;
  Request request;
  std::optional<std::uint32_t> from, to;
};

paths::Semiring semiring_of(const PathsOptions& options) {
  const paths::Semiring semiring = minplus::parse_semiring(options.semiring);
  if (semiring.is_selective()) return semiring;
  throw Error(ErrorKind::usage, fmt::format("--semiring is '{}': {} is accepted", options.semiring,
                                            listed(minplus::semiring_names(true))));
}

void check_usage(const PathsOptions& options) {
  if (options.solve.ranks && options.semiring == "or-and") {
    throw Error(ErrorKind::usage, "--ranks do not solve or-and: one process does, in bits");
  }
  if (!options.picture.empty() && !(options.outline && options.from)) {
    throw Error(ErrorKind::usage, "--picture draws paths in an outline: it needs --outline and --from");
  }
  if (!options.picture.empty() && options.semiring != "min-plus") {
    throw Error(ErrorKind::usage, "--picture draws shortest paths: --semiring min-plus is accepted");
  }
  if (!options.outline && (options.choice.feature || options.choice.part)) {
    throw Error(ErrorKind::usage, "--feature and --part choose an outline: they need --outline");
  }
  if (options.outline && options.no_edge) {
    throw Error(ErrorKind::usage, "--no-edge belongs to a file of lengths: --outline has none");
  }
  if (options.solve.algorithm == "dijkstra" && !options.wants_one_source()) {
    throw Error(ErrorKind::usage,
                "algorithm 'dijkstra' finds the paths from one vertex, on the CPU: it needs --from, and "
                "none of --output, --successors and --ranks");
  }
  const bool by_dijkstra = options.asks_one_source() && !options.solve.ranks;
  check_algorithm(options.solve, by_dijkstra ? paths_algorithms() : paths::algorithms());
  require_extension("--output", options.solve.output, ".npy");
  require_extension("--successors", options.successors, ".npy");
  require_extension("--picture", options.picture, ".svg");
  check_outputs({options.solve.output, options.successors, options.picture});
}

std::size_t successor_bytes(std::size_t n) {
  return n * n * (has_short_successors(n) ? sizeof(std::uint16_t) : sizeof(std::uint32_t));
}

template <class T>
paths::SparseGraph<T> graph_of(const PathsTask& task) {
  return with_file_context(task.input.path(), [&] {
    return paths::SparseGraph<T>(task.input.vertices(), task.input.list<T>(task.request.semiring));
  });
}

/// Of what the solve takes, and what is held beside it.
template <class T>
void estimate_solve(const PathsTask& task, const Options& limits, Expected& expected) {
  const std::size_t n = task.input.vertices();
  if (!task.options.wants_one_source()) {
    expected.solve = paths::estimate<T>(n, limits, task.request);
    expected.beside_bytes = n * n * sizeof(T);
    return;
  }
  const paths::SparseGraph<T> graph = graph_of<T>(task);
  expected.solve = paths::estimate_from_sources(graph, 1, limits, task.request);
  // The list of edges is there while the graph is made of it.
  expected.beside_bytes =
      graph.edges() * (sizeof(paths::Edge<T>) + sizeof(typename paths::SparseGraph<T>::End)) + n * sizeof(std::size_t);
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
  // The largest of 32 bits becomes the largest of 16.
  std::vector<std::uint16_t> narrow(successors.values().size());
  std::transform(successors.values().begin(), successors.values().end(), narrow.begin(),
                 [](std::uint32_t vertex) { return static_cast<std::uint16_t>(vertex); });
  io::write_npy<std::uint16_t>(path, narrow, shape);
}

/// The best paths that were asked for, all pairs' or those of one source.
template <class T>
struct Found {
  AllPairs<T> all;
  paths::PathsFrom<T> from;
  std::vector<std::string> path;  ///< from --from to --to, its vertices as the file names them
  std::vector<std::uint32_t> vertices;
  Report report;
  double read_seconds = 0;
};

template <class T>
Outcome<AllPairs<T>> all_pairs(const Matrix<T>& edges, const PathsTask& task, const Options& limits,
                               const Ranks* ranks) {
  if constexpr (!std::is_same_v<T, std::uint8_t>) {  // or-and, which they do not solve
    if (ranks) return ranks->all_pairs(edges.view(), limits, task.request);
  }
  return paths::all_pairs(edges, limits, task.request);
}

template <class T>
void solve_all(const PathsTask& task, const Options& limits, const std::optional<Ranks>& ranks, Found<T>& found) {
  const std::size_t n = task.input.vertices();
  const Matrix<T> edges = read_by(ranks, [&] {
    static_cast<void>(Budget(limits).reserve(n * n, sizeof(T)));
    return task.input.edges<T>(task.request.semiring);
  });
  auto [all, report] =
      with_file_context(task.input.path(), [&] { return all_pairs(edges, task, limits, ranks ? &*ranks : nullptr); });
  found.all = std::move(all);
  found.report = std::move(report);
  if (!task.from) return;
  found.from = paths::from_sources(found.all, {*task.from}, task.request);
  if (task.to) found.vertices = found.all.path(*task.from, *task.to, task.request.name);
}

template <class T>
void solve_from(const PathsTask& task, const Options& limits, const Stopwatch& total, Found<T>& found) {
  const paths::SparseGraph<T> graph = graph_of<T>(task);
  found.read_seconds = total.seconds();
  auto [from, report] = with_file_context(
      task.input.path(), [&] { return paths::from_sources(graph, {*task.from}, limits, task.request); });
  found.from = std::move(from);
  found.report = std::move(report);
  if (task.to) found.vertices = found.from.path(0, *task.to);
}

struct Reach {
  std::size_t pairs = 0;  ///< of two vertices, that have a path
  double largest = 0;     ///< |length|
};

/// Of what was asked.
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

/// The lengths of the paths from --from, by the names of the vertices that they lead to; to itself there is none.
template <class T, class Visit>
void each_length(const PathsTask& task, const Found<T>& found, const Visit& visit) {
  const T zero = task.request.semiring.zero<T>();
  for (std::size_t j = 0; j < task.input.vertices(); ++j) {
    const T length = found.from.lengths(0, j);
    if (j != *task.from && length != zero) visit(task.input.name(j), length);
  }
}

template <class T>
Json json_of(const PathsTask& task, const Summary& summary, std::size_t reachable, const Found<T>& found) {
  const PathsOptions& options = task.options;
  Json object = common_keys(summary);
  object["semiring"] = to_string(task.request.semiring);
  if (options.outline) object["outline"] = true;
  if (options.no_edge) object["no_edge"] = *options.no_edge;
  if (options.choice.feature) object["feature"] = *options.choice.feature;
  if (options.choice.part) object["part"] = *options.choice.part;
  object["reachable"] = reachable;
  if (task.from) object["from"] = *options.from;
  if (task.to) {
    object["to"] = *options.to;
    object["path"] = found.path;
  } else if (task.from) {
    Json::object_t lengths;  // names differ: an object would compare each with all before
    each_length(task, found, [&](const std::string& name, T length) { lengths.emplace_back(name, length); });
    object["lengths"] = std::move(lengths);
  }
  if (!options.solve.output.empty()) object["output"] = options.solve.output;
  if (!options.successors.empty()) object["successors"] = options.successors;
  if (!options.picture.empty()) object["picture"] = options.picture;
  return object;
}

/// The path, or where it has no end the tree of all paths from its beginning.
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
  if (!task.from) return;
  if (!task.to) {
    each_length(task, found, [](const std::string& name, T length) { fmt::print("{}: {}\n", length, name); });
  } else if (found.path.empty()) {
    fmt::print("there is no path from {} to {}\n", *options.from, *options.to);
  } else {
    fmt::print("{}: {}\n", found.from.lengths(0, *task.to), fmt::join(found.path, " -> "));
  }
}

template <class T>
void solve(const PathsTask& task, const Options& limits, const std::optional<Ranks>& ranks, const Stopwatch& total) {
  const PathsOptions& options = task.options;
  const std::size_t n = task.input.vertices();
  if (options.solve.estimate) return estimate<T>(task, limits, total);
  Found<T> found;
  found.read_seconds = total.seconds();
  options.wants_one_source() ? solve_from(task, limits, total, found) : solve_all(task, limits, ranks, found);
  if (ranks && !ranks->is_first()) return;
  Summary summary{.command = "paths", .n = n, .dtype = std::string(dtype_name<T>())};
  summary.of(found.report, found.read_seconds, total);
  for (const std::uint32_t vertex : found.vertices) found.path.push_back(task.input.name(vertex));
  if (!options.solve.output.empty()) write_values(options.solve.output, found.all.lengths.values(), {n, n});
  if (!options.successors.empty()) write_successors(options.successors, found.all.successors);
  if (!options.picture.empty()) draw(task, found);
  const auto [reachable, largest] = reach_of(task, found);
  if (!found.path.empty()) summary.cost = found.from.lengths(0, *task.to);
  const bool has_lengths = task.request.semiring.kind != minplus::Semiring::or_and;
  const bool holds_input = std::is_integral_v<T> || task.input.doubles_hold();
  summary.exact = !has_lengths || (holds_input && (!task.input.is_integer() || adds_exactly<T>(largest)));
  note_rounding(summary);
  Json object = json_of(task, summary, reachable, found);
  if (ranks) add_ranks(object, *ranks, found.report);
  finish(options.solve, std::move(object), [&, pairs = reachable] { print_found(task, summary, pairs, found); });
}

GraphInput read_input(const PathsOptions& options) {
  if (!options.outline) {
    return GraphInput(options.graph, parse_no_edge(options.no_edge), options.solve.json && options.from);
  }
  return {options.graph, options.choice, options.solve.resolve()};
}

void run(const PathsOptions& options) {
  const Stopwatch total;
  check_usage(options);
  const std::optional<Ranks> ranks = ranks_of(options.solve);
  const GraphInput input = read_by(ranks, [&] { return read_input(options); });
  PathsTask task{
      options,
      input,
      {semiring_of(options), options.wants_successors(), [&](std::size_t vertex) { return input.name(vertex); }},
      {},
      {}};
  if (options.from) task.from = input.vertex("--from", *options.from);
  if (options.to) task.to = input.vertex("--to", *options.to);
  const Options limits = options.solve.resolve();  // behind the file, whose memory counts
  with_paths_dtype(options.solve.dtype.empty() ? input.dtype(task.request.semiring) : options.solve.dtype,
                   task.request.semiring, [&]<class T>(T) { solve<T>(task, limits, ranks, total); });
}

/// The formats of lists of edges, each with its endings.
std::string graphs() {
  std::vector<std::string> names;
  for (const formats::GraphFormat& format : formats::graph_formats()) {
    names.push_back(format.name);
    if (!format.endings.empty()) names.back() += fmt::format(" ({})", listed(format.endings));
  }
  return listed(names);
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
  command.number("--feature", options->choice.feature, "index of a feature of a FeatureCollection, from 0");
  command.number("--part", options->choice.part, "index of a part of a MultiPolygon, from 0");
  const Argument from =
      command.option("--from", options->from, "first vertex, as the file names it; default: all").takes("VERTEX");
  command.option("--to", options->to, "last vertex; default: all").takes("VERTEX").needs(from);
  command.option("--no-edge", options->no_edge, no_edge_help).takes("VALUE");
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
  add_solve_options(command, options->solve, ".npy", "i32|i64|f32|f64|u8");
  add_ranks_option(command, options->solve);
  command.runs([options] { run(*options); });
}

}  // namespace warpfold::app
