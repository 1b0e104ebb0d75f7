#pragma once

#include "warpfold/interval/matrix_chain.hpp"
#include "warpfold/run/backend.hpp"

namespace warpfold::interval {

/// A chain by the tiled dynamic program in T: int32_t, int64_t, float or double.
template <class T>
[[nodiscard]] ChainSolution chain_by_dp(const MatrixChain& chain, bool on_gpu, Context& context);

}  // namespace warpfold::interval
