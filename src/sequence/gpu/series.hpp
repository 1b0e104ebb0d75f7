#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sequence/warp/backends.hpp"

/// Time warping on a GPU (gpu/series.cuh).
namespace warpfold::sequence::cuda {

/// A lane's part of the table in one step, and how many warps share a scheduler at most.
struct SeriesShape {
  unsigned rows, columns, warps;

  bool operator==(const SeriesShape&) const = default;
};

/// The shapes that kernels exist for: points of f32 of one dimension, and all others.
inline constexpr SeriesShape flat_series_shapes[] = {{8, 2, 4},  {8, 4, 1},  {8, 4, 2},  {8, 4, 4},
                                                     {16, 2, 2}, {16, 2, 4}, {16, 4, 1}, {16, 4, 2},
                                                     {16, 4, 3}, {16, 4, 4}, {32, 4, 1}, {32, 4, 2}};
inline constexpr SeriesShape path_series_shape = {16, 4, 2};
inline constexpr SeriesShape double_series_shape = {16, 2, 2};
inline constexpr SeriesShape other_series_shape = {8, 2, 4};

/// Chunks of 32 columns between two kept states of a strip.
inline constexpr unsigned series_interval = 32;
/// Strips and intervals whose steps are kept at a time, up and left of a walk.
inline constexpr unsigned series_tiles_down = 32, series_tiles_across = 16;

/// How a table is cut. Lane q of a strip works in step t on the columns C (t - q) .. C (t - q) + C - 1.
struct SeriesLayout {
  warp::Band band;
  std::size_t dimensions, value_bytes;
  SeriesShape shape;
  bool keeps;  ///< whether what strips hand on and states are kept, for a path

  [[nodiscard]] std::size_t rows() const { return std::size_t{32} * shape.rows; }  ///< of a strip
  [[nodiscard]] std::size_t strips() const { return (band.n + rows() - 1) / rows(); }
  /// The columns of a row of packets.
  [[nodiscard]] std::size_t stride() const;
  [[nodiscard]] std::size_t packet_rows() const { return keeps ? strips() : 2; }
  [[nodiscard]] std::size_t packets() const { return packet_rows() * stride() * value_bytes / sizeof(float); }
  [[nodiscard]] std::size_t slots() const;  ///< for states of a strip
  [[nodiscard]] std::size_t state_values() const { return std::size_t{32} * (shape.rows + shape.columns + 1); }
  [[nodiscard]] std::size_t states() const { return keeps ? strips() * slots() * state_values() : 0; }
  [[nodiscard]] std::size_t direction_words() const;
  [[nodiscard]] std::size_t values_of_a() const { return strips() * rows() * dimensions; }
  [[nodiscard]] std::size_t values_of_b() const { return (before_b() + band.m + behind_b()) * dimensions; }
  [[nodiscard]] std::size_t before_b() const { return std::size_t{32} * shape.columns; }
  [[nodiscard]] std::size_t behind_b() const { return std::size_t{96} * shape.columns; }
  [[nodiscard]] std::size_t bytes() const;
};

[[nodiscard]] SeriesLayout series_layout(const warp::Size& size);
[[nodiscard]] SeriesLayout series_layout(const warp::Size& size, const SeriesShape& shape);

template <class T>
[[nodiscard]] Warping<T> warping_by_strips(const warp::Query<T>& query, Context& context);
/// With a given shape, one of those above.
template <class T>
[[nodiscard]] Warping<T> warping_by_strips(const warp::Query<T>& query, Context& context, const SeriesShape& shape);
[[nodiscard]] std::size_t device_bytes_of_warping(const warp::Size& size, const Options& options);
[[nodiscard]] std::size_t host_bytes_of_warping(const warp::Size& size, const Options& options);
[[nodiscard]] double seconds_of_warping(const warp::Size& size, const Options& options);
[[nodiscard]] std::string unsupported_on_gpu(const warp::Size& size);

}  // namespace warpfold::sequence::cuda
