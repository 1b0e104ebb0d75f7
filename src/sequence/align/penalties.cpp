#include "sequence/align/penalties.hpp"

#include <numeric>

namespace warpfold::sequence::alignment {

std::optional<Penalties> penalties_of(const Size& size) {
  const GapCosts& gaps = size.request.gaps;
  if (size.has_matrix || gaps.second || size.request.ends != global_ends) return {};
  Penalties penalties{2 * (size.match - size.mismatch), 2 * gaps.open, 2 * gaps.extend + size.match, 1, size.match};
  if (penalties.substitution <= 0 || penalties.extend <= 0) return {};
  penalties.unit = std::gcd(std::gcd(penalties.substitution, penalties.open), penalties.extend);
  penalties.substitution /= penalties.unit;
  penalties.open /= penalties.unit;
  penalties.extend /= penalties.unit;
  return penalties;
}

}  // namespace warpfold::sequence::alignment
