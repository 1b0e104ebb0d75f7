#pragma once

#include "rna/folding_grammar.hpp"
#include "rna/loop_weights.hpp"

namespace warpfold::rna {

/// The loops of a sequence as a grammar in which every structure has one derivation: the last branch of a multiloop is
/// told from those before it, and the unpaired bases before the first branch belong to no other. `Loops` has the
/// energies or the weights of loops.
///
///     paired, helix, branches, stems   as in FoldingGrammar
///     last                             one branch that begins at i, and unpaired bases after it
///     single                           one branch, and unpaired bases on both sides
///
/// Loops: a reference on the host, a view on a device.
template <bool lone_pairs, class S, class Loops>
struct UnambiguousGrammar {
  using Semiring = S;
  using Value = typename S::Value;
  static constexpr unsigned paired = 0, helix = lone_pairs ? 0 : 1, last = helix + 1, single = helix + 2,
                            branches = helix + 3, stems = helix + 4, tables = helix + 5;
  static constexpr interval::Product products[1] = {{.left = stems, .right = last}};
  static constexpr auto stencils = loop_stencils<helix>;
  static constexpr unsigned start = helix, sparse = helix + 1;
  static constexpr unsigned reports[2] = {paired, helix};

  Loops loops;

  [[nodiscard]] constexpr Value loop(std::size_t s, std::size_t a, std::size_t b) const {
    return loop_of(loops, s, a, b, S::zero());
  }
  [[nodiscard]] constexpr Value inner(std::size_t s, std::size_t i, std::size_t j) const {
    return inner_of(loops, s, i, j, S::zero());
  }

  [[nodiscard]] constexpr bool may_have_value(std::size_t i, std::size_t j) const {
    return loops.kind(i, j - 1) < pair_kinds;
  }

  static constexpr unsigned sparse_parts = loop_parts;
  static constexpr auto part_terms = loop_part_terms;
  template <unsigned part, class Add>
  constexpr void sparse_part(std::size_t i, std::size_t j, Add& add) const {
    add_loops_of<UnambiguousGrammar, part>(loops, i, j, is_free_inside(loops, i, j), add);
    if (part + 1 == loop_parts) add_helix<UnambiguousGrammar>(loops, i, j, add);
  }
  template <class Add>
  constexpr void sparse_terms(std::size_t i, std::size_t j, Add& add) const {
    add_loops<UnambiguousGrammar>(loops, i, j, add);
    add_helix<UnambiguousGrammar>(loops, i, j, add);
  }
  template <class Add>
  constexpr void dense_terms(std::size_t i, std::size_t j, Add& add) const {
    if (loops.has_neighbors(i, j - 1)) add(last, loops.multi_branch(i, j - 1), add.here(helix));
    if (loops.is_free(j - 1, j)) add(last, loops.multi_base(), add.inside(last, 0, 1));
    add(single, add.here(last));
    if (loops.is_free(i, i + 1)) add(single, loops.multi_base(), add.inside(single, 1, 0));
    add(branches, add.product(0));
    add(stems, add.here(single));
    add(stems, add.here(branches));
  }
  template <class Add>
  constexpr void terms(std::size_t i, std::size_t j, Add& add) const {
    if (may_have_value(i, j)) sparse_terms(i, j, add);
    dense_terms(i, j, add);
  }
};

/// The sums of the weights of all structures inside each pair.
template <bool lone_pairs, class Weights = const LoopWeights&>
using SumGrammar = UnambiguousGrammar<lone_pairs, ScaledSum<double>, Weights>;

/// The least energies of the same, for structures in the order of their energies.
template <bool lone_pairs>
using RankingGrammar = UnambiguousGrammar<lone_pairs, MinPlus<Energy>, const LoopEnergies&>;

}  // namespace warpfold::rna
