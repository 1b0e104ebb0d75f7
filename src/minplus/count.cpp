#include "minplus/count.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace warpfold::minplus {

namespace {

constexpr std::size_t panel = std::size_t{1} << 15;  // terms that a number of 64 bits surely holds, see count_modulo

template <class T>
struct Matrix {
  std::size_t rows, columns;
  Budget::Reservation taken;
  std::vector<T> values;

  Matrix(Budget& budget, std::size_t of_rows, std::size_t of_columns)
      : rows(of_rows), columns(of_columns), taken(budget.reserve(rows * columns, sizeof(T))), values(rows * columns) {}
  MatrixView<T> view() { return {values.data(), rows, columns, columns}; }
};

/// Applies change(x) to every x of a matrix.
template <class T, class Source, class Change>
Matrix<T> changed(Budget& budget, const MatrixView<Source>& from, Change change) {
  Matrix<T> to(budget, from.rows, from.columns);
  for (std::size_t i = 0; i < from.rows; ++i) {
    std::transform(from.row(i), from.row(i) + from.columns, to.view().row(i), change);
  }
  return to;
}

template <class T>
std::uint64_t largest(const MatrixView<const T>& matrix) {
  T most = 0;
  for (std::size_t i = 0; i < matrix.rows; ++i) {
    for (std::size_t j = 0; j < matrix.columns; ++j) most = std::max(most, matrix(i, j));
  }
  return most;
}

/// Whether every sum fits 64 bits.
bool surely_fits(const Accumulation<std::uint64_t>& product) {
  using Wide = unsigned __int128;
  constexpr Wide most = std::numeric_limits<std::uint64_t>::max();
  const Wide term = Wide{largest(product.a)} * largest(product.b);
  const Wide given = largest<std::uint64_t>(product.c);
  return product.b.rows == 0 || term <= (most - given) / product.b.rows;
}

/// If the sum modulo 2^64 is far from the rounded sum, it has wrapped. Rounding errs by less than 2^62 before that.
void check_wrapped(const MatrixView<std::uint64_t>& wrapped, const MatrixView<double>& rounded) {
  for (std::size_t i = 0; i < wrapped.rows; ++i) {
    for (std::size_t j = 0; j < wrapped.columns; ++j) {
      if (std::abs(rounded(i, j) - static_cast<double>(wrapped(i, j))) > 0x1p62)
        reject_count(i, j, max_count<std::uint64_t>);
    }
  }
}

/// Terms are below 2^48 if one factor has 16 bits, so that sums of 2^15 and more of them fit. B is taken in two halves.
void count_modulo(const Accumulation<std::uint64_t>& product, Budget& budget,
                  const PlainProduct<std::uint64_t>& wrapping) {
  const auto& [semiring, a, b, c, argmin] = product;
  const std::uint64_t m = semiring.modulus;
  for (std::size_t i = 0; i < c.rows; ++i)
    std::transform(c.row(i), c.row(i) + c.columns, c.row(i), [&](auto x) { return x % m; });
  for (std::size_t k = 0; k < b.rows; k += panel) {
    const std::size_t depth = std::min(panel, b.rows - k);
    const MatrixView<const std::uint64_t> right{b.row(k), depth, b.columns, b.stride};
    auto left = changed<std::uint64_t>(budget, MatrixView<const std::uint64_t>{a.data + k, a.rows, depth, a.stride},
                                       [&](auto x) { return x % m; });
    auto high = changed<std::uint64_t>(budget, right, [&](auto x) { return x % m >> 16; });
    auto low = changed<std::uint64_t>(budget, right, [&](auto x) { return x % m & 0xffff; });
    Matrix<std::uint64_t> high_sum(budget, c.rows, c.columns), low_sum(budget, c.rows, c.columns);
    wrapping(left.view(), high.view(), high_sum.view());
    wrapping(left.view(), low.view(), low_sum.view());
    for (std::size_t i = 0; i < c.rows; ++i) {
      for (std::size_t j = 0; j < c.columns; ++j) {
        const std::uint64_t upper = high_sum.view()(i, j) % m << 16;
        c(i, j) = (c(i, j) + upper % m + low_sum.view()(i, j) % m) % m;
      }
    }
  }
}

}  // namespace

std::size_t count_bytes(const Accumulation<std::uint64_t>& product) {
  const std::size_t m = product.c.rows, p = product.b.rows, n = product.c.columns;
  if (product.semiring.modulus == 0) return (m * p + p * n + m * n) * sizeof(double);
  const std::size_t depth = std::min(panel, p);
  return (m * depth + 2 * depth * n + 2 * m * n) * sizeof(std::uint64_t);
}

CountError::CountError(std::size_t row, std::size_t column, std::uint64_t most)
    : Error(ErrorKind::overflow, fmt::format("entry ({}, {}) of the product is above {}: a count up to that is "
                                             "accepted, or any with a modulus",
                                             row, column, most)),
      row_(row),
      column_(column),
      most_(most) {}

void reject_count(std::size_t i, std::size_t j, std::uint64_t most) { throw CountError(i, j, most); }

void count(const Accumulation<std::uint64_t>& product, Budget& budget, const PlainProduct<std::uint64_t>& wrapping,
           const PlainProduct<double>& rounding) {
  if (product.semiring.modulus > 0) return count_modulo(product, budget, wrapping);
  if (surely_fits(product)) return wrapping(product.a, product.b, product.c);
  const auto to_double = [](std::uint64_t x) { return static_cast<double>(x); };
  auto a = changed<double>(budget, product.a, to_double);
  auto b = changed<double>(budget, product.b, to_double);
  auto rounded = changed<double>(budget, product.c, to_double);
  rounding(a.view(), b.view(), rounded.view());
  wrapping(product.a, product.b, product.c);
  check_wrapped(product.c, rounded.view());
}

/// A sum of nonnegative numbers that passes 2^53 also rounds to 2^53 or more, and stays there.
void count(const Accumulation<double>& product, const PlainProduct<double>& rounding) {
  rounding(product.a, product.b, product.c);
  for (std::size_t i = 0; i < product.c.rows; ++i) {
    for (std::size_t j = 0; j < product.c.columns; ++j) {
      if (!(product.c(i, j) <= max_count<double>)) reject_count(i, j, static_cast<std::uint64_t>(max_count<double>));
    }
  }
}

}  // namespace warpfold::minplus
