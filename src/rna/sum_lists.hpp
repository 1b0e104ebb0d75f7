#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <span>
#include <tuple>

#include "rna/loop_weights.hpp"
#include "rna/pair_lists.hpp"

/// The weights of loops in the form in which a GPU closes tiles of sums (sum_tiles.cuh).
namespace warpfold::rna {

/// Lists by 5 * base i + a base beside it, and then by 5 * base j + a base beside it. Beside are bases i+1 and j-1; of
/// the last four i-1 and j+1.
struct alignas(16) SumLists {
  enum List : unsigned {
    stack,
    bulge,  ///< of one base
    outer,
    closing = outer + summed_kinds,
    inner,
    branch = inner + summed_kinds,
    count
  };
  static constexpr unsigned codes = PairLists::codes;
  static constexpr unsigned classes = 4, places = 8;  ///< of the rows below: 4 * place + class

  double weights[count][codes][codes];
  /// The weights of stencils: of generic loops by what a is in classes of 4, by b and by the place; of the others by the
  /// longer side.
  double generic[classes][max_loop + 2][places];
  double bulges[max_loop + 2], one_by_more[max_loop + 2];
};

[[nodiscard]] inline SumLists sum_lists_of(const LoopWeights& weights) {
  SumLists lists{};
  const LoopEnergies& energies = weights.energies();
  const PairLists listed = pair_lists_of(energies);
  const Energy bulge_1 = energies.lists().numbers->bulge(1);
  const auto copy = [&](unsigned to, unsigned from, Energy more) {
    for (std::size_t left = 0; left < SumLists::codes; ++left) {
      for (std::size_t right = 0; right < SumLists::codes; ++right) {
        lists.weights[to][left][right] = weights.of(listed.energies[from][left][right] + more);
      }
    }
  };
  copy(SumLists::stack, PairLists::stack, 0);
  copy(SumLists::bulge, PairLists::stack, bulge_1);
  for (unsigned kind = 0; kind < summed_kinds; ++kind) {
    copy(SumLists::outer + kind, PairLists::outer + kind, 0);
    copy(SumLists::inner + kind, PairLists::inner + kind, 0);
  }
  copy(SumLists::closing, PairLists::closing, 0);
  copy(SumLists::branch, PairLists::branch, 0);
  for (std::size_t a = 0; a <= max_loop; ++a) {
    for (std::size_t b = 0; a + b <= max_loop; ++b) {
      const LoopKind kind = loop_kind(a, b);
      if (kind == LoopKind::small) continue;
      const double weight = weights.loop(kind, a, b);
      if (kind == LoopKind::generic) lists.generic[a % SumLists::classes][b][a / SumLists::classes] = weight;
      if (kind == LoopKind::bulge) lists.bulges[a + b] = weight;
      if (kind == LoopKind::one_by_more) lists.one_by_more[a + b - 1] = weight;
    }
  }
  return lists;
}

/// Whether the weights of all loops are accepted (ScaledSum), so that a device need not check them. The energy of a loop
/// is a sum of at most three numbers, of a hairpin's size and one other, or of a special hairpin.
[[nodiscard]] inline bool have_accepted_weights(const LoopWeights& weights) {
  const auto most = [](std::span<const Energy> listed) {
    Energy found = 0;
    for (const Energy energy : listed) found = std::max(found, energy >= no_loop ? 0 : std::abs(energy));
    return found;
  };
  const LoopLists& lists = weights.energies().lists();
  const std::size_t bases = weights.size();
  LoopTables numbers = *lists.numbers;
  Energy of_numbers = 0;
  std::apply([&](const auto&... grid) { ((of_numbers = std::max(of_numbers, most(grid.values))), ...); },
             numbers.grids());
  const Energy of_hairpins = of_numbers + most({lists.hairpin_initiation, bases}),
               of_small_hairpins = most({lists.small_hairpins, bases * (LoopEnergyView::max_special_hairpin - 2)});
  return std::max({3 * of_numbers, of_hairpins, of_small_hairpins}) < weights.listed() / 121 * 119;
}

}  // namespace warpfold::rna
