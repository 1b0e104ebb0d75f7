#include "warpfold/permutation/form.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <numeric>
#include <set>

#include "drawn_permutation.hpp"
#include "permutation/tiled_form.hpp"

namespace warpfold::permutation {
namespace {

/// The permutation that an array of these extents (the last axis is the innermost) has if its axes are put into another
/// order and some are reversed.
Permutation reordered(const std::vector<std::size_t>& extents, const std::vector<std::size_t>& order,
                      const std::set<std::size_t>& reversed = {}) {
  std::vector<std::size_t> stride(extents.size());
  std::size_t n = 1;
  for (std::size_t k = order.size(); k-- > 0; n *= extents[order[k]]) stride[order[k]] = n;
  Permutation permutation(n);
  for (std::size_t i = 0; i < n; ++i) {
    std::size_t rest = i, place = 0;
    for (std::size_t axis = extents.size(); axis-- > 0; rest /= extents[axis]) {
      const std::size_t digit = rest % extents[axis];
      place += stride[axis] * (reversed.contains(axis) ? extents[axis] - 1 - digit : digit);
    }
    permutation[i] = static_cast<std::uint32_t>(place);
  }
  return permutation;
}

Permutation of_form(const AxisForm& form) {
  Permutation permutation{static_cast<std::uint32_t>(form.offset)};
  for (const Axis& axis : form.axes) {
    const std::size_t inner = permutation.size();
    for (std::uint32_t c = 1; c < axis.extent; ++c) {
      for (std::size_t k = 0; k < inner; ++k) {
        permutation.push_back(static_cast<std::uint32_t>(permutation[k] + c * axis.stride));
      }
    }
  }
  return permutation;
}

/// Moves word by word as the GPU's kernel does, forwards and back.
void expect_tiles_move(const Permutation& permutation, const AxisForm& form, std::uint32_t row) {
  const TiledForm tiled = cut_into_tiles(form, row);
  const std::size_t n = permutation.size();
  std::vector<std::uint32_t> result(n, ~0U), tile(tiled.tile_words());
  for (std::size_t t = 0; t < tiled.tiles(); ++t) {
    std::size_t number = t;
    std::uint32_t from = 0, to = tiled.offset, limit[2] = {1, 1};
    for (std::size_t a = 0; a < tiled.axes.size(); ++a) {
      const TiledAxis& axis = tiled.axes[a];
      const auto first = static_cast<std::uint32_t>(number % axis.parts() * axis.chunk);
      number /= axis.parts();
      from += first * axis.from_stride;
      to += first * axis.to_stride;
      const std::uint32_t words = std::min(axis.chunk, axis.extent - first);
      bool is_ragged = false;
      for (int side = 0; side < 2; ++side) {
        if (tiled.ragged[side] != a) continue;
        limit[side] = words;
        is_ragged = true;
      }
      ASSERT_TRUE(is_ragged || words == axis.chunk) << "an axis with smaller tiles is not named";
    }
    const auto has = [&](std::uint32_t digits) { return digits % 65536 < limit[0] && digits / 65536 < limit[1]; };
    for (std::size_t k = 0; k < tile.size(); ++k) {
      if (has(tiled.from_digits[k])) tile[k] = from + tiled.from_place[k];
    }
    for (std::size_t k = 0; k < tile.size(); ++k) {
      if (has(tiled.to_digits[k])) result.at(to + tiled.to_place[k]) = tile[tiled.word[k]];
    }
  }
  for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(result[permutation[i]], i) << "rows of " << row;
}

void expect_axes(const Permutation& permutation, std::size_t axes) {
  const std::optional<AxisForm> form = find_axes(permutation);
  ASSERT_TRUE(form.has_value());
  EXPECT_EQ(form->axes.size(), axes);
  EXPECT_EQ(of_form(*form), permutation);
  for (const std::uint32_t row : {1U, 4U, 16U, 64U}) expect_tiles_move(permutation, *form, row);
}

TEST(AxisForms, AreFoundInTransposesOfAnyNumberOfDimensions) {
  expect_axes(reordered({7, 5}, {1, 0}), 2);
  expect_axes(reordered({64, 96}, {1, 0}), 2);
  expect_axes(reordered({3, 4, 5}, {2, 0, 1}), 2);  // two neighbors that stay together are one
  expect_axes(reordered({3, 4, 5}, {2, 1, 0}), 3);
  expect_axes(reordered({13, 2, 17, 3}, {2, 0, 3, 1}), 4);
  expect_axes(reordered({2, 3, 2, 5, 2, 3}, {5, 4, 3, 2, 1, 0}), 6);
}

TEST(AxisForms, AreFoundInIdentityReversalsAndBitReversal) {
  expect_axes({0}, 0);
  expect_axes(reordered({1000}, {0}), 1);
  expect_axes(reordered({1001}, {0}, {0}), 1);
  expect_axes(reordered({30, 40}, {0, 1}, {0}), 2);
  expect_axes(reordered({30, 40}, {1, 0}, {1}), 2);
  expect_axes(reordered(std::vector<std::size_t>(10, 2), {9, 8, 7, 6, 5, 4, 3, 2, 1, 0}), 10);
}

TEST(AxisForms, AreNotFoundElsewhere) {
  EXPECT_FALSE(find_axes(drawn_permutation(1000, 1)).has_value());
  EXPECT_FALSE(find_axes(Permutation{1, 2, 0}).has_value());
  Permutation almost = reordered({30, 40}, {1, 0});
  std::swap(almost[1198], almost[1199]);
  EXPECT_FALSE(find_axes(almost).has_value());
}

RC_GTEST_PROP(AxisForms, MoveDrawnArraysByTiles, ()) {
  const auto extents = *rc::gen::container<std::vector<std::size_t>>(*rc::gen::inRange<std::size_t>(1, 5),
                                                                     rc::gen::inRange<std::size_t>(1, 9));
  std::vector<std::size_t> order(extents.size());
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), std::mt19937_64(*rc::gen::arbitrary<std::uint64_t>()));
  std::set<std::size_t> reversed;
  for (std::size_t axis = 0; axis < extents.size(); ++axis) {
    if (*rc::gen::arbitrary<bool>()) reversed.insert(axis);
  }
  const Permutation permutation = reordered(extents, order, reversed);
  const std::optional<AxisForm> form = find_axes(permutation);
  RC_ASSERT(form.has_value());
  RC_ASSERT(of_form(*form) == permutation);
  expect_tiles_move(permutation, *form, *rc::gen::inRange<std::uint32_t>(1, 20));
}

TEST(Rotations, AreFoundByTheirNumberOfPlaces) {
  EXPECT_EQ(find_rotation(Permutation{}), 0);
  EXPECT_EQ(find_rotation(Permutation{0, 1, 2}), 0);
  EXPECT_EQ(find_rotation(Permutation{3, 4, 0, 1, 2}), 3);
  EXPECT_EQ(find_rotation(Permutation{3, 4, 0, 2, 1}), std::nullopt);
}

}  // namespace
}  // namespace warpfold::permutation
