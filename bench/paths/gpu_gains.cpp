// From how many vertices on is a GPU faster than the CPU, edges and answer on the host both times?
//
//   bench_paths_gpu_gains > results/<machine>/paths_gpu_gains.json
#include <fmt/format.h>

#include <iostream>

#include "../result.hpp"
#include "graphs.hpp"
#include "warpfold/paths/all_pairs.hpp"

using namespace warpfold;

namespace {

std::vector<bench::Json> rows;

template <class T>
void both_devices(const Matrix<T>& edges, const paths::Request& request) {
  const std::size_t n = edges.rows();
  for (const char* device : {"cpu", "cuda"}) {
    Options options;
    options.device = parse_device(device);
    const auto time = bench::measure(5, [&] { static_cast<void>(paths::all_pairs(edges, options, request)); });
    const auto size = static_cast<double>(n);
    rows.push_back(bench::row("all pairs, from and to the host",
                              {{"device", device},
                               {"semiring", to_string(request.semiring)},
                               {"n", n},
                               {"dtype", dtype_name<T>()},
                               {"successors", request.successors}},
                              time, size * size * size, 0));
    std::cerr << rows.back().dump() << std::endl;
  }
}

}  // namespace

int main() try {
  for (const std::size_t n : {256, 384, 512, 768, 1024, 1536, 2048, 4096}) {
    const Matrix<float> edges = bench::complete_graph<float>(n);
    for (const bool successors : {false, true}) both_devices(edges, {{}, successors});
    both_devices(bench::graph_of_bits(n, 2), {paths::Semiring::or_and, false});
  }
  fmt::print("{}\n", bench::file("bench_paths_gpu_gains", rows).dump(1));
} catch (const std::exception& error) {
  std::cerr << "bench: error: " << error.what() << '\n';
  return 1;
}
