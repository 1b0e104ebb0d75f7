#include "dtw_input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/quantity.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/formats/matrix.hpp"

namespace warpfold::app {

namespace {

bool is_list(const io::NpyArray& array) { return array.shape.size() == 1 || array.shape[0] == 1; }

io::NpyArray read_one(const std::string& path) {
  io::NpyArray array = formats::read_matrix(path);
  if (array.shape.size() == 1 || array.shape.size() == 2) return array;
  throw Error(ErrorKind::input, fmt::format("{}: has {}: a list of numbers has 1, points of several dimensions have 2",
                                            array.path, quantity(array.shape.size(), "dimension")));
}

bool fits_i32(const io::NpyArray& array) {
  if (!array.is_integral()) return false;
  const std::vector<double> values = array.values<double>();
  return std::ranges::all_of(values, [](double value) {
    return value >= std::numeric_limits<std::int32_t>::min() && value <= std::numeric_limits<std::int32_t>::max();
  });
}

}  // namespace

SeriesPair read_series(const Files& files) {
  if (files.size() != 2) throw Error(ErrorKind::input, "one file: an instance of two series has two files");
  SeriesPair pair{read_one(files[0]), read_one(files[1])};
  if (dimensions_of(pair.a) == dimensions_of(pair.b)) return pair;
  throw Error(ErrorKind::input,
              fmt::format("{}: points of {}, those of {} have {}: the same number is accepted", pair.b.path,
                          quantity(dimensions_of(pair.b), "dimension"), pair.a.path, dimensions_of(pair.a)));
}

std::size_t points_of(const io::NpyArray& array) { return is_list(array) ? array.size() : array.shape[0]; }
std::size_t dimensions_of(const io::NpyArray& array) { return is_list(array) ? 1 : array.shape[1]; }

std::string chosen_dtype(const SeriesPair& pair) {
  if (pair.a.dtype == "f32" && pair.b.dtype == "f32") return "f32";
  return fits_i32(pair.a) && fits_i32(pair.b) ? "i32" : "f64";
}

sequence::PointDistance point_distance_named(const std::string& name) {
  if (name == "absolute") return sequence::PointDistance::absolute;
  if (name == "squared") return sequence::PointDistance::squared;
  throw Error(ErrorKind::usage, fmt::format("'point_distance' is '{}': absolute and squared are accepted", name));
}

}  // namespace warpfold::app
