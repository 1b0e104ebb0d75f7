// How long does a step of Dijkstra's algorithm take, and a term of the dense solve? From how many sources on is the
// dense solve faster? The numbers are in src/paths/tuning.hpp.
//
//   bench_paths from_sources --json > results/<machine>/paths_from_sources.json
#include "warpfold/paths/from_sources.hpp"

#include <cmath>
#include <numeric>
#include <random>

#include "../question.hpp"
#include "graphs.hpp"
#include "warpfold/core/error.hpp"

namespace {

using namespace warpfold;

/// A graph in which every vertex has edges to that many others.
paths::SparseGraph<float> drawn_graph(std::uint32_t n, std::uint32_t edges_a_vertex) {
  std::mt19937_64 random(1);
  std::vector<paths::Edge<float>> edges;
  for (std::uint32_t i = 0; i < n; ++i) {
    for (std::uint32_t e = 0; e < edges_a_vertex; ++e) {
      edges.push_back({i, static_cast<std::uint32_t>(random() % n), static_cast<float>(1 + random() % 10000)});
    }
  }
  return {n, edges};
}

const bench::Question from_sources_question("from_sources", [](const bench::Arguments&) {
  constexpr std::uint32_t n = 2048, sources = 256;
  constexpr int repeats = 5;
  std::vector<std::uint32_t> first(sources);
  std::iota(first.begin(), first.end(), 0U);
  for (const std::uint32_t edges_a_vertex : {4U, 16U, 160U}) {
    const paths::SparseGraph<float> graph = drawn_graph(n, edges_a_vertex);
    std::vector<double> dijkstra, dense;
    for (int repeat = 0; repeat < repeats; ++repeat) {
      Options options;
      options.device = parse_device("cpu");
      options.algorithm = "dijkstra";
      dijkstra.push_back(bench::seconds_of(paths::from_sources(graph, first, options).report));
      options.algorithm = "all-pairs";
      dense.push_back(bench::seconds_of(paths::from_sources(graph, {0}, options).report));
    }
    const auto m = static_cast<double>(n);
    const double steps = sources * (static_cast<double>(graph.edges()) + m * std::log2(m + 1));
    const bench::Json size = {{"n", n}, {"edges", graph.edges()}, {"dtype", "f32"}, {"threads", thread_count(0)}};
    bench::Json parameters = size;
    parameters["sources"] = sources;
    bench::Json row = bench::row("dijkstra", parameters, bench::summarize(dijkstra), steps, 0);
    const double a_source = row["median_seconds"].get<double>() / sources;
    row["dense_gains_from_sources"] = bench::summarize(dense).median_seconds / a_source;
    bench::keep(std::move(row));
    bench::keep(bench::row("all-pairs", size, bench::summarize(dense), m * m * m, 0));
  }
});

}  // namespace
