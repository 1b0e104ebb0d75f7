#pragma once

#include <functional>
#include <random>
#include <string>
#include <vector>

#include "rna/loop_energies.hpp"
#include "warpfold/core/error.hpp"

/// Drawn sequences and parameters, and all structures of short sequences.
namespace warpfold::rna::test {

inline std::string random_sequence(std::mt19937& random, std::size_t size, const std::string& letters) {
  std::string sequence;
  for (std::size_t t = 0; t < size; ++t) sequence += letters[random() % letters.size()];
  return sequence;
}

/// Parameters in which every number differs from the others: a wrong index changes an energy.
inline Parameters drawn_parameters(unsigned seed) {
  Parameters all = rules_1998();
  std::mt19937 random(seed);
  std::apply(
      [&](auto&... grid) {
        const auto draw = [&](auto& one) {
          for (Energy& energy : one.values) {
            if (energy < no_loop) energy += static_cast<Energy>(random() % 200) - 100;
          }
        };
        (draw(grid), ...);
      },
      all.at_37.grids());
  all.at_37.special_hairpins = all.enthalpy.special_hairpins = {{"GAAAC", -250}, {"CGAAAG", -300}, {"GUGUGUGC", 90}};
  return all;
}

/// Calls expect(sequence, parameters, request) for sequences of lengths around those of tiles, with requests for which
/// rows are closed by vector code. The shortest has `least` bases.
template <class Expect>
void each_request_of_rows(unsigned seed, std::size_t least, const Expect& expect) {
  std::mt19937 random(seed);
  for (const std::size_t size : {least, std::size_t{5}, std::size_t{62}, std::size_t{63}, std::size_t{64},
                                 std::size_t{65}, std::size_t{129}, std::size_t{200}}) {
    for (const char* letters : {"ACGU", "GU", "ACGUN"}) {
      const Sequence sequence(random_sequence(random, size, letters));
      const Parameters parameters = drawn_parameters(static_cast<unsigned>(size));
      FoldRequest request{.dangles = size % 2 == 0 ? 0 : 2};
      if (size % 3 == 2) request.max_span = size / 2 + 1;
      if (size % 3 == 0) {
        for (std::size_t t = 0; t < size; ++t) request.stack_energies.push_back(static_cast<Energy>(random() % 200));
      }
      expect(sequence, parameters, request);
    }
  }
}

/// Sequences of `shortest` bases, of `more` bases more, and so on, with constraints that ask for nothing.
struct GrowingBatch {
  std::vector<Sequence> sequences;
  std::vector<std::string> constraints;

  GrowingBatch(std::mt19937& random, std::size_t count, std::size_t shortest, std::size_t more) {
    for (std::size_t t = 0; t < count; ++t) {
      sequences.emplace_back(random_sequence(random, shortest + more * t, "ACGU"));
      constraints.emplace_back(sequences[t].size(), '.');
    }
  }
};

/// A constraint that structures of some sequences satisfy: mostly dots.
inline std::string random_constraint(std::mt19937& random, std::size_t size) {
  std::string constraint(size, '.');
  for (std::size_t t = 0; t < 1 + size / 12; ++t) constraint[random() % size] = "x|<>"[random() % 4];
  return constraint;
}

/// Calls visit(structure, energy) for every structure of a sequence that the request allows.
inline void for_each_structure(const Sequence& sequence, const Parameters& parameters, const FoldRequest& request,
                               const std::function<void(const std::string&, Energy)>& visit) {
  const LoopEnergies energies(sequence, parameters, request);
  std::string structure(sequence.size(), '.');
  std::vector<std::size_t> open;
  const auto visit_allowed = [&] {
    Energy energy = 0;
    try {
      energy = energy_of(sequence, structure, parameters, request);
    } catch (const Error&) {
      return;  // the request forbids it
    }
    visit(structure, energy);
  };
  const std::function<void(std::size_t)> go = [&](std::size_t at) {
    if (at == sequence.size()) {
      if (open.empty()) visit_allowed();
      return;
    }
    go(at + 1);
    structure[at] = '(';
    open.push_back(at);
    go(at + 1);
    open.pop_back();
    structure[at] = '.';
    if (open.empty() || energies.kind(open.back(), at) == pair_kinds) return;
    const std::size_t first = open.back();
    open.pop_back();
    structure[at] = ')';
    go(at + 1);
    structure[at] = '.';
    open.push_back(first);
  };
  go(0);
}

}  // namespace warpfold::rna::test
