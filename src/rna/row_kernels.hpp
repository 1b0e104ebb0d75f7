#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "rna/loop_energies.hpp"
#include "warpfold/interval/grammar_model.hpp"

/// Vector code for the rows of a folding's tiles. Lists are by columns: column c of a row is the interval (i,j+c), the
/// pair of bases i and j+c-1.
namespace warpfold::rna {

/// The tables of a FoldingGrammar.
struct FoldingTables {
  unsigned paired, helix, branches, stems;
};

/// What the loops of one row add, by columns.
struct RowEnergies {
  const Energy* initiation;  ///< of hairpins
  const Energy* hairpin;     ///< their mismatches
  const Energy* stack;       ///< also of a bulge's two pairs: one base on the left, or on the right
  const Energy *bulge_left, *bulge_right;
  std::array<const Energy*, summed_kinds> outer;  ///< see LoopEnergies::outer
  const Energy* outer_23;
  const Energy *inner_23, *inner_32;  ///< by the columns of the inner pairs
  const Energy* multi_closing;
  const Energy* multi_branch;
  const Energy* stack_right;      ///< what the request adds to a stack, by its pairs' right bases
  const Energy* outer_kind;       ///< 25 times the kind of the pair
  const Energy *kind_2, *kind_3;  ///< the same of bases i+2 and i+3 with another, by the inner pair's column
  const Energy *base, *bases;     ///< base j+c-2; the same after 5 times base j+c-3
  std::uint64_t may_pair;         ///< a bit for each column
  Energy stack_left;              ///< what the request adds to a stack, by its pairs' left bases
  Energy base_1, base_2;          ///< bases i+1 and i+2
};

/// What the loops of all rows add.
struct CommonEnergies {
  const LoopTables* numbers;
  Energy bulge_1, loop_23, multi_base;
};

/// The number of hairpins of a row that are not a sum.
inline constexpr std::size_t listed_hairpins = 4;

/// Those hairpins, with their columns.
template <class T>
class ListedHairpins {
 public:
  void add(std::size_t column, T value) {
    columns_[count_] = column;
    values_[count_++] = value;
  }
  void put_into(T* row) const {
    for (std::size_t t = 0; t < count_; ++t) row[columns_[t]] = values_[t];
  }

 private:
  std::size_t count_ = 0;
  std::array<std::size_t, listed_hairpins> columns_;
  std::array<T, listed_hairpins> values_;
};

struct RowKernels {
  /// Computes the values of a row. Returns false if a value is not accepted.
  bool (*close)(const CommonEnergies& all, const RowEnergies& energies, const FoldingTables& tables,
                const interval::GrammarRow<Energy>& row, const ListedHairpins<Energy>& hairpins);
  /// weighted[t] = values[t] + weights[t], or zero() for none, of `count` >= 16 values.
  void (*weigh)(const Energy* values, const Energy* weights, std::size_t count, Energy* weighted);
  /// least[t] = min(least[t], before + values[t] + adds[t]) of `count` intervals that have a value.
  void (*add_pairs)(Energy before, const Energy* values, const Energy* adds, std::size_t count, Energy* least);
};

[[nodiscard]] RowKernels row_kernels();

}  // namespace warpfold::rna
