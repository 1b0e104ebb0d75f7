#include <fmt/format.h>

#include <limits>

#include "algorithms.hpp"
#include "arguments.hpp"
#include "core/quantity.hpp"
#include "dtw_input.hpp"
#include "estimate.hpp"
#include "outputs.hpp"
#include "result.hpp"
#include "sequence_input.hpp"
#include "solve_options.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/formats/script_drawing.hpp"
#include "warpfold/io/file.hpp"

namespace warpfold::app {

namespace {

struct WarpingOptions {
  SolveOptions solve;
  std::vector<std::string> files;
  std::string distance = "absolute";
  sequence::WarpingRequest request;
  bool script = false;
};

sequence::WarpingRequest request_of(const WarpingOptions& options) {
  sequence::WarpingRequest request = options.request;
  const std::string ending = io::extension(options.solve.output);
  request.script = options.script || ending == ".cigar" || ending == ".npy" || ending == ".svg";
  request.distance = point_distance_named(options.distance);
  return request;
}

template <class T>
void write_path(const std::string& path, std::size_t n, std::size_t m, const sequence::Warping<T>& found) {
  const std::string ending = io::extension(path);
  if (ending == ".cigar") io::write_file(path, found.script.cigar() + '\n');
  if (ending == ".svg") io::write_file(path, formats::path_drawing(n, m, found.script));
  if (ending != ".npy") return;
  std::vector<std::int64_t> pairs;
  pairs.reserve(2 * columns_of(found.script));
  std::int64_t i = -1, j = -1;
  for (const sequence::Run& run : found.script.runs()) {
    for (std::uint64_t step = 0; step < run.length; ++step) {
      i += run.edit == sequence::Edit::insertion ? 0 : 1;
      j += run.edit == sequence::Edit::deletion ? 0 : 1;
      pairs.insert(pairs.end(), {i, j});
    }
  }
  io::write_npy<std::int64_t>(path, pairs, {pairs.size() / 2, 2});
}

/// The bytes of the keys of a script, as JSON and as text, or of what else is written of a path of so many steps.
std::size_t bytes_after(const WarpingOptions& options, std::size_t steps) {
  const std::string ending = io::extension(options.solve.output);
  const std::size_t written = ending == ".npy" ? 2 * sizeof(std::int64_t) * steps : ending == ".cigar" ? 3 * steps : 0;
  if (!options.script) return written;
  const std::size_t runs = steps / 4;
  JsonSize json;
  json.add_list(runs, 8, steps);
  json.add_text(6 * runs);
  return std::max(json.bytes(), written);
}

template <class T>
void estimate(const WarpingOptions& options, const LoadedSeries<T>& a, const LoadedSeries<T>& b,
              const sequence::WarpingRequest& request, const Options& limits, const Stopwatch& total) {
  const Spent before = spent(total);
  print_estimate(options.solve, before,
                 {.command = "dtw",
                  .n = a.series.size(),
                  .solve = sequence::estimate_dtw(a.series, b.series, limits, request),
                  .after_bytes = bytes_after(options, a.series.size() + b.series.size())});
}

template <class T>
void add_warping_keys(Json& object, const WarpingOptions& options, const LoadedSeries<T>& b,
                      const sequence::Warping<T>& found) {
  object["m"] = b.series.size();
  object["dimensions"] = b.series.dimensions();
  object["point_distance"] = options.distance;
  if (options.request.window) object["window"] = *options.request.window;
  object["distance"] = object["cost"];
  if (!found.distance) object["more_than"] = *options.request.max_distance;
  if (!found.distance || !options.script) return;
  object["steps"] = columns_of(found.script);
  add_script_keys(object, found.script, "left");
}

template <class T>
void print_warping(const WarpingOptions& options, std::size_t n, std::size_t m, const sequence::Warping<T>& found) {
  const std::string distance =
      found.distance ? fmt::format("{}", *found.distance) : fmt::format("more than {}", *options.request.max_distance);
  fmt::print("distance {} between {} and {}\n", distance, n, quantity(m, "point"));
  if (found.distance && options.script) fmt::print("{}\n", found.script.cigar());
}

template <class T>
void solve_and_print(const WarpingOptions& options, const SeriesPair& pair, Checkpoint* checkpointer,
                     const Stopwatch& total) {
  const sequence::WarpingRequest request = request_of(options);
  const LoadedSeries<T> a(pair.a), b(pair.b);
  const double read_seconds = total.seconds();
  Options limits = options.solve.resolve();
  limits.checkpointer = checkpointer;
  if (options.solve.estimate) return estimate(options, a, b, request, limits, total);
  const auto [found, report] = sequence::dtw(a.series, b.series, limits, request);
  if (found.distance) {
    write_path(options.solve.output, a.series.size(), b.series.size(), found);
  } else {
    leave_unwritten(options.solve.output, fmt::format("the distance is more than {}", *request.max_distance));
  }
  Summary summary{.command = "dtw", .n = a.series.size(), .dtype = std::string(dtype_name<T>())};
  if (!found.distance) summary.status = "more than";
  if (found.distance) summary.cost = *found.distance;
  summary.exact = std::is_integral_v<T> || !pair.a.is_integral() || !pair.b.is_integral();
  note_rounding(summary);
  summary.of(report, read_seconds, total);
  Json object = common_keys(summary);
  add_warping_keys(object, options, b, found);
  if (checkpointer) object["checkpoint"] = checkpoint_json(*checkpointer);
  finish(options.solve, std::move(object),
         [&, &solution = found] { print_warping(options, a.series.size(), b.series.size(), solution); });
}

void run(const WarpingOptions& options) {
  const Stopwatch total;
  const std::string ending = io::extension(options.solve.output);
  if (ending != ".cigar" && ending != ".npy" && ending != ".svg") {
    require_extension("--output", options.solve.output, ".json", ", or in .cigar, .npy, .svg");
  }
  if (!options.solve.dtype.empty()) check_dtype(options.solve.dtype, names_of(WarpingTypes()));
  check_algorithm(options.solve, sequence::dtw_algorithms());
  std::optional<Checkpoint> checkpointer = options.solve.checkpointer();
  const SeriesPair pair = read_series(options.files);
  with_dtype_among(
      WarpingTypes(), options.solve.dtype.empty() ? chosen_dtype(pair) : options.solve.dtype,
      [&]<class T>(T) { solve_and_print<T>(options, pair, checkpointer ? &*checkpointer : nullptr, total); });
}

}  // namespace

void add_dtw(Command command) {
  command.examples("warpfold dtw a.npy b.npy --window 100 --script",
                   "warpfold dtw p.txt q.txt --distance squared --json");
  auto options = std::make_shared<WarpingOptions>();
  command
      .texts("INPUT", options->files,
             "two series, .npy or text: a list of numbers, or a row for each point; - is standard input")
      .required()
      .exactly(2);
  command.option("--distance", options->distance, "distance of two points: sum of absolute or squared differences")
      .one_of({"absolute", "squared"});
  command.number("--window", options->request.window,
                 "width of a Sakoe-Chiba band: pairs are shifted by less than this; default: no band");
  command.number("--max-distance", options->request.max_distance,
                 "largest distance of interest; a larger one has the status \"more than\"");
  command.flag("--script", options->script, "the path too: the keys cigar and script");
  add_solve_options(command, options->solve, ".json|.cigar|.npy|.svg", "i32|f32|f64");
  add_checkpoint_options(command, options->solve);
  command.runs([options] { run(*options); });
}

}  // namespace warpfold::app
