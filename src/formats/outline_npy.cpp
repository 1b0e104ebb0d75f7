#include <fmt/format.h>

#include <cstdint>
#include <limits>

#include "formats/outline_parts.hpp"
#include "warpfold/io/npy.hpp"

namespace warpfold::formats {

namespace {

template <class T>
bool has_rounded(const io::NpyArray& array) {
  for (const T entry : array.values<T>()) {
    if (static_cast<io::Integer>(static_cast<double>(entry)) != entry) return true;
  }
  return false;
}

/// Whether doubles do not represent every integer of an array.
bool doubles_round(const io::NpyArray& array) {
  if (!array.is_integral()) return false;
  return array.dtype == "u64" ? has_rounded<std::uint64_t>(array) : has_rounded<std::int64_t>(array);
}

/// Rejects an array that has no x and y. Three rows of three numbers are rather weights.
void check_columns(const OutlinePlace& place, const io::NpyArray& array) {
  const std::vector<std::size_t>& shape = array.shape;
  if (array.dtype == "bool") place.reject("is an array of bool: one of numbers is accepted");
  if (shape.size() == 2 && shape[0] == shape[1] && shape[0] != 2) {
    place.reject(fmt::format("is a matrix {} x {}, no outline: n x 2 is accepted, and a matrix of weights by --matrix",
                             shape[0], shape[1]));
  }
  if (shape.size() == 2 && (shape[1] == 2 || shape[1] == 3)) return;
  std::string extents;
  for (const std::size_t extent : shape) extents += fmt::format("{}{}", extents.empty() ? "" : " x ", extent);
  place.reject(fmt::format("is an array of shape {}: n x 2 is accepted", extents.empty() ? "()" : extents));
}

}  // namespace

OutlineFile parse_npy_outline(const std::string& path, std::string_view content, const OutlineChoice& choice) {
  reject_choice(path, "a NumPy array", choice);
  const io::NpyArray array = io::parse_npy(path, std::string(content));
  check_columns({path}, array);
  OutlineFile outline;
  const std::vector<double> numbers = array.values<double>();
  const std::size_t columns = array.shape[1];
  for (std::size_t at = 0; at < numbers.size(); at += columns)
    outline.vertices.push_back({numbers[at], numbers[at + 1]});
  outline.is_rounded = doubles_round(array);
  if (columns == 3) note_ignored(outline, "Z is");
  return outline;
}

}  // namespace warpfold::formats
