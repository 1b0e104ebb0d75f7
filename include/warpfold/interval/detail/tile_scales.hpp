#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "warpfold/core/error.hpp"
#include "warpfold/core/scaled.hpp"
#include "warpfold/interval/stored_values.hpp"
#include "warpfold/tiles/sum_operations.hpp"
#include "warpfold/tiles/tile_table.hpp"

/// The exponents of the tiles of sums (ScaledSum). A stored v of tile (I,J) means v * 2^exponent(I,J), in all tables.
///
///     diagonal tiles: exponent 0;   every other tile: its largest value is 2^436 to 2^500;   every value: 0, or 2^-500
///     to 2^500, else Error{overflow}
///
/// No positive value becomes 0, and none loses a digit:
///
/// * A product of two values is 2^-1000 to 2^1000. It is a normal number, and so is a sum of 2^22 of them.
/// * The products of a pair of tiles come with 2^d, d = exponent(I,K) + exponent(K,J) - unit. The unit of a sum is the
///   largest of its pairs', so d <= 0. What falls below the range for that has its place taken by a `trace`, 2^-900. A
///   sum that is accepted is 2^-500 or more, so all traces and all that they stand for change it by less than 2^-250 of
///   itself.
/// * While a tile closes, its values and all that they are made from are in one unit: that of the largest value that it
///   is made from, a sum or a value of a tile next to it. Values 2^-500 to 2^500 of that are accepted. If one is not,
///   the CPU closes the tile again in another unit, up to 2^450 smaller or 2^499 larger (UnitSearch). Units are powers
///   of two: they change no digit.
///
/// So a tile is accepted if its positive values are within 2^999 of each other, and from 2^950 below to 2^999 above the
/// largest that it is made from:
///
///     growth    the longest interval has 126 points more than the shortest one, and no sum of products is larger than
///               what it has: 950 / 126 = 7.5 bits a point fit. Without sums, a helix has up to 64 pairs more than the
///               values next to the tile: 999 / 128 = 7.8 bits fit. A tile on the diagonal has up to 63 points: 7.9
///     shrink    the largest is up to 254 points shorter than the longest interval: 950 / 254 = 3.7 bits a point fit
///
/// A GPU tries the first unit alone: 500 / 126 = 3.9 and 500 / 254 = 1.9 bits fit.
namespace warpfold::interval::detail {

inline constexpr int value_bits = 500, exponent_step = 64;
inline constexpr double largest_value = 0x1p500, smallest_value = 0x1p-500, trace = 0x1p-900;

/// value * factor, with a trace if that is lost.
constexpr double with_trace(double value, double factor) {
  const double product = value * factor;
  return value > 0 && product < trace ? trace : product;
}

/// 2^exponent as two factors, because one may be beyond the range.
class TwoFactors {
 public:
  constexpr explicit TwoFactors(std::int64_t exponent)
      : first_(power_of_two(exponent / 2)), second_(power_of_two(exponent - exponent / 2)) {}

  [[nodiscard]] constexpr double times(double value) const { return value * first_ * second_; }
  [[nodiscard]] constexpr double first() const { return first_; }
  [[nodiscard]] constexpr double second() const { return second_; }
  /// The same, with a trace if a value is lost.
  [[nodiscard]] constexpr double times_with_trace(double value) const {
    const double product = times(value);
    return value > 0 && product < trace ? trace : product;
  }

 private:
  double first_, second_;
};

/// target = source * 2^exponent for a tile.
inline void copy_scaled(const tiles::SumOperations& operations, double* target, const double* source,
                        std::int64_t exponent) {
  const TwoFactors factor(exponent);
  operations.scale(target, source, factor.first(), factor.second());
}
/// The same in place, with traces.
inline void rescale(double* values, std::size_t count, std::int64_t exponent) {
  const TwoFactors factor(exponent);
  for (std::size_t t = 0; t < count; ++t) values[t] = factor.times_with_trace(values[t]);
}

/// The exponents of the largest and the smallest positive value of a tile.
struct Extent {
  int top = std::numeric_limits<int>::min();  ///< this if there is none
  int bottom = 0;

  [[nodiscard]] constexpr bool is_zero() const { return top == std::numeric_limits<int>::min(); }
};

/// That of a tile.
inline Extent extent_of(const tiles::SumOperations& operations, const double* values) {
  const auto [largest, least] = operations.range(values);
  return largest > 0 ? Extent{exponent_of(largest), exponent_of(least)} : Extent{};
}

/// The shift that takes the largest value of a tile below 2^500: the least multiple of the step.
constexpr int normal_shift(int top) {
  const int over = top + 1 - value_bits;
  return (over > 0 ? over + exponent_step - 1 : over) / exponent_step * exponent_step;
}

/// The unit of a product's sums of one tile: their exponent, and whether there are traces.
struct SumUnit {
  std::int64_t exponent = 0;
  bool is_set = false, has_traces = false;

  /// Whether the sums are too small beside their traces to be `change` times 2 larger.
  [[nodiscard]] constexpr bool loses(std::int64_t change) const { return has_traces && change > max_change; }
  /// The least unit that they may take.
  [[nodiscard]] constexpr std::int64_t lowest() const {
    return has_traces ? exponent - max_change : std::numeric_limits<std::int64_t>::min();
  }

 private:
  static constexpr std::int64_t max_change = 300;
};

/// How the products of a pair of tiles are added with 2^d, d <= 0: the exponents that the two tiles take, whether any
/// product is more than a trace, and whether there are traces.
struct PairScale {
  std::int64_t left, right;
  bool has_products, has_traces;
};

inline constexpr double half_a_trace = 0x1p-450;

constexpr PairScale pair_scale(std::int64_t d, const Extent& of_a, const Extent& of_b) {
  if (d + of_a.bottom + of_b.bottom > -1020 && d + of_a.bottom > -1020) return {d, 0, true, false};
  return {d / 2, d - d / 2, d + of_a.top + of_b.top > -800, true};
}

/// c += 2^d a b for whole tiles, with traces. Returns whether there are any.
inline bool add_scaled(const tiles::SumOperations& operations, double* c, const double* a, const double* b,
                       std::int64_t d, const Extent& of_a, const Extent& of_b, const double* next_a,
                       const double* next_b) {
  constexpr std::size_t size = tiles::tile_side * tiles::tile_side;
  alignas(64) std::array<double, size> left;
  if (d == 0) {
    operations.product(c, a, b, next_a, next_b);
    return false;
  }
  const PairScale scale = pair_scale(d, of_a, of_b);
  copy_scaled(operations, left.data(), a, scale.left);
  if (!scale.has_traces) {
    operations.product(c, left.data(), b, next_a, next_b);
    return false;
  }
  alignas(64) std::array<double, size> right;
  if (scale.has_products) {
    copy_scaled(operations, right.data(), b, scale.right);
    operations.product(c, left.data(), right.data(), next_a, next_b);
  }
  std::transform(a, a + size, left.begin(), [](double value) { return value > 0 ? half_a_trace : 0; });
  std::transform(b, b + size, right.begin(), [](double value) { return value > 0 ? half_a_trace : 0; });
  operations.product(c, left.data(), right.data(), next_a, next_b);
  return true;
}

/// What happens to values below the range of their tile: an error, or all of them become 0, or the least value that is
/// accepted. The sums of the last two are bounds of the true ones.
enum class LostValues : std::uint8_t { rejected, dropped, bounded };

/// The unit in which a tile closes, with what it takes to read other tiles in it.
class TileUnit {
 public:
  TileUnit(const std::vector<std::int32_t>& exponents, std::size_t tile_i, std::size_t tile_j, std::int64_t exponent,
           LostValues lost = LostValues::rejected)
      : exponents_(exponents),
        tile_i_(tile_i),
        tile_j_(tile_j),
        exponent_(exponent),
        one_(std::max(trace, power_of_two(-exponent))),
        lost_(lost) {
    for (std::size_t a = 0; a < 2; ++a) {
      for (std::size_t b = 0; b < 2; ++b) near_[a][b] = tile_i + a + b <= tile_j ? factor(tile_i + a, tile_j - b) : 1;
    }
    near_[0][0] = 1;
  }

  [[nodiscard]] std::int64_t exponent() const { return exponent_; }
  /// A value of a tile in this unit.
  [[nodiscard]] double read(double stored, std::size_t i, std::size_t j) const {
    const std::size_t a = i / tiles::tile_side - tile_i_, b = tile_j_ - j / tiles::tile_side;
    return with_trace(stored, a < 2 && b < 2 ? near_[a][b] : factor(tile_i_ + a, tile_j_ - b));
  }
  /// The same for the intervals (i,j), (i,j+1) and so on of one tile, in place.
  void read_row(std::span<double> stored, std::size_t i, std::size_t j) const {
    const std::size_t a = i / tiles::tile_side - tile_i_, b = tile_j_ - j / tiles::tile_side;
    const double by = a < 2 && b < 2 ? near_[a][b] : factor(tile_i_ + a, tile_j_ - b);
    for (double& value : stored) value = with_trace(value, by);
  }
  /// The number 1 in this unit: a trace if that is lost, infinite if it is beyond the range.
  [[nodiscard]] double one() const { return one_; }
  /// A number in this unit.
  [[nodiscard]] double constant(double value) const {
    return value == 0 ? 0 : with_trace(value, power_of_two(-exponent_));
  }
  [[nodiscard]] LostValues lost() const { return lost_; }

 private:
  /// The factor of the values of tile (i,j): finite, because values of 0 take it, too.
  [[nodiscard]] double factor(std::size_t i, std::size_t j) const {
    return power_of_two(std::min<std::int64_t>(exponents_[tiles::tile_number(i, j)] - exponent_, 1023));
  }

  const std::vector<std::int32_t>& exponents_;
  std::size_t tile_i_, tile_j_;
  std::int64_t exponent_;
  double one_;
  LostValues lost_;
  std::array<std::array<double, 2>, 2> near_;
};

/// A value of a tile is not accepted in the unit in which the tile closes.
struct OutOfUnit {
  unsigned table;
  std::size_t i, j;
  bool is_large;  ///< or else it is too small
};

/// The units in which a tile may close, halved until one fits. A value that is too large needs a larger unit, one that
/// is too small a smaller one: a unit that fits all values is found.
class UnitSearch {
 public:
  /// `largest`: the exponent of the largest value that the tile is made from, which is the first unit. Where lost
  /// values are no error, the smallest unit is the first: it loses the fewest.
  UnitSearch(std::int64_t lowest, std::int64_t largest, LostValues lost = LostValues::rejected)
      : lowest_(std::max(lowest, largest - 450)),
        highest_(largest + 499),
        unit_(lost == LostValues::rejected ? largest : lowest_) {}

  [[nodiscard]] bool has_unit() const { return lowest_ <= unit_ && unit_ <= highest_; }
  [[nodiscard]] std::int64_t unit() const { return unit_; }
  /// Takes the next unit after a value that was not accepted. Returns false if there is none.
  [[nodiscard]] bool advance(bool is_large) {
    if (is_large) lowest_ = unit_ + 1;
    if (!is_large) highest_ = unit_ - 1;
    unit_ = lowest_ + (highest_ - lowest_) / 2;
    return has_unit();
  }

 private:
  std::int64_t lowest_, highest_, unit_;
};

/// Tables whose values have no exponent: a unit that changes nothing.
struct NoUnit {
  template <class T>
  static const T& read(const T& stored, std::size_t /*i*/, std::size_t /*j*/) {
    return stored;
  }
  template <class T>
  static void read_row(std::span<T> /*stored*/, std::size_t /*i*/, std::size_t /*j*/) {}
  template <class T>
  static const T& constant(const T& value) {
    return value;
  }
};

template <class S>
using UnitOf = std::conditional_t<is_scaled<S>, TileUnit, NoUnit>;

[[noreturn]] inline void reject_span(const std::string& place) {
  throw Error(ErrorKind::overflow, place +
                                       " differs too much from the values near it: on a CPU values of a tile of "
                                       "64 x 64 intervals within 2^999 of each other are accepted, on a GPU within "
                                       "2^500 of the largest beside them");
}

}  // namespace warpfold::interval::detail
