#pragma once

#include <map>
#include <optional>

#include "papers/gpu-polygon-triangulation-2013/kernels.hpp"
#include "papers/measure.hpp"

/// What Tables 1 to 3 read on this machine. Each class measures one method; a cell says why where it does not.
namespace warpfold::papers::gpu_polygon_2013 {

/// The conventional loop on one thread, over random weights or those that `weight` makes of i, j and the drawn one.
class ConventionalLoop {
 public:
  explicit ConventionalLoop(const RunOptions& options) : meter_(options) {}

  using Weight = float (*)(std::size_t i, std::size_t j, float drawn);
  /// Raises Error{internal} where the loop's result is not this library's.
  [[nodiscard]] Cell seconds(std::size_t n, Weight weight = nullptr);

 private:
  Meter meter_;
};

/// This library's solver on one device, from the host's memory and back.
class Tiles {
 public:
  Tiles(const RunOptions& options, const std::string& device);

  [[nodiscard]] Cell seconds(std::size_t n);

 private:
  Meter meter_;
  Options options_;
};

/// One polygon on this machine's GPU, all stages alike.
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
  /// Nothing where there is no GPU or tuning would take too long.
  std::optional<Tuning> tuned(std::size_t n);

  Meter tuning_, running_;
};

}  // namespace warpfold::papers::gpu_polygon_2013
