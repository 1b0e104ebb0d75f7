#include "warpfold/polygon/orientation.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

namespace warpfold::polygon {

namespace {

/// An exact sum of doubles, as parts that do not overlap, the smallest first. The last part that is not 0 has its sign.
class ExactSum {
 public:
  void add_product(double a, double b) {
    const double product = a * b;
    add(std::fma(a, b, -product));
    add(product);
  }

  [[nodiscard]] int sign() const {
    for (std::size_t k = size_; k-- > 0;) {
      if (parts_[k] != 0) return parts_[k] > 0 ? 1 : -1;
    }
    return 0;
  }

 private:
  void add(double value) {
    for (std::size_t k = 0; k < size_; ++k) {
      const double sum = value + parts_[k];
      const double shadow = sum - value;
      parts_[k] = (value - (sum - shadow)) + (parts_[k] - shadow);  // what rounding lost
      value = sum;
    }
    parts_[size_++] = value;
  }

  std::array<double, 12> parts_{};
  std::size_t size_ = 0;
};

int exact_orientation(const Point& a, const Point& b, const Point& c) {
  ExactSum sum;
  sum.add_product(a.x, b.y);
  sum.add_product(-a.x, c.y);
  sum.add_product(-c.x, b.y);
  sum.add_product(-a.y, b.x);
  sum.add_product(a.y, c.x);
  sum.add_product(c.y, b.x);
  return sum.sign();
}

/// Whether a - b is exactly a double.
bool is_exact_difference(double a, double b) {
  const double difference = a - b;
  const double shadow = a - difference;
  return (a - (difference + shadow)) + (shadow - b) == 0;
}

}  // namespace

int orientation(const Point& a, const Point& b, const Point& c) {
  constexpr double unit = std::numeric_limits<double>::epsilon() / 2;
  constexpr double error_factor = (3 + 16 * unit) * unit;
  const double left = (a.x - c.x) * (b.y - c.y);
  const double right = (a.y - c.y) * (b.x - c.x);
  const double determinant = left - right;
  const double bound = error_factor * (std::abs(left) + std::abs(right));
  if (determinant > bound) return 1;
  if (determinant < -bound) return -1;
  // Runs of points on one line, as in maps and drawings, are decided here: exact differences, equal products.
  if (left == right && is_exact_difference(a.x, c.x) && is_exact_difference(b.y, c.y) &&
      is_exact_difference(a.y, c.y) && is_exact_difference(b.x, c.x)) {
    const double rounded_off = std::fma(a.x - c.x, b.y - c.y, -left) - std::fma(a.y - c.y, b.x - c.x, -right);
    return (rounded_off > 0) - (rounded_off < 0);
  }
  return exact_orientation(a, b, c);
}

}  // namespace warpfold::polygon
