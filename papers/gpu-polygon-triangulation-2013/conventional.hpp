#pragma once

#include <cstddef>
#include <vector>

namespace warpfold::papers::gpu_polygon_2013 {

/// Section 2 on one CPU thread, the CPU row of Table 3: M(i, i+p) = min over i <= k < i+p of (M(i, k) + M(k+1, i+p)) +
/// w(i-1, i+p), stage by stage. Returns M(1, n-1), the minimum weight of a triangulation. `weights` and `table` are n x
/// n, n >= 3. The previous content of the table does not matter.
float conventional_loop(const std::vector<float>& weights, std::size_t n, std::vector<float>& table);

/// Random weights of an n-gon, uniform in [0, 1).
[[nodiscard]] std::vector<float> uniform_weights(std::size_t n);

}  // namespace warpfold::papers::gpu_polygon_2013
