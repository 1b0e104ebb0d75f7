#include "rna/loop_energies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "warpfold/core/error.hpp"

namespace warpfold::rna {

namespace {

constexpr double absolute_zero = -273.15;
constexpr double gas_constant = 1.98717e-3;  // kcal/mol/K

/// An energy at the temperature that is `ratio` times 37 degrees Celsius, both absolute. Rounds towards zero.
Energy at_ratio(Energy at_37, Energy enthalpy, double ratio) {
  if (at_37 >= no_loop || ratio == 1) return at_37;
  return static_cast<Energy>(enthalpy - (enthalpy - at_37) * ratio);
}

LoopNumbers numbers_at(const Parameters& parameters, double ratio) {
  LoopNumbers numbers = parameters.at_37, enthalpy = parameters.enthalpy;
  const auto scale = [&](auto& grid, const auto& of_enthalpy) {
    for (std::size_t t = 0; t < grid.values.size(); ++t) {
      grid.values[t] = at_ratio(grid.values[t], of_enthalpy.values[t], ratio);
    }
  };
  std::apply([&](auto&... grid) { std::apply([&](auto&... other) { (scale(grid, other), ...); }, enthalpy.grids()); },
             numbers.grids());
  for (auto& [loop, energy] : numbers.special_hairpins) {
    energy = at_ratio(energy, enthalpy.special_hairpins.at(loop), ratio);
  }
  return numbers;
}

/// Dangling bases never destabilize.
template <std::size_t... sides>
void cap_at_zero(Grid<sides...>& grid) {
  for (Energy& energy : grid.values) energy = std::min<Energy>(energy, 0);
}

}  // namespace

LoopEnergies::LoopEnergies(const Sequence& sequence, const Parameters& parameters, const FoldRequest& request)
    : sequence_(sequence),
      constraint_(sequence, request.constraint),
      numbers_(numbers_at(parameters, (request.temperature - absolute_zero) / (37 - absolute_zero))),
      log_slope_(parameters.log_slope * (request.temperature - absolute_zero) / (37 - absolute_zero)),
      kt_(gas_constant * (request.temperature - absolute_zero)),
      max_asymmetry_(parameters.max_asymmetry),
      dangles_(request.dangles),
      max_span_(request.max_span == 0 ? std::numeric_limits<std::size_t>::max() : request.max_span) {
  if (!(request.temperature > absolute_zero) || request.temperature > 1000) {
    throw Error(ErrorKind::input, fmt::format("the temperature is {}: a number above {} and up to 1000 is accepted",
                                              request.temperature, absolute_zero));
  }
  if (request.dangles != 0 && request.dangles != 2) {
    throw Error(ErrorKind::usage, fmt::format("dangles is {}: 0 and 2 are accepted", request.dangles));
  }
  cap_at_zero(numbers_.mismatch_multi);
  cap_at_zero(numbers_.mismatch_exterior);
  cap_at_zero(numbers_.dangle5);
  cap_at_zero(numbers_.dangle3);
}

Energy LoopEnergies::initiation(const Grid<max_loop + 1>& listed, std::size_t size) const {
  if (size <= max_loop) return listed(size);
  const double ratio = static_cast<double>(size) / static_cast<double>(max_loop);
  return listed(max_loop) + static_cast<Energy>(log_slope_ * std::log(ratio));
}

double LoopEnergies::lost_of_long_loop(std::size_t size) const {
  const double energy = log_slope_ * std::log(static_cast<double>(size) / static_cast<double>(max_loop));
  return energy - std::trunc(energy);
}

Energy LoopEnergies::asymmetry(std::size_t left, std::size_t right) const {
  const std::size_t difference = std::max(left, right) - std::min(left, right);
  return std::min(max_asymmetry_, static_cast<Energy>(difference) * numbers_.asymmetry(0));
}

/// A pair that is not of C and G costs at the end of a helix.
Energy LoopEnergies::terminal_au(std::size_t kind) const { return kind >= 2 ? numbers_.terminal_au(0) : 0; }

Energy LoopEnergies::hairpin(std::size_t i, std::size_t j) const {
  const std::size_t size = j - i - 1;
  if (size <= 6) {
    const auto& special = numbers_.special_hairpins;
    const auto found = special.find(std::string_view(sequence_.letters()).substr(i, size + 2));
    if (found != special.end()) return found->second;
  }
  const std::size_t kind = pair_kind(sequence_[i], sequence_[j]);
  const Energy energy = initiation(numbers_.hairpin, size);
  if (size == 3) return energy + terminal_au(kind);
  return energy + numbers_.mismatch_hairpin(kind, sequence_[i + 1], sequence_[j - 1]);
}

Energy LoopEnergies::bulge(std::size_t size, std::size_t outer, std::size_t inner) const {
  const Energy energy = initiation(numbers_.bulge, size);
  if (size == 1) return energy + numbers_.stack(outer, inner);
  return energy + terminal_au(outer) + terminal_au(inner);
}

Energy LoopEnergies::interior(std::size_t i, std::size_t j, std::size_t p, std::size_t q) const {
  const std::size_t left = p - i - 1, right = j - q - 1;
  if (is_generic(left, right)) return generic_loop(left, right) + outer_mismatch(i, j) + inner_mismatch(p, q);
  return small_interior(i, j, p, q);
}

/// The loops that are not generic: stacks, bulges, one base on a side, 2 x 2 and 2 x 3.
Energy LoopEnergies::small_interior(std::size_t i, std::size_t j, std::size_t p, std::size_t q) const {
  const Sequence& s = sequence_;
  const std::size_t left = p - i - 1, right = j - q - 1, large = std::max(left, right), small = std::min(left, right);
  const std::size_t outer = pair_kind(s[i], s[j]), inner = pair_kind(s[q], s[p]);
  if (large == 0) return numbers_.stack(outer, inner);
  if (small == 0) return bulge(large, outer, inner);
  if (large == 1) return numbers_.interior_11(outer, inner, s[i + 1], s[j - 1]);
  if (small == 1 && large == 2) {
    if (left == 1) return numbers_.interior_21(outer, inner, s[i + 1], s[q + 1], s[j - 1]);
    return numbers_.interior_21(inner, outer, s[q + 1], s[i + 1], s[p - 1]);
  }
  if (large == 2) return numbers_.interior_22(outer, inner, s[i + 1], s[p - 1], s[q + 1], s[j - 1]);
  const auto& mismatch = small == 1 ? numbers_.mismatch_interior_1n : numbers_.mismatch_interior_23;
  return initiation(numbers_.interior, left + right) + asymmetry(left, right) + mismatch(outer, s[i + 1], s[j - 1]) +
         mismatch(inner, s[q + 1], s[p - 1]);
}

bool LoopEnergies::is_generic(std::size_t left, std::size_t right) {
  return std::min(left, right) >= 2 && left + right >= 6;
}
Energy LoopEnergies::generic_loop(std::size_t left, std::size_t right) const {
  return initiation(numbers_.interior, left + right) + asymmetry(left, right);
}
Energy LoopEnergies::outer_mismatch(std::size_t i, std::size_t j) const {
  return numbers_.mismatch_interior(pair_kind(sequence_[i], sequence_[j]), sequence_[i + 1], sequence_[j - 1]);
}
Energy LoopEnergies::inner_mismatch(std::size_t p, std::size_t q) const {
  return numbers_.mismatch_interior(pair_kind(sequence_[q], sequence_[p]), sequence_[q + 1], sequence_[p - 1]);
}

Energy LoopEnergies::multi_closing(std::size_t i, std::size_t j) const {
  const std::size_t kind = pair_kind(sequence_[j], sequence_[i]);
  const Energy mismatch = dangles_ == 0 ? 0 : numbers_.mismatch_multi(kind, sequence_[j - 1], sequence_[i + 1]);
  return numbers_.multi_closing(0) + numbers_.multi_branch(0) + terminal_au(kind) + mismatch;
}

Energy LoopEnergies::multi_branch(std::size_t i, std::size_t j) const {
  const std::size_t kind = pair_kind(sequence_[i], sequence_[j]);
  const Energy mismatch = dangles_ == 0 ? 0 : numbers_.mismatch_multi(kind, sequence_[i - 1], sequence_[j + 1]);
  return numbers_.multi_branch(0) + terminal_au(kind) + mismatch;
}

Energy LoopEnergies::exterior(std::size_t i, std::size_t j) const {
  const std::size_t kind = pair_kind(sequence_[i], sequence_[j]);
  const bool has_left = i > 0, has_right = j + 1 < sequence_.size();
  const Energy energy = terminal_au(kind);
  if (dangles_ == 0 || (!has_left && !has_right)) return energy;
  if (!has_right) return energy + numbers_.dangle5(kind, sequence_[i - 1]);
  if (!has_left) return energy + numbers_.dangle3(kind, sequence_[j + 1]);
  return energy + numbers_.mismatch_exterior(kind, sequence_[i - 1], sequence_[j + 1]);
}

}  // namespace warpfold::rna
