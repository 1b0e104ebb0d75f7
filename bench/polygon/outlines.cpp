// How long does a real outline take, from its coordinates to its interior chords, and from these to its triangulation?
// Arguments are files of further outlines, which are measured with two threads.
#include <fmt/format.h>

#include <filesystem>
#include <stdexcept>
#include <string>

#include "../question.hpp"
#include "warpfold/formats/outline.hpp"
#include "warpfold/polygon/solve.hpp"
#include "warpfold/polygon/verify.hpp"

namespace {

using namespace warpfold;

[[noreturn]] void fail(const std::string& path, const std::string& what) {
  throw std::runtime_error(path + ": " + what);
}

void measure_outline(const std::string& path, int threads) {
  Options options;
  options.threads = threads;
  const polygon::Outline outline(formats::read_outline(path).vertices);
  const int repeats = outline.size() < 20000 ? 5 : 1;
  const polygon::VisibilityGraph graph = polygon::interior_chords(outline, options);
  const auto length = [&](std::size_t i, std::size_t j) {
    return polygon::chord_weight(polygon::Weight::length, outline[i], outline[j]);
  };
  const polygon::Triangulation<double> problem(graph, polygon::chord_weights<double>(graph, length));
  const auto solution = polygon::solve(problem, options).solution;
  if (auto violation = polygon::find_structure_violation(outline.size(), solution.chords, solution.triangles))
    fail(path, *violation);
  if (auto violation = polygon::find_triangles_violation(outline, solution.triangles)) fail(path, *violation);
  if (auto violation = polygon::find_cost_violation(solution.chords, length, solution.cost, 0x1p-53))
    fail(path, *violation);

  const bench::Json parameters = {{"outline", std::filesystem::path(path).stem().string()},
                                  {"n", outline.size()},
                                  {"chords", graph.chords()},
                                  {"dtype", "f64"},
                                  {"threads", threads}};
  const auto listing = bench::measure(repeats, [&] { static_cast<void>(polygon::interior_chords(outline, options)); });
  bench::keep(bench::row("interior chords", parameters, listing, static_cast<double>(graph.chords()), 0));
  const auto solving = bench::measure(repeats, [&] { static_cast<void>(polygon::solve(problem, options)); });
  const auto verifying = bench::measure(repeats, [&] {
    static_cast<void>(polygon::find_structure_violation(outline.size(), solution.chords, solution.triangles));
    static_cast<void>(polygon::find_triangles_violation(outline, solution.triangles));
  });
  bench::keep(bench::row("verification", parameters, verifying, static_cast<double>(outline.size()), 0));
  bench::keep(
      bench::row("sparse triangulation", parameters, solving, polygon::estimate(problem, options).operations, 0));
}

const bench::Question outlines_question(
    "outlines",
    [](const bench::Arguments& arguments) {
      for (const char* name : {"iceland", "africa-eurasia", "great-britain", "australia"}) {
        for (const int threads : {1, 2}) measure_outline(fmt::format("examples/{}.geojson", name), threads);
      }
      for (const std::string& path : arguments) measure_outline(path, 2);
    },
    [](const bench::Json& row) {
      return fmt::format("{:20} {:32} {:5} vertices, {} threads: {:8.4f} s (spread {:.2f}), {:8.1f} M/s",
                         row["work"].get<std::string>(), row["outline"].get<std::string>(), row["n"].get<int>(),
                         row["threads"].get<int>(), row["median_seconds"].get<double>(), row["spread"].get<double>(),
                         row["rate_per_second"].get<double>() * 1e-6);
    });

}  // namespace
