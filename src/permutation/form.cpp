#include "warpfold/permutation/form.hpp"

namespace warpfold::permutation {

namespace {

/// Whether the entries from `begin` on are start, start + stride, .. for the first axis of `axes`, and so on for all.
bool follows(std::span<const std::uint32_t> permutation, std::span<const Axis> axes, std::int64_t start) {
  if (axes.empty()) return permutation[0] == start;
  const Axis& last = axes.back();
  const std::size_t part = permutation.size() / last.extent;
  for (std::uint32_t c = 0; c < last.extent; ++c) {
    if (axes.size() == 1
            ? permutation[c] != start + c * last.stride
            : !follows(permutation.subspan(c * part, part), axes.first(axes.size() - 1), start + c * last.stride)) {
      return false;
    }
  }
  return true;
}

}  // namespace

std::optional<AxisForm> find_axes(std::span<const std::uint32_t> permutation) {
  if (permutation.empty()) return AxisForm{};
  AxisForm form{permutation[0], {}};
  for (std::size_t inner = 1; inner < permutation.size();) {
    const std::int64_t stride = permutation[inner] - form.offset;
    std::uint32_t extent = 2;
    while (inner * extent < permutation.size() && permutation[inner * extent] == form.offset + extent * stride)
      ++extent;
    inner *= extent;
    if (permutation.size() % inner != 0) return std::nullopt;
    form.axes.push_back({extent, stride});
  }
  if (!follows(permutation, form.axes, form.offset)) return std::nullopt;
  return form;
}

std::optional<std::uint32_t> find_rotation(std::span<const std::uint32_t> permutation) {
  if (permutation.empty()) return 0;
  std::uint32_t place = permutation[0];
  for (const std::uint32_t entry : permutation) {
    if (entry != place) return std::nullopt;
    place = place + 1 == permutation.size() ? 0 : place + 1;
  }
  return permutation[0];
}

}  // namespace warpfold::permutation
