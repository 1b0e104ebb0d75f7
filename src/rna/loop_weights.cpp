#include "rna/loop_weights.hpp"

namespace warpfold::rna {

LoopWeights::LoopWeights(const LoopEnergies& energies)
    : energies_(energies), weights_(2 * listed + 1), long_loop_(energies.sequence().size() + 1, 1.0) {
  for (Energy energy = -listed; energy <= listed; ++energy) {
    weights_[static_cast<std::size_t>(energy + listed)] = computed(energy);
  }
  for (std::size_t size = max_loop + 1; size < long_loop_.size(); ++size) {
    long_loop_[size] = computed(energies_.lost_of_long_loop(size));
  }
  multi_base_ = of(energies_.multi_base());
}

}  // namespace warpfold::rna
