#include "rna/loop_energies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

#include "warpfold/core/error.hpp"

namespace warpfold::rna {

namespace {

constexpr double gas_constant = 1.98717e-3;  // kcal/mol/K

/// An energy at the temperature that is `ratio` times 37 degrees Celsius, both absolute. Rounds towards zero.
Energy at_ratio(Energy at_37, Energy enthalpy, double ratio) {
  if (at_37 >= no_loop) return at_37;
  return static_cast<Energy>(enthalpy - (enthalpy - at_37) * ratio);
}

LoopNumbers numbers_at(const Parameters& parameters, double ratio) {
  LoopNumbers numbers = parameters.at_37;
  if (ratio == 1) return numbers;
  LoopNumbers enthalpy = parameters.enthalpy;
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

/// Raises Error{input} for an energy of the caller's own that is too large. `name()`: what it is.
template <class Name>
void check_own_energy(Energy energy, const Name& name) {
  constexpr Energy most = 10'000;
  if (energy >= -most && energy <= most) return;
  throw Error(ErrorKind::input,
              fmt::format("the {} is {}: {} to {} in 0.01 kcal/mol is accepted", name(), energy, -most, most));
}

}  // namespace

EnergyTables::EnergyTables(const Parameters& parameters, const FoldRequest& request)
    : numbers_(numbers_at(parameters, (request.temperature - absolute_zero) / (37 - absolute_zero))),
      log_slope_(parameters.log_slope * (request.temperature - absolute_zero) / (37 - absolute_zero)),
      kt_(gas_constant * (request.temperature - absolute_zero)),
      max_asymmetry_(parameters.max_asymmetry) {
  if (!(request.temperature > absolute_zero) || request.temperature > highest_temperature) {
    throw Error(ErrorKind::usage, fmt::format("the temperature is {}: a number above {} and up to {} is accepted",
                                              request.temperature, absolute_zero, highest_temperature));
  }
  if (request.dangles != 0 && request.dangles != 2) {
    throw Error(ErrorKind::usage, fmt::format("dangles is {}: 0 and 2 are accepted", request.dangles));
  }
  cap_at_zero(numbers_.mismatch_multi);
  cap_at_zero(numbers_.mismatch_exterior);
  cap_at_zero(numbers_.dangle5);
  cap_at_zero(numbers_.dangle3);
  constexpr Base bases = 5;
  for (Base i = 0; i < bases; ++i) {
    for (Base j = 0; j < bases; ++j) {
      const std::size_t kind = std::min(pair_kind(i, j), pair_kinds - 1);
      any_kinds_.push_back(static_cast<Base>(kind));
      for (Base first = 0; first < bases; ++first) {
        for (Base second = 0; second < bases; ++second) ends_.push_back(end_of(request.dangles, kind, first, second));
      }
    }
  }
}

/// What a pair of this kind adds to a loop, with the bases beside it.
LoopEnd EnergyTables::end_of(int dangles, std::size_t kind, Base first, Base second) const {
  const Energy terminal_au = kind >= 2 ? numbers_.terminal_au(0) : 0;
  LoopEnd end{};
  end.of[static_cast<std::size_t>(LoopKind::bulge)] = terminal_au;
  end.of[static_cast<std::size_t>(LoopKind::one_by_more)] = numbers_.mismatch_interior_1n(kind, first, second);
  end.of[static_cast<std::size_t>(LoopKind::generic)] = numbers_.mismatch_interior(kind, first, second);
  end.of_23 = numbers_.mismatch_interior_23(kind, first, second);
  end.multi = numbers_.multi_branch(0) + terminal_au;
  end.exterior = terminal_au;
  if (dangles == 0) return end;
  end.multi += numbers_.mismatch_multi(kind, first, second);
  end.exterior += numbers_.mismatch_exterior(kind, first, second);
  return end;
}

LoopEnergies::LoopEnergies(const Sequence& sequence, const Parameters& parameters, const FoldRequest& request,
                           std::shared_ptr<const EnergyTables> shared)
    : sequence_(sequence),
      constraint_list_(sequence, request.constraint),
      shared_(shared ? std::move(shared) : std::make_shared<const EnergyTables>(parameters, request)) {
  if (request.circular && request.max_span > 0) {
    throw Error(ErrorKind::usage,
                fmt::format("max_span is {}: of a circular sequence 0, no limit, is accepted", request.max_span));
  }
  if (request.circular && !request.lone_pairs) {
    throw Error(ErrorKind::usage, "lone_pairs is false: of a circular sequence true is accepted");
  }
  circular_ = request.circular;
  size_ = sequence.size();
  max_asymmetry_ = shared_->max_asymmetry();
  dangles_ = request.dangles;
  max_span_ = request.max_span == 0 ? std::numeric_limits<std::size_t>::max() : request.max_span;
  for (std::size_t size = 0; size < std::max(size_, max_special_hairpin + 1); ++size) {
    initiation_list_.push_back(initiation_of_hairpin(size));
  }
  const auto& places = constraint_list_.places();
  const auto& forced = constraint_list_.forced();
  lists_ = {sequence.bases().data(),
            &shared_->numbers(),
            initiation_list_.data(),
            nullptr,
            {places.empty() ? nullptr : places.data(), forced.empty() ? nullptr : forced.data()},
            shared_->ends().data(),
            shared_->any_kinds().data()};
  list_stack_energies(request);
  list_pair_energies(request);
  list_small_hairpins();
}

void LoopEnergies::describe(std::size_t i, std::vector<std::byte>& bytes) const {
  const auto append = [&](const auto&... numbers) {
    const auto one = [&](const auto& number) {
      const auto all = std::as_bytes(std::span(&number, 1));
      bytes.insert(bytes.end(), all.begin(), all.end());
    };
    (one(numbers), ...);
  };
  if (i == 0) {
    LoopNumbers numbers = shared_->numbers();
    std::apply([&](const auto&... grid) { append(grid.values...); }, numbers.grids());
    append(size_, max_asymmetry_, dangles_, max_span_, circular_);
  }
  if (i >= size_) return;
  append(lists_.bases[i], initiation_list_[i]);
  for (std::size_t size = 3; size <= max_special_hairpin; ++size) {
    if (i + size + 1 < size_) append(small_hairpin_list_[small_hairpin_place(i, size)]);
  }
  if (!stack_list_.empty()) append(stack_list_[i]);
  if (const auto& places = constraint_list_.places(); !places.empty()) {
    append(places[i].opens, places[i].closes, places[i].partner, constraint_list_.forced()[i]);
  }
  if (first_list_.empty()) return;
  for (std::size_t t = first_list_[i]; t < first_list_[i + 1]; ++t) append(pair_list_[t]);
}

void LoopEnergies::list_stack_energies(const FoldRequest& request) {
  stack_list_ = request.stack_energies;
  if (stack_list_.empty()) return;
  if (stack_list_.size() != size_) {
    throw Error(ErrorKind::input, fmt::format("{} stack energies are given for {} bases: one for each is accepted",
                                              stack_list_.size(), size_));
  }
  for (std::size_t t = 0; t < size_; ++t) {
    check_own_energy(stack_list_[t], [&] { return fmt::format("stack energy of base {}", t + 1); });
  }
  lists_.stack_energies = stack_list_.data();
}

void LoopEnergies::list_pair_energies(const FoldRequest& request) {
  if (request.pair_energies.empty()) return;
  pair_list_ = request.pair_energies;
  const auto bases = [](const PairEnergy& pair) { return std::pair(pair.i, pair.j); };
  std::ranges::sort(pair_list_, {}, bases);
  first_list_.assign(size_ + 1, 0);
  for (std::size_t t = 0; t < pair_list_.size(); ++t) {
    const auto [i, j, energy] = pair_list_[t];
    if (i >= j || j >= size_) {
      throw Error(ErrorKind::input,
                  fmt::format("pair_energies has the pair {}, {}, counted from 1: bases from 1 to {}, "
                              "the smaller first, are accepted",
                              i + 1, j + 1, size_));
    }
    if (t > 0 && bases(pair_list_[t - 1]) == bases(pair_list_[t])) {
      throw Error(ErrorKind::input,
                  fmt::format("pair_energies has the pair {}, {}, counted from 1, twice: one energy is accepted", i + 1,
                              j + 1));
    }
    check_own_energy(
        energy, [i = i, j = j] { return fmt::format("energy of the pair {}, {}, counted from 1,", i + 1, j + 1); });
    ++first_list_[i + 1];
  }
  std::partial_sum(first_list_.begin(), first_list_.end(), first_list_.begin());
  lists_.pair_energies = pair_list_.data();
  lists_.first_of_base = first_list_.data();
}

void LoopEnergies::list_small_hairpins() {
  small_hairpin_list_.assign(small_hairpin_place(size_, 3), no_loop);
  for (std::size_t i = 0; i < size_; ++i) {
    for (std::size_t size = 3; size <= max_special_hairpin && i + size + 1 < size_; ++size) {
      if (pair(i, i + size + 1) == pair_kinds) continue;
      small_hairpin_list_[small_hairpin_place(i, size)] = small_hairpin(i, size);
    }
  }
  lists_.small_hairpins = small_hairpin_list_.data();
}

Energy LoopEnergies::initiation_of_hairpin(std::size_t size) const {
  if (size <= max_loop) return shared_->numbers().hairpin(size);
  const double ratio = static_cast<double>(size) / static_cast<double>(max_loop);
  return shared_->numbers().hairpin(max_loop) + static_cast<Energy>(shared_->log_slope() * std::log(ratio));
}

double LoopEnergies::lost_of_long_loop(std::size_t size) const {
  const double energy = shared_->log_slope() * std::log(static_cast<double>(size) / static_cast<double>(max_loop));
  return energy - std::trunc(energy);
}

Energy LoopEnergies::small_hairpin(std::size_t i, std::size_t size) const {
  const std::size_t j = i + size + 1;
  const auto& special = shared_->numbers().special_hairpins;
  const auto found = special.find(std::string_view(sequence_.letters()).substr(i, size + 2));
  if (found != special.end()) return found->second;
  if (size == 3) return initiation_list_[3] + terminal_au(pair(i, j));
  return initiation_list_[size] +
         shared_->numbers().mismatch_hairpin(pair(i, j), lists_.bases[i + 1], lists_.bases[j - 1]);
}

}  // namespace warpfold::rna
