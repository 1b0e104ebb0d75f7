#pragma once

#include "rna/folding_grammar.hpp"
#include "rna/loop_weights.hpp"

namespace warpfold::rna {

/// The weights of all structures inside each pair. Every structure has one derivation: the last branch of a multiloop
/// is told from those before it, and the unpaired bases before the first branch belong to no other.
struct SumGrammar {
  using Semiring = ScaledSum<double>;
  enum Table : unsigned {
    paired,    ///< base i pairs with base j-1
    shifted,   ///< paired, with the mismatch of an inner pair
    last,      ///< one branch that begins at i, and unpaired bases after it
    single,    ///< one branch, and unpaired bases on both sides
    branches,  ///< two branches of a multiloop or more
    stems,     ///< one branch of a multiloop or more
    tables
  };
  static constexpr interval::Product products[] = {{.left = stems, .right = last}};
  static constexpr interval::Stencil stencils[] = {{.of = shifted, .deep = max_loop}};
  static constexpr unsigned start = paired;

  const LoopWeights& weights;

  [[nodiscard]] double loop(std::size_t a, std::size_t b) const { return generic_loop_of(weights, a, b, 0.0); }

  template <class Add>
  void terms(std::size_t i, std::size_t j, Add& add) const {
    const bool pairs = weights.kind(i, j - 1) < pair_kinds;
    const bool has_neighbors = i > 0 && j < weights.sequence().size();
    if (pairs) add_loops<SumGrammar>(weights, i, j, add);
    if (pairs && has_neighbors) add(shifted, weights.inner_mismatch(i, j - 1), add.here(paired));
    if (pairs && has_neighbors) add(last, weights.multi_branch(i, j - 1), add.here(paired));
    add(last, weights.multi_base(), add.inside(last, 0, 1));
    add(single, add.here(last));
    add(single, weights.multi_base(), add.inside(single, 1, 0));
    add(branches, add.product(0));
    add(stems, add.here(single));
    add(stems, add.here(branches));
  }
};

}  // namespace warpfold::rna
