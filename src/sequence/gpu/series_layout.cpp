#include <algorithm>
#include <cmath>

#include "sequence/gpu/layout.hpp"
#include "sequence/gpu/series.hpp"
#include "sequence/tuning.hpp"
#include "sequence/warp/strips/strips.hpp"

namespace warpfold::sequence::cuda {

namespace {

/// A strip begins some steps after the one before. A step takes what its warp waits for, or what the warps of a
/// scheduler issue.
double cycles_of_series(const warp::Size& size, const SeriesShape& shape) {
  const double strips = std::ceil(size.n() / (static_cast<double>(warp) * shape.rows));
  const double width = std::min(size.m(), static_cast<double>(size.band.most - size.band.least) + warp * shape.rows);
  const double schedulers = static_cast<double>(tuning::gpu_schedulers);
  const double at_once = std::min(strips, shape.warps * schedulers);
  const double lag = tuning::gpu_series_lag + warp * shape.columns;
  const double columns = std::max(strips / at_once, 1.0) * (width + warp * shape.columns) + at_once * lag;
  const double wait = tuning::gpu_series_wait * (shape.rows + shape.columns - 1);
  const double issue = tuning::gpu_series_issue * shape.rows * shape.columns;
  const double step = tuning::gpu_series_step + tuning::gpu_series_column * shape.columns;
  const double shared = std::ceil(at_once / schedulers) * (issue + step);
  return columns / shape.columns * std::max(wait + step, shared) * static_cast<double>(size.dimensions) *
         (size.lane_bytes == sizeof(double) ? 2 : 1);
}

SeriesShape best_shape(const warp::Size& size) {
  if (size.dimensions > 1 || size.lane_bytes != sizeof(float)) return other_series_shape;
  if (size.script) return path_series_shape;
  return std::ranges::min(flat_series_shapes, {},
                          [&](const SeriesShape& shape) { return cycles_of_series(size, shape); });
}

}  // namespace

std::size_t SeriesLayout::stride() const {
  if (!keeps || band.has_all()) return band.m;
  return std::min(band.m, rows() + static_cast<std::size_t>(band.most - band.least) + 2 * warp);
}

std::size_t SeriesLayout::slots() const {
  return (stride() + std::size_t{warp} * (shape.columns + 1)) / (std::size_t{warp} * series_interval) + 3;
}

std::size_t SeriesLayout::direction_words() const {
  return keeps ? std::size_t{series_tiles_down} * series_tiles_across * series_interval * warp * warp : 0;
}

std::size_t SeriesLayout::bytes() const {
  return 8192 + value_bytes * (values_of_a() + values_of_b() + states()) + sizeof(std::uint64_t) * packets() +
         sizeof(std::uint32_t) * direction_words() + (keeps ? band.n + band.m : 0);
}

SeriesLayout series_layout(const warp::Size& size) { return series_layout(size, best_shape(size)); }

SeriesLayout series_layout(const warp::Size& size, const SeriesShape& shape) {
  return {size.band, size.dimensions, size.lane_bytes, shape, size.script};
}

std::size_t device_bytes_of_warping(const warp::Size& size, const Options&) {
  return size.lane_bytes == 0 ? 0 : series_layout(size).bytes();
}

/// The points of A in the order of the lanes, integers in the type of the lanes, and a path's steps.
std::size_t host_bytes_of_warping(const warp::Size& size, const Options&) {
  if (size.lane_bytes == 0) return 0;
  const SeriesLayout layout = series_layout(size);
  const std::size_t converted = size.converts ? (size.band.n + size.band.m) * size.dimensions : 0;
  return size.lane_bytes * (layout.values_of_a() + converted) + (size.script ? size.band.n + size.band.m : 0);
}

double seconds_of_warping(const warp::Size& size, const Options&) {
  if (size.lane_bytes == 0) return 0;
  const double cycles = cycles_of_series(size, series_layout(size).shape);
  const double walk = size.script ? tuning::gpu_series_walk_seconds * (size.n() + size.m()) : 0;
  return tuning::gpu_start_seconds + tuning::gpu_symbol_seconds * (size.n() + size.m()) +
         tuning::gpu_cycle_seconds * cycles + walk;
}

std::string unsupported_on_gpu(const warp::Size& size) { return warp::unsupported_by_strips(size); }

}  // namespace warpfold::sequence::cuda
