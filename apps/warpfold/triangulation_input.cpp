#include "triangulation_input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/listed.hpp"
#include "io/text.hpp"
#include "terminal.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/formats/format.hpp"
#include "warpfold/formats/weights.hpp"
#include "warpfold/io/file.hpp"

namespace warpfold::app {

WeightChoice parse_weight(const std::string& text) {
  if (text == "length") return {polygon::Weight::length, ""};
  if (text == "squared") return {polygon::Weight::squared, ""};
  const std::string ending = io::unpacked_extension(text);
  if (formats::find_by_ending(formats::weight_formats(), "file" + ending.substr(0, ending.find(':')))) {
    return {std::nullopt, text};
  }
  throw Error(ErrorKind::usage, fmt::format("weight '{}' is unknown: length, squared, or a {} file is accepted", text,
                                            listed(formats::endings_of(formats::weight_formats()))));
}

CheckedOutline read_checked_outline(const std::string& path, const formats::OutlineChoice& choice) {
  formats::OutlineFile file = formats::read_outline(path, choice);
  CheckedOutline read{io::with_file_context(path, [&] { return polygon::Outline(std::move(file.vertices)); }),
                      file.is_map, file.is_rounded, std::move(file.notes)};
  const std::size_t dropped = read.outline.dropped();
  if (dropped > 0) read.notes.push_back(formats::dropped_text(dropped));
  return read;
}

void note_outline(const std::string& path, const CheckedOutline& read) {
  for (const std::string& note : read.notes) add_note(fmt::format("{}: {}", path, note));
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
