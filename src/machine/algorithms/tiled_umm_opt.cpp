#include <algorithm>

#include "machine/algorithms/list.hpp"
#include "machine/algorithms/triangulation.hpp"
#include "machine/formulas.hpp"

namespace warpfold::machine {

namespace {

/// V(a,b) = M(a+1,b) for vertices a < b: V(a,b) = min over a < k < b of V(a,k) + V(k,b), + c(a,b), and V(a,a+1) = 0.
/// Tables are `tiles` x `tiles` tiles of side x side words, row by row. Vertices beyond n-1 have infinite values.
struct Tiling {
  std::uint64_t n, side, tiles;
  Array<Value> v, c;                        // in global memory
  Array<Value> left, right, here, weights;  // a tile each, in every shared memory

  [[nodiscard]] std::uint64_t at(std::uint64_t row, std::uint64_t column, std::uint64_t e) const {
    return (row * side + e / side) * side * tiles + column * side + e % side;
  }
};

Program load(Thread t, Tiling tiling, Array<Value> from, std::uint64_t row, std::uint64_t column, Array<Value> to) {
  for (std::uint64_t e = t.local_id; e < to.size(); e += t.local_count) {
    const Value x = co_await from.read(tiling.at(row, column, e));
    co_await to.write(e, x);
  }
}

/// best = min(best, left (x) right). Each thread computes its elements of the tile.
Program multiply(Thread t, Tiling tiling, std::vector<Value>* best) {
  const std::uint64_t side = tiling.side;
  std::size_t own = 0;
  for (std::uint64_t e = t.local_id; e < side * side; e += t.local_count, ++own) {
    for (std::uint64_t k = 0; k < side; ++k) {
      const Value x = co_await tiling.left.read(e / side * side + k);
      const Value y = co_await tiling.right.read(k * side + e % side);
      (*best)[own] = std::min((*best)[own], x + y);
    }
  }
}

/// Finishes the s-th element of each row of a tile on the diagonal, s >= 2. The rows' addresses differ by side + 1, and
/// w divides the side. So no two are in one bank.
Program close_diagonal(Thread t, Tiling tiling, std::uint64_t s) {
  const std::uint64_t side = tiling.side;
  for (std::uint64_t x = t.local_id; x < side - s; x += t.local_count) {
    Value best = unknown;
    for (std::uint64_t k = x + 1; k < x + s; ++k) {
      const Value first = co_await tiling.here.read(x * side + k);
      const Value second = co_await tiling.here.read(k * side + x + s);
      best = std::min(best, first + second);
    }
    const Value weight = co_await tiling.weights.read(x * side + x + s);
    co_await tiling.here.write(x * side + x + s, std::min(unknown, best + weight));
  }
}

/// Finishes the s-th diagonal, from the lower left corner, of a tile off the diagonal. An element has s terms. Their
/// operands are below it and in `left`, then before it and in `right`. Banks are distinct as above.
Program close_off_diagonal(Thread t, Tiling tiling, std::uint64_t s, bool touches_the_diagonal) {
  const std::uint64_t side = tiling.side, first_row = s < side ? side - 1 - s : 0;
  const std::uint64_t elements = std::min(s + 1, 2 * side - 1 - s);
  for (std::uint64_t e = t.local_id; e < elements; e += t.local_count) {
    const std::uint64_t x = first_row + e, y = s + x + 1 - side;
    Value best = co_await tiling.here.read(x * side + y);
    for (std::uint64_t k = x + 1; k < side; ++k) {
      const Value first = co_await tiling.left.read(x * side + k);
      const Value second = co_await tiling.here.read(k * side + y);
      best = std::min(best, first + second);
    }
    for (std::uint64_t k = 0; k < y; ++k) {
      const Value first = co_await tiling.here.read(x * side + k);
      const Value second = co_await tiling.right.read(k * side + y);
      best = std::min(best, first + second);
    }
    const Value weight = co_await tiling.weights.read(x * side + y);
    const bool is_edge = touches_the_diagonal && s == 0;
    co_await tiling.here.write(x * side + y, is_edge ? best : std::min(unknown, best + weight));
  }
}

Program solve(Thread t, Tiling tiling, std::uint64_t multiprocessors) {
  const std::uint64_t side = tiling.side;
  std::vector<Value> best((side * side + t.local_count - 1) / t.local_count);
  for (std::uint64_t r = 0; r < tiling.tiles; ++r) {
    for (std::uint64_t first = 0; first < tiling.tiles - r; first += multiprocessors) {
      const std::uint64_t row = first + t.multiprocessor, column = row + r;
      const bool active = column < tiling.tiles;
      std::ranges::fill(best, unknown);
      for (std::uint64_t k = row + 1; k < row + r; ++k) {
        co_await phase("load factors");
        if (active) co_await load(t, tiling, tiling.v, row, k, tiling.left);
        co_await barrier();
        if (active) co_await load(t, tiling, tiling.v, k, column, tiling.right);
        co_await phase("multiply");
        if (active) co_await multiply(t, tiling, &best);
      }
      co_await phase("load for closing");
      std::size_t own = 0;
      for (std::uint64_t e = t.local_id; active && e < side * side; e += t.local_count, ++own) {
        const std::uint64_t a = row * side + e / side, b = column * side + e % side;
        co_await tiling.here.write(e, b == a + 1 && b < tiling.n ? 0 : best[own]);
      }
      co_await barrier();
      if (active) co_await load(t, tiling, tiling.c, row, column, tiling.weights);
      co_await barrier();
      if (active && r > 0) co_await load(t, tiling, tiling.v, row, row, tiling.left);
      co_await barrier();
      if (active && r > 0) co_await load(t, tiling, tiling.v, column, column, tiling.right);
      co_await phase("close");
      for (std::uint64_t s = r == 0 ? 2 : 0; s < (r == 0 ? side : 2 * side - 1); ++s) {
        if (active && r == 0) co_await close_diagonal(t, tiling, s);
        if (active && r > 0) co_await close_off_diagonal(t, tiling, s, r == 1);
        co_await barrier();
      }
      co_await phase("store");
      for (std::uint64_t e = t.local_id; active && e < side * side; e += t.local_count) {
        const Value x = co_await tiling.here.read(e);
        co_await tiling.v.write(tiling.at(row, column, e), x);
      }
      co_await barrier();
    }
  }
}

RunResult run_tiled(const RunRequest& request) {
  const std::uint64_t n = request.n, w = request.machine.width, side = request.parameter("tile", w);
  accept_parameter("tile", side, side > 0 && side % w == 0 && side <= largest_polygon,
                   "a multiple of the width, so that the banks of a tile's diagonals are distinct,");
  const std::uint64_t tiles = formulas::ceil_div(n, side), pitch = tiles * side;
  accept_n(request, pitch <= largest_polygon, "at most 65535 vertices in whole tiles");
  const Chords chords = chords_for(request);
  std::vector<Value> padded(pitch * pitch);
  for (std::uint64_t i = 0; i < n; ++i) std::copy_n(chords.matrix.begin() + i * n, n, padded.begin() + i * pitch);
  Simulation simulation(request.machine, request.threads, request.options);
  const Tiling tiling{n,
                      side,
                      tiles,
                      simulation.array<Value>("V", pitch * pitch),
                      simulation.array("c", padded),
                      simulation.shared_array<Value>("left", side * side),
                      simulation.shared_array<Value>("right", side * side),
                      simulation.shared_array<Value>("here", side * side),
                      simulation.shared_array<Value>("weights", side * side)};
  simulation.run([&](Thread t) { return solve(t, tiling, request.machine.multiprocessors); });
  const Value cost = simulation.values(tiling.v)[n - 1];
  RunResult result = optimum_result(request, simulation, cost, chords);
  result.outputs["V(0,n-1)"] = {cost};
  if (side % request.machine.warp_size() == 0 || request.machine.warp_size() % side == 0) {
    result.formula = formulas::tiled_umm_opt(request.machine, request.threads, n, side);
    result.formula_text =
        "sum over rounds of loads, products, closings and stores; n^3/(3 w) ((1 + 1/tile)/d + 1/tile) leads";
  }
  result.bound = formulas::tiled_umm_opt_leading(request.machine, n, side);
  result.bound_text = "n^3/(3 w) ((1 + 1/tile)/d + 1/tile), the terms without latency";
  result.few_words_lower_bound = formulas::few_words_hmm_opt_lower_bound(request.machine, request.threads, n);
  result.few_words_lower_bound_text =
      "max(S/((d + 1) w), S l'/p, (n - 2) l'), S = n(n-1)(n-2)/6, l' the lesser latency";
  return result;
}

}  // namespace

Algorithm tiled_umm_opt() {
  return {"tiled-umm-opt",
          "Optimal triangulation of an n-gon by tiles, 4 tile^2 words in the shared memory of each multiprocessor.",
          "named as future work by UMM 2013, section VI",
          run_tiled,
          {Kind::hmm},
          false,
          {{"tile", "side of a tile, a multiple of the width; default: the width"}},
          {chords_list()}};
}

}  // namespace warpfold::machine
