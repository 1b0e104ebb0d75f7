// The methods of Ito and Nakano, "A GPU Implementation of Dynamic Programming for the Optimal Polygon Triangulation"
// (2013), section 4: stage r computes every M(i,i+r), by a thread for each or by a block of threads for each.
#include <bit>
#include <numeric>

#include "machine/algorithms/list.hpp"
#include "machine/algorithms/triangulation.hpp"
#include "machine/formulas.hpp"

namespace warpfold::machine {

namespace {

enum class Arrangement : std::uint8_t {
  naive,     ///< M(i,j) at (i, j)
  sliding,   ///< M(i,j) at (j - i, j)
  mirroring  ///< M(i,j) at (i, j) and (j, i)
};

/// Table M in its arrangement, and the weights. Its operands have names of their own, so that each is a sequence.
struct Table {
  Arrangement arrangement;
  std::uint64_t n;
  Array<Value> m, left, right, c;

  [[nodiscard]] std::uint64_t place(std::uint64_t i, std::uint64_t j) const {
    return (arrangement == Arrangement::sliding ? j - i : i) * n + j;
  }
  /// The place from which M(i,j) is read as the right operand.
  [[nodiscard]] std::uint64_t right_place(std::uint64_t i, std::uint64_t j) const {
    return arrangement == Arrangement::mirroring ? j * n + i : place(i, j);
  }
};

Table table_of(const RunRequest& request, Simulation& simulation, const Chords& chords, Arrangement arrangement) {
  const auto m = simulation.array<Value>("M", request.n * request.n);
  return {arrangement,
          request.n,
          m,
          simulation.named(m, "M(i,k)"),
          simulation.named(m, "M(k+1,j)"),
          simulation.array("c", chords.matrix)};
}

Program first_stage(Thread thread, Table table) {
  co_await phase("stage 0");
  for (std::uint64_t i = 1 + thread.id; i < table.n; i += thread.count) co_await table.m.write(table.place(i, i), 0);
}

/// The thread-based method.
Program by_threads(Thread thread, Table table) {
  const std::uint64_t n = table.n;
  co_await first_stage(thread, table);
  for (std::uint64_t r = 1; r + 2 <= n; ++r) {
    co_await phase("stages");
    for (std::uint64_t i = 1 + thread.id; i + r < n; i += thread.count) {
      const std::uint64_t j = i + r;
      Value best = unknown;
      for (std::uint64_t k = i; k < j; ++k) {
        const Value x = co_await table.left.read(table.place(i, k));
        const Value y = co_await table.right.read(table.right_place(k + 1, j));
        best = std::min(best, x + y);
      }
      const Value weight = co_await table.c.read((i - 1) * n + j);
      co_await table.m.write(table.place(i, j), best + weight);
    }
  }
}

/// Blocks of threads, each with `size` / 2 words through which its threads exchange numbers.
struct Blocks {
  std::uint64_t size, count;
  Array<Value> exchange;
};

/// The block-based method with one block for each M(i,j).
Program by_blocks(Thread thread, Table table, Blocks blocks) {
  const std::uint64_t n = table.n, t = blocks.size, lane = thread.id % t;
  const std::uint64_t words = thread.local_id / t * (t / 2);
  co_await first_stage(thread, table);
  for (std::uint64_t r = 1; r + 2 <= n; ++r) {
    for (std::uint64_t first = 1; first + r < n; first += blocks.count) {
      const std::uint64_t i = first + thread.id / t, j = i + r;
      const bool active = j < n;
      Value best = unknown;
      co_await phase("pairs");
      for (std::uint64_t k = i + lane; active && k < j; k += t) {
        const Value x = co_await table.left.read(table.place(i, k));
        const Value y = co_await table.right.read(table.right_place(k + 1, j));
        best = std::min(best, x + y);
      }
      for (std::uint64_t half = t / 2; half > 0; half /= 2) {
        co_await phase("reduction");
        if (active && lane >= half && lane < 2 * half) co_await blocks.exchange.write(words + lane - half, best);
        co_await barrier();
        if (active && lane < half) {
          const Value other = co_await blocks.exchange.read(words + lane);
          best = std::min(best, other);
        }
      }
      co_await phase("results");
      if (!active || lane > 0) continue;
      const Value weight = co_await table.c.read((i - 1) * n + j);
      co_await table.m.write(table.place(i, j), best + weight);
      if (table.arrangement == Arrangement::mirroring) {
        co_await table.m.write(table.right_place(i, j), best + weight);
      }
    }
  }
}

template <Arrangement arrangement>
RunResult run_by_threads(const RunRequest& request) {
  const Chords chords = chords_for(request);
  Simulation simulation(request.machine, request.threads, request.options);
  const Table table = table_of(request, simulation, chords, arrangement);
  simulation.run([&](Thread thread) { return by_threads(thread, table); });
  RunResult result = opt_result(request, simulation, table.m, table.place(1, request.n - 1), chords);
  result.formula =
      formulas::opt_by_threads(request.machine, request.threads, request.n, arrangement == Arrangement::sliding);
  result.formula_text = "sum over the accesses of stages + ceil(length/p) (l - 1)";
  return result;
}

template <Arrangement arrangement>
RunResult run_by_blocks(const RunRequest& request) {
  const bool has_shared = request.machine.kind == Kind::hmm;
  const std::uint64_t p = request.threads;
  const std::uint64_t near = has_shared ? p / request.machine.multiprocessors : p;  // threads with one exchange
  const std::uint64_t usual = std::gcd(near, std::uint64_t{std::bit_floor(request.machine.warp_size())});
  const std::uint64_t size = request.parameter("block", usual);
  accept_parameter("block", size, std::has_single_bit(size) && near % size == 0,
                   has_shared ? "a power of 2 that divides the threads of a multiprocessor"
                              : "a power of 2 that divides the threads");
  const Chords chords = chords_for(request);
  Simulation simulation(request.machine, request.threads, request.options);
  const Table table = table_of(request, simulation, chords, arrangement);
  const std::string name = "second half";
  const Blocks blocks{
      size, p / size,
      has_shared ? simulation.shared_array<Value>(name, near / 2) : simulation.array<Value>(name, near / 2)};
  simulation.run([&](Thread thread) { return by_blocks(thread, table, blocks); });
  return opt_result(request, simulation, table.m, table.place(1, request.n - 1), chords);
}

Algorithm threads_algorithm(std::string_view name, std::string_view description, RunResult (*run)(const RunRequest&)) {
  return {name, description,    "GPU polygon 2013, sections 4.1 and 4.2", run, flat_machines(), false,
          {},   {chords_list()}};
}

Algorithm blocks_algorithm(std::string_view name, std::string_view description, RunResult (*run)(const RunRequest&)) {
  Algorithm algorithm = threads_algorithm(name, description, run);
  algorithm.parameters = {
      {"block", "threads of a block, a power of 2 that divides the threads; default: the warp, if it does"}};
  return algorithm;
}

}  // namespace

Algorithm opt_threads_naive() {
  return threads_algorithm("opt-threads-naive",
                           "Optimal triangulation of an n-gon by stages, a thread for each element, M(i,j) at (i, j).",
                           run_by_threads<Arrangement::naive>);
}

Algorithm opt_threads_sliding() {
  return threads_algorithm(
      "opt-threads-sliding",
      "Optimal triangulation of an n-gon by stages, a thread for each element, M(i,j) at (j - i, j).",
      run_by_threads<Arrangement::sliding>);
}

Algorithm opt_blocks_naive() {
  return blocks_algorithm("opt-blocks-naive",
                          "Optimal triangulation of an n-gon by stages, a block for each element, M(i,j) at (i, j); on "
                          "the hmm the minimum of a block goes through shared memory.",
                          run_by_blocks<Arrangement::naive>);
}

Algorithm opt_blocks_mirroring() {
  return blocks_algorithm("opt-blocks-mirroring",
                          "Optimal triangulation of an n-gon by stages, a block for each element, M(i,j) at (i, j) and "
                          "(j, i); on the hmm the minimum of a block goes through shared memory.",
                          run_by_blocks<Arrangement::mirroring>);
}

}  // namespace warpfold::machine
