#pragma once

#include <cstddef>
#include <string>

#include "sequence/warp/backends.hpp"

/// Time warping on a GPU (gpu/series.cuh): the distance of two series of f32 of one dimension, without a band.
namespace warpfold::sequence::cuda {

[[nodiscard]] Warping<float> warping_by_strips(const warp::Query<float>& query, Context& context);
/// With a given number of rows of a lane, one of `rows_of_series_kernels`.
[[nodiscard]] Warping<float> warping_by_strips(const warp::Query<float>& query, Context& context, unsigned rows);
[[nodiscard]] std::size_t device_bytes_of_warping(const warp::Size& size, const Options& options);
[[nodiscard]] double seconds_of_warping(const warp::Size& size, const Options& options);
[[nodiscard]] std::string unsupported_on_gpu(const warp::Size& size);

/// The numbers of rows of a lane that a kernel exists for, and the one that takes least time.
inline constexpr unsigned rows_of_series_kernels[] = {8, 16};
[[nodiscard]] unsigned best_rows_of_series(double n, double m);

}  // namespace warpfold::sequence::cuda
