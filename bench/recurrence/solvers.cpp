// How long does each algorithm take for typical recurrences, and how far is it from the ceiling?
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "../question.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/recurrence/solve.hpp"
#include "warpfold/run/team.hpp"

namespace {

using namespace warpfold;
using namespace warpfold::recurrence;
using Random = std::mt19937_64;

/// k random offsets from 1 .. 2k without repetition, as for the papers' Table I. `consecutive`: 1 .. k.
Problem<std::int32_t> draw(Op op, std::size_t n, std::size_t k, bool consecutive, bool weighted, std::uint64_t seed) {
  Random random(seed);
  Statement<std::int32_t> statement;
  statement.op = op;
  statement.n = n;
  statement.offsets.resize(consecutive ? k : 2 * k);
  std::iota(statement.offsets.begin(), statement.offsets.end(), std::int64_t{1});
  if (!consecutive) std::shuffle(statement.offsets.begin(), statement.offsets.end(), random);
  statement.offsets.resize(k);
  const auto largest = *std::max_element(statement.offsets.begin(), statement.offsets.end());
  for (std::int64_t i = 0; i < largest; ++i) statement.initial.push_back(static_cast<std::int32_t>(random() >> 36));
  if (op == Op::sum_mod) {
    statement.modulus = 1'000'000'007;
    for (std::int32_t& value : statement.initial) value %= statement.modulus;
  }
  for (std::size_t j = 0; weighted && j < k; ++j)
    statement.weights.push_back(static_cast<std::int32_t>(random() % 100));
  return Problem<std::int32_t>(std::move(statement));
}

using Vector = std::int32_t __attribute__((vector_size(64)));

/// Sixteen (min,+) results per pair of instructions, from registers only. The empty asm prevents the compiler from
/// moving the loop's work out of it.
__attribute__((target("avx512f"))) std::int32_t register_minplus(std::size_t rounds) {
  Vector sums[8] = {};
  Vector value = {};
  Vector weight = {};
  for (std::size_t round = 0; round < rounds; ++round) {
#pragma GCC unroll 8
    for (Vector& sum : sums) {
      asm volatile("" : "+v"(value));
      const Vector candidate = value + weight;
      sum = candidate < sum ? candidate : sum;
    }
  }
  for (int v = 1; v < 8; ++v) sums[0] += sums[v];
  return sums[0][0];
}

/// (min,+) results per second of i32 by all threads together; 0 on a machine without AVX-512.
double minplus_ceiling() {
  if (!__builtin_cpu_supports("avx512f")) return 0;
  constexpr std::size_t rounds = 20'000'000;
  const int threads = thread_count(0);
  std::vector<std::int32_t> sinks(static_cast<std::size_t>(threads));
  const bench::Timing timing = bench::measure(5, [&] {
    parallel(threads, [&](int thread) { sinks[static_cast<std::size_t>(thread)] = register_minplus(rounds); });
  });
  return 16.0 * 8 * rounds * threads / timing.median_seconds;
}

struct Case {
  const char* name;
  Op op;
  std::size_t n, k;
  bool consecutive, weighted;
  const char* algorithm;
  int repeats;
};

constexpr Case cases[] = {
    {"random offsets of 1..2k", Op::min, 1u << 19, 1u << 17, false, false, "", 9},
    {"random offsets of 1..2k", Op::min, 1u << 19, 1u << 17, false, false, "blocks", 3},
    {"random offsets of 1..2k", Op::min, 1u << 17, 1u << 15, false, false, "", 9},
    {"random offsets of 1..2k", Op::min, 1u << 17, 1u << 15, false, false, "blocks", 9},
    {"random offsets of 1..2k", Op::min, 1u << 17, 1u << 15, false, false, "reference", 3},
    {"random offsets of 1..2k", Op::min, 1u << 19, 1u << 17, false, true, "blocks", 5},
    {"random offsets of 1..2k", Op::min, 1u << 17, 1u << 15, false, true, "blocks", 9},
    {"random offsets of 1..2k", Op::sum_mod, 1u << 17, 1u << 15, false, false, "blocks", 3},
    {"random offsets of 1..2k", Op::bit_xor, 1u << 17, 1u << 15, false, false, "blocks", 9},
    {"random offsets of 1..2k", Op::gcd, 1u << 17, 1u << 15, false, false, "", 9},
    {"consecutive offsets, k = n/4", Op::min, 1u << 20, 1u << 18, true, false, "runs", 9},
    {"consecutive offsets, k = n/4", Op::max, 1u << 20, 1u << 18, true, false, "runs", 9},
    {"consecutive offsets, k = n/4", Op::sum_mod, 1u << 20, 1u << 18, true, false, "runs", 9},
    {"consecutive offsets, k = n/4", Op::gcd, 1u << 20, 1u << 18, true, false, "runs", 9},
};

void measure(const Case& work, double ceiling) {
  const auto problem = draw(work.op, work.n, work.k, work.consecutive, work.weighted, 1);
  Options options;
  options.algorithm = work.algorithm;
  options.device.kind = Device::Kind::cpu;
  Outcome<Solution<std::int32_t>> outcome;
  const bench::Timing timing = bench::measure(work.repeats, [&] { outcome = solve(problem, options); });
  // The number of values that the naive loops check: all if they or another algorithm are quick, otherwise the first
  // ones.
  const std::size_t checked = work.op == Op::min && !work.weighted ? work.n : problem.initial().size() + 300;
  options.algorithm = checked < work.n ? "reference" : outcome.report.algorithm == "spread" ? "blocks" : "spread";
  Statement<std::int32_t> start{work.op, {}, {}, checked, {}, problem.modulus()};
  start.offsets.assign(problem.offsets().begin(), problem.offsets().end());
  start.initial.assign(problem.initial().begin(), problem.initial().end());
  start.weights.assign(problem.weights().begin(), problem.weights().end());
  const auto expected = solve(Problem<std::int32_t>(std::move(start)), options).solution.values;
  if (!std::equal(expected.begin(), expected.end(), outcome.solution.values.begin())) {
    throw Error(ErrorKind::internal, fmt::format("{} by {} is wrong", work.name, outcome.report.algorithm));
  }
  bench::keep(bench::row(work.name,
                         {{"op", to_string(work.op)},
                          {"weighted", work.weighted},
                          {"n", work.n},
                          {"k", work.k},
                          {"largest_offset", problem.largest_offset()},
                          {"dtype", "i32"},
                          {"algorithm", outcome.report.algorithm},
                          {"threads", outcome.report.threads}},
                         timing, problem.operations(), outcome.report.algorithm == "blocks" ? ceiling : 0));
}

const bench::Question solvers_question(
    "solvers",
    [](const bench::Arguments&) {
      const double ceiling = minplus_ceiling();
      for (const Case& work : cases) measure(work, ceiling);
    },
    [](const bench::Json& row) {
      return fmt::format("{:8} {:8} n {:8} k {:7} {:10} {:10.3f} ms  spread {:.2f}  {:.1f} G/s",
                         row["op"].get<std::string>(), row["weighted"].get<bool>() ? "weighted" : "",
                         row["n"].get<std::size_t>(), row["k"].get<std::size_t>(), row["algorithm"].get<std::string>(),
                         1e3 * row["median_seconds"].get<double>(), row["spread"].get<double>(),
                         1e-9 * row["rate_per_second"].get<double>());
    });

}  // namespace
