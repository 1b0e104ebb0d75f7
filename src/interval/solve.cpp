#include "warpfold/interval/solve.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <tuple>

#include "interval/backend.hpp"
#include "interval/tuning.hpp"
#include "warpfold/core/devices.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold::interval {

namespace {

template <class T>
using Solver = Solution<T> (*)(const Triangulation<T>&, const Options&, Report&);

/// One line of the list of algorithms, with its solver for every type.
struct Algorithm {
  AlgorithmInfo info;
  std::tuple<Solver<std::int32_t>, Solver<std::int64_t>, Solver<float>, Solver<double>> solvers;
};

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
    list.push_back({{name, "cuda", description}, {paper::solve, paper::solve, paper::solve, paper::solve}});
  }
  return list;
}

/// The first one of a device is its default.
const std::vector<Algorithm>& known_algorithms() {
  static const std::vector<Algorithm> list = [] {
    std::vector<Algorithm> all = {
        {{"tiled", "cpu", "64 x 64 tiles, their products in vector registers, all threads"},
         {cpu::solve, cpu::solve, cpu::solve, cpu::solve}},
        {{"reference", "cpu", "the recurrence as it is written, one thread, no vectors: the oracle of the others"},
         {reference::solve, reference::solve, reference::solve, reference::solve}},
    };
    if (cuda::compiled()) {
      all.push_back(
          {{"tiled", "cuda", "64 x 64 tiles by one persistent kernel, a block waits for data, never for a stage"},
           {cuda::solve, cuda::solve, cuda::solve, cuda::solve}});
    }
    for (Algorithm& algorithm : paper_algorithms()) all.push_back(std::move(algorithm));
    return all;
  }();
  return list;
}

/// Whether `text` names the algorithm. The paper's take parameters after a colon.
bool is_named(const Algorithm& algorithm, const std::string& text) {
  const std::string& name = algorithm.info.name;
  return text == name || (algorithm.info.device == "cuda" && name != "tiled" && text.starts_with(name + ":"));
}

/// Whether `automatic` means a GPU: one is there and gains.
bool gpu_gains(const Options& options, std::size_t vertices) {
  const bool free_to_choose = options.algorithm.empty() || options.algorithm == "tiled";
  return cuda::compiled() && free_to_choose && vertices >= cuda_gains_from && !gpus().empty();
}

const Algorithm& choose(const Options& options, std::size_t vertices) {
  const bool wants_cuda = options.device.kind == Device::Kind::cuda ||
                          (options.device.kind == Device::Kind::automatic && gpu_gains(options, vertices));
  const std::string device = wants_cuda ? "cuda" : "cpu";
  std::string names;
  for (const Algorithm& algorithm : known_algorithms()) {
    if (algorithm.info.device != device) continue;
    if (options.algorithm.empty() || is_named(algorithm, options.algorithm)) return algorithm;
    names += (names.empty() ? "" : ", ") + algorithm.info.name;
  }
  if (names.empty()) throw Error(ErrorKind::device, "this build has no CUDA: --device auto or cpu is accepted");
  throw Error(ErrorKind::usage,
              fmt::format("algorithm '{}' is unknown on {}: {} is accepted", options.algorithm, device, names));
}

}  // namespace

template <class T>
Result<T> solve(const Triangulation<T>& problem, const Options& options) {
  const Algorithm& algorithm = choose(options, problem.vertices());
  Result<T> result;
  result.report.algorithm = algorithm.info.name;
  result.report.device = algorithm.info.device;
  result.solution = std::get<Solver<T>>(algorithm.solvers)(problem, options, result.report);
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

template Result<std::int32_t> solve(const Triangulation<std::int32_t>&, const Options&);
template Result<std::int64_t> solve(const Triangulation<std::int64_t>&, const Options&);
template Result<float> solve(const Triangulation<float>&, const Options&);
template Result<double> solve(const Triangulation<double>&, const Options&);

}  // namespace warpfold::interval
