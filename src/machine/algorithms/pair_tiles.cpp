#include <algorithm>

#include "machine/algorithms/list.hpp"
#include "machine/algorithms/sequence_pair.hpp"
#include "machine/formulas.hpp"

namespace warpfold::machine {

namespace {

/// Tiles of side x side cells. Only their borders are in global memory. `above` has D of the row above the first row of
/// tiles, then of the last row of each. `left` has the same of columns, each from row -1 on, whose D is the corner.
struct PairTiles {
  const SequencePair* pair;
  std::uint64_t side, rows, columns;  ///< rows and columns of tiles
  std::uint64_t left_pitch;
  Array<Value> a, b, above, left;     // in global memory
  Array<Value> here, a_here, b_here;  // of one tile, in every shared memory

  /// A row of a tile is a word more than its cells and the border before them: diagonals are in distinct banks.
  [[nodiscard]] std::uint64_t pitch() const { return side + 2; }
  [[nodiscard]] std::uint64_t place(std::uint64_t x, std::uint64_t y) const { return x * pitch() + y; }
};

/// Moves `count` words of global memory from `first` on to every `step`-th word of shared memory.
Program load(Thread t, Array<Value> from, std::uint64_t first, std::uint64_t count, Array<Value> to,
             std::uint64_t begin, std::uint64_t step) {
  for (std::uint64_t e = t.local_id; e < count; e += t.local_count) {
    const Value x = co_await from.read(first + e);
    co_await to.write(begin + e * step, x);
  }
}

Program store(Thread t, Array<Value> from, std::uint64_t begin, std::uint64_t step, std::uint64_t count,
              Array<Value> to, std::uint64_t first) {
  for (std::uint64_t e = t.local_id; e < count; e += t.local_count) {
    const Value x = co_await from.read(begin + e * step);
    co_await to.write(first + e, x);
  }
}

/// The s-th diagonal of a tile. Row and column 0 of `here` are its borders.
Program compute_diagonal(Thread t, PairTiles of, std::uint64_t s) {
  const std::uint64_t first = s < of.side ? 0 : s + 1 - of.side, last = std::min(s, of.side - 1);
  for (std::uint64_t x = first + t.local_id; x <= last; x += t.local_count) {
    const std::uint64_t y = s - x;
    const Value of_a = co_await of.a_here.read(x);
    const Value of_b = co_await of.b_here.read(y);
    const Value diagonal = co_await of.here.read(of.place(x, y));
    const Value above = co_await of.here.read(of.place(x, y + 1));
    const Value left = co_await of.here.read(of.place(x + 1, y));
    co_await of.here.write(of.place(x + 1, y + 1), of.pair->cell(of_a == of_b, diagonal, above, left));
  }
}

/// The tiles of a diagonal are independent. Each multiprocessor takes one of them at a time.
Program by_tiles(Thread t, PairTiles of, std::uint64_t multiprocessors) {
  const std::uint64_t side = of.side, m = of.pair->m();
  for (std::uint64_t r = 0; r + 1 < of.rows + of.columns; ++r) {
    const std::uint64_t top = r < of.columns ? 0 : r + 1 - of.columns, bottom = std::min(r, of.rows - 1);
    for (std::uint64_t first = top; first <= bottom; first += multiprocessors) {
      const std::uint64_t row = first + t.multiprocessor, column = r - row;
      const bool active = row <= bottom;
      co_await phase("load");
      if (active) co_await load(t, of.a, row * side, side, of.a_here, 0, 1);
      co_await barrier();
      if (active) co_await load(t, of.b, column * side, side, of.b_here, 0, 1);
      co_await barrier();
      if (active) co_await load(t, of.above, row * m + column * side, side, of.here, 1, 1);
      co_await barrier();
      if (active) co_await load(t, of.left, column * of.left_pitch + row * side, side + 1, of.here, 0, of.pitch());
      co_await phase("compute");
      for (std::uint64_t s = 0; s + 1 < 2 * side; ++s) {
        if (active) co_await compute_diagonal(t, of, s);
        co_await barrier();
      }
      co_await phase("store");
      if (active) co_await store(t, of.here, of.place(side, 1), 1, side, of.above, (row + 1) * m + column * side);
      co_await barrier();
      if (active) {
        co_await store(t, of.here, of.place(1, side), of.pitch(), side, of.left,
                       (column + 1) * of.left_pitch + row * side + 1);
      }
      co_await barrier();
    }
  }
}

/// Whether the last row of each tile and the last column is that of the table.
bool has_borders_of(const std::vector<Value>& table, const SequencePair& pair, const PairTiles& of,
                    const std::vector<Value>& above, const std::vector<Value>& left) {
  bool equal = true;
  for (std::uint64_t row = 1; row <= of.rows; ++row) {
    for (std::uint64_t j = 0; j < pair.m(); ++j) {
      equal &= above[row * pair.m() + j] == table[(row * of.side - 1) * pair.m() + j];
    }
  }
  for (std::uint64_t column = 1; column <= of.columns; ++column) {
    for (std::uint64_t i = 0; i < pair.n(); ++i) {
      equal &= left[column * of.left_pitch + i + 1] == table[i * pair.m() + column * of.side - 1];
    }
  }
  return equal;
}

template <PairMeasure measure>
RunResult run_pair_tiles(const RunRequest& request) {
  const std::uint64_t w = request.machine.width, side = request.parameter("tile", w);
  accept_parameter("tile", side, side > 0 && side % w == 0 && side <= 32767, "a multiple of the width");
  const SequencePair pair = pair_of(request, measure);
  accept_parameter("n", pair.n(), pair.n() % side == 0, "a multiple of the tile");
  accept_parameter("m", pair.m(), pair.m() % side == 0, "a multiple of the tile");
  const std::uint64_t rows = pair.n() / side, columns = pair.m() / side, left_pitch = pair.n() + w;
  std::vector<Value> above((rows + 1) * pair.m()), left((columns + 1) * left_pitch);
  for (std::uint64_t j = 0; j < pair.m(); ++j) above[j] = pair.border(j + 1);
  for (std::uint64_t i = 0; i <= pair.n(); ++i) left[i] = pair.border(i);
  for (std::uint64_t column = 1; column <= columns; ++column) left[column * left_pitch] = pair.border(column * side);
  Simulation simulation(request.machine, request.threads, request.options);
  const PairTiles tiles{&pair,
                        side,
                        rows,
                        columns,
                        left_pitch,
                        simulation.array("A", pair.a),
                        simulation.array("B", pair.b),
                        simulation.array("rows", above),
                        simulation.array("columns", left),
                        simulation.shared_array<Value>("tile", (side + 1) * (side + 2)),
                        simulation.shared_array<Value>("tile's A", side),
                        simulation.shared_array<Value>("tile's B", side)};
  simulation.run([&](Thread t) { return by_tiles(t, tiles, request.machine.multiprocessors); });
  above = simulation.values(tiles.above);
  left = simulation.values(tiles.left);
  RunResult result =
      pair_result(request, simulation, pair, above.back(), has_borders_of(pair.table(), pair, tiles, above, left));
  result.formula = formulas::pair_tiles(request.machine, request.threads, pair.n(), pair.m(), side);
  result.formula_text = "sum over rounds of d tiles of loads, 2 tile - 1 diagonals and stores; 4 n m/tile words cross";
  result.bound = formulas::pair_tiles_bound(request.machine, request.threads, pair.n(), pair.m(), side);
  result.bound_text = "n m (1/d + 1/tile)/w + n m l'/p + (n + m)(tile/w + l' + l/tile)";
  result.few_words_lower_bound =
      formulas::few_words_hmm_pair_lower_bound(request.machine, request.threads, pair.n(), pair.m());
  result.few_words_lower_bound_text =
      "max(n m/((d + 1) w), n m l'/p, (n + m - 1) l'), for a table whose cells are all stored, l' the lesser latency";
  return result;
}

Algorithm tiles_algorithm(std::string_view name, std::string_view description, RunResult (*run)(const RunRequest&)) {
  Algorithm algorithm = pair_algorithm(name, description, "the tiles of CUDA programmers", run,
                                       {{"tile", "side of a tile, a multiple of the width; default: the width"}});
  algorithm.machines = {Kind::hmm};
  return algorithm;
}

}  // namespace

Algorithm lcs_tiles() {
  return tiles_algorithm("lcs-tiles",
                         "The longest common subsequence of two sequences of n and m symbols by tiles, whose borders "
                         "alone are in global memory.",
                         run_pair_tiles<PairMeasure::lcs>);
}

Algorithm edit_distance_tiles() {
  return tiles_algorithm("edit-distance-tiles",
                         "The edit distance of two sequences of n and m symbols by tiles, whose borders alone are in "
                         "global memory.",
                         run_pair_tiles<PairMeasure::edit>);
}

}  // namespace warpfold::machine
