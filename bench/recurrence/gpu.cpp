// How long do the recurrences of the 2018 paper's Table I take on a GPU?
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "../question.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/recurrence/solve.hpp"

namespace {

using namespace warpfold;
using namespace warpfold::recurrence;

/// k offsets at random from 1 .. 2k without repetition.
Problem<std::int32_t> drawn(std::size_t n, std::size_t k, bool weighted) {
  std::mt19937_64 random(1);
  Statement<std::int32_t> statement{Op::min, std::vector<std::int64_t>(2 * k), {}, n, {}, 0};
  std::iota(statement.offsets.begin(), statement.offsets.end(), std::int64_t{1});
  std::shuffle(statement.offsets.begin(), statement.offsets.end(), random);
  statement.offsets.resize(k);
  const auto largest = *std::max_element(statement.offsets.begin(), statement.offsets.end());
  for (std::int64_t i = 0; i < largest; ++i) statement.initial.push_back(static_cast<std::int32_t>(random() >> 36));
  for (std::size_t j = 0; weighted && j < k; ++j)
    statement.weights.push_back(static_cast<std::int32_t>(random() % 100));
  return Problem<std::int32_t>(std::move(statement));
}

void measure_gpu(std::size_t n, std::size_t k, bool weighted) {
  const auto problem = drawn(n, k, weighted);
  Options cpu;
  cpu.algorithm = "blocks";
  cpu.device.kind = Device::Kind::cpu;
  Options gpu;
  gpu.algorithm = "blocks";
  gpu.device.kind = Device::Kind::cuda;
  auto [solution, report] = solve(problem, gpu);
  if (solve(problem, cpu).solution.values != solution.values) {
    throw Error(ErrorKind::internal, fmt::format("n {} k {}: the GPU's table differs from the CPU's", n, k));
  }
  const bench::Timing timing = bench::measure(11, [&] { solution = solve(problem, gpu).solution; });
  bench::keep(bench::row("random offsets of 1..2k",
                         {{"op", "min"},
                          {"weighted", weighted},
                          {"n", n},
                          {"k", k},
                          {"largest_offset", problem.largest_offset()},
                          {"dtype", "i32"},
                          {"algorithm", report.algorithm},
                          {"includes", "allocation, copies to the device and back"}},
                         timing, problem.operations(), 0));
}

const bench::Question gpu_question(
    "gpu",
    [](const bench::Arguments&) {
      for (const bool weighted : {false, true}) {
        for (const unsigned bits : {15u, 17u, 19u}) {
          measure_gpu(std::size_t{1} << bits, std::size_t{1} << (bits - 2), weighted);
        }
      }
    },
    [](const bench::Json& row) {
      return fmt::format("n {:7} {:8} {:.3f} ms  spread {:.2f}  {:.3f} T/s", row["n"].get<std::size_t>(),
                         row["weighted"].get<bool>() ? "weighted" : "", 1e3 * row["median_seconds"].get<double>(),
                         row["spread"].get<double>(), 1e-12 * row["rate_per_second"].get<double>());
    });

}  // namespace
