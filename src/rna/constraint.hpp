#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "warpfold/rna/sequence.hpp"

namespace warpfold::rna {

/// What a structure must satisfy at each base: a text with a character for each (FoldRequest::constraint).
class Constraint {
 public:
  /// No constraint for an empty text. Raises Error{input} for another length, for other characters, for brackets
  /// without a partner, and for bases that do not pair.
  Constraint(const Sequence& sequence, std::string_view text);

  /// Whether bases i < j may pair with each other.
  [[nodiscard]] bool may_pair(std::size_t i, std::size_t j) const {
    return places_.empty() || (places_[i].opens && places_[j].closes && places_[i].partner == places_[j].partner);
  }
  /// Whether none of the bases first .. last-1 has to pair.
  [[nodiscard]] bool is_free(std::size_t first, std::size_t last) const {
    return forced_.empty() || first >= last || forced_[first] == forced_[last];
  }

 private:
  struct Place {
    bool opens = true, closes = true;
    std::size_t partner = 0;  ///< the number of a pair that has to be there, else 0
  };

  std::vector<Place> places_;        ///< of each base, if there is a constraint
  std::vector<std::size_t> forced_;  ///< how many of the first bases have to pair, if any has to
};

}  // namespace warpfold::rna
