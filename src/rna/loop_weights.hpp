#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "rna/loop_energies.hpp"

namespace warpfold::rna {

/// The Boltzmann factors of the loops of one sequence: exp(-energy / kT), with the same functions as LoopEnergyView,
/// wherever their lists are. Hosts and devices run the same functions.
///
/// Energies are those of LoopEnergies, with one difference: the logarithm in the energy of a loop of more than max_loop
/// bases is not rounded to 0.01 kcal/mol.
class LoopWeightView {
 public:
  /// The same weights with lists elsewhere.
  LoopWeightView(const LoopWeightView& other, const LoopEnergyView& energies, const double* weights,
                 const double* long_loop)
      : LoopWeightView(other) {
    energies_ = energies;
    weights_ = weights;
    long_loop_ = long_loop;
  }

  [[nodiscard]] constexpr std::size_t kind(std::size_t i, std::size_t j) const { return energies_.kind(i, j); }
  [[nodiscard]] constexpr bool is_free(std::size_t first, std::size_t last) const {
    return energies_.is_free(first, last);
  }
  [[nodiscard]] constexpr double hairpin(std::size_t i, std::size_t j) const {
    return of(energies_.hairpin(i, j)) * long_loop_[j - i - 1];
  }
  [[nodiscard]] constexpr double interior(std::size_t i, std::size_t j, std::size_t p, std::size_t q) const {
    return of(energies_.interior(i, j, p, q));
  }
  [[nodiscard]] constexpr double multi_closing(std::size_t i, std::size_t j) const {
    return of(energies_.multi_closing(i, j));
  }
  [[nodiscard]] constexpr double multi_branch(std::size_t i, std::size_t j) const {
    return of(energies_.multi_branch(i, j));
  }
  [[nodiscard]] constexpr bool has_neighbors(std::size_t i, std::size_t j) const {
    return energies_.has_neighbors(i, j);
  }
  [[nodiscard]] constexpr double multi_ends() const { return of(energies_.multi_ends()); }
  [[nodiscard]] constexpr double multi_base() const { return multi_base_; }
  [[nodiscard]] constexpr double exterior(std::size_t i, std::size_t j) const { return of(energies_.exterior(i, j)); }
  [[nodiscard]] constexpr double loop(LoopKind kind, std::size_t left, std::size_t right) const {
    return of(energies_.loop(kind, left, right));
  }
  [[nodiscard]] constexpr double outer(LoopKind kind, std::size_t i, std::size_t j) const {
    return of(energies_.outer(kind, i, j));
  }
  [[nodiscard]] constexpr double inner(LoopKind kind, std::size_t p, std::size_t q) const {
    return of(energies_.inner(kind, p, q));
  }
  template <std::size_t left, std::size_t right>
  [[nodiscard]] constexpr double small_loop(std::size_t i, std::size_t j) const {
    return of(energies_.small_loop<left, right>(i, j));
  }
  [[nodiscard]] constexpr std::size_t size() const { return energies_.size(); }
  [[nodiscard]] constexpr const LoopEnergyView& energies() const { return energies_; }

  /// The weight of an energy. Those that are not listed are not accepted as weights (ScaledSum).
  [[nodiscard]] constexpr double of(Energy energy) const {
    if (energy > -listed_ && energy < listed_) return weights_[static_cast<std::size_t>(energy + listed_)];
    return energy >= no_loop ? 0 : computed(energy);
  }
  /// The same for an energy that is listed or no loop's, without a branch: the last weight of the list is 0.
  [[nodiscard]] constexpr double of_listed(Energy energy) const {
    return weights_[static_cast<std::size_t>((energy < listed_ ? energy : listed_ + 1) + listed_)];
  }
  /// What rounding takes from a hairpin of so many bases.
  [[nodiscard]] constexpr const double* long_loops() const { return long_loop_; }
  /// The weight of energy 0, with those of other energies beside it; after that of listed() is one of 0.
  [[nodiscard]] constexpr const double* weight_of_none() const { return weights_ + listed_; }
  /// Energies between minus this and this are listed.
  [[nodiscard]] constexpr Energy listed() const { return listed_; }

 protected:
  LoopWeightView(const LoopEnergyView& energies, double kt);

  [[nodiscard]] constexpr double computed(double energy) const { return std::exp(-energy / unit_); }

  LoopEnergyView energies_;
  double unit_;                        ///< 100 kT, in kcal/mol
  Energy listed_;                      ///< more than the energy of the largest and of the smallest weight
  const double* weights_ = nullptr;    ///< of the energies -listed to listed
  const double* long_loop_ = nullptr;  ///< what rounding takes from a hairpin, by its bases
  double multi_base_ = 0;
};

/// These weights with their lists.
class LoopWeights : public LoopWeightView {
 public:
  explicit LoopWeights(const LoopEnergies& energies);
  LoopWeights(const LoopWeights&) = delete;
  LoopWeights& operator=(const LoopWeights&) = delete;

  [[nodiscard]] const LoopEnergies& energies() const { return energies_on_host_; }
  [[nodiscard]] const Sequence& sequence() const { return energies().sequence(); }

  /// The same weights with their lists elsewhere: `copied(span)` copies a list and returns where the copy is.
  template <class Copied>
  [[nodiscard]] LoopWeightView copied_by(const Copied& copied) const {
    return {*this, energies().copied_by(copied), copied(std::span(weight_list_)), copied(std::span(long_loop_list_))};
  }
  /// The bytes of the lists of weights for so many bases at this temperature.
  static std::size_t bytes(std::size_t bases, double kt);

 private:
  const LoopEnergies& energies_on_host_;
  std::vector<double> weight_list_, long_loop_list_;
};

/// Raises Error{input} if the temperature is so low that the weight of a stack is infinite.
void check_weights(const LoopWeights& weights, double temperature);

}  // namespace warpfold::rna
