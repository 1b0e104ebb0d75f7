#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "commands.hpp"
#include "dtypes.hpp"
#include "io/text.hpp"
#include "warpfold/io/npy.hpp"
#include "warpfold/sequence/time_warping.hpp"

/// The series of `dtw`, for the command and its verifier.
namespace warpfold::app {

using WarpingTypes = TypeList<std::int32_t, float, double>;

/// Two files, each a list of numbers or a matrix with a row for each point. A matrix of one row is a list.
struct SeriesPair {
  io::NpyArray a, b;
};
/// Raises Error{input} for points of different numbers of dimensions, and what the readers raise.
[[nodiscard]] SeriesPair read_series(const Files& files);

/// The number of points in an array, and of dimensions of each.
[[nodiscard]] std::size_t points_of(const io::NpyArray& array);
[[nodiscard]] std::size_t dimensions_of(const io::NpyArray& array);

/// i32 if it holds all numbers and they are whole, f32 if both files have this type, otherwise f64.
[[nodiscard]] std::string chosen_dtype(const SeriesPair& pair);

/// The numbers of a file. An infinity of a text is one, also where all other numbers are whole.
template <class T>
[[nodiscard]] std::vector<T> numbers_of_series(const io::NpyArray& array) {
  if constexpr (std::is_floating_point_v<T>) {
    if (array.dtype == "i64") return array.weights<T>();
  }
  return array.values<T>();
}

/// The values of a file and the series of them.
template <class T>
struct LoadedSeries {
  explicit LoadedSeries(const io::NpyArray& array)
      : values(numbers_of_series<T>(array)),
        series(
            io::with_file_context(array.path, [&] { return sequence::TimeSeries<T>(values, dimensions_of(array)); })) {}
  LoadedSeries(const LoadedSeries&) = delete;

  std::vector<T> values;
  sequence::TimeSeries<T> series;
};

/// The key "point_distance", as it is typed and printed. Raises Error{usage} for any other text.
[[nodiscard]] sequence::PointDistance point_distance_named(const std::string& name);

}  // namespace warpfold::app
