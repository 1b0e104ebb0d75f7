#pragma once

#include <optional>
#include <vector>

#include "sequence/batch/team.hpp"
#include "warpfold/sequence/script.hpp"

namespace warpfold::sequence::batch {

/// Finds the scripts of A[i] and B[i] on the batch's GPU, for all i; absent if the distance exceeds the bound.
[[nodiscard]] std::vector<std::optional<Script>> scripts_on_gpu(List a, List b, const BatchRequest& request, Ties ties,
                                                                Batch& batch);
/// The script of one pair, by the options.
[[nodiscard]] std::optional<Script> script_of_pair(const SymbolView& a, const SymbolView& b,
                                                   const BatchRequest& request, Ties ties, const Options& options);

}  // namespace warpfold::sequence::batch
