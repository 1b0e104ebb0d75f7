#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "warpfold/sequence/batch.hpp"
#include "warpfold/sequence/symbols.hpp"

/// One pair of a batch.
namespace warpfold::sequence::batch {

using List = std::span<const SymbolView>;
using Positions = std::vector<std::uint32_t>;

/// Raises Error{input} unless both lists have as many sequences.
void check_pairs(List a, List b);

/// The pair in a common alphabet.
[[nodiscard]] Coded coded(const SymbolView& a, const SymbolView& b);
[[nodiscard]] double cells_of(const SymbolView& a, const SymbolView& b);

/// No distance of two sequences of these lengths is less.
[[nodiscard]] std::uint64_t least_distance(std::size_t n, std::size_t m);
/// Whether the lengths tell the distance, or that it is beyond the bound.
[[nodiscard]] bool is_known(std::size_t n, std::size_t m, const BatchRequest& request);
/// By the lengths if they tell it, by words, or if both are long as `edit_distance` does.
[[nodiscard]] std::uint32_t distance_of_pair(const SymbolView& a, const SymbolView& b, const BatchRequest& request,
                                             const Options& options);
/// The time that words take.
[[nodiscard]] double seconds_of_words(std::size_t n, std::size_t m, Measure measure);

}  // namespace warpfold::sequence::batch
