#include "rna/loop_weights.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "warpfold/core/error.hpp"

namespace warpfold::rna {

namespace {

/// The energies of weights of 2^-121 to 2^121: more than are accepted.
Energy listed_energies(double kt) { return static_cast<Energy>(std::ceil(121 * std::numbers::ln2 * 100 * kt)); }

}  // namespace

LoopWeightView::LoopWeightView(const LoopEnergyView& energies, double kt)
    : energies_(energies), unit_(100 * kt), listed_(listed_energies(kt)) {}

LoopWeights::LoopWeights(const LoopEnergies& energies)
    : LoopWeightView(energies, energies.kt()),
      energies_on_host_(energies),
      weight_list_(2 * static_cast<std::size_t>(listed_) + 2),
      long_loop_list_(energies.sequence().size() + 1, 1.0) {
  for (Energy energy = -listed_; energy <= listed_; ++energy) {
    weight_list_[static_cast<std::size_t>(energy + listed_)] = computed(energy);
  }
  for (std::size_t size = max_loop + 1; size < long_loop_list_.size(); ++size) {
    long_loop_list_[size] = computed(energies.lost_of_long_loop(size));
  }
  weights_ = weight_list_.data();
  long_loop_ = long_loop_list_.data();
  multi_base_ = of(energies.multi_base());
}

std::size_t LoopWeights::bytes(std::size_t bases, double kt) {
  return (2 * static_cast<std::size_t>(listed_energies(kt)) + 2 + bases + 1) * sizeof(double);
}

void check_weights(const LoopWeights& weights, double temperature) {
  const Energy least = std::ranges::min(weights.energies().lists().numbers->stack.values);
  if (!std::isinf(weights.of(least))) return;
  throw Error(ErrorKind::input,
              fmt::format("the weights of structures at {} degrees Celsius leave the range: higher temperatures are "
                          "accepted",
                          temperature));
}

}  // namespace warpfold::rna
