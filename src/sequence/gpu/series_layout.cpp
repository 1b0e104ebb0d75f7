#include <algorithm>
#include <cmath>

#include "sequence/gpu/layout.hpp"
#include "sequence/gpu/series.hpp"
#include "sequence/tuning.hpp"

namespace warpfold::sequence::cuda {

namespace {

/// A strip begins `gpu_series_lag` steps after the one before. A step takes what its warp waits for, or what the warps
/// of a scheduler issue.
double cycles_of_series(double n, double m, unsigned rows) {
  const double strips = std::ceil(n / (static_cast<double>(warp) * rows));
  const double steps = m + warp + tuning::gpu_series_lag * strips;
  const double at_once = strips * m / steps / static_cast<double>(tuning::gpu_schedulers);
  const double alone = tuning::gpu_series_wait * rows + tuning::gpu_series_step;
  const double shared = tuning::gpu_series_issue * rows + tuning::gpu_series_step;
  return steps * std::max(alone, at_once * shared);
}

}  // namespace

unsigned best_rows_of_series(double n, double m) {
  return std::ranges::min(rows_of_series_kernels, {}, [&](unsigned rows) { return cycles_of_series(n, m, rows); });
}

std::size_t device_bytes_of_warping(const warp::Size& size, const Options&) {
  return 8192 + sizeof(float) * (size.band.n + size.band.m) + 2 * sizeof(std::uint64_t) * size.band.m;
}

double seconds_of_warping(const warp::Size& size, const Options&) {
  const double cycles = cycles_of_series(size.n(), size.m(), best_rows_of_series(size.n(), size.m()));
  return tuning::gpu_start_seconds + tuning::gpu_symbol_seconds * (size.n() + size.m()) +
         tuning::gpu_cycle_seconds * cycles;
}

std::string unsupported_on_gpu(const warp::Size& size) {
  if (size.script) return "finds no path: the CPU does";
  if (size.dimensions > 1) return "warps series of one dimension: the CPU warps those of more";
  return size.band.has_all() ? "" : "has no band: the CPU has";
}

}  // namespace warpfold::sequence::cuda
