#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "rna/folding_rows.hpp"
#include "rna/sum_grammar.hpp"
#include "rna/sum_kernels.hpp"

namespace warpfold::rna {

/// The loops of a sequence listed for vector code of sums: the energies of FoldingRows, and the weights of energies.
class SumRows {
 public:
  /// The lists for a request that FoldingRows supports; null if not all sums of energies have a weight that is listed.
  [[nodiscard]] static std::unique_ptr<SumRows> of(const LoopWeights& weights);
  /// The bytes of the lists for the first bases of a sequence.
  [[nodiscard]] static std::size_t bytes(const Sequence& sequence, std::size_t bases) {
    return FoldingRows::bytes(sequence, bases) + (bases + 1 + 2 * padding) * sizeof(double);
  }

  /// What `close_row` and `inner_row` of a grammar do (grammar_model.hpp).
  [[nodiscard]] bool close(const SumTables& tables, const interval::GrammarRow<double>& row) const;
  void weigh(LoopKind kind, std::size_t i, std::size_t j, std::span<const double> values, double* weighted) const {
    kernels_.weigh(values.data(), energies_->inner(kind, i, j), list_, values.size(), weighted);
  }
  /// What `outside_row` of a grammar does (interval/detail/outside_row.hpp).
  void find_outside(const SumTables& tables, const interval::detail::OutsideRow& row) const;

 private:
  static constexpr std::size_t padding = tiles::tile_side + 2;

  SumRows(const LoopWeights& weights, std::unique_ptr<FoldingRows> energies);

  const LoopWeights& weights_;
  std::unique_ptr<FoldingRows> energies_;
  SumKernels kernels_ = sum_kernels();
  WeightList list_;
  std::vector<double> long_loops_;  ///< of hairpins, after `padding` entries for none
};

/// The grammar with vector code for its rows.
template <bool lone_pairs>
struct RowSums : SumGrammar<lone_pairs> {
  using Terms = SumGrammar<lone_pairs>;
  static constexpr std::size_t row_reach = 4;

  const SumRows* rows;  ///< null: the terms alone

  static constexpr SumTables all_tables = {Terms::paired, Terms::helix,    Terms::last,
                                           Terms::single, Terms::branches, Terms::stems};

  [[nodiscard]] bool close_row(const interval::GrammarRow<double>& row) const {
    return rows && rows->close(all_tables, row);
  }
  [[nodiscard]] bool outside_row(const interval::detail::OutsideRow& row) const {
    if (rows) rows->find_outside(all_tables, row);
    return rows != nullptr;
  }
  [[nodiscard]] bool inner_row(std::size_t s, std::size_t i, std::size_t j, std::span<const double> values,
                               double* weighted) const {
    if (rows) rows->weigh(LoopKind{s}, i, j, values, weighted);
    return rows != nullptr;
  }
};

}  // namespace warpfold::rna
