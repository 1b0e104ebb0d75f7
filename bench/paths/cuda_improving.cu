// How much longer do all shortest paths take on this GPU if nearly every length becomes better in every round, compared
// with random lengths in the same run? Edges and result are resident.
//
//   bench_paths cuda_improving --json > results/<machine>/paths_improving.json

#include "drawn_edges.cuh"
#include "minplus/ceiling.cuh"
#include "ring.hpp"

namespace warpfold::bench {
namespace {

using cuda::Buffer;
using cuda::check;
using paths::cuda::InCore;

template <class T>
Matrix<T> received(std::size_t n, const Buffer<T>& on_device) {
  Matrix<T> values(n, n);
  check(cudaMemcpy(&values(0, 0), on_device.data(), on_device.bytes(), cudaMemcpyDeviceToHost), "send a matrix");
  return values;
}

/// Checks all lengths and successors of the ring.
template <class T>
void expect_shortest(const Ring& ring, std::size_t n, bool successors, const InCore<T>& tables) {
  const Buffer<T> lengths(n * n);
  const Buffer<std::uint32_t> next(successors ? n * n : 0);
  tables.give_lengths(lengths.data(), 0, n);
  if (successors) tables.give_successors(next.data(), 0, n);
  ring.expect_shortest(received(n, lengths), successors ? received(n, next) : Matrix<std::uint32_t>());
}

template <class T>
Buffer<T> edges_on_device(std::size_t n, bool negative, bool improving) {
  Buffer<T> edges(n * n);
  if (improving) {
    const Matrix<T> drawn = Ring(n, negative).edges<T>();
    check(cudaMemcpy(edges.data(), &drawn(0, 0), edges.bytes(), cudaMemcpyHostToDevice), "receive edges");
  } else {
    draw_edges<<<static_cast<unsigned>(n), 256>>>(edges.data(), 0, n, negative);
    check(cudaDeviceSynchronize(), "draw edges");
  }
  return edges;
}

template <class T>
void all_pairs(std::size_t n, bool successors, bool negative, bool improving, double ceiling) {
  constexpr int repeats = 5;
  const Buffer<T> edges = edges_on_device<T>(n, negative, improving);
  const Ring ring(n, negative);
  const Options options;
  std::vector<double> seconds;
  for (int repeat = -1; repeat < repeats; ++repeat) {
    InCore<T> tables(n, {}, successors);
    tables.take_edges(edges.data(), 0, n);
    SolveMonitor monitor(options, 1);
    const double taken = tables.solve(monitor);
    if (repeat >= 0) seconds.push_back(taken);
    if (improving && repeat < 0) expect_shortest(ring, n, successors, tables);
  }
  const double size = static_cast<double>(n);
  Json kept = row("all pairs, resident",
                  {{"n", n},
                   {"dtype", dtype_name<T>()},
                   {"edges", improving ? "a ring" : "random"},
                   {"successors", successors},
                   {"negative", negative}},
                  summarize(seconds), size * size * size, ceiling);
  if (improving) kept["improved_in_every_64_steps"] = ring.share_improved_in_each(64);
  if (improving) kept["improved_in_every_16_steps"] = ring.share_improved_in_each(16);
  keep(std::move(kept));
}

const Question cuda_improving_question("cuda_improving", [](const Arguments&) {
  using namespace minplus::device;
  const double f32 = ceiling_per_second<Arithmetic<MinPlus<float>>>();
  const double nonnegative = ceiling_per_second<NonnegativeF32>();
  const double i32 = ceiling_per_second<Arithmetic<MinPlus<std::int32_t>>>();
  for (const std::size_t n : {2048, 4096, 8192}) {
    for (const bool successors : {false, true}) {
      for (const bool improving : {false, true}) {
        all_pairs<float>(n, successors, false, improving, nonnegative);
        all_pairs<float>(n, successors, true, improving, f32);
        all_pairs<std::int32_t>(n, successors, true, improving, i32);
      }
    }
  }
});

}  // namespace
}  // namespace warpfold::bench
