// How fast are foldings, ensemble energies and pair probabilities, compared with the ceiling of their products?
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "../question.hpp"
#include "problems.hpp"
#include "timing/dense.hpp"
#include "warpfold/core/tile_storage.hpp"
#include "warpfold/rna/ensemble.hpp"
#include "warpfold/run/devices.hpp"
#include "warpfold/run/team.hpp"
#include "warpfold/tiles/sum_operations.hpp"
#include "warpfold/tiles/tile_table.hpp"

namespace {

using namespace warpfold;
using bench::Json;

/// Products of doubles per second, each a multiplication and an addition, by tiles in the first-level cache.
double sums_ceiling(int threads) {
  constexpr std::size_t size = tiles::tile_side * tiles::tile_side;
  constexpr int rounds = 2000;
  const tiles::SumOperations operations = tiles::sum_operations();
  const bench::Timing timing = bench::measure(5, [&] {
    parallel(threads, [&](int) {
      const TileStorage<double> values(3 * size);
      std::fill_n(values.data(), 3 * size, 0.5);
      double* c = values.data();
      for (int t = 0; t < rounds; ++t) operations.product(c, c + size, c + 2 * size, c + size, c + 2 * size);
    });
  });
  return rounds * static_cast<double>(size * tiles::tile_side) * threads / timing.median_seconds;
}

/// Products per second of the foldings' minima and of the ensembles' sums.
struct Ceilings {
  double of_minima, of_sums;
};

void measure_length(std::size_t n, int repeats, int threads, const Ceilings& ceilings) {
  Options on_cpu;
  on_cpu.device = parse_device("cpu");
  const rna::Parameters parameters = rna::rules_1998();
  const rna::Sequence sequence = bench::drawn_sequence(n);
  const auto row = [&](const std::string& work, double passes, double ceiling, const auto& call) {
    const bench::Timing timing = bench::measure(repeats, call);
    bench::keep(
        bench::row(work, {{"n", n}, {"threads", threads}}, timing, passes * bench::folding_operations(n), ceiling));
  };
  rna::Folding least;
  double energy = 0.0;
  row("folding with structure", 1, ceilings.of_minima,
      [&] { least = rna::fold(sequence, parameters, on_cpu).solution; });
  row("ensemble energy", 1, ceilings.of_sums,
      [&] { energy = rna::ensemble(sequence, parameters, on_cpu, {}, {.pairs = false}).solution.energy; });
  bench::require(rna::verify(sequence, least, parameters) && energy < least.energy / 100.0,
                 "the folding or its ensemble is wrong");
  row("pair probabilities", 3, ceilings.of_sums,
      [&] { static_cast<void>(rna::ensemble(sequence, parameters, on_cpu)); });
}

void measure_lengths(const std::vector<std::size_t>& lengths) {
  const int threads = thread_count(0);
  const Ceilings ceilings = {minplus::measure_ceiling<std::int32_t>(threads), sums_ceiling(threads)};
  for (const std::size_t n : lengths) measure_length(n, n > 10000 ? 1 : n == 10000 ? 3 : 5, threads, ceilings);
}

void measure(const bench::Arguments& arguments) {
  if (bench::is_asked(arguments, "few")) return measure_lengths({1000, 4000});
  measure_lengths({1000, 4000, 10000});
}

/// The longest sequence of the goals: minutes, and 19 GB for the pair probabilities.
void measure_long(const bench::Arguments&) { measure_lengths({29903}); }

const bench::Question question("folding", measure);
const bench::Question question_of_long_ones("long_foldings", measure_long);

}  // namespace
