// From how many vertices on is a GPU faster than the CPU, with edges and result on the host in both cases?
//
//   bench_paths gpu_gains --json > results/<machine>/paths_gpu_gains.json
#include "../question.hpp"
#include "graphs.hpp"
#include "warpfold/paths/all_pairs.hpp"

namespace {

using namespace warpfold;

template <class T>
void both_devices(const Matrix<T>& edges, const paths::Request& request) {
  const std::size_t n = edges.rows();
  for (const char* device : {"cpu", "cuda"}) {
    Options options;
    options.device = parse_device(device);
    const auto time = bench::measure(5, [&] { static_cast<void>(paths::all_pairs(edges, options, request)); });
    const auto size = static_cast<double>(n);
    bench::keep(bench::row("all pairs, from and to the host",
                           {{"device", device},
                            {"semiring", to_string(request.semiring)},
                            {"n", n},
                            {"dtype", dtype_name<T>()},
                            {"successors", request.successors}},
                           time, size * size * size, 0));
  }
}

const bench::Question gpu_gains_question("gpu_gains", [](const bench::Arguments&) {
  bench::require_gpu();
  for (const std::size_t n : {256, 384, 512, 768, 1024, 1536, 2048, 4096}) {
    const Matrix<float> edges = bench::complete_graph<float>(n);
    for (const bool successors : {false, true}) both_devices(edges, {{}, successors});
    both_devices(bench::graph_of_bits(n, 2), {paths::Semiring::or_and, false});
  }
});

}  // namespace
