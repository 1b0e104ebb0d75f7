#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "warpfold/rna/sequence.hpp"

namespace warpfold::rna {

/// What a constraint says of one base.
struct ConstraintPlace {
  bool opens = true, closes = true;
  std::size_t partner = 0;  ///< the number of a pair that has to be there, else 0
};

/// A constraint, wherever its lists are.
struct ConstraintView {
  const ConstraintPlace* places = nullptr;  ///< of each base, if there is a constraint
  const std::size_t* forced = nullptr;      ///< how many of the first bases have to pair, if any has to

  /// Whether bases i < j may pair with each other.
  [[nodiscard]] constexpr bool may_pair(std::size_t i, std::size_t j) const {
    return !places || (places[i].opens && places[j].closes && places[i].partner == places[j].partner);
  }
  /// Whether none of the bases first .. last-1 has to pair.
  [[nodiscard]] constexpr bool is_free(std::size_t first, std::size_t last) const {
    if (!forced) [[likely]]
      return true;
    return first >= last || forced[first] == forced[last];
  }
};

/// What a structure must satisfy at each base: a text with a character for each (FoldRequest::constraint).
class Constraint {
 public:
  /// No constraint for an empty text. Raises Error{input} for another length, for other characters, for brackets
  /// without a partner, and for bases that do not pair.
  Constraint(const Sequence& sequence, std::string_view text);

  [[nodiscard]] const std::vector<ConstraintPlace>& places() const { return places_; }  ///< none, or of each base
  [[nodiscard]] const std::vector<std::size_t>& forced() const { return forced_; }      ///< as in ConstraintView

 private:
  std::vector<ConstraintPlace> places_;
  std::vector<std::size_t> forced_;
};

}  // namespace warpfold::rna
