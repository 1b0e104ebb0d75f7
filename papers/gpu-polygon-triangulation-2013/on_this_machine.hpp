#pragma once

#include <map>
#include <optional>

#include "papers/gpu-polygon-triangulation-2013/kernels.hpp"
#include "papers/measure.hpp"

/// Measures Tables 1 to 3 on this machine. Each class measures one method. If it cannot, the cell says why.
namespace warpfold::papers::gpu_polygon_2013 {

/// The conventional loop on one thread. `weight` may compute the weights from i, j and random ones.
class ConventionalLoop {
 public:
  explicit ConventionalLoop(const RunOptions& options) : meter_(options) {}

  using Weight = float (*)(std::size_t i, std::size_t j, float drawn);
  /// Raises Error{internal} if the loop's result differs from this library's.
  [[nodiscard]] Cell seconds(std::size_t n, Weight weight = nullptr);

 private:
  Meter meter_;
};

/// This library's solver on one device, from host memory to host memory.
class Tiles {
 public:
  Tiles(const RunOptions& options, const std::string& device);

  [[nodiscard]] Cell seconds(std::size_t n);

 private:
  Meter meter_;
  Options options_;
};

/// One polygon on this machine's GPU. All stages use the same method.
class GpuPolygon {
 public:
  GpuPolygon(const RunOptions& options, std::size_t n);

  [[nodiscard]] Cell seconds(const Stage& stage);
  [[nodiscard]] Cell conversion_seconds();

 private:
  PaperSolver<float>& solver();

  RunOptions run_options_;
  std::size_t n_;
  std::vector<float> weights_;
  std::map<Arrangement, Meter> meters_;
  std::optional<PaperSolver<float>> solver_;
};

/// The fastest plan of each size, tuned on this machine's GPU.
class AdaptiveGranularity {
 public:
  explicit AdaptiveGranularity(const RunOptions& options) : tuning_(options), running_(options) {}

  [[nodiscard]] Cell first_block_stage(std::size_t n);
  [[nodiscard]] Cell seconds(std::size_t n);

 private:
  /// Returns nothing if there is no GPU or tuning would take too long.
  std::optional<Tuning> tuned(std::size_t n);

  Meter tuning_, running_;
};

}  // namespace warpfold::papers::gpu_polygon_2013
