#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "command.hpp"
#include "estimate.hpp"
#include "paths_input.hpp"
#include "warpfold/paths/all_pairs.hpp"

namespace warpfold::app {

namespace {

using paths::AllPairs;
using paths::Request;

struct PathsOptions {
  SolveOptions solve;
  std::string graph, semiring = "min-plus", successors;
  std::optional<std::string> from, to;

  [[nodiscard]] bool wants_successors() const { return !successors.empty() || from; }
};

/// What one run works on.
struct Task {
  const PathsOptions& options;
  const GraphInput& input;
  Request request;
  std::optional<std::size_t> from, to;
};

paths::Semiring semiring_of(const PathsOptions& options) {
  const paths::Semiring semiring = minplus::parse_semiring(options.semiring);
  if (paths::has_best_paths(semiring)) return semiring;
  throw Error(ErrorKind::usage,
              fmt::format("--semiring is '{}': min-plus, max-plus, min-max or max-min is accepted", options.semiring));
}

void check_usage(const PathsOptions& options) {
  if (options.from.has_value() != options.to.has_value()) {
    throw Error(ErrorKind::usage, "--from and --to belong together: both or none are accepted");
  }
  check_algorithm(options.solve, paths::algorithms());
  require_extension("--output", options.solve.output, ".npy");
  require_extension("--successors", options.successors, ".npy");
  check_outputs({options.solve.output, options.successors});
}

std::size_t successor_bytes(std::size_t n) {
  return n * n * (has_short_successors(n) ? sizeof(std::uint16_t) : sizeof(std::uint32_t));
}

template <class T>
void estimate(const Task& task, const Options& limits, const Stopwatch& total) {
  const Spent before = spent(total);
  const std::size_t n = task.input.vertices(), entries = n * n;
  Expected expected{.command = "paths", .n = n, .solve = paths::estimate<T>(n, limits, task.request)};
  expected.beside_bytes = entries * sizeof(T);
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

struct Found {
  std::size_t reachable = 0;  ///< pairs of two vertices that have a path
  double largest = 0;         ///< |length|
};

template <class T>
Found look_over(const Matrix<T>& lengths, paths::Semiring semiring) {
  Found found;
  const T zero = semiring.zero<T>();
  for (std::size_t i = 0; i < lengths.rows(); ++i) {
    for (std::size_t j = 0; j < lengths.rows(); ++j) {
      if (i == j || lengths(i, j) == zero) continue;
      ++found.reachable;
      found.largest = std::max(found.largest, std::abs(static_cast<double>(lengths(i, j))));
    }
  }
  return found;
}

std::vector<std::string> named_path(const GraphInput& input, const std::vector<std::uint32_t>& path) {
  std::vector<std::string> names;
  for (const std::uint32_t vertex : path) names.push_back(input.name(vertex));
  return names;
}

Json json_of(const Task& task, const Summary& summary, std::size_t reachable, const std::vector<std::string>& path) {
  const PathsOptions& options = task.options;
  Json object = common_keys(summary);
  object["semiring"] = to_string(task.request.semiring);
  object["reachable"] = reachable;
  if (task.from) {
    object["from"] = *options.from;
    object["to"] = *options.to;
    object["path"] = path;
  }
  if (!options.solve.output.empty()) object["output"] = options.solve.output;
  if (!options.successors.empty()) object["successors"] = options.successors;
  return object;
}

template <class T>
void solve(const Task& task, const Options& limits, const Stopwatch& total) {
  const PathsOptions& options = task.options;
  const std::size_t n = task.input.vertices();
  if (options.solve.estimate) return estimate<T>(task, limits, total);
  check_memory(limits, n * n * sizeof(T));
  const Matrix<T> edges = task.input.edges<T>(task.request.semiring);
  const double read_seconds = total.seconds();
  const auto [found, report] = naming(task.input.path(), [&] { return paths::all_pairs(edges, limits, task.request); });
  if (!options.solve.output.empty()) io::write_npy<T>(options.solve.output, found.lengths.values(), {n, n});
  if (!options.successors.empty()) write_successors(options.successors, found.successors);
  const auto [reachable, largest] = look_over(found.lengths, task.request.semiring);
  Summary summary{.command = "paths", .n = n, .dtype = std::string(dtype_name<T>())};
  std::vector<std::string> path;
  if (task.from) {
    path = named_path(task.input, found.path(*task.from, *task.to));
    if (!path.empty()) summary.cost = found.lengths(*task.from, *task.to);
  }
  summary.of(report, read_seconds, total);
  summary.exact = !task.input.is_whole() || adds_exactly(summary.dtype, largest);
  note_rounding(summary);
  finish(options.solve, json_of(task, summary, reachable, path), [&, &ran = report, &lengths = found.lengths] {
    fmt::print("{} vertices, {} pairs with a path ({}, {}), {:.3g} s ({}, {} threads)\n", n, reachable,
               to_string(task.request.semiring), summary.dtype, ran.solve_seconds, ran.algorithm, ran.threads);
    if (!task.from) return;
    if (path.empty()) return fmt::print("there is no path from {} to {}\n", *options.from, *options.to);
    fmt::print("{}: {}\n", lengths(*task.from, *task.to), fmt::join(path, " -> "));
  });
}

void run(const PathsOptions& options) {
  const Stopwatch total;
  check_usage(options);
  const GraphInput input(options.graph);
  Task task{options,
            input,
            {semiring_of(options), options.wants_successors(), [&](std::size_t vertex) { return input.name(vertex); }},
            {},
            {}};
  if (options.from) {
    task.from = input.vertex("--from", *options.from);
    task.to = input.vertex("--to", *options.to);
  }
  const std::string dtype = options.solve.dtype.empty() ? input.dtype() : options.solve.dtype;
  const Options limits = options.solve.resolve();  // behind the file, whose memory counts
  with_paths_dtype(dtype, [&]<class T>(T) { solve<T>(task, limits, total); });
}

}  // namespace

void add_paths(Command program) {
  const Command command = program.add_command("paths", "the shortest paths between all pairs of vertices of a graph");
  command.example("warpfold paths towns.csv --from Ash --to Elm");
  auto options = std::make_shared<PathsOptions>();
  command
      .option("GRAPH", options->graph,
              "edges: lines from,to,length, DIMACS (.gr) or Matrix Market (.mtx); or a .npy matrix of lengths, "
              "infinite where there is no edge")
      .required();
  command.option("--from", options->from, "a vertex, as the file names it: print the path from it");
  command.option("--to", options->to, "the vertex that the path leads to");
  command
      .option("--semiring", options->semiring,
              "max-plus: the longest, without cycles; min-max: the least longest edge; max-min: the widest")
      .takes("min-plus|max-plus|min-max|max-min");
  command
      .option("--successors", options->successors,
              "the vertex after i on the path to j, for every i and j, .npy; 65535, from 65536 vertices on "
              "4294967295, where there is no path")
      .takes("FILE");
  add_solve_options(command, options->solve, ".npy");
  command.runs([options] { run(*options); });
}

}  // namespace warpfold::app
