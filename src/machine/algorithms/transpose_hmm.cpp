#include "machine/algorithms/list.hpp"
#include "machine/algorithms/transpose.hpp"
#include "machine/formulas.hpp"

namespace warpfold::machine {

Program transpose_by_tiles(Thread t, SquareTiles tiles, Array<Value> from, Array<Value> to) {
  const std::uint64_t w = tiles.width, side = tiles.side, across = side / w, pitch = tiles.pitch;
  for (std::uint64_t first = 0; first < across * across; first += t.count / t.local_count) {
    const std::uint64_t i = first + t.multiprocessor, words = i < across * across ? w * w : 0;
    const std::uint64_t corner = i / across * w * side + i % across * w;
    const std::uint64_t mirrored = i % across * w * side + i / across * w;
    for (std::uint64_t e = t.local_id; e < words; e += t.local_count) {
      const Value x = co_await from.read(corner + e / w * side + e % w);
      co_await tiles.tile.write(e / w * pitch + e % w, x);
    }
    co_await barrier();
    for (std::uint64_t e = t.local_id; e < words; e += t.local_count) {
      const Value x = co_await tiles.tile.read(e % w * pitch + e / w);
      co_await to.write(mirrored + e / w * side + e % w, x);
    }
    co_await barrier();
  }
}

SquareTiles square_tiles(Simulation& simulation, std::uint64_t width, std::uint64_t side, std::uint64_t padding) {
  const std::uint64_t pitch = width + padding;
  return {width, side, pitch, simulation.shared_array<Value>("tile", width * pitch)};
}

namespace {

RunResult run_transpose_hmm(const RunRequest& request) {
  const std::uint32_t side = side_of(request), width = request.machine.width;
  const std::uint64_t padding = request.parameter("padding", 1);
  accept_n(request, side > 0 && side % width == 0, "the square of a multiple of the width");
  accept_parameter("padding", padding, padding <= width, "0 to the width");
  const auto values = words_of(request);
  Simulation simulation(request.machine, request.threads, request.options);
  const auto a = simulation.array("a", values);
  const auto b = simulation.array<Value>("b", request.n);
  const SquareTiles tiles = square_tiles(simulation, width, side, padding);
  simulation.run([&](Thread t) { return transpose_by_tiles(t, tiles, a, b); });
  const auto after = simulation.values(b);
  RunResult result = result_of(request, simulation, after == transposed(values, side), 2 * request.n);
  result.inputs["words"] = values;
  result.outputs["b"] = after;
  result.formula = formulas::transpose_hmm(request.machine, request.threads, side, padding);
  result.formula_text =
      "2 n/w + R (2 T (l - 1) + (1 + g) w + 2 T (l' - 1)), g = gcd(padding, w), R = ceil(n/(w w d)), T = ceil(w "
      "w/q), "
      "q = p/d";
  return result;
}

}  // namespace

Algorithm transpose_hmm() {
  return {"transpose-hmm",
          "Transposes a square array of n words into another by tiles of w x w words: read along rows, written to "
          "shared memory, read there along columns, written along rows.",
          "the tiled transpose of CUDA programmers; a hybrid machine is future work of Memory machines 2012",
          run_transpose_hmm,
          {Kind::hmm},
          false,
          {{"padding", "unused words after each row of the tile in shared memory (default 1)"}},
          {words_list()}};
}

}  // namespace warpfold::machine
