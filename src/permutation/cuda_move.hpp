#pragma once

#include "warpfold/permutation/move.hpp"

namespace warpfold::permutation::cuda {

/// `permutation::move_words` on the first GPU of options.device. The algorithm is one of `move_algorithms`.
Moved move_words(std::span<const std::uint32_t> permutation, std::size_t word_bytes, const std::byte* from,
                 std::byte* to, const Options& options);
/// The same by a plan, and the plan that it makes.
Moved move_words(const StoredPlan& plan, std::size_t word_bytes, const std::byte* from, std::byte* to,
                 const Options& options);
StoredPlan stored_plan(std::span<const std::uint32_t> permutation, std::size_t word_bytes, const Options& options);

}  // namespace warpfold::permutation::cuda
