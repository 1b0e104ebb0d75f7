#include <algorithm>
#include <cmath>

#include "sequence/gpu/layout.hpp"
#include "sequence/gpu/series.hpp"
#include "sequence/tuning.hpp"
#include "sequence/warp/strips/strips.hpp"

namespace warpfold::sequence::cuda {

namespace {

/// The cycles of a step, for the warps of a scheduler: what a chain of cells waits for and what all warps issue
/// overlap.
double cycles_of_step(const warp::Size& size, const SeriesShape& shape, double warps) {
  const double chain = shape.rows + shape.columns - 1, cells = shape.rows * shape.columns;
  const double sums = size.dimensions > 1 ? static_cast<double>(size.dimensions) : 0;
  const double wait =
      tuning::gpu_series_wait * chain + tuning::gpu_series_step_wait + tuning::gpu_series_sum_wait * sums;
  const double issue =
      warps * ((tuning::gpu_series_issue + tuning::gpu_series_sum * sums) * cells + tuning::gpu_series_step);
  const double together = shape.rows == 32 ? tuning::gpu_series_together : 1;
  return std::hypot(wait, issue) * together * (size.lane_bytes == sizeof(double) ? tuning::gpu_series_double : 1);
}

/// A strip begins some columns after the one before. A strip that is taken later begins where another one ends. In a
/// band each strip waits for the one above from the band's begin on, where cells take longer.
double cycles_of_series(const warp::Size& size, const SeriesShape& shape) {
  const double rows = static_cast<double>(warp) * shape.rows, strips = std::ceil(size.n() / rows);
  const double skew = static_cast<double>(warp) * shape.columns, lag = skew + tuning::gpu_series_lag;
  const auto schedulers = static_cast<double>(tuning::gpu_schedulers);
  const double warps = std::min(std::ceil(strips / schedulers), static_cast<double>(shape.warps));
  const double together = std::min(strips, warps * schedulers);
  const double step = cycles_of_step(size, shape, warps) / shape.columns;
  const double all = (strips / together * (size.m() + skew) + lag * together) * step;
  if (size.band.has_all()) return all;
  const double width = std::min(size.m(), static_cast<double>(size.band.most - size.band.least) + rows);
  const double chain =
      (size.m() + lag * strips) * tuning::gpu_series_careful * cycles_of_step(size, shape, 1) / shape.columns;
  return std::max(all * width / size.m(), chain);
}

SeriesShape best_shape(const warp::Size& size) {
  if (size.dimensions > 1) return other_series_shape;
  if (size.lane_bytes != sizeof(float)) return double_series_shape;
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
