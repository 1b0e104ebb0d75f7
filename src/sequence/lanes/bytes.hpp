#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "warpfold/run/budget.hpp"
#include "warpfold/sequence/batch.hpp"

namespace warpfold::sequence::lanes {

/// Two lists of sequences whose symbols are bytes: the caller's, or copies with a byte for each of the symbols.
class Bytes {
 public:
  /// Nothing if there are more than 256 symbols. Copies are reserved from the budget.
  [[nodiscard]] static std::optional<Bytes> of(std::span<const SymbolView> a, std::span<const SymbolView> b,
                                               Budget& budget);

  [[nodiscard]] std::span<const SymbolView> a() const { return a_; }
  [[nodiscard]] std::span<const SymbolView> b() const { return b_; }

 private:
  std::span<const SymbolView> a_, b_;
  std::vector<SymbolView> copied_a_, copied_b_;
  std::vector<std::uint8_t> symbols_;
  Budget::Reservation taken_;
};

}  // namespace warpfold::sequence::lanes
