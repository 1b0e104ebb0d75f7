#include "machine/algorithms/list.hpp"
#include "machine/algorithms/transpose.hpp"
#include "machine/formulas.hpp"

namespace warpfold::machine {

Program rotating_transpose(Thread pe, Array<Value> a, std::uint32_t width, std::uint64_t side) {
  const std::uint64_t w = width, i = pe.id % w, warp = pe.id / w, warps = pe.count / w;
  const std::uint64_t across = side / w, matrices = a.size() / (side * side);
  std::vector<Value> local(w);
  for (std::uint64_t block = warp; block < matrices * across * across; block += warps) {
    const std::uint64_t matrix = block / (across * across), row = block / across % across, column = block % across;
    const std::uint64_t corner = matrix * side * side + row * w * side + column * w;
    for (std::uint64_t t = 0; t < w; ++t) local[t] = co_await a.read(corner + t * side + (t + i) % w);
    for (std::uint64_t t = 0; t < w; ++t) {
      co_await a.write(corner + t * side + (t + w - i) % w, local[(t + w - i) % w]);
    }
  }
  co_await barrier();
  // Swaps the rows of block (u, v) and of block (v, u), u < v.
  const std::uint64_t pairs = across * (across - 1) / 2;
  for (std::uint64_t item = warp; item < matrices * pairs * w; item += warps) {
    const std::uint64_t matrix = item / (pairs * w), t = item % w;
    const auto [u, beyond] = formulas::Trapezoid{0, 0, across - 1}.at(item / w % pairs);
    const std::uint64_t v = u + 1 + beyond, first = matrix * side * side + i;
    const std::uint64_t here = first + (u * w + t) * side + v * w, there = first + (v * w + t) * side + u * w;
    const Value x = co_await a.read(here);
    const Value y = co_await a.read(there);
    co_await a.write(here, y);
    co_await a.write(there, x);
  }
}

namespace {

RunResult run_transpose_rotating(const RunRequest& request) {
  const std::uint32_t side = side_of(request), width = request.machine.width;
  accept_warp_of_rows(request.machine);
  accept_n(request, side > 0 && side % width == 0, "the square of a multiple of the width");
  const auto values = words_of(request);
  Simulation simulation(request.machine, request.threads, request.options);
  const auto a = simulation.array("a", values);
  simulation.run([&](Thread pe) { return rotating_transpose(pe, a, width, side); });
  RunResult result = transpose_result(request, simulation, a, values, side);
  result.formula = formulas::transpose_rotating(request.machine, request.threads, side);
  result.formula_text =
      "2 n/w + 2 w T (l - 1) + 4 I + 4 ceil(I w/p) (l - 1), m = s/w, T = ceil(m m w/p), "
      "I = w m (m - 1)/2";
  return result;
}

}  // namespace

Algorithm transpose_rotating() {
  return {"transpose-rotating",
          "Transposes a square array of n words in place, blocks of w x w words rotated through w words of local "
          "memory a thread.",
          "Memory machines 2012, section IV, Lemma 3",
          run_transpose_rotating,
          {Kind::dmm, Kind::umm, Kind::hmm},
          false,
          {},
          {words_list()}};
}

}  // namespace warpfold::machine
