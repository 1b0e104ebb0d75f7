#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "algorithms.hpp"
#include "arguments.hpp"
#include "core/exact_type.hpp"
#include "core/listed.hpp"
#include "core/quantity.hpp"
#include "dtypes.hpp"
#include "estimate.hpp"
#include "io/text.hpp"
#include "papers/papers.hpp"
#include "ranks_option.hpp"
#include "result.hpp"
#include "solve_options.hpp"
#include "triangulation_input.hpp"
#include "verify.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/formats/format.hpp"
#include "warpfold/formats/triangulation.hpp"
#include "warpfold/interval/solve.hpp"
#include "warpfold/io/file.hpp"
#include "warpfold/polygon/triangulation.hpp"

namespace warpfold::app {

using io::with_file_context;

namespace {

struct TriangulateOptions {
  SolveOptions solve;
  TriangulationSource source;
};

/// The solver's result and the data that the writers need.
struct Solved {
  std::size_t chords_considered = 0;
  double prepare_seconds = 0;  ///< before the solve, for constructing the problem
  Json cost;
  std::vector<interval::Chord> chords;
  std::vector<interval::Triangle> triangles;
  Report report;
};

/// The largest |weight|, if all are integers. Nothing if an outline's integer weights may be rounded doubles.
std::optional<double> largest_integer(const TriangulationInstance& instance) {
  if (instance.matrix) return instance.matrix->is_integral() ? std::optional(instance.matrix->largest()) : std::nullopt;
  return polygon::max_integer_weight(*instance.outline(), *instance.formula);
}

/// Whether the weights are computed as integers.
bool has_exact_weights(const TriangulationInstance& instance) {
  const auto largest = largest_integer(instance);
  return largest && (instance.matrix || *largest <= integer_limit<double>);
}

/// An upper bound of |total|, given the largest |weight|.
double largest_total(const TriangulationInstance& instance, double largest) {
  return largest * static_cast<double>(interval::max_chords(instance.n()));
}

std::string default_dtype(const TriangulationInstance& instance) {
  if (!has_exact_weights(instance)) return "f64";
  return std::string(smallest_exact_type(largest_total(instance, *largest_integer(instance))));
}

/// Whether weights and sums in this type are exact.
bool is_exact(const TriangulationInstance& instance, const std::string& dtype) {
  if (instance.read && instance.read->is_rounded) return false;
  if (const std::optional<double> largest = largest_integer(instance)) {
    return with_dtype(dtype, [&]<class T>(T) { return adds_exactly<T>(largest_total(instance, *largest)); });
  }
  return !instance.matrix || instance.matrix->doubles_hold();
}

/// A problem with its matrix of weights.
template <class T>
class Problem {
 public:
  Problem(const TriangulationInstance& instance, const Options& options)
      : weights_(instance.matrix ? instance.matrix->values<T>() : std::vector<T>()),
        stated_(with_file_context(instance.file, [&] {
          const polygon::Outline* outline = instance.outline();
          if (outline && instance.formula) return polygon::triangulation_of<T>(*outline, *instance.formula, options);
          if (outline) return by_matrix(polygon::interior_chords(*outline, options));
          const std::size_t n = instance.n();
          return interval::Triangulation<T>({weights_.data(), n, n, n}, options.threads);
        })) {}
  Problem(const Problem&) = delete;
  Problem& operator=(const Problem&) = delete;

  [[nodiscard]] const interval::Triangulation<T>& stated() const { return stated_; }
  [[nodiscard]] std::size_t chords() const { return stated_.pairs() - stated_.vertices(); }
  [[nodiscard]] double seconds() const { return seconds_; }

 private:
  interval::Triangulation<T> by_matrix(polygon::VisibilityGraph graph) const {
    const std::size_t n = graph.size();
    std::vector<T> weights =
        polygon::chord_weights<T>(graph, [&](std::size_t i, std::size_t j) { return weights_[i * n + j]; });
    return {std::move(graph), std::move(weights)};
  }

  Stopwatch preparing_;
  std::vector<T> weights_;
  interval::Triangulation<T> stated_;
  double seconds_ = preparing_.seconds();
};

template <class T>
Json cost_json(T cost) {
  if constexpr (std::is_same_v<T, float>) return Json::parse(fmt::format("{}", cost));  // the shortest digits
  return cost;
}

template <class T>
Solved solve_as(const TriangulationInstance& instance, const Options& options, const std::optional<Ranks>& ranks = {}) {
  const auto problem = read_by(ranks, [&] { return std::make_unique<Problem<T>>(instance, options); });
  const interval::Triangulation<T>& stated = problem->stated();
  auto [solution, report] =
      ranks ? with_file_context(instance.outline() ? instance.file : "", [&] { return ranks->solve(stated, options); })
            : interval::solve(stated, options, papers::triangulation_backends<T>());
  return {problem->chords(),
          problem->seconds(),
          cost_json(solution.cost),
          std::move(solution.chords),
          std::move(solution.triangles),
          std::move(report)};
}

std::string chosen_dtype(const std::string& asked, const TriangulationInstance& instance) {
  if (asked.empty()) return default_dtype(instance);
  if (asked.starts_with('i') && !has_exact_weights(instance) && largest_integer(instance)) {
    throw Error(ErrorKind::usage,
                fmt::format("--dtype {} needs weights that doubles hold, and the vertices allow {:.3g}: "
                            "f32 or f64 is accepted here",
                            asked, *largest_integer(instance)));
  }
  if (asked.starts_with('i') && !has_exact_weights(instance)) {
    throw Error(ErrorKind::usage, fmt::format("--dtype {} needs integer weights: f32 or f64 is accepted here", asked));
  }
  return asked;
}

Json solution_json(const TriangulationSource& source, const Summary& summary, const TriangulationInstance& instance,
                   const Solved& solution) {
  Json object = common_keys(summary);
  object["weight"] = source.matrix ? "matrix" : source.weight;
  if (instance.outline() && source.choice.feature) object["feature"] = *source.choice.feature;
  if (instance.outline() && source.choice.part) object["part"] = *source.choice.part;
  object["chords_considered"] = solution.chords_considered;
  Json& chords = object["chords"] = Json::array();
  for (const auto& chord : solution.chords) chords.push_back({chord.i, chord.j});
  Json& triangles = object["triangles"] = Json::array();
  for (const auto& [i, k, j] : solution.triangles) triangles.push_back({i, k, j});
  if (instance.outline() && instance.outline()->dropped() > 0) object["dropped"] = instance.outline()->dropped();
  return object;
}

std::string picture_title(const TriangulationInstance& instance, const Solved& solution) {
  const std::string total =
      solution.cost.is_number_float() ? fmt::format("{:.6g}", solution.cost.get<double>()) : solution.cost.dump();
  const bool length = instance.formula == polygon::Weight::length;
  return fmt::format("{} vertices, optimal triangulation: {} {}", instance.n(), length ? "total length" : "total",
                     total);
}

/// The endings of --output: JSON and the formats of triangulations. For a matrix only formats without coordinates.
std::vector<std::string> output_endings(bool of_matrix) {
  std::vector<std::string> endings = {".json"};
  for (const formats::TriangulationFormat& format : formats::triangulation_formats()) {
    if (of_matrix && format.needs_coordinates) continue;
    endings.insert(endings.end(), format.endings.begin(), format.endings.end());
  }
  return endings;
}

/// The format of --output. Null: JSON, or no file.
const formats::TriangulationFormat* output_format(const std::string& path, bool of_matrix) {
  if (path.empty() || io::extension(path) == ".json") return nullptr;
  const auto* format = formats::find_by_ending(formats::triangulation_formats(), path);
  if (format && !(format->needs_coordinates && of_matrix)) return format;
  throw Error(ErrorKind::usage, fmt::format("--output {}: {}: {} is accepted", path,
                                            format ? "a matrix has no coordinates" : "the ending is unknown",
                                            listed(output_endings(format != nullptr))));
}

/// The weights of the chords, for a picture with room for them.
std::vector<std::string> chord_labels(const TriangulationInstance& instance,
                                      const std::vector<interval::Chord>& chords) {
  std::vector<std::string> labels;
  if (instance.n() > formats::max_labeled_vertices) return labels;
  const std::vector<double> weights = instance.matrix ? instance.matrix->values<double>() : std::vector<double>();
  for (const auto& [i, j] : chords) {
    labels.push_back(fmt::format(
        "{:.4g}", instance.matrix ? weights[i * instance.n() + j]
                                  : interval::chord_weight(*instance.formula, instance.outline()->vertices()[i],
                                                           instance.outline()->vertices()[j])));
  }
  return labels;
}

void write_picture(const std::string& path, const formats::TriangulationFormat& format,
                   const TriangulationInstance& instance, const Solved& solution) {
  const std::vector<Point> vertices =
      instance.outline() ? instance.outline()->vertices() : formats::regular_polygon(instance.n());
  format.write(path, {vertices, solution.chords, solution.triangles},
               {picture_title(instance, solution), instance.read && instance.read->is_map ? map_scale(vertices) : 1,
                chord_labels(instance, solution.chords)});
}

/// The matrix is not read for it.
template <class T>
void print_estimate_as(const TriangulateOptions& options, const TriangulationInstance& instance, const Options& limits,
                       const Stopwatch& total) {
  const std::size_t n = instance.n();
  std::optional<Problem<T>> problem;
  if (instance.outline()) problem.emplace(instance, limits);
  const Spent before = spent(total);
  const auto papers = papers::triangulation_backends<T>();
  Expected expected{.command = "triangulate",
                    .n = n,
                    .solve = problem ? interval::estimate(problem->stated(), limits, papers)
                                     : interval::estimate<T>(n, limits, papers),
                    .beside_bytes = problem ? 0 : n * n * sizeof(T)};
  JsonSize json;
  json.add_list(n, 2, n);
  json.add_list(n, 3, n);
  expected.after_bytes = json.bytes();
  print_estimate(options.solve, before, expected);
}

void print_summary(const Summary& summary, const Solved& solution) {
  const Report& report = summary.report;
  const std::size_t chords_considered = solution.chords_considered;
  fmt::print("vertices  {}\nchords    {} considered, {} chosen\ntotal     {} ({})\n", summary.n, chords_considered,
             solution.chords.size(), solution.cost.dump(), summary.dtype);
  fmt::print("seconds   {:.3f} (read {:.3f}, prepare {:.3f}, solve {:.3f}, traceback {:.3f})\n", summary.total_seconds,
             summary.read_seconds, report.prepare_seconds, report.solve_seconds, report.traceback_seconds);
  fmt::print("rate      {:.3g} M chords/s ({} on {}, {})\n",
             static_cast<double>(chords_considered) * 1e-6 / std::max(report.solve_seconds, 1e-9), report.algorithm,
             report.device, quantity(report.threads, "thread"));
}

/// The smallest size of the problems of a source, for the check of an algorithm before any file is read.
interval::TriangulationSize smallest_size(const TriangulationSource& source) {
  interval::TriangulationSize size(3);
  if (!source.matrix) size.weights = interval::TriangulationSize::Weights::formula;
  return size;
}

void run(const TriangulateOptions& options) {
  const Stopwatch total;
  const TriangulationSource& source = options.source;
  interval::check_options<float>(smallest_size(source), options.solve.resolve(),
                                 papers::triangulation_backends<float>());
  std::optional<Checkpoint> checkpointer = options.solve.checkpointer();
  const formats::TriangulationFormat* picture = output_format(options.solve.output, source.matrix);
  if (!options.solve.dtype.empty()) check_dtype(options.solve.dtype, names_of(TableTypes()));
  check_source(source, options.solve.ranks);
  const std::optional<Ranks> ranks = ranks_of(options.solve);
  const TriangulationInstance instance = read_by(ranks, [&] { return read_triangulation(source); });
  if (instance.read && (!ranks || ranks->is_first())) note_outline(source.input, *instance.read);
  Options limits = options.solve.resolve();  // which counts the memory of the instance
  if (checkpointer) limits.checkpointer = &*checkpointer;
  const std::string dtype = chosen_dtype(options.solve.dtype, instance);
  if (options.solve.estimate) {
    return with_dtype(dtype, [&]<class T>(T) { print_estimate_as<T>(options, instance, limits, total); });
  }
  const Solved solution =
      with_dtype(dtype, [&](auto zero) { return solve_as<decltype(zero)>(instance, limits, ranks); });
  if (ranks && !ranks->is_first()) return;
  Summary summary{.command = "triangulate", .n = instance.n(), .cost = solution.cost, .dtype = dtype};
  summary.of(solution.report, instance.read_seconds, total).report.prepare_seconds += solution.prepare_seconds;
  summary.exact = is_exact(instance, dtype);
  note_rounding(summary);
  Json object = solution_json(source, summary, instance, solution);
  if (checkpointer) object["checkpoint"] = checkpoint_json(*checkpointer);
  if (ranks) add_ranks(object, *ranks, solution.report);
  if (picture) write_picture(options.solve.output, *picture, instance, solution);
  finish(options.solve, std::move(object), [&] { print_summary(summary, solution); });
}

}  // namespace

std::vector<AlgorithmInfo> triangulate_algorithms() {
  return with_papers(interval::algorithms(), papers::triangulation_backends<float>());
}

Json triangulate_optimum(const Files& files, const Json& solution, Options limits) {
  TriangulationSource source{.input = files[0], .weight = text_at(solution, "weight"), .choice = {}};
  source.matrix = source.weight == "matrix";
  if (solution.contains("feature")) source.choice.feature = integer<std::size_t>(solution.at("feature"));
  if (solution.contains("part")) source.choice.part = integer<std::size_t>(solution.at("part"));
  const TriangulationInstance instance = read_triangulation(source);
  const bool sparse = instance.outline() && solution.at("algorithm") != "sparse";
  limits.algorithm = sparse ? "sparse" : solution.at("algorithm") == "reference" ? "tiled" : "reference";
  limits.device = parse_device("cpu");
  return with_dtype(text_at(solution, "dtype"),
                    [&](auto zero) { return solve_as<decltype(zero)>(instance, limits).cost; });
}

void add_triangulate(Command command) {
  command.examples("warpfold triangulate outline.geojson -o map.svg",
                   "warpfold triangulate weights.npy --matrix --json");
  auto options = std::make_shared<TriangulateOptions>();
  const std::string outlines = listed(formats::endings_of(formats::outline_formats()));
  const std::string matrices = listed(formats::endings_of(formats::weight_formats()));
  TriangulationSource& source = options->source;
  command.option("INPUT", source.input, fmt::format("outline: {}; '-': standard input", outlines)).required();
  const Argument matrix = command.flag(
      "--matrix", source.matrix,
      fmt::format("INPUT as a matrix of chord weights, n x n, of which the upper triangle counts: {}", matrices));
  command.option("--weight", source.weight, fmt::format("weight of a chord; FILE: a matrix, n x n: {}", matrices))
      .takes("length|squared|FILE")
      .excludes(matrix);
  command.number("--feature", source.choice.feature, "index of a feature of GeoJSON, or of a geometry of WKT, from 0");
  command.number("--part", source.choice.part, "index of a polygon in a MultiPolygon or GeometryCollection, from 0");
  add_solve_options(command, options->solve, listed(output_endings(false)));
  add_checkpoint_options(command, options->solve);
  add_ranks_option(command, options->solve);
  command.runs([options] { run(*options); });
}

}  // namespace warpfold::app
