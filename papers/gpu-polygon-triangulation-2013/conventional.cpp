#include "papers/gpu-polygon-triangulation-2013/conventional.hpp"

#include <random>

namespace warpfold::papers::gpu_polygon_2013 {

float conventional_loop(const std::vector<float>& weights, std::size_t n, std::vector<float>& table) {
  const float* const w = weights.data();
  float* const m = table.data();
  for (std::size_t i = 1; i < n; ++i) m[i * n + i] = 0;
  for (std::size_t p = 1; p + 1 < n; ++p) {
    for (std::size_t i = 1; i + p < n; ++i) {
      const std::size_t j = i + p;
      float best = m[i * n + i] + m[(i + 1) * n + j];
      for (std::size_t k = i + 1; k < j; ++k) {
        const float sum = m[i * n + k] + m[(k + 1) * n + j];
        if (sum < best) best = sum;
      }
      m[i * n + j] = best + (i == 1 && j == n - 1 ? 0 : w[(i - 1) * n + j]);
    }
  }
  return m[n + n - 1];
}

std::vector<float> uniform_weights(std::size_t n) {
  std::mt19937 random(1);
  std::uniform_real_distribution<float> uniform(0, 1);
  std::vector<float> weights(n * n);
  for (float& w : weights) w = uniform(random);
  return weights;
}

}  // namespace warpfold::papers::gpu_polygon_2013
