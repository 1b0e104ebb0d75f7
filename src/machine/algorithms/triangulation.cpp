#include "machine/algorithms/triangulation.hpp"

#include <algorithm>

#include "machine/formulas.hpp"

namespace warpfold::machine {

namespace {

std::uint64_t chords_of(std::uint64_t n) { return n * (n - 3) / 2; }

std::optional<std::uint64_t> polygon_of(std::uint64_t chords) {
  std::uint64_t n = 3;
  while (chords_of(n) < chords) ++n;
  return chords_of(n) == chords ? std::optional(n) : std::nullopt;
}

}  // namespace

Chords chords_for(const RunRequest& request) {
  const std::uint64_t n = request.n;
  accept_n(request, n >= 3 && n <= largest_polygon, "3 to 65535 vertices");
  check_data(request, n * n);
  Chords chords{given_or(request, "chords", [&] { return random_values(request, chords_of(n), request.seed); }), {}};
  chords.matrix.resize(n * n);
  auto next = chords.list.begin();
  for (std::uint64_t i = 0; i + 2 < n; ++i) {
    for (std::uint64_t j = i + 2; j < n; ++j) {
      if (i > 0 || j + 1 < n) chords.matrix[i * n + j] = *next++;
    }
  }
  return chords;
}

List chords_list() {
  constexpr Value most = Value{1} << 40;  // 65535 of them stay far below `unknown`
  return {"chords",        "the weights c(0,2), c(0,3), .., c(1,3), ..: row after row, without the sides",
          -most,           most,
          "n (n - 3) / 2", polygon_of};
}

Value plain_triangulation(std::uint64_t n, const std::vector<Value>& chords) {
  // Columns are mirrored into rows, so that the inner loop reads two rows.
  std::vector<Value> rows(n * n), columns(n * n);
  for (std::uint64_t r = 1; r + 1 < n; ++r) {
    for (std::uint64_t i = 1; i + r < n; ++i) {
      const std::uint64_t j = i + r;
      Value best = unknown;
      for (std::uint64_t k = i; k < j; ++k) best = std::min(best, rows[i * n + k] + columns[j * n + k + 1]);
      rows[i * n + j] = columns[j * n + i] = best + chords[(i - 1) * n + j];
    }
  }
  return rows[n + n - 1];
}

Program clear_table(Thread thread, std::uint64_t n, Array<Value> m) {
  const std::uint64_t p = thread.count;
  co_await phase("loop A");
  const formulas::Trapezoid upper{0, 0, n - 2};
  for (std::uint64_t q = thread.id, size = upper.size(); q < size; q += p) {
    const auto [row, column] = upper.at(q);
    const std::uint64_t i = row + 1, j = i + 1 + column;
    co_await m.write(i * n + j, unknown);
  }
  co_await phase("loop B");
  for (std::uint64_t i = 1 + thread.id; i <= n - 1; i += p) co_await m.write(i * n + i, 0);
}

RunResult optimum_result(const RunRequest& request, const Simulation& simulation, Value cost, const Chords& chords) {
  RunResult result = result_of(request, simulation, cost == plain_triangulation(request.n, chords.matrix), 0);
  result.inputs["chords"] = chords.list;
  result.lower_bound = formulas::opt_lower_bound(request.machine, request.threads, request.n);
  result.lower_bound_text = "max(S'/w, S' l/p, l), S' = n(n-3)/2 weights that every program reads";
  return result;
}

RunResult opt_result(const RunRequest& request, Simulation& simulation, Array<Value> m, std::uint64_t place,
                     const Chords& chords) {
  const Value cost = simulation.values(m)[place];
  RunResult result = optimum_result(request, simulation, cost, chords);
  result.outputs["M(1,n-1)"] = {cost};
  result.bound = formulas::opt_bound(request.machine, request.threads, request.n);
  result.bound_text = "n^3/w + n^3 l/p + n l";
  result.few_words_lower_bound = formulas::few_words_opt_lower_bound(request.machine, request.threads, request.n);
  result.few_words_lower_bound_text = "max(S/w, S l/p, (n - 2) l), S = n(n-1)(n-2)/6";
  return result;
}

}  // namespace warpfold::machine
