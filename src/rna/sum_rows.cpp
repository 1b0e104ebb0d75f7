#include "rna/sum_rows.hpp"

#include <array>
#include <utility>

namespace warpfold::rna {

std::unique_ptr<SumRows> SumRows::of(const LoopWeights& weights) {
  auto energies = FoldingRows::of(weights.energies());
  if (!energies) return nullptr;
  const Energy largest = energies->max_energy() + 1;  // what rounding takes from a hairpin is less than 1
  const auto accepts = [&](Energy energy) { return ScaledSum<double>::accepts(weights.of(energy)); };
  if (largest >= weights.listed() || !accepts(largest) || !accepts(-largest)) return nullptr;
  return std::unique_ptr<SumRows>(new SumRows(weights, std::move(energies)));
}

SumRows::SumRows(const LoopWeights& weights, std::unique_ptr<FoldingRows> energies)
    : weights_(weights), energies_(std::move(energies)), list_{weights.weight_of_none(), weights.listed()} {
  const std::size_t size = weights.size();
  long_loops_.assign(padding, 1);
  long_loops_.insert(long_loops_.end(), weights.long_loops(), weights.long_loops() + size + 1);
  long_loops_.resize(long_loops_.size() + padding, 1);
}

bool SumRows::close(const SumTables& tables, const interval::GrammarRow<double>& row) const {
  const std::size_t i = row.i;
  ListedHairpins<double> hairpins;
  bool is_accepted = true;
  energies_->each_listed_hairpin(i, row.j, [&](std::size_t column, std::size_t end) {
    const double weight = weights_.hairpin(i, end - 1);
    is_accepted = is_accepted && ScaledSum<double>::accepts(weight);
    hairpins.add(column, weight);
  });
  if (!is_accepted) return false;
  const double* long_loops = long_loops_.data() + (padding + row.j - i) - 2;
  return kernels_.close(energies_->common(), energies_->energies_of_row(i, row.j), list_, weights_.multi_base(),
                        long_loops, tables, row, hairpins);
}

void SumRows::find_outside(const SumTables& tables, const interval::detail::OutsideRow& row) const {
  std::array<const Energy*, summed_kinds> inner;
  for (std::size_t kind = 0; kind < summed_kinds; ++kind) inner[kind] = energies_->inner(LoopKind{kind}, row.i, row.j);
  kernels_.outside(energies_->common(), energies_->energies_of_row(row.i, row.j), inner, list_, weights_.multi_base(),
                   tables, row);
}

}  // namespace warpfold::rna
