#pragma once

#include <fmt/format.h>

#include <limits>
#include <numeric>
#include <type_traits>

#include "warpfold/core/arithmetic.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/recurrence/problem.hpp"

/// The ops on single values, for the reference and the scalar algorithms. A value is lifted into an Element with the
/// weight and the coefficient of its offset, elements are combined, and the result is finished into a value of the
/// table.
namespace warpfold::recurrence {

template <class T>
struct Minimum {
  using Element = T;
  bool is_weighted;
  T bound;

  explicit Minimum(const Problem<T>& problem) : is_weighted(problem.is_weighted()), bound(problem.bound()) {}
  Element lift(T value, T weight, T) const { return static_cast<T>(value + weight); }
  Element combine(Element a, Element b) const { return b < a ? b : a; }
  T finish(Element element, std::size_t) const {
    if constexpr (std::is_integral_v<T>) {
      if (is_weighted && element >= infinity<T> - bound) return infinity<T>;
    }
    return element;
  }
};

template <class T>
struct Maximum {
  using Element = T;
  bool is_weighted;
  T bound;

  explicit Maximum(const Problem<T>& problem) : is_weighted(problem.is_weighted()), bound(problem.bound()) {}
  Element lift(T value, T weight, T) const { return static_cast<T>(value + weight); }
  Element combine(Element a, Element b) const { return a < b ? b : a; }
  T finish(Element element, std::size_t) const {
    if constexpr (std::is_integral_v<T> && std::is_signed_v<T>) {
      if (is_weighted && element <= bound - infinity<T>) return -infinity<T>;
    }
    return element;
  }
};

/// Sums of 2^31 values of 2^64 stay far below 2^127. A sum of floats is rounded once, at its end.
template <class T>
using SumElement = std::conditional_t<std::is_floating_point_v<T>, double, __int128>;

/// Rejects an integer sum that T cannot hold.
template <class T>
T checked_sum(SumElement<T> sum, std::size_t index) {
  if constexpr (std::is_integral_v<T>) {
    if (sum < std::numeric_limits<T>::min() || sum > std::numeric_limits<T>::max()) {
      throw Error(ErrorKind::overflow,
                  fmt::format("the sum at index {} is {}, which {} cannot hold: {}, sum-mod or a smaller n is accepted",
                              index, sum, dtype_name<T>(), sizeof(T) < 8 ? "a wider type" : "f64, which rounds"));
    }
  }
  return static_cast<T>(sum);
}

template <class T>
struct Sum {
  using Element = SumElement<T>;

  explicit Sum(const Problem<T>&) {}
  Element lift(T value, T weight, T coefficient) const {
    return static_cast<Element>(coefficient) * static_cast<Element>(value) + static_cast<Element>(weight);
  }
  Element combine(Element a, Element b) const { return a + b; }
  T finish(Element element, std::size_t index) const { return checked_sum<T>(element, index); }
};

/// The sum modulo m. The problem's values, weights and coefficients are in 0 .. m-1. Sums of 2^31 products of numbers
/// below 2^48 stay below 2^127; larger products are reduced before they are added.
template <class T>
struct SumModulo {
  using Element = __int128;
  T modulus;
  bool reduces_products;

  explicit SumModulo(const Problem<T>& problem)
      : modulus(problem.modulus()), reduces_products(problem.has_coefficients() && Element{modulus} >> 48 != 0) {}
  Element lift(T value, T weight, T coefficient) const {
    auto product = static_cast<unsigned __int128>(value) * static_cast<unsigned __int128>(coefficient);
    if (reduces_products) product %= static_cast<unsigned __int128>(modulus);
    return static_cast<Element>(product) + weight;
  }
  Element combine(Element a, Element b) const { return a + b; }
  T finish(Element element, std::size_t) const { return static_cast<T>(element % modulus); }
};

template <class T>
struct BitXor {
  using Element = T;
  explicit BitXor(const Problem<T>&) {}
  Element lift(T value, T, T) const { return value; }
  Element combine(Element a, Element b) const { return a ^ b; }
  T finish(Element element, std::size_t) const { return element; }
};

template <class T>
struct BitOr {
  using Element = T;
  explicit BitOr(const Problem<T>&) {}
  Element lift(T value, T, T) const { return value; }
  Element combine(Element a, Element b) const { return a | b; }
  T finish(Element element, std::size_t) const { return element; }
};

template <class T>
struct BitAnd {
  using Element = T;
  explicit BitAnd(const Problem<T>&) {}
  Element lift(T value, T, T) const { return value; }
  Element combine(Element a, Element b) const { return a & b; }
  T finish(Element element, std::size_t) const { return element; }
};

template <class T>
struct Gcd {
  using Element = T;
  explicit Gcd(const Problem<T>&) {}
  Element lift(T value, T, T) const { return value; }
  Element combine(Element a, Element b) const { return std::gcd(a, b); }
  T finish(Element element, std::size_t) const { return element; }
};

/// Calls visit with the problem's operation.
template <class T, class Visit>
auto with_operation(const Problem<T>& problem, const Visit& visit) {
  if constexpr (std::is_integral_v<T>) {
    switch (problem.op()) {
      case Op::sum_mod:
        return visit(SumModulo<T>(problem));
      case Op::bit_xor:
        return visit(BitXor<T>(problem));
      case Op::bit_or:
        return visit(BitOr<T>(problem));
      case Op::bit_and:
        return visit(BitAnd<T>(problem));
      case Op::gcd:
        return visit(Gcd<T>(problem));
      default:
        break;
    }
  }
  if (problem.op() == Op::min) return visit(Minimum<T>(problem));
  if (problem.op() == Op::max) return visit(Maximum<T>(problem));
  return visit(Sum<T>(problem));
}

}  // namespace warpfold::recurrence
