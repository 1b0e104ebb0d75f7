#include "triangulation_input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "command.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/io/file.hpp"

namespace warpfold::app {

WeightChoice parse_weight(const std::string& text) {
  if (text == "length") return {polygon::Weight::length, ""};
  if (text == "squared") return {polygon::Weight::squared, ""};
  const std::string ending = io::extension(text);
  if (ending == ".npy" || ending == ".csv" || ending == ".txt") return {std::nullopt, text};
  throw Error(ErrorKind::usage,
              fmt::format("weight '{}' is unknown: length, squared, or a .npy or .csv file is accepted", text));
}

CheckedOutline read_checked_outline(const std::string& path, const formats::OutlineChoice& choice) {
  const std::string content = io::read_file(path);
  bool is_rounded = false;
  std::vector<Point> vertices = formats::parse_outline(path, content, choice, &is_rounded);
  return {naming(path, [&] { return polygon::Outline(std::move(vertices)); }), formats::outline_format(path, content),
          is_rounded};
}

double map_scale(const std::vector<Point>& vertices) {
  const auto [south, north] =
      std::minmax_element(vertices.begin(), vertices.end(), [](const Point& a, const Point& b) { return a.y < b.y; });
  const bool degrees = std::all_of(vertices.begin(), vertices.end(),
                                   [](const Point& p) { return std::abs(p.x) <= 360 && std::abs(p.y) <= 90; });
  const double middle = (south->y + north->y) / 2;
  return degrees ? std::cos(middle * std::numbers::pi / 180) : 1;
}

}  // namespace warpfold::app
