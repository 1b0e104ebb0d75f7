#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "rna/loop_energies.hpp"
#include "warpfold/interval/grammar_model.hpp"

namespace warpfold::rna {

/// The weight of a stencil, one for each kind of loop that is a sum. `loops` has energies or weights, `none` is what a
/// loop of another kind has.
template <class Loops, class Value>
constexpr Value loop_of(const Loops& loops, std::size_t stencil, std::size_t left, std::size_t right, Value none) {
  const LoopKind kind{stencil};
  return loop_kind(left, right) == kind ? loops.loop(kind, left, right) : none;
}

/// What the inner pair gives to a stencil: `none` at the ends of the sequence, where no pair is around it.
template <class Loops, class Value>
constexpr Value inner_of(const Loops& loops, std::size_t stencil, std::size_t i, std::size_t j, Value none) {
  const bool is_inside = i > 0 && j < loops.size();
  return is_inside ? loops.inner(LoopKind{stencil}, i, j - 1) : none;
}

/// The stencils of a grammar, one for each kind of loop that is a sum.
template <unsigned helix>
inline constexpr std::array<interval::Stencil, summed_kinds> loop_stencils = {
    {{.of = helix, .deep = max_loop}, {.of = helix, .deep = max_loop}, {.of = helix, .deep = max_loop}}};

/// Adds the loops around a pair one by one, for a pair near bases that have to pair: the stencils would leave these
/// unpaired.
template <class G, class Loops, class Add>
constexpr void add_each_loop(const Loops& loops, std::size_t i, std::size_t j, Add& add) {
  for (const LoopKind kind : {LoopKind::small, LoopKind::bulge, LoopKind::one_by_more, LoopKind::generic}) {
    for (std::size_t left = 0; left <= max_loop && left + 6 < j - i && loops.is_free(i + 1, i + 1 + left); ++left) {
      for (std::size_t right = 0; left + right <= max_loop && left + right + 6 < j - i; ++right) {
        if (!loops.is_free(j - 1 - right, j - 1)) break;
        const std::size_t p = i + 1 + left, q = j - 2 - right;
        if (loop_kind(left, right) != kind || loops.kind(p, q) == pair_kinds) continue;
        const unsigned inner = left + right == 0 ? G::paired : G::helix;
        add(G::paired, loops.interior(i, j - 1, p, q), add.inside(inner, 1 + left, 1 + right));
      }
    }
  }
}

/// The parts of the loops that a pair closes, for threads that share them: hairpins, each small loop, the sums, and
/// multiloops.
inline constexpr unsigned loop_parts = small_loops.size() + 3;

/// The most terms of each part: those of the first one have no limit. The last one begins a helix, too.
inline constexpr std::array<unsigned, loop_parts> loop_part_terms = [] {
  std::array<unsigned, loop_parts> terms{};
  for (unsigned part = 1; part < loop_parts; ++part) terms[part] = part == loop_parts - 2 ? summed_kinds : 1;
  terms[loop_parts - 1] = 2;
  return terms;
}();

/// Whether the bases that a loop of at most max_loop unpaired ones may leave so may all be unpaired: on both sides
/// inside the pair of bases i and j-1.
template <class Loops>
constexpr bool is_free_inside(const Loops& loops, std::size_t i, std::size_t j) {
  const std::size_t reach = std::min(std::size_t{max_loop}, j - i - 2);  // a device has no host constant
  return loops.is_free(i + 1, i + 1 + reach) && loops.is_free(j - 1 - reach, j - 1);
}

/// Adds a part of the loops that the pair of bases i and j-1 closes to table G::paired. Only a stack continues a helix;
/// any other loop is around table G::helix. `loops` has energies or weights. `is_free`: is_free_inside.
template <class G, unsigned part, class Loops, class Add>
constexpr void add_loops_of(const Loops& loops, std::size_t i, std::size_t j, bool is_free, Add& add) {
  constexpr unsigned sums = loop_parts - 2;
  if constexpr (part == 0) {
    if (loops.is_free(i + 1, j - 1)) add(G::paired, loops.hairpin(i, j - 1));
    if (!is_free) add_each_loop<G>(loops, i, j, add);
  } else if constexpr (part < sums) {
    constexpr auto left = small_loops[part - 1].left, right = small_loops[part - 1].right;
    constexpr unsigned inner = left + right == 0 ? G::paired : G::helix;
    if (is_free) {
      add(G::paired, loops.template small_loop<left, right>(i, j - 1), add.inside(inner, 1 + left, 1 + right));
    }
  } else if constexpr (part == sums) {
    for (unsigned s = 0; s < summed_kinds && is_free; ++s) {
      add(G::paired, loops.outer(LoopKind{s}, i, j - 1), add.stencil(s));
    }
  } else {
    add(G::paired, loops.multi_closing(i, j - 1), add.inside(G::branches, 1, 1));
  }
}

/// Adds all of them.
template <class G, class Loops, class Add>
constexpr void add_loops(const Loops& loops, std::size_t i, std::size_t j, Add& add) {
  const bool is_free = is_free_inside(loops, i, j);
  [&]<unsigned... part>(std::integer_sequence<unsigned, part...>) {
    (add_loops_of<G, part>(loops, i, j, is_free, add), ...);
  }
  (std::make_integer_sequence<unsigned, loop_parts>());
}

/// Adds what begins a helix with the pair of bases i and j-1 from outside: without lone pairs a stack.
template <class G, class Loops, class Add>
constexpr void add_helix(const Loops& loops, std::size_t i, std::size_t j, Add& add) {
  if constexpr (G::helix != G::paired) {
    if (loops.kind(i + 1, j - 2) == pair_kinds) return;
    add(G::helix, loops.interior(i, j - 1, i + 1, j - 2), add.inside(G::paired, 1, 1));
  }
}

/// The loops of a sequence as a grammar. Point i stands before base i: interval (i,j) is the bases i .. j-1.
///
/// Loops of a kind whose energy is a sum of three are a stencil: `terms` adds what the outer pair gives, `loop` has
/// what the sizes give, and `inner` what the inner pair gives.
///
///     paired     base i pairs with base j-1, and if pairs may not be alone, it is not the first of its helix
///     helix      base i pairs with base j-1 as the first of its helix; `paired` if pairs may be alone
///     branches   two branches of a multiloop or more
///     stems      one branch of a multiloop or more
///
/// Energies: a reference on the host, a LoopEnergyView on a device.
template <bool lone_pairs, class Energies = const LoopEnergies&>
struct FoldingGrammar {
  using Semiring = MinPlus<Energy>;
  static constexpr unsigned paired = 0, helix = lone_pairs ? 0 : 1, branches = helix + 1, stems = helix + 2,
                            tables = helix + 3;
  static constexpr interval::Product products[1] = {{.left = stems, .right = stems}};
  static constexpr auto stencils = loop_stencils<helix>;
  static constexpr unsigned start = helix, sparse = helix + 1;
  static constexpr unsigned reports[2] = {paired, helix};
  static constexpr interval::ProductTable not_kept[1] = {{.table = branches, .product = 0}};

  Energies energies;

  [[nodiscard]] constexpr Energy loop(std::size_t s, std::size_t a, std::size_t b) const {
    return loop_of(energies, s, a, b, Semiring::zero());
  }
  /// Asked for intervals with a value, whose bases pair.
  [[nodiscard]] constexpr Energy inner(std::size_t s, std::size_t i, std::size_t j) const {
    const bool is_inside = i > 0 && j < energies.size();
    return is_inside ? energies.inner(LoopKind{s}, i, j - 1) : Semiring::zero();
  }

  [[nodiscard]] constexpr bool may_have_value(std::size_t i, std::size_t j) const {
    return energies.kind(i, j - 1) < pair_kinds;
  }

  static constexpr unsigned sparse_parts = loop_parts;
  template <unsigned part, class Add>
  constexpr void sparse_part(std::size_t i, std::size_t j, Add& add) const {
    add_loops_of<FoldingGrammar, part>(energies, i, j, is_free_inside(energies, i, j), add);
    if (part + 1 == loop_parts) add_helix<FoldingGrammar>(energies, i, j, add);
  }
  template <class Add>
  constexpr void sparse_terms(std::size_t i, std::size_t j, Add& add) const {
    add_loops<FoldingGrammar>(energies, i, j, add);
    add_helix<FoldingGrammar>(energies, i, j, add);
  }
  template <class Add>
  constexpr void dense_terms(std::size_t i, std::size_t j, Add& add) const {
    add(branches, add.product(0));
    if (energies.has_neighbors(i, j - 1)) add(stems, energies.multi_branch(i, j - 1), add.here(helix));
    if (energies.is_free(i, i + 1)) add(stems, energies.multi_base(), add.inside(stems, 1, 0));
    if (energies.is_free(j - 1, j)) add(stems, energies.multi_base(), add.inside(stems, 0, 1));
    add(stems, add.here(branches));
  }
  template <class Add>
  constexpr void terms(std::size_t i, std::size_t j, Add& add) const {
    if (may_have_value(i, j)) sparse_terms(i, j, add);
    dense_terms(i, j, add);
  }
};

}  // namespace warpfold::rna
