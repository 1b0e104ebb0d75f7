#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "rna/loop_energies.hpp"

namespace warpfold::rna {

/// The Boltzmann factors of the loops of one sequence: exp(-energy / kT), with the same functions as LoopEnergies.
///
/// Energies are those of LoopEnergies, with one difference: the logarithm in the energy of a loop of more than max_loop
/// bases is not rounded to 0.01 kcal/mol.
class LoopWeights {
 public:
  explicit LoopWeights(const LoopEnergies& energies);

  [[nodiscard]] std::size_t kind(std::size_t i, std::size_t j) const { return energies_.kind(i, j); }
  [[nodiscard]] bool is_free(std::size_t first, std::size_t last) const { return energies_.is_free(first, last); }
  [[nodiscard]] double hairpin(std::size_t i, std::size_t j) const {
    return of(energies_.hairpin(i, j)) * long_loop_[j - i - 1];
  }
  [[nodiscard]] double interior(std::size_t i, std::size_t j, std::size_t p, std::size_t q) const {
    return of(energies_.interior(i, j, p, q));
  }
  [[nodiscard]] double multi_closing(std::size_t i, std::size_t j) const { return of(energies_.multi_closing(i, j)); }
  [[nodiscard]] double multi_branch(std::size_t i, std::size_t j) const { return of(energies_.multi_branch(i, j)); }
  [[nodiscard]] double multi_base() const { return multi_base_; }
  [[nodiscard]] double exterior(std::size_t i, std::size_t j) const { return of(energies_.exterior(i, j)); }
  [[nodiscard]] double loop(LoopKind kind, std::size_t left, std::size_t right) const {
    return of(energies_.loop(kind, left, right));
  }
  [[nodiscard]] double outer(LoopKind kind, std::size_t i, std::size_t j) const {
    return of(energies_.outer(kind, i, j));
  }
  [[nodiscard]] double inner(LoopKind kind, std::size_t p, std::size_t q) const {
    return of(energies_.inner(kind, p, q));
  }
  template <std::size_t left, std::size_t right>
  [[nodiscard]] double small_loop(std::size_t i, std::size_t j) const {
    return of(energies_.small_loop<left, right>(i, j));
  }

  [[nodiscard]] const LoopEnergies& energies() const { return energies_; }
  [[nodiscard]] const Sequence& sequence() const { return energies_.sequence(); }
  [[nodiscard]] std::size_t size() const { return energies_.size(); }

 private:
  static constexpr Energy listed = 4096;

  [[nodiscard]] double of(Energy energy) const {
    if (energy > -listed && energy < listed) return weights_[static_cast<std::size_t>(energy + listed)];
    return energy >= no_loop ? 0 : computed(energy);
  }
  [[nodiscard]] double computed(double energy) const { return std::exp(-energy / (100 * energies_.kt())); }

  const LoopEnergies& energies_;
  std::vector<double> weights_;    ///< of the energies -listed to listed
  std::vector<double> long_loop_;  ///< what rounding takes from a hairpin, by its bases
  double multi_base_;
};

}  // namespace warpfold::rna
