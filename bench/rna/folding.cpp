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

void measure(const bench::Arguments& arguments) {
  const int threads = thread_count(0);
  const double of_minima = minplus::measure_ceiling<std::int32_t>(threads), of_sums = sums_ceiling(threads);
  const rna::Parameters parameters = rna::rules_1998();
  std::vector<std::size_t> sizes = {1000, 4000, 10000};
  if (bench::is_asked(arguments, "few")) sizes.pop_back();
  for (const std::size_t n : sizes) {
    const rna::Sequence sequence = bench::drawn_sequence(n);
    const rna::Folding least = rna::fold(sequence, parameters).solution;
    const rna::Ensemble all = rna::ensemble(sequence, parameters, {}, {}, {.pairs = false}).solution;
    bench::require(rna::verify(sequence, least, parameters) && all.energy < least.energy / 100.0,
                   "the folding or its ensemble is wrong");
    const int repeats = n < 10000 ? 5 : 3;
    const auto row = [&](const std::string& work, double passes, double ceiling, const auto& call) {
      const bench::Timing timing = bench::measure(repeats, call);
      bench::keep(
          bench::row(work, {{"n", n}, {"threads", threads}}, timing, passes * bench::folding_operations(n), ceiling));
    };
    row("folding with structure", 1, of_minima, [&] { static_cast<void>(rna::fold(sequence, parameters)); });
    row("ensemble energy", 1, of_sums,
        [&] { static_cast<void>(rna::ensemble(sequence, parameters, {}, {}, {.pairs = false})); });
    row("pair probabilities", 3, of_sums, [&] { static_cast<void>(rna::ensemble(sequence, parameters)); });
  }
}

/// Foldings without ensembles, of sequences so long that one takes up to minutes.
void measure_long(const bench::Arguments&) {
  const int threads = thread_count(0);
  const double ceiling = minplus::measure_ceiling<std::int32_t>(threads);
  for (const std::size_t n : {10000, 29903}) {
    const rna::Sequence sequence = bench::drawn_sequence(n);
    const bench::Timing timing =
        bench::measure(n <= 10000 ? 3 : 1, [&] { static_cast<void>(rna::fold(sequence, rna::rules_1998())); });
    bench::keep(bench::row("folding with structure", {{"n", n}, {"threads", threads}}, timing,
                           bench::folding_operations(n), ceiling));
  }
}

const bench::Question question("folding", measure);
const bench::Question question_of_long_ones("long_foldings", measure_long);

}  // namespace
