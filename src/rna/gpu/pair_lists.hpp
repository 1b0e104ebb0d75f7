#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <optional>
#include <span>
#include <tuple>

#include "rna/loop_energies.hpp"
#include "warpfold/interval/stored_values.hpp"

/// The energies of loops in the form in which a GPU closes tiles of a folding (folding_tiles.cuh).
namespace warpfold::rna {

/// The energies of loops by their sizes.
struct SizeEnergies {
  Energy bulge[max_loop + 1];
  Energy one_by_more[max_loop + 1];  ///< of 1 x n bases, by n
  Energy generic[max_loop + 1];      ///< by size, with 2 bases on one side
  Energy step[max_loop + 1];         ///< what a generic loop has more than the one with a base less on both sides
  Energy of_beside[2];               ///< of 3 x 3 bases, and of 3 x 4
  Energy of_23, multi_base;
};

/// What loops add. What a pair adds: lists by 5 * base i + a base beside it, and then by 5 * base j + a base beside it.
struct alignas(16) PairLists {
  static constexpr unsigned codes = 25;
  /// Beside are bases i+1 and j-1; of the last five i-1 and j+1.
  enum List : unsigned {
    hairpin,
    stack,
    outer,
    outer_23 = outer + summed_kinds,
    closing,
    inner,
    inner_23 = inner + summed_kinds,
    branch,
    count
  };

  Energy energies[count][codes][codes];
  Energy kinds[28];  ///< of the pair of two bases, by their code
  SizeEnergies by_size;
};

/// Where a tile leaves, for the next one to the right or above, the sums of loops that carry over: for each row of
/// tiles by rows of its last column, and for each column of tiles by columns of its first row.
struct CarriedRims {
  Energy *columns, *rows;
};
/// The sums of an interval, with some places that are not used.
inline constexpr int carried_rim = 32;

[[nodiscard]] inline SizeEnergies size_energies_of(const LoopEnergies& energies) {
  SizeEnergies sizes{};
  for (std::size_t size = 1; size <= max_loop; ++size) sizes.bulge[size] = energies.loop(LoopKind::bulge, 0, size);
  for (std::size_t more = 3; more < max_loop; ++more) {
    sizes.one_by_more[more] = energies.loop(LoopKind::one_by_more, 1, more);
  }
  for (std::size_t size = 6; size <= max_loop; ++size) {
    sizes.generic[size] = energies.loop(LoopKind::generic, 2, size - 2);
    if (size >= 8) sizes.step[size] = sizes.generic[size] - energies.loop(LoopKind::generic, 1, size - 3);
  }
  sizes.of_beside[0] = energies.loop(LoopKind::generic, 3, 3);
  sizes.of_beside[1] = energies.loop(LoopKind::generic, 3, 4);
  sizes.of_23 = energies.loop(LoopKind::generic, 2, 3);
  sizes.multi_base = energies.multi_base();
  return sizes;
}

[[nodiscard]] inline PairLists pair_lists_of(const LoopEnergies& energies) {
  PairLists lists{};
  const LoopLists& all = energies.lists();
  const auto kind = [&](std::size_t first, std::size_t second) {
    return std::size_t{all.any_kinds[first * 5 + second]};
  };
  const auto end = [&](std::size_t i, std::size_t j, std::size_t beside, std::size_t other) -> const LoopEnd& {
    return all.ends[((i * 5 + j) * 5 + beside) * 5 + other];
  };
  for (std::size_t code = 0; code < PairLists::codes * PairLists::codes; ++code) {
    const std::size_t on_left = code / PairLists::codes, on_right = code % PairLists::codes;
    const std::size_t i = on_left / 5, beside_i = on_left % 5, j = on_right / 5, beside_j = on_right % 5;
    const auto set = [&](unsigned list, Energy energy) { lists.energies[list][on_left][on_right] = energy; };
    const LoopEnd &outer = end(i, j, beside_i, beside_j), &inner = end(j, i, beside_j, beside_i);
    set(PairLists::hairpin, all.numbers->mismatch_hairpin(kind(i, j), beside_i, beside_j));
    set(PairLists::stack, all.numbers->stack(kind(i, j), kind(beside_j, beside_i)));
    for (unsigned loop = 0; loop < summed_kinds; ++loop) {
      set(PairLists::outer + loop, outer.of[loop]);
      set(PairLists::inner + loop, inner.of[loop]);
    }
    set(PairLists::outer_23, outer.of_23);
    set(PairLists::inner_23, inner.of_23);
    set(PairLists::closing, energies.multi_ends() + inner.multi);
    set(PairLists::branch, outer.multi);
  }
  for (std::size_t code = 0; code < PairLists::codes; ++code) lists.kinds[code] = all.any_kinds[code];
  lists.by_size = size_energies_of(energies);
  return lists;
}

/// Whether the sums of the energies of a loop, and what carries over in 12 steps or for 64 bases, need no check.
[[nodiscard]] inline bool have_limits(const LoopEnergies& energies, const SizeEnergies& sizes) {
  constexpr Energy largest = interval::detail::Stored<MinPlus<Energy>>::largest;
  Energy least = 0, most = 0;
  const auto look = [&](std::span<const Energy> listed) {
    for (const Energy energy : listed) {
      least = std::min(least, energy);
      most = std::max(most, energy);
    }
  };
  LoopTables numbers = *energies.lists().numbers;
  std::apply([&](const auto&... grid) { (look(grid.values), ...); }, numbers.grids());
  look({energies.lists().hairpin_initiation, energies.size()});
  const bool has_steps = std::ranges::all_of(sizes.step, [](Energy step) { return std::abs(step) <= largest / 16; });
  return has_steps && std::abs(sizes.multi_base) <= largest / 64 && -least <= largest / 8 && most <= largest / 8;
}

}  // namespace warpfold::rna
