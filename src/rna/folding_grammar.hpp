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

/// Adds the loops that the pair of bases i and j-1 closes to table G::paired. `loops` has energies or weights.
template <class G, class Loops, class Add>
void add_loops(const Loops& loops, std::size_t i, std::size_t j, Add& add) {
  add(G::paired, loops.hairpin(i, j - 1));
  for (const auto [left, right] : special_loops()) {
    const std::size_t p = i + 1 + left, q = j - 2 - right;
    if (left + right + 6 >= j - i || loops.kind(p, q) == pair_kinds) continue;
    add(G::paired, loops.interior(i, j - 1, p, q), add.inside(G::paired, 1 + left, 1 + right));
  }
  add(G::paired, loops.outer_mismatch(i, j - 1), add.stencil(0));
  add(G::paired, loops.multi_closing(i, j - 1), add.inside(G::branches, 1, 1));
}

/// The loops of a sequence as a grammar. Point i stands before base i: interval (i,j) is the bases i .. j-1.
///
/// A generic interior loop is a stencil: its energy is that of the outer mismatch, of the sizes, and of the inner
/// mismatch, which `shifted` contains.
struct FoldingGrammar {
  using Semiring = MinPlus<Energy>;
  enum Table : unsigned {
    paired,    ///< base i pairs with base j-1
    shifted,   ///< paired, with the mismatch of an inner pair
    branches,  ///< two branches of a multiloop or more
    stems,     ///< one branch of a multiloop or more
    tables
  };
  static constexpr interval::Product products[] = {{.left = stems, .right = stems}};
  static constexpr interval::Stencil stencils[] = {{.of = shifted, .deep = max_loop}};
  static constexpr unsigned start = paired;

  const LoopEnergies& energies;

  [[nodiscard]] Energy loop(std::size_t a, std::size_t b) const {
    return generic_loop_of(energies, a, b, Semiring::zero());
  }

  template <class Add>
  void terms(std::size_t i, std::size_t j, Add& add) const {
    const bool pairs = energies.kind(i, j - 1) < pair_kinds;
    const bool has_neighbors = i > 0 && j < energies.sequence().size();
    if (pairs) add_loops<FoldingGrammar>(energies, i, j, add);
    if (pairs && has_neighbors) add(shifted, energies.inner_mismatch(i, j - 1), add.here(paired));
    add(branches, add.product(0));
    if (pairs && has_neighbors) add(stems, energies.multi_branch(i, j - 1), add.here(paired));
    add(stems, energies.multi_base(), add.inside(stems, 1, 0));
    add(stems, energies.multi_base(), add.inside(stems, 0, 1));
    add(stems, add.here(branches));
  }
};

}  // namespace warpfold::rna
