#include "warpfold/interval/solve.hpp"

#include <algorithm>
#include <cstdint>
#include <tuple>

#include "core/choose.hpp"
#include "core/probe.hpp"
#include "interval/backend.hpp"
#include "interval/tuning.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/interval/recurrence.hpp"

namespace warpfold::interval {

namespace {

template <class T>
using Solver = Solution<T> (*)(const Triangulation<T>&, const Options&, Report&);

/// One line of the list of algorithms, with its solver for every type.
struct Algorithm {
  AlgorithmInfo info;
  double cost;  ///< see Backend; of a GPU's where it does not gain
  std::tuple<Solver<std::int32_t>, Solver<std::int64_t>, Solver<float>, Solver<double>> solvers;
  bool has_parameters = false;
};

template <class T>
Solution<T> solve_on_gpu(const Triangulation<T>& problem, const Options& options, Report& report) {
  Solution<T> solution = cuda::solve(problem, options, report);
  report.device = gpu_name(options);
  report.algorithm = "tiled";
  return solution;
}

/// The methods of gpu-polygon-triangulation-2013, to be measured beside ours.
std::vector<Algorithm> paper_algorithms() {
  if (!paper::compiled()) return {};
  std::vector<Algorithm> list;
  for (const auto& [name, description] : std::initializer_list<std::pair<const char*, const char*>>{
           {"bb", "the 2013 paper's BB(256,1) on the mirroring arrangement; bb:THREADS,BLOCKS for others"},
           {"bb-naive", "the 2013 paper's BB(256,1) on the naive arrangement; bb-naive:THREADS,BLOCKS for others"},
           {"tb", "the 2013 paper's TB(64) on the sliding arrangement; tb:THREADS for others"},
           {"tb-naive", "the 2013 paper's TB(64) on the naive arrangement; tb-naive:THREADS for others"},
           {"adaptive", "the 2013 paper's best method for each stage, as `warpfold tune` found it"}}) {
    list.push_back(
        {{name, "cuda", description}, only_when_named, {paper::solve, paper::solve, paper::solve, paper::solve}, true});
  }
  return list;
}

const std::vector<Algorithm>& known_algorithms() {
  static const std::vector<Algorithm> list = [] {
    std::vector<Algorithm> all = {
        {{"tiled", "cpu", "64 x 64 tiles, their products in vector registers, all threads"},
         1,
         {cpu::solve, cpu::solve, cpu::solve, cpu::solve}},
        {{"reference", "cpu", "the recurrence as it is written, one thread, no vectors: the oracle of the others"},
         only_when_named,
         {reference::solve, reference::solve, reference::solve, reference::solve}},
    };
    if (cuda::compiled()) {
      all.push_back(
          {{"tiled", "cuda", "64 x 64 tiles by one persistent kernel, a block waits for data, never for a stage"},
           2,
           {solve_on_gpu, solve_on_gpu, solve_on_gpu, solve_on_gpu}});
    }
    for (Algorithm& algorithm : paper_algorithms()) all.push_back(std::move(algorithm));
    return all;
  }();
  return list;
}

std::vector<Backend> backends_for(std::size_t vertices) {
  std::vector<Backend> backends;
  for (const Algorithm& algorithm : known_algorithms()) {
    backends.push_back({&algorithm.info, algorithm.cost, {}, algorithm.has_parameters});
    if (backends.back().on_gpu() && vertices >= cuda_gains_from) backends.back().cost -= 2;
  }
  return backends;
}

double splits(std::size_t vertices) {
  const auto n = static_cast<double>(vertices);
  return n * (n - 1) * (n - 2) / 6;
}

/// The bytes of the host that an algorithm takes, a GPU's buffers for sending apart.
template <class T>
std::size_t bytes_needed(const AlgorithmInfo& algorithm, std::size_t vertices) {
  if (algorithm.device == "cuda") return 0;
  return algorithm.name == "tiled" ? RecurrenceTable<T>::bytes(vertices) : vertices * vertices * sizeof(T);
}

/// The seconds of one split where all chords weigh the same.
template <class T>
double seconds_a_split(std::size_t vertices, const Options& options) {
  const std::vector<T> weights(vertices * vertices, T{1});
  const Triangulation<T> problem({weights.data(), vertices, vertices, vertices}, options.threads);
  return probe_seconds(options, [&] { static_cast<void>(solve(problem, options)); }) / std::max(1.0, splits(vertices));
}

}  // namespace

template <class T>
Estimate estimate(std::size_t vertices, const Options& options) {
  const AlgorithmInfo& algorithm = known_algorithms()[choose(backends_for(vertices), options).first].info;
  Estimate expected{{algorithm.name, 0, bytes_needed<T>(algorithm, vertices)}, splits(vertices)};
  const Options probe = probe_options(options, algorithm.device == "cuda");
  const std::size_t enough = algorithm.name == "reference" ? probe_vertices / 4 : probe_vertices;
  expected.seconds = expected.operations * seconds_a_split<T>(std::min(vertices, enough), probe);
  return expected;
}

template <class T>
Result<T> solve(const Triangulation<T>& problem, const Options& options) {
  Result<T> result;
  const Choice choice = choose(backends_for(problem.vertices()), options);
  run_choice(choice, options, result.report, [&](std::size_t at) {
    result.solution = std::get<Solver<T>>(known_algorithms()[at].solvers)(problem, options, result.report);
  });
  if (result.solution.cost >= infinity<T>) {
    throw Error(ErrorKind::infeasible, "the forbidden chords leave no triangulation");
  }
  return result;
}

std::vector<AlgorithmInfo> algorithms() {
  std::vector<AlgorithmInfo> list;
  for (const Algorithm& algorithm : known_algorithms()) list.push_back(algorithm.info);
  return list;
}

#define WARPFOLD_INSTANTIATE(T)                                      \
  template Result<T> solve(const Triangulation<T>&, const Options&); \
  template Estimate estimate<T>(std::size_t, const Options&);
WARPFOLD_INSTANTIATE(std::int32_t)
WARPFOLD_INSTANTIATE(std::int64_t)
WARPFOLD_INSTANTIATE(float)
WARPFOLD_INSTANTIATE(double)
#undef WARPFOLD_INSTANTIATE

}  // namespace warpfold::interval
