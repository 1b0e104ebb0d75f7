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

/// One length, by all threads.
struct Length {
  std::size_t n;
  rna::Parameters parameters = rna::rules_1998();
  rna::Sequence sequence = bench::drawn_sequence(n);
  Options options = {};

  explicit Length(std::size_t bases) : n(bases) { options.device = parse_device("cpu"); }

  template <class Call>
  void measure(const std::string& work, double passes, double ceiling, const Call& call) const {
    const bench::Timing timing = bench::measure(n > 10000 ? 1 : n == 10000 ? 3 : 5, call);
    bench::keep(bench::row(work, {{"n", n}, {"threads", thread_count(0)}}, timing,
                           passes * bench::folding_operations(n), ceiling));
  }
  void measure_pairs(const Ceilings& ceilings) const {
    measure("pair probabilities", 3, ceilings.of_sums,
            [&] { static_cast<void>(rna::ensemble(sequence, parameters, options)); });
  }
  void measure_all(const Ceilings& ceilings) const {
    rna::Folding least;
    double energy = 0.0;
    measure("folding with structure", 1, ceilings.of_minima,
            [&] { least = rna::fold(sequence, parameters, options).solution; });
    measure("ensemble energy", 1, ceilings.of_sums,
            [&] { energy = rna::ensemble(sequence, parameters, options, {}, {.pairs = false}).solution.energy; });
    bench::require(rna::verify(sequence, least, parameters) && energy < least.energy / 100.0,
                   "the folding or its ensemble is wrong");
    measure_pairs(ceilings);
  }
};

Ceilings measure_ceilings() {
  const int threads = thread_count(0);
  return {minplus::measure_ceiling<std::int32_t>(threads), sums_ceiling(threads)};
}

void measure(const bench::Arguments& arguments) {
  const Ceilings ceilings = measure_ceilings();
  Length(1000).measure_all(ceilings);
  Length(4000).measure_all(ceilings);
  if (!bench::is_asked(arguments, "few")) Length(10000).measure_all(ceilings);
}

/// The longest sequence of the goals: minutes, and 19 GB for the pair probabilities. `pairs`: these alone.
void measure_long(const bench::Arguments& arguments) {
  const Ceilings ceilings = measure_ceilings();
  const Length longest(29903);
  if (bench::is_asked(arguments, "pairs")) return longest.measure_pairs(ceilings);
  longest.measure_all(ceilings);
}

const bench::Question question("folding", measure);
const bench::Question question_of_long_ones("long_foldings", measure_long);

}  // namespace
