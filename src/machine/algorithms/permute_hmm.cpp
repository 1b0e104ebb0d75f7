#include "machine/algorithms/list.hpp"
#include "machine/algorithms/permute.hpp"
#include "machine/algorithms/transpose.hpp"
#include "machine/formulas.hpp"
#include "warpfold/permutation/coloring.hpp"
#include "warpfold/permutation/plan.hpp"

namespace warpfold::machine {

namespace {

/// The target of each word within its row, and an order of the moves without bank conflicts.
struct RowMove {
  std::vector<std::uint32_t> target;
  permutation::BankSchedule schedule;
};

/// The permutation of side x side words as moves within rows, then columns, then rows. The edges from source rows to
/// destination rows are colored. The color is the column in between, as in section VI of the 2012 paper.
struct ThreeMoves {
  std::vector<RowMove> rows_first, columns, rows_last;
};

std::vector<RowMove> row_moves(const std::vector<std::uint32_t>& target, std::uint32_t side, std::uint32_t width,
                               std::uint64_t seed) {
  std::vector<RowMove> moves(side);
  for (std::uint32_t row = 0; row < side; ++row) {
    const auto first = target.begin() + std::uint64_t{row} * side;
    moves[row].target.assign(first, first + side);
    moves[row].schedule = permutation::conflict_free_schedule(moves[row].target, width, seed);
  }
  return moves;
}

ThreeMoves three_moves(const std::vector<std::uint32_t>& destination, std::uint32_t side, std::uint32_t width,
                       std::uint64_t seed) {
  const std::size_t n = destination.size();
  std::vector<std::uint32_t> source_row(n), target_row(n), columns(n), rows_last(n);
  for (std::uint32_t i = 0; i < n; ++i) {
    source_row[i] = i / side;
    target_row[i] = destination[i] / side;
  }
  const auto color = permutation::color_edges(source_row, target_row, side, seed);
  for (std::uint32_t i = 0; i < n; ++i) {
    columns[std::uint64_t{color[i]} * side + source_row[i]] = target_row[i];
    rows_last[std::uint64_t{target_row[i]} * side + color[i]] = destination[i] % side;
  }
  return {row_moves(color, side, width, seed), row_moves(columns, side, width, seed),
          row_moves(rows_last, side, width, seed)};
}

/// The arrays of the program: the array, a second one of its size, some rows before and after in every shared memory,
/// and the tiles of a transpose.
struct Arrays {
  Array<Value> a, b, rows, moved;
  SquareTiles tiles;
};

Program move_rows(Thread t, Array<Value> a, Arrays arrays, const std::vector<RowMove>* moves) {
  const std::uint64_t side = moves->size(), block = arrays.rows.size();
  for (std::uint64_t first = 0; first < a.size(); first += block * (t.count / t.local_count)) {
    const std::uint64_t begin = first + t.multiprocessor * block, words = begin < a.size() ? block : 0;
    for (std::uint64_t e = t.local_id; e < words; e += t.local_count) {
      const Value x = co_await a.read(begin + e);
      co_await arrays.rows.write(e, x);
    }
    co_await barrier();
    for (std::uint64_t e = t.local_id; e < words; e += t.local_count) {
      const RowMove& move = (*moves)[(begin + e) / side];
      const std::uint64_t row = e / side * side;
      const std::uint32_t source = move.schedule.sources[e - row];
      const Value x = co_await arrays.rows.read(row + source);
      co_await arrays.moved.write(row + move.target[source], x);
    }
    co_await barrier();
    for (std::uint64_t e = t.local_id; e < words; e += t.local_count) {
      const Value x = co_await arrays.moved.read(e);
      co_await a.write(begin + e, x);
    }
    co_await barrier();
  }
}

Program permute(Thread t, Arrays arrays, const ThreeMoves* moves) {
  co_await phase("rows");
  co_await move_rows(t, arrays.a, arrays, &moves->rows_first);
  co_await phase("transposes");
  co_await transpose_by_tiles(t, arrays.tiles, arrays.a, arrays.b);
  co_await phase("rows");
  co_await move_rows(t, arrays.b, arrays, &moves->columns);
  co_await phase("transposes");
  co_await transpose_by_tiles(t, arrays.tiles, arrays.b, arrays.a);
  co_await phase("rows");
  co_await move_rows(t, arrays.a, arrays, &moves->rows_last);
}

RunResult run_permute_hmm(const RunRequest& request) {
  const std::uint32_t side = side_of(request), width = request.machine.width;
  accept_n(request, side > 0 && side % width == 0, "the square of a multiple of the width");
  const auto destination = permutation_of(request);
  const ThreeMoves moves = three_moves(destination, side, width, request.seed);
  const auto values = words_of(request);
  Simulation simulation(request.machine, request.threads, request.options);
  const std::uint64_t block = side * formulas::rows_at_once(request.machine, request.threads, side);
  const Arrays arrays{simulation.array("a", values), simulation.array<Value>("b", request.n),
                      simulation.shared_array<Value>("rows", block), simulation.shared_array<Value>("moved", block),
                      square_tiles(simulation, width, side, 1)};
  simulation.run([&](Thread t) { return permute(t, arrays, &moves); });
  RunResult result = permute_result(request, simulation, arrays.a, values, destination);
  result.formula = formulas::permute_hmm(request.machine, request.threads, side);
  result.formula_text =
      "3 (2 n/w + R (2 T (l - 1) + 4 (r s/w + T (l' - 1)))) and two transposes, s s = n, r rows at once, R = ceil(s/(r "
      "d)), "
      "T = ceil(r s/q), q = p/d";
  return result;
}

}  // namespace

Algorithm permute_hmm() {
  return {"permute-hmm",
          "Moves n = s s words along a permutation: rows, columns and rows again, each row in shared memory without "
          "bank conflicts, columns as rows between two transposes by tiles.",
          "Memory machines 2012, sections V and VI together; its hybrid machine is future work there",
          run_permute_hmm,
          {Kind::hmm},
          false,
          {},
          permute_lists()};
}

}  // namespace warpfold::machine
