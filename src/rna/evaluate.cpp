#include <fmt/format.h>

#include <optional>
#include <string>

#include "rna/circular.hpp"
#include "rna/energy_text.hpp"
#include "rna/loop_energies.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/rna/fold.hpp"

namespace warpfold::rna {

namespace {

constexpr std::size_t unpaired = static_cast<std::size_t>(-1);

/// Adds up the loops of a structure: each is entered through the pair that closes it.
class Evaluation {
 public:
  Evaluation(const Sequence& sequence, std::string_view structure, const Parameters& parameters,
             const FoldRequest& request)
      : sequence_(sequence), energies_(sequence, parameters, request), partner_(structure.size(), unpaired) {
    if (request.circular) twice_.emplace(sequence, parameters, request);
    for (const auto& [i, j] : pairs_of(structure)) {
      if (energies_.kind(i, j) == pair_kinds) reject_pair(i, j);
      partner_[i] = j;
      partner_[j] = i;
    }
    for (std::size_t i = 0; i < partner_.size(); ++i) {
      if (partner_[i] == unpaired && !energies_.is_free(i, i + 1)) {
        throw Error(ErrorKind::input,
                    fmt::format("base {}, counted from 1, is unpaired: the constraint '{}' accepts a pair", i + 1,
                                request.constraint[i]));
      }
      if (!request.lone_pairs && is_lone(i)) {
        throw Error(ErrorKind::input,
                    fmt::format("the pair {}, {}, counted from 1, is alone: two pairs or more in a row are accepted",
                                i + 1, partner_[i] + 1));
      }
    }
  }

  [[nodiscard]] Energy energy() const {
    Energy sum = 0;
    for (std::size_t i = 0; i < partner_.size(); ++i) {
      if (partner_[i] != unpaired && partner_[i] > i) sum += loop_closed_by(i, partner_[i]);
    }
    const Pairs outside = branches(0, partner_.size());
    if (twice_) return sum + loop_through_ends(outside);
    for (const auto& [i, j] : outside) sum += energies_.exterior(i, j);
    return sum;
  }

 private:
  using Pairs = std::vector<std::pair<std::size_t, std::size_t>>;

  /// Whether the base pairs, and no pair is directly around its pair or directly inside.
  [[nodiscard]] bool is_lone(std::size_t i) const {
    const std::size_t j = partner_[i];
    if (j == unpaired) return false;
    const bool is_inside = i > 0 && j + 1 < partner_.size() && partner_[i - 1] == j + 1;
    const bool is_around = j > 0 && i + 1 < partner_.size() && partner_[i + 1] == j - 1;
    return !is_inside && !is_around;
  }
  [[noreturn]] void reject_pair(std::size_t i, std::size_t j) const {
    throw Error(ErrorKind::input, fmt::format("bases {} and {}, counted from 1, are {} and {}: CG, GC, GU, UG, AU and "
                                              "UA around at least 3 bases, within the "
                                              "span and the constraint, are accepted",
                                              i + 1, j + 1, sequence_.letters()[i], sequence_.letters()[j]));
  }

  /// The outermost pairs between two positions.
  [[nodiscard]] Pairs branches(std::size_t first, std::size_t last) const {
    Pairs found;
    for (std::size_t i = first; i < last; ++i) {
      if (partner_[i] == unpaired) continue;
      found.emplace_back(i, partner_[i]);
      i = partner_[i];
    }
    return found;
  }

  [[nodiscard]] Energy loop_closed_by(std::size_t i, std::size_t j) const {
    const Pairs inside = branches(i + 1, j);
    if (inside.empty()) return energies_.hairpin(i, j);
    if (inside.size() == 1) return interior(i, j, inside[0].first, inside[0].second);
    return energies_.multi_closing(i, j) + multiloop(inside, j - i - 1);
  }
  /// The branches of a multiloop, and the bases that are left of `bases`.
  [[nodiscard]] Energy multiloop(const Pairs& branches, std::size_t bases) const {
    Energy sum = 0;
    for (const auto& [p, q] : branches) {
      sum += energies_.multi_branch(p, q);
      bases -= q - p + 1;
    }
    return sum + static_cast<Energy>(bases) * energies_.multi_base();
  }
  /// The loop through the ends of a circular sequence, with the outermost pairs.
  [[nodiscard]] Energy loop_through_ends(const Pairs& outside) const {
    const std::size_t n = partner_.size();
    if (outside.empty()) return 0;
    const auto [i, j] = outside.front();
    const auto [p, q] = outside.back();
    if (outside.size() > 2) return energies_.multi_ends() + multiloop(outside, n);
    const std::size_t size = outside.size() == 1 ? n - (j - i + 1) : (p - j - 1) + (n - q - 1) + i;
    const LoopThroughEnds<LoopEnergies> loops(energies_, twice_->energies());
    if (outside.size() == 1 && size >= 3) return loops.hairpin(i, j);
    if (outside.size() == 2 && size <= max_loop) return loops.interior(i, j, p, q);
    throw Error(ErrorKind::input,
                fmt::format("the loop through the ends has {} unpaired bases: {} are accepted", size,
                            outside.size() == 1 ? std::string("3 or more") : fmt::format("up to {}", max_loop)));
  }
  [[nodiscard]] Energy interior(std::size_t i, std::size_t j, std::size_t p, std::size_t q) const {
    const std::size_t size = p - i - 1 + j - q - 1;
    if (size <= max_loop) return energies_.interior(i, j, p, q);
    throw Error(
        ErrorKind::input,
        fmt::format("the interior loop from {} to {}, counted from 1, has {} unpaired bases: up to {} are accepted",
                    i + 1, j + 1, size, max_loop));
  }

  const Sequence& sequence_;
  LoopEnergies energies_;
  std::optional<WrittenTwice> twice_;  ///< of a circular sequence
  std::vector<std::size_t> partner_;
};

}  // namespace

std::vector<std::pair<std::size_t, std::size_t>> pairs_of(std::string_view structure) {
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  std::vector<std::size_t> open;
  for (std::size_t j = 0; j < structure.size(); ++j) {
    if (structure[j] == '(') {
      open.push_back(pairs.size());
      pairs.emplace_back(j, unpaired);
    } else if (structure[j] == ')' && !open.empty()) {
      pairs[open.back()].second = j;
      open.pop_back();
    } else if (structure[j] != '.') {
      throw Error(ErrorKind::input,
                  fmt::format("position {}, counted from 1, is '{}': dots and matching brackets ( ) are accepted",
                              j + 1, structure[j]));
    }
  }
  if (!open.empty()) {
    throw Error(
        ErrorKind::input,
        fmt::format("position {}, counted from 1, is '(' without ')': dots and matching brackets ( ) are accepted",
                    pairs[open.back()].first + 1));
  }
  return pairs;
}

Energy energy_of(const Sequence& sequence, std::string_view structure, const Parameters& parameters,
                 const FoldRequest& request) {
  if (structure.size() != sequence.size()) {
    throw Error(ErrorKind::input, fmt::format("the structure has {} positions: {}, one for each base, are accepted",
                                              structure.size(), sequence.size()));
  }
  return Evaluation(sequence, structure, parameters, request).energy();
}

Verdict verify(const Sequence& sequence, const Folding& folding, const Parameters& parameters,
               const FoldRequest& request) {
  try {
    const Energy energy = energy_of(sequence, folding.structure, parameters, request);
    if (energy == folding.energy) return {};
    return wrong_cost(
        fmt::format("the energy is {}, its loops add up to {}", energy_text(folding.energy), energy_text(energy)));
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input) throw;
    return infeasible(error.what());
  }
}

}  // namespace warpfold::rna
