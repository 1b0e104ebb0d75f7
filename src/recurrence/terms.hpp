#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "recurrence/kernels.hpp"
#include "warpfold/recurrence/problem.hpp"

namespace warpfold::recurrence {

/// A problem's terms in ascending order: all of them, and separately by the residue of the offset modulo the lanes of a
/// vector. Terms of one residue load from one alignment, so one shifted copy of the older values serves them all.
template <class T, class P>
struct TermTable {
  TermTable(const Problem<P>& problem, std::size_t lane_count) : lanes(lane_count), residues(lane_count) {
    const auto offsets = problem.offsets();
    for (std::size_t j = offsets.size(); j-- > 0;) {
      const auto offset = static_cast<std::int32_t>(offsets[j]);
      ascending.push_back(offset);
      ascending_weights.push_back(problem.weight(j));
      Residue& residue = residues[static_cast<std::size_t>(offset) % lanes];
      residue.offsets.push_back(offset);
      residue.weights.push_back(static_cast<T>(problem.weight(j)));
    }
  }

  /// The index of the first term whose offset is at least this.
  [[nodiscard]] std::size_t first_at_least(std::size_t offset) const { return lower_bound(ascending, offset); }

  /// Indices [first, second) of the terms with least <= offset <= most.
  [[nodiscard]] std::pair<std::size_t, std::size_t> within(std::size_t least, std::size_t most) const {
    return {first_at_least(least), first_at_least(most + 1)};
  }

  /// The terms of one residue with least <= offset <= most.
  [[nodiscard]] cpu::Terms<T> of(std::size_t residue, std::size_t least, std::size_t most) const {
    const Residue& all = residues[residue];
    const std::size_t first = lower_bound(all.offsets, least);
    const std::size_t last = lower_bound(all.offsets, most + 1);
    return {all.offsets.data() + first, all.weights.data() + first, last - first};
  }

  struct Residue {
    std::vector<std::int32_t> offsets;
    std::vector<T> weights;
  };
  std::size_t lanes;
  std::vector<std::int32_t> ascending;
  std::vector<P> ascending_weights;
  std::vector<Residue> residues;

 private:
  static std::size_t lower_bound(const std::vector<std::int32_t>& offsets, std::size_t offset) {
    const auto found = std::lower_bound(offsets.begin(), offsets.end(), offset,
                                        [](std::int32_t a, std::size_t b) { return static_cast<std::size_t>(a) < b; });
    return static_cast<std::size_t>(found - offsets.begin());
  }
};

}  // namespace warpfold::recurrence
