#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <span>
#include <tuple>

#include "rna/gpu/pair_lists.hpp"
#include "rna/loop_weights.hpp"

/// The weights of loops in the form in which a GPU closes tiles of sums (sum_tiles.cuh).
namespace warpfold::rna {

/// What a pair adds by its bases i and j-1, and by i+1 and j-2.
struct alignas(16) SumEnds {
  double stack, bulge;  ///< around the pair of the other two, and with one base between
  double outer[summed_kinds], closing;
};
/// What a pair adds by its bases i and j-1, and by i-1 and j.
struct alignas(16) SumOuterEnds {
  double inner[summed_kinds], branch;
};

/// The lists. Those by codes are by 5 * base i + the base beside it, and then by 5 * base j-1 + the base beside it.
struct alignas(16) SumLists {
  static constexpr int codes = static_cast<int>(PairLists::codes);
  static constexpr int classes = 4, places = 8;  ///< of the rows below: 4 * place + class

  SumEnds ends[codes * codes];
  SumOuterEnds outer_ends[codes * codes + 1];  ///< the last one adds nothing
  double of_11[decltype(LoopTables::interior_11){}.values.size()],
      of_21[decltype(LoopTables::interior_21){}.values.size()],
      of_22[decltype(LoopTables::interior_22){}.values.size()];
  double generic[classes][max_loop + 2][places];  ///< by what a is in classes of 4, by b and by the place
  /// Energies: of loops of 2 x 3 bases, and the mismatches of hairpins; the kinds of pairs, by their code.
  struct alignas(16) Energies {
    Energy outer_23[codes * codes], inner_23[codes * codes], hairpin[codes * codes], kinds[codes];
  } energies;
};

/// The weights of bulges and of loops of 1 x n bases, by the longer side.
struct LineWeights {
  double bulges[max_loop + 2], one_by_more[max_loop + 2];
};

[[nodiscard]] inline LineWeights line_weights_of(const LoopWeights& weights) {
  LineWeights lines{};
  for (std::size_t n = 2; n <= max_loop; ++n) lines.bulges[n] = weights.loop(LoopKind::bulge, 0, n);
  for (std::size_t n = 3; n < max_loop; ++n) lines.one_by_more[n] = weights.loop(LoopKind::one_by_more, 1, n);
  return lines;
}

[[nodiscard]] inline std::unique_ptr<SumLists> sum_lists_of(const LoopWeights& weights) {
  auto all = std::make_unique<SumLists>();
  SumLists& lists = *all;
  const LoopEnergies& energies = weights.energies();
  const LoopTables& numbers = *energies.lists().numbers;
  const PairLists listed = pair_lists_of(energies);
  for (unsigned code = 0; code < PairLists::codes * PairLists::codes; ++code) {
    const auto energy = [&](unsigned list) {
      return listed.energies[list][code / PairLists::codes][code % PairLists::codes];
    };
    lists.ends[code].stack = weights.of(energy(PairLists::stack));
    lists.ends[code].bulge = weights.of(numbers.bulge(1) + energy(PairLists::stack));
    lists.ends[code].closing = weights.of(energy(PairLists::closing));
    lists.outer_ends[code].branch = weights.of(energy(PairLists::branch));
    for (unsigned kind = 0; kind < summed_kinds; ++kind) {
      lists.ends[code].outer[kind] = weights.of(energy(PairLists::outer + kind));
      lists.outer_ends[code].inner[kind] = weights.of(energy(PairLists::inner + kind));
    }
    lists.energies.outer_23[code] = energies.loop(LoopKind::generic, 2, 3) + energy(PairLists::outer_23);
    lists.energies.inner_23[code] = energy(PairLists::inner_23);
    lists.energies.hairpin[code] = energy(PairLists::hairpin);
  }
  std::copy_n(listed.kinds, SumLists::codes, lists.energies.kinds);
  const auto copy = [&](const auto& grid, double* to) {
    std::transform(grid.values.begin(), grid.values.end(), to, [&](Energy energy) { return weights.of(energy); });
  };
  copy(numbers.interior_11, lists.of_11);
  copy(numbers.interior_21, lists.of_21);
  copy(numbers.interior_22, lists.of_22);
  for (std::size_t a = 0; a <= max_loop; ++a) {
    for (std::size_t b = 0; a + b <= max_loop; ++b) {
      if (loop_kind(a, b) != LoopKind::generic) continue;
      lists.generic[a % SumLists::classes][b][a / SumLists::classes] = weights.loop(LoopKind::generic, a, b);
    }
  }
  return all;
}

/// Whether the weights of all loops are accepted (ScaledSum), so that a device need not check them. The energy of a
/// loop is a sum of at most three numbers, of a hairpin's size and one other, or of a special hairpin.
[[nodiscard]] inline bool have_accepted_weights(const LoopWeights& weights) {
  const auto largest = [](std::span<const Energy> listed) {
    Energy found = 0;
    for (const Energy energy : listed) found = std::max(found, energy >= no_loop ? 0 : std::abs(energy));
    return found;
  };
  const LoopLists& lists = weights.energies().lists();
  const std::size_t bases = weights.size();
  LoopTables numbers = *lists.numbers;
  Energy of_numbers = 0;
  std::apply([&](const auto&... grid) { ((of_numbers = std::max(of_numbers, largest(grid.values))), ...); },
             numbers.grids());
  const Energy of_hairpins = of_numbers + largest({lists.hairpin_initiation, bases}),
               of_small_hairpins = largest({lists.small_hairpins, bases * (LoopEnergyView::max_special_hairpin - 2)});
  return std::max({3 * of_numbers, of_hairpins, of_small_hairpins}) < weights.listed() / 121 * 119;
}

}  // namespace warpfold::rna
