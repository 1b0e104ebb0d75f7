#pragma once

#include <bit>
#include <cmath>
#include <compare>
#include <cstdint>
#include <limits>
#include <numbers>

namespace warpfold {

/// 2^exponent: 0 or infinity where double has no such number. Subnormal numbers are not used.
[[nodiscard]] constexpr double power_of_two(std::int64_t exponent) {
  if (exponent < -1022) return 0;
  if (exponent > 1023) return std::numeric_limits<double>::infinity();
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
}

/// The exponent of a positive number: 2^exponent <= value < 2^(exponent + 1).
[[nodiscard]] inline int exponent_of(double value) { return std::ilogb(value); }

/// A number >= 0 of any magnitude: fraction * 2^exponent. The fraction is 0, or 0.5 <= fraction < 1.
///
/// Sums and products have the relative error of a double's.
class Scaled {
 public:
  Scaled() = default;
  /// value * 2^exponent, for a finite value >= 0.
  constexpr explicit Scaled(double value, std::int64_t exponent = 0) {
    if (value == 0) return;
    const auto bits = std::bit_cast<std::uint64_t>(value);
    if (const auto biased = static_cast<std::int64_t>(bits >> 52); biased > 0) {  // faster than std::frexp
      fraction_ = std::bit_cast<double>((bits & ~(std::uint64_t{0x7FF} << 52)) | std::uint64_t{1022} << 52);
      exponent_ = exponent + biased - 1022;
      return;
    }
    int shift = 0;
    fraction_ = std::frexp(value, &shift);
    exponent_ = exponent + shift;
  }

  [[nodiscard]] constexpr double fraction() const { return fraction_; }
  [[nodiscard]] constexpr std::int64_t exponent() const { return exponent_; }
  [[nodiscard]] constexpr bool is_zero() const { return fraction_ == 0; }
  /// The natural logarithm; -infinity of 0.
  [[nodiscard]] double ln() const { return std::log(fraction_) + static_cast<double>(exponent_) * std::numbers::ln2; }
  /// The number times 2^shift as a double: 0 below its range, infinity above.
  [[nodiscard]] constexpr double times_power_of_two(std::int64_t shift) const {
    return fraction_ == 0 ? 0 : 2 * fraction_ * power_of_two(exponent_ - 1 + shift);
  }

  friend constexpr Scaled operator*(const Scaled& a, const Scaled& b) {
    return Scaled(a.fraction_ * b.fraction_, a.exponent_ + b.exponent_);
  }
  friend constexpr Scaled operator/(const Scaled& a, const Scaled& b) {
    return Scaled(a.fraction_ / b.fraction_, a.exponent_ - b.exponent_);
  }
  friend constexpr Scaled operator+(const Scaled& a, const Scaled& b) {
    if (a.is_zero()) return b;
    if (b.is_zero()) return a;
    const Scaled& large = a.exponent_ >= b.exponent_ ? a : b;
    const Scaled& small = a.exponent_ >= b.exponent_ ? b : a;
    return Scaled(large.fraction_ + small.fraction_ * power_of_two(small.exponent_ - large.exponent_), large.exponent_);
  }
  bool operator==(const Scaled&) const = default;

 private:
  double fraction_ = 0;
  std::int64_t exponent_ = 0;
};

/// A sum of numbers with exponents.
class ScaledTotal {
 public:
  /// Adds value * 2^exponent, value < 2^1000.
  constexpr void add(double value, std::int64_t exponent) {
    if (value == 0) return;
    if (sum_ == 0) exponent_ = exponent;  // not a product: 0 times 2^1024 is no number
    if (exponent > exponent_) {
      sum_ *= power_of_two(exponent_ - exponent);
      exponent_ = exponent;
    }
    sum_ += value * power_of_two(exponent - exponent_);
  }
  /// Adds a product of three.
  constexpr void add(const Scaled& part, const Scaled& paired = Scaled(1), double weight = 1) {
    add(part.fraction() * paired.fraction() * weight, part.exponent() + paired.exponent());
  }
  [[nodiscard]] constexpr Scaled total() const { return Scaled(sum_, exponent_); }

 private:
  double sum_ = 0;
  std::int64_t exponent_ = 0;
};

}  // namespace warpfold
