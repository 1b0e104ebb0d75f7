#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <numeric>
#include <type_traits>
#include <utility>
#include <vector>

#include "warpfold/core/arithmetic.hpp"
#include "warpfold/core/matrix.hpp"

/// Problems out of bytes.
namespace warpfold::fuzz {

/// Decisions drawn from a fuzzer's bytes. After the last byte, numbers come from a seed that all bytes determine, so
/// that few bytes describe a large problem.
class Bytes {
 public:
  Bytes(const std::uint8_t* data, std::size_t size) : data_(data), left_(size) {
    for (std::size_t k = 0; k < size; ++k) state_ = (state_ ^ data[k]) * 0x100000001b3U;
  }

  /// A number from 0 to below `bound`, which is at least 1.
  std::uint64_t below(std::uint64_t bound) { return (bound > 256 ? word() : byte()) % bound; }
  std::int64_t between(std::int64_t least, std::int64_t most) {
    return least + static_cast<std::int64_t>(below(static_cast<std::uint64_t>(most - least) + 1));
  }
  bool one_in(std::uint64_t chances) { return below(chances) == 0; }
  template <class T>
  T pick(std::initializer_list<T> list) {
    return list.begin()[below(list.size())];
  }

  /// The size of a problem, at most `most`: mostly small, often near the edge of a tile.
  std::size_t size(std::size_t most) {
    const std::size_t chosen = below(16) < 13 ? below(pick({4, 12, 40})) : below(2) * 64 + 62 + below(5);
    return std::min(one_in(40) ? below(most + 1) : chosen, most);
  }
  /// The size of a problem that fills many tiles: from 1,000 on, often near the edge of a tile.
  std::size_t large_size() { return one_in(3) ? 1022 + below(5) : 1000 + below(pick({40, 300, 1100})); }

  /// Whether this input is one of that many, determined by all of its bytes. Consumes none of them.
  [[nodiscard]] bool is_one_of(std::uint64_t inputs) const { return mixed(~state_) % inputs == 0; }

 private:
  std::uint64_t byte() {
    if (left_ == 0) return drawn() >> 56;
    --left_;
    return *data_++;
  }
  std::uint64_t word() {
    if (left_ == 0) return drawn();
    std::uint64_t bits = 0;
    for (int k = 0; k < 8; ++k) bits = bits << 8 | byte();
    return bits;
  }
  std::uint64_t drawn() { return mixed(state_ += 0x9e3779b97f4a7c15U); }
  static std::uint64_t mixed(std::uint64_t x) {  // splitmix64
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9U;
    x = (x ^ x >> 27) * 0x94d049bb133111ebU;
    return x ^ x >> 31;
  }

  const std::uint8_t* data_;
  std::size_t left_;
  std::uint64_t state_ = 0xcbf29ce484222325U;
};

/// 0 .. n-1 in a random order. Only the first `moved` are drawn from all.
template <class Index>
std::vector<Index> drawn_order(Bytes& bytes, std::size_t n, std::size_t moved) {
  std::vector<Index> order(n);
  std::iota(order.begin(), order.end(), Index{0});
  for (std::size_t i = 0; i < moved; ++i) std::swap(order[i], order[i + bytes.below(n - i)]);
  return order;
}

/// The values in a random order.
template <class Value>
std::vector<Value> shuffled(Bytes& bytes, const std::vector<Value>& values) {
  std::vector<Value> other;
  for (const std::size_t at : drawn_order<std::size_t>(bytes, values.size(), values.size())) {
    other.push_back(values[at]);
  }
  return other;
}

/// How the numbers of a problem are drawn: few different ones, small ones, ones that every sum rounds (integers: small
/// ones), all magnitudes, or the largest that are accepted.
enum class Kind { ties, small, rounded, magnitudes, extreme };

/// A problem's numbers.
struct Numbers {
  Kind kind = Kind::small;
  bool negative = false;
  std::uint64_t one_in = 0;  ///< one number in that many is missing; 0: none

  explicit Numbers(Bytes& bytes)
      : kind(bytes.pick({Kind::ties, Kind::small, Kind::rounded, Kind::magnitudes, Kind::extreme})),
        negative(bytes.one_in(2)),
        one_in(bytes.pick<std::uint64_t>({0, 0, 2, 20})) {}

  /// Whether no number needs more than a dozen bits.
  [[nodiscard]] bool are_small() const { return kind == Kind::ties || kind == Kind::small; }

  /// A number of at most `most` in absolute value. Negative only if the numbers may be and T can.
  template <class T>
  T draw(Bytes& bytes, T most) const {
    const T x = std::min(magnitude(bytes, most), most);
    return std::is_signed_v<T> && negative && bytes.one_in(2) ? static_cast<T>(-x) : x;
  }
  /// A power of two by which all numbers can be multiplied without changing the rounding of sums. For integers that may
  /// be large it is 1.
  template <class T>
  [[nodiscard]] T scale(Bytes& bytes) const {
    if constexpr (std::is_floating_point_v<T>) {
      return std::ldexp(T{1}, static_cast<int>(bytes.between(-20, kind == Kind::extreme ? 0 : 20)));
    } else {
      return static_cast<T>(sizeof(T) > 2 && are_small() ? 1 << bytes.below(6) : 1);
    }
  }
  [[nodiscard]] bool missing(Bytes& bytes) const { return one_in > 0 && bytes.one_in(one_in); }

  template <class T>
  Matrix<T> matrix(Bytes& bytes, std::size_t rows, std::size_t columns, T most, T none) const {
    Matrix<T> entries(rows, columns);
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < columns; ++j) entries(i, j) = missing(bytes) ? none : draw<T>(bytes, most);
    }
    return entries;
  }
  template <class T>
  std::vector<T> list(Bytes& bytes, std::size_t size, T most) const {
    std::vector<T> values(size);
    for (T& x : values) x = draw<T>(bytes, most);
    return values;
  }

 private:
  template <class T>
  T magnitude(Bytes& bytes, T most) const {
    if (kind == Kind::extreme) return bytes.pick({most, most, T{0}, T{1}});
    const auto small = static_cast<T>(bytes.below(kind == Kind::ties || sizeof(T) == 1 ? 3 : 1000));
    if constexpr (std::is_floating_point_v<T>) {
      if (kind == Kind::rounded) return small / T{7};
      if (kind == Kind::magnitudes) return std::ldexp(small, static_cast<int>(bytes.below(64)) - 32);
    } else if (kind == Kind::magnitudes) {
      return static_cast<T>(bytes.below(static_cast<std::uint64_t>(std::numeric_limits<T>::max())) >>
                            bytes.below(std::numeric_limits<T>::digits));
    }
    return small;
  }
};

/// Multiplies all numbers except infinities.
template <class T>
T scaled(T x, T scale) {
  return std::abs(x) < infinity<T> ? static_cast<T>(scale * x) : x;
}
template <class T>
std::vector<T> scaled(std::vector<T> values, T scale) {
  for (T& x : values) x = scaled(x, scale);
  return values;
}
template <class T>
Matrix<T> scaled(Matrix<T> matrix, T scale) {
  for (std::size_t i = 0; i < matrix.rows(); ++i) {
    for (std::size_t j = 0; j < matrix.columns(); ++j) matrix(i, j) = scaled(matrix(i, j), scale);
  }
  return matrix;
}

}  // namespace warpfold::fuzz
