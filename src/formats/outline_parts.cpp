#include "formats/outline_parts.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/quantity.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold::formats {

namespace {

bool is_rounded_integer(const io::Number& number) {
  if (number.is_rounded) return true;
  return number.is_integral && !std::isinf(number.real) && static_cast<io::Integer>(number.real) != number.exact;
}

/// The option that chooses among several, as the end of a message. Empty if there are no options.
std::string or_option(const OutlineChoice& choice, const char* name, std::size_t count) {
  return choice.has_options ? fmt::format(", or --{} 0 .. {}", name, count - 1) : "";
}

std::size_t chosen_below(const OutlinePlace& place, std::size_t count, std::size_t chosen, const char* name) {
  if (chosen >= count) place.reject(fmt::format("there is no {} {}: 0 .. {} is accepted", name, chosen, count - 1));
  return chosen;
}

}  // namespace

OutlinePlace OutlinePlace::inside(const std::string& key) const {
  return {path, steps + (steps.empty() ? "" : ".") + key};
}

OutlinePlace OutlinePlace::entry(std::size_t k) const { return {path, fmt::format("{}[{}]", steps, k)}; }

void OutlinePlace::reject(const std::string& what) const {
  throw Error(ErrorKind::input, fmt::format("{}: {}{}{}", path, steps, steps.empty() ? "" : ": ", what));
}

std::string dropped_text(std::size_t count) {
  return fmt::format("{} dropped: the others are numbered without {}",
                     quantity(count, "repeated vertex is", "repeated vertices are"), count == 1 ? "it" : "them");
}

double coordinate(const io::Number& number, OutlineFile& outline) {
  outline.is_rounded = outline.is_rounded || is_rounded_integer(number);
  return number.real;
}

void note_ignored(OutlineFile& outline, const std::string& numbers_are) {
  outline.notes.push_back(numbers_are + " ignored: the outline is that of x and y");
}

std::size_t choose_feature(const OutlinePlace& place, std::size_t count, const OutlineChoice& choice,
                           const std::function<bool(std::size_t)>& has_polygon) {
  if (count == 0) place.reject("there is no feature: a polygon is accepted");
  if (choice.feature) return chosen_below(place, count, *choice.feature, "feature");
  if (count == 1) return 0;
  std::size_t polygons = 0, found = 0;
  for (std::size_t k = count; k-- > 0;) {
    if (!has_polygon(k)) continue;
    found = k;
    ++polygons;
  }
  if (polygons == 0) place.reject(fmt::format("none of the {} features is a polygon: one is accepted", count));
  if (polygons > 1) {
    const std::string among = polygons == count ? "" : fmt::format("polygons among {} ", count);
    place.reject(fmt::format("there are {} {}features: exactly one{} is accepted", polygons, among,
                             or_option(choice, "feature", count)));
  }
  return found;
}

std::size_t choose_part(const OutlinePlace& place, std::size_t count, const OutlineChoice& choice) {
  if (count == 0) place.reject("there is no part: a polygon is accepted");
  if (choice.part) return chosen_below(place, count, *choice.part, "part");
  if (count > 1) {
    place.reject(fmt::format("there are {} parts: exactly one{} is accepted", count, or_option(choice, "part", count)));
  }
  return 0;
}

void check_holes(const OutlinePlace& place, std::size_t holes) {
  if (holes == 0) return;
  place.reject(
      fmt::format("the polygon has {}: an outline without holes is accepted, so cut the polygon through {}, or "
                  "keep its outer ring alone",
                  quantity(holes, "hole"), holes == 1 ? "it" : "them"));
}

void reject_choice(const std::string& path, std::string_view format, const OutlineChoice& choice) {
  if (!choice.feature && !choice.part) return;
  throw Error(ErrorKind::usage,
              fmt::format("{}: {} holds one outline: --feature and --part are for GeoJSON and WKT", path, format));
}

}  // namespace warpfold::formats
