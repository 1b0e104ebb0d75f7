#include "permutation/tiled_form.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace warpfold::permutation {

namespace {

using Order = std::vector<std::uint32_t>;  // numbers of axes, the nearest places first

Order sorted_axes(const std::vector<TiledAxis>& axes, std::uint32_t TiledAxis::*stride) {
  Order order(axes.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::abs(static_cast<std::int32_t>(axes[a].*stride)) < std::abs(static_cast<std::int32_t>(axes[b].*stride));
  });
  return order;
}

/// Chunks of at least `least` places, as far as the extent allows. A short axis has equal ones.
std::uint32_t chunk_of(std::uint32_t extent, std::uint32_t least) {
  const std::uint32_t parts = std::max<std::uint32_t>(extent / least, 1);
  if (parts >= 4) return least;
  return (extent + parts - 1) / parts;
}

/// Enlarges the chunks of the first axes of an order until their tile has `words` words. Returns the last axis
/// enlarged.
std::uint32_t grow(std::vector<TiledAxis>& axes, const Order& order, std::uint32_t words) {
  std::uint32_t product = 1;
  std::uint32_t last = order.empty() ? 0 : order.front();
  for (const std::uint32_t axis : order) {
    if (product >= words) break;
    last = axis;
    axes[axis].chunk = std::max(axes[axis].chunk, chunk_of(axes[axis].extent, (words + product - 1) / product));
    product *= axes[axis].chunk;
  }
  return last;
}

/// The words of a tile in an order of the axes: for each the value that sum(digits) has.
template <class Sum>
std::vector<std::uint32_t> table(const std::vector<TiledAxis>& axes, const Order& order, std::size_t words,
                                 const Sum& sum) {
  std::vector<std::uint32_t> values;
  std::vector<std::uint32_t> digits(axes.size());
  while (values.size() < words) {
    values.push_back(sum(digits));
    for (const std::uint32_t axis : order) {
      if (++digits[axis] < axes[axis].chunk) break;
      digits[axis] = 0;
    }
  }
  return values;
}

}  // namespace

std::size_t TiledForm::tiles() const {
  std::size_t count = 1;
  for (const TiledAxis& axis : axes) count *= axis.parts();
  return count;
}

bool TiledForm::is_plane(std::uint32_t side) const {
  return ragged[0] != ragged[1] && tile_words() == std::size_t{side} * side && axes[ragged[0]].chunk == side &&
         axes[ragged[1]].chunk == side;
}

TiledForm cut_into_tiles(const AxisForm& form, std::uint32_t row) {
  TiledForm tiled;
  tiled.offset = static_cast<std::uint32_t>(form.offset);
  std::uint32_t from_stride = 1;
  for (const Axis& axis : form.axes) {
    tiled.axes.push_back({axis.extent, 1, from_stride, static_cast<std::uint32_t>(axis.stride)});
    from_stride *= axis.extent;
  }
  const Order from_order = sorted_axes(tiled.axes, &TiledAxis::from_stride);
  const Order to_order = sorted_axes(tiled.axes, &TiledAxis::to_stride);
  if (!tiled.axes.empty()) {
    const bool is_one_row = from_order.front() == to_order.front();
    tiled.ragged[0] = grow(tiled.axes, from_order, is_one_row ? row * row : row);
    tiled.ragged[1] = grow(tiled.axes, to_order, row);
  }
  std::size_t words = 1;
  for (const TiledAxis& axis : tiled.axes) words *= axis.chunk;

  const auto place = [&](std::uint32_t TiledAxis::*stride) {
    return [&tiled, stride](const std::vector<std::uint32_t>& digits) {
      std::uint32_t sum = 0;
      for (std::size_t axis = 0; axis < digits.size(); ++axis) sum += digits[axis] * (tiled.axes[axis].*stride);
      return sum;
    };
  };
  const auto ragged_digits = [&tiled](const std::vector<std::uint32_t>& digits) {
    return digits.empty() ? 0 : digits[tiled.ragged[0]] | digits[tiled.ragged[1]] << 16;
  };
  const auto number = [&](const std::vector<std::uint32_t>& digits) {
    std::uint32_t sum = 0, unit = 1;
    for (const std::uint32_t axis : from_order) {
      sum += digits[axis] * unit;
      unit *= tiled.axes[axis].chunk;
    }
    return sum;
  };
  tiled.from_place = table(tiled.axes, from_order, words, place(&TiledAxis::from_stride));
  tiled.from_digits = table(tiled.axes, from_order, words, ragged_digits);
  tiled.to_place = table(tiled.axes, to_order, words, place(&TiledAxis::to_stride));
  tiled.to_digits = table(tiled.axes, to_order, words, ragged_digits);
  tiled.word = table(tiled.axes, to_order, words, number);
  return tiled;
}

}  // namespace warpfold::permutation
