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
      bases_(sequence.bases().data()),
      size_(sequence.size()),
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
  for (std::size_t size = 0; size < std::max(sequence.size(), max_special_hairpin + 1); ++size) {
    hairpin_initiation_.push_back(initiation_of_hairpin(size));
  }
  list_ends();
}

void LoopEnergies::list_ends() {
  for (std::size_t pair = 0; pair < any_kinds_.size(); ++pair) {
    const std::size_t kind = std::min(pair_kind(static_cast<Base>(pair / 5), static_cast<Base>(pair % 5)), pair_kinds - 1);
    any_kinds_[pair] = static_cast<Base>(kind);
    for (std::size_t beside = 0; beside < 25; ++beside) {
      const auto first = static_cast<Base>(beside / 5), second = static_cast<Base>(beside % 5);
      End& end = ends_[pair * 25 + beside];
      for (std::size_t of = 0; of < summed_kinds; ++of) end.of[of] = loop_end(LoopKind{of}, kind, first, second);
      end.of_23 = numbers_.mismatch_interior_23(kind, first, second);
      end.multi = multi_pair(kind, first, second);
    }
  }
}

Energy LoopEnergies::initiation_of_hairpin(std::size_t size) const {
  if (size <= max_loop) return numbers_.hairpin(size);
  const double ratio = static_cast<double>(size) / static_cast<double>(max_loop);
  return numbers_.hairpin(max_loop) + static_cast<Energy>(log_slope_ * std::log(ratio));
}

double LoopEnergies::lost_of_long_loop(std::size_t size) const {
  const double energy = log_slope_ * std::log(static_cast<double>(size) / static_cast<double>(max_loop));
  return energy - std::trunc(energy);
}

Energy LoopEnergies::small_hairpin(std::size_t i, std::size_t j) const {
  const std::size_t size = j - i - 1;
  const auto& special = numbers_.special_hairpins;
  const auto found = special.find(std::string_view(sequence_.letters()).substr(i, size + 2));
  if (found != special.end()) return found->second;
  if (size == 3) return hairpin_initiation_[3] + terminal_au(pair(i, j));
  return hairpin_initiation_[size] + numbers_.mismatch_hairpin(pair(i, j), bases_[i + 1], bases_[j - 1]);
}

Energy LoopEnergies::interior(std::size_t i, std::size_t j, std::size_t p, std::size_t q) const {
  const std::size_t left = p - i - 1, right = j - q - 1;
  const LoopKind kind = loop_kind(left, right);
  if (kind != LoopKind::small) return loop(kind, left, right) + outer(kind, i, j) + inner(kind, p, q);
  Energy energy = no_loop;
  for_small_loops([&](auto on_left, auto on_right) {
    if (on_left == left && on_right == right) energy = small_loop<on_left(), on_right()>(i, j);
  });
  return energy;
}

Energy LoopEnergies::exterior(std::size_t i, std::size_t j) const {
  const std::size_t kind = pair(i, j);
  const bool has_left = i > 0, has_right = j + 1 < sequence_.size();
  const Energy energy = terminal_au(kind);
  if (dangles_ == 0 || (!has_left && !has_right)) return energy;
  if (!has_right) return energy + numbers_.dangle5(kind, bases_[i - 1]);
  if (!has_left) return energy + numbers_.dangle3(kind, bases_[j + 1]);
  return energy + numbers_.mismatch_exterior(kind, bases_[i - 1], bases_[j + 1]);
}

}  // namespace warpfold::rna
