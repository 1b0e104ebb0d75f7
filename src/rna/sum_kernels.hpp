#pragma once

#include <array>
#include <cstddef>

#include "rna/row_kernels.hpp"
#include "warpfold/interval/detail/outside_row.hpp"

/// Vector code for the rows of the tiles of an ensemble's sums, by the lists of row_kernels.hpp.
namespace warpfold::rna {

/// The tables of an UnambiguousGrammar.
struct SumTables {
  unsigned paired, helix, last, single, branches, stems;
};

/// The weights of energies: those of -listed to listed, from `of_none` on, and then 0.
struct WeightList {
  const double* of_none;  ///< of energy 0
  Energy listed;
};

struct SumKernels {
  /// Computes the values of a row. `long_loops`: by columns, what rounding takes from hairpins. Returns false if a
  /// value is not accepted.
  bool (*close)(const CommonEnergies& all, const RowEnergies& energies, const WeightList& weights, double multi_base,
                const double* long_loops, const SumTables& tables, const interval::GrammarRow<double>& row,
                const ListedHairpins<double>& hairpins);
  /// weighted[t] = values[t] times the weight of energies[t], of `count` >= 16 values.
  void (*weigh)(const double* values, const Energy* energies, const WeightList& weights, std::size_t count,
                double* weighted);
  /// Finds the outside values of a row, and gives their parts.
  void (*outside)(const CommonEnergies& all, const RowEnergies& energies,
                  const std::array<const Energy*, summed_kinds>& inner, const WeightList& weights, double multi_base,
                  const SumTables& tables, const interval::detail::OutsideRow& row);
};

[[nodiscard]] SumKernels sum_kernels();

}  // namespace warpfold::rna
