#include "triangulation_input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/listed.hpp"
#include "core/quantity.hpp"
#include "io/text.hpp"
#include "result.hpp"
#include "terminal.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/formats/format.hpp"
#include "warpfold/io/file.hpp"

namespace warpfold::app {

namespace {

/// Checks the size of the matrix of weights.
void check_size(const TriangulationInstance& instance) {
  const std::size_t rows = instance.matrix->n();
  const polygon::Outline* outline = instance.outline();
  if (!outline && rows < 3) {
    throw Error(ErrorKind::input,
                fmt::format("{}: the matrix is {} x {}: at least 3 x 3 is accepted", instance.file, rows, rows));
  }
  if (!outline || rows == outline->size()) return;
  const std::size_t dropped = outline->dropped();
  const std::string without = dropped == 0 ? "" : ", without " + quantity(dropped, "repeated one", "repeated ones");
  throw Error(ErrorKind::input, fmt::format("{}: the matrix is {} x {}, the outline has {} vertices{}", instance.file,
                                            rows, rows, outline->size(), without));
}

void reject_feature_of_matrix(const TriangulationSource& source) {
  if (!source.matrix || (!source.choice.feature && !source.choice.part)) return;
  throw Error(ErrorKind::usage, "--feature and --part choose an outline: a matrix holds none");
}

void reject_matrix_of_outline_by_ranks(const TriangulationSource& source) {
  if (source.matrix || parse_weight(source.weight).formula) return;
  throw Error(
      ErrorKind::usage,
      "--ranks computes an outline's weights, or takes all of --matrix: --weight length or squared is accepted");
}

}  // namespace

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

void check_source(const TriangulationSource& source, bool by_ranks) {
  reject_feature_of_matrix(source);
  if (by_ranks) reject_matrix_of_outline_by_ranks(source);
}

TriangulationInstance read_triangulation(const TriangulationSource& source) {
  const Stopwatch reading;
  TriangulationInstance instance;
  instance.file = source.input;
  if (!source.matrix) {
    const WeightChoice weight = parse_weight(source.weight);
    instance.formula = weight.formula;
    instance.read = read_checked_outline(source.input, source.choice);
    if (!weight.formula) instance.file = weight.file;
  }
  if (!instance.formula) {
    instance.matrix = formats::read_weights(instance.file);
    check_size(instance);
  }
  instance.read_seconds = reading.seconds();
  return instance;
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
