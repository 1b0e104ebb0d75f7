#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "rna/loop_energies.hpp"
#include "warpfold/interval/grammar_model.hpp"

namespace warpfold::rna {

/// The unpaired bases of an interior loop on both sides.
struct LoopSizes {
  std::size_t left, right;
};
/// The interior loops that are not generic, by the unpaired bases on the left and then on the right.
inline const std::vector<LoopSizes>& special_loops() {
  static const std::vector<LoopSizes> all = [] {
    std::vector<LoopSizes> list;
    for (std::size_t left = 0; left <= max_loop; ++left) {
      for (std::size_t right = 0; left + right <= max_loop; ++right) {
        if (!LoopEnergies::is_generic(left, right)) list.push_back({left, right});
      }
    }
    return list;
  }();
  return all;
}

/// The weights of the stencil of generic loops. `loops` has energies or weights, `none` is what a loop that is not
/// there has.
template <class Loops, class Value>
Value generic_loop_of(const Loops& loops, std::size_t left, std::size_t right, Value none) {
  return LoopEnergies::is_generic(left, right) ? loops.generic_loop(left, right) : none;
}

/// Adds the generic interior loops one by one, for a pair near bases that have to pair: the stencil would leave these
/// unpaired.
template <class G, class Loops, class Add>
void add_generic_loops(const Loops& loops, std::size_t i, std::size_t j, Add& add) {
  const auto outer = loops.outer_mismatch(i, j - 1);
  for (std::size_t left = 0; left <= max_loop && left + 6 < j - i && loops.is_free(i + 1, i + 1 + left); ++left) {
    for (std::size_t right = 0; left + right <= max_loop && left + right + 6 < j - i; ++right) {
      if (!loops.is_free(j - 1 - right, j - 1)) break;
      if (!LoopEnergies::is_generic(left, right)) continue;
      add(G::paired, outer, loops.generic_loop(left, right), add.inside(G::shifted, 1 + left, 1 + right));
    }
  }
}

/// Adds the loops that the pair of bases i and j-1 closes to table G::paired. Only a stack continues a helix; any other
/// loop is around table G::helix. `loops` has energies or weights.
template <class G, class Loops, class Add>
void add_loops(const Loops& loops, std::size_t i, std::size_t j, Add& add) {
  if (loops.is_free(i + 1, j - 1)) add(G::paired, loops.hairpin(i, j - 1));
  for (const auto [left, right] : special_loops()) {
    const std::size_t p = i + 1 + left, q = j - 2 - right;
    if (left + right + 6 >= j - i || loops.kind(p, q) == pair_kinds) continue;
    if (!loops.is_free(i + 1, p) || !loops.is_free(q + 1, j - 1)) continue;
    const unsigned inner = left + right == 0 ? G::paired : G::helix;
    add(G::paired, loops.interior(i, j - 1, p, q), add.inside(inner, 1 + left, 1 + right));
  }
  const std::size_t reach = std::min(max_loop, j - i - 2);
  if (loops.is_free(i + 1, i + 1 + reach) && loops.is_free(j - 1 - reach, j - 1)) {
    add(G::paired, loops.outer_mismatch(i, j - 1), add.stencil(0));
  } else {
    add_generic_loops<G>(loops, i, j, add);
  }
  add(G::paired, loops.multi_closing(i, j - 1), add.inside(G::branches, 1, 1));
}

/// Adds what begins a helix from outside: without lone pairs a stack.
template <class G, class Loops, class Add>
void add_helix(const Loops& loops, std::size_t i, std::size_t j, Add& add) {
  if constexpr (G::helix != G::paired) {
    if (loops.kind(i, j - 1) == pair_kinds || loops.kind(i + 1, j - 2) == pair_kinds) return;
    add(G::helix, loops.interior(i, j - 1, i + 1, j - 2), add.inside(G::paired, 1, 1));
  }
}

/// The loops of a sequence as a grammar. Point i stands before base i: interval (i,j) is the bases i .. j-1.
///
/// A generic interior loop is a stencil: its energy is that of the outer mismatch, of the sizes, and of the inner
/// mismatch, which `shifted` contains.
///
///     paired     base i pairs with base j-1, and if pairs may not be alone, it is not the first of its helix
///     helix      base i pairs with base j-1 as the first of its helix; `paired` if pairs may be alone
///     shifted    helix, with the mismatch of an inner pair
///     branches   two branches of a multiloop or more
///     stems      one branch of a multiloop or more
template <bool lone_pairs>
struct FoldingGrammar {
  using Semiring = MinPlus<Energy>;
  static constexpr unsigned paired = 0, helix = lone_pairs ? 0 : 1, shifted = helix + 1, branches = helix + 2,
                            stems = helix + 3, tables = helix + 4;
  static constexpr interval::Product products[] = {{.left = stems, .right = stems}};
  static constexpr interval::Stencil stencils[] = {{.of = shifted, .deep = max_loop}};
  static constexpr unsigned start = helix;

  const LoopEnergies& energies;

  [[nodiscard]] Energy loop(std::size_t a, std::size_t b) const {
    return generic_loop_of(energies, a, b, Semiring::zero());
  }

  template <class Add>
  void terms(std::size_t i, std::size_t j, Add& add) const {
    const bool pairs = energies.kind(i, j - 1) < pair_kinds;
    const bool has_neighbors = i > 0 && j < energies.sequence().size();
    if (pairs) add_loops<FoldingGrammar>(energies, i, j, add);
    add_helix<FoldingGrammar>(energies, i, j, add);
    if (pairs && has_neighbors) add(shifted, energies.inner_mismatch(i, j - 1), add.here(helix));
    add(branches, add.product(0));
    if (pairs && has_neighbors) add(stems, energies.multi_branch(i, j - 1), add.here(helix));
    if (energies.is_free(i, i + 1)) add(stems, energies.multi_base(), add.inside(stems, 1, 0));
    if (energies.is_free(j - 1, j)) add(stems, energies.multi_base(), add.inside(stems, 0, 1));
    add(stems, add.here(branches));
  }
};

}  // namespace warpfold::rna
