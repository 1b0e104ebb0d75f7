#pragma once

#include <cstdint>
#include <vector>

#include "sequence/batch/team.hpp"

namespace warpfold::sequence::batch {

/// The distances of A[i] and B[i] for all i. Pairs of similar lengths share vectors.
[[nodiscard]] std::vector<std::uint32_t> distances_of_pairs(List a, List b, const BatchRequest& request, Batch& batch);

}  // namespace warpfold::sequence::batch
