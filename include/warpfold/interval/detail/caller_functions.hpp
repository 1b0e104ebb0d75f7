#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <type_traits>

#include "warpfold/core/error.hpp"
#include "warpfold/interval/recurrence_model.hpp"
#include "warpfold/run/run.hpp"

/// Calls of a recurrence's functions: how often they check the monitor, and which returned values are rejected.
namespace warpfold::interval::detail {

/// Checks a monitor about every millisecond while a caller's functions are called, however long one call takes.
class CallerCalls {
 public:
  explicit CallerCalls(const SolveMonitor* monitor) : monitor_(monitor), last_look_(Clock::now()) {}

  /// The number of calls before the next check.
  [[nodiscard]] std::size_t until_look() const { return left_; }
  /// Counts calls. Raises what SolveMonitor::check raises.
  void made(std::size_t calls) {
    left_ -= calls;
    if (left_ == 0) look();
  }

 private:
  using Clock = std::chrono::steady_clock;

  [[gnu::noinline]] void look() {
    if (monitor_) monitor_->check();
    const auto now = Clock::now();
    if (now - last_look_ < std::chrono::microseconds(100)) between_looks_ *= 8;
    if (now - last_look_ > std::chrono::milliseconds(10)) between_looks_ = 1;
    last_look_ = now;
    left_ = between_looks_;
  }

  const SolveMonitor* monitor_;
  Clock::time_point last_look_;
  std::size_t between_looks_ = 1;
  std::size_t left_ = 1;
};

/// The functions that a tile's closing calls, counted apart because one may be slow and the other fast.
struct ClosingCalls {
  CallerCalls splits, closes;
  explicit ClosingCalls(const SolveMonitor* monitor) : splits(monitor), closes(monitor) {}
};

/// A number in the fewest digits that tell it from others.
template <class T>
std::string number_text(T value) {
  std::array<char, 64> text{};  // 128 bits, which std::to_string does not take, are 40 digits
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), +value).ptr};  // +: a bool is 0 or 1
}

/// The text of an interval: "(3,7)".
inline std::string interval_text(std::size_t i, std::size_t j) {
  return '(' + std::to_string(i) + ',' + std::to_string(j) + ')';
}

/// Rejects a value of a caller's function or a table: raises Error{overflow}, or Error{input} for NaN.
template <class S>
[[noreturn]] void reject_value(const std::string& what, const typename S::Value& value) {
  if constexpr (std::is_arithmetic_v<typename S::Value>) {
    throw Error(kind_of_refused(value), what + " is " + number_text(value) + ": " + Stored<S>::accepted());
  } else {
    throw Error(ErrorKind::input, what + " is refused: " + Stored<S>::accepted());
  }
}

/// times(value(i,k), value(k,j)) of stored values, with the split of i < k < j. Sets `misfit` if the solver does not
/// accept that split.
template <class R>
ValueOf<R> join(const R& recurrence, const ProductSplit<ValueOf<R>>& product, const ValueOf<R>& left,
                const ValueOf<R>& right, std::size_t i, std::size_t k, std::size_t j, bool& misfit) {
  using S = typename R::Semiring;
  using Values = Stored<S>;
  const ValueOf<R> parts = Values::times(left, right);
  if constexpr (splits_by_product<R>) {
    return Values::times(parts, product(i, k, j));
  } else if constexpr (splits_freely<R>) {
    const ValueOf<R> split = recurrence.split(i, k, j);
    misfit |= !Values::accepts(split);
    if constexpr (Values::limited) return S::is_zero(split) ? Values::zero() : Values::times(parts, split);
    return Values::times(parts, Values::of(split));
  } else {
    return parts;
  }
}

/// Raises what `reject_value` raises for the first split i < k < j, first <= j < last, that is not accepted.
template <class R>
void reject_split(const R& recurrence, std::size_t i, std::size_t k, std::size_t first, std::size_t last) {
  if constexpr (splits_freely<R>) {
    for (std::size_t j = first; j < last; ++j) {
      const ValueOf<R> split = recurrence.split(i, k, j);
      if (Stored<typename R::Semiring>::accepts(split)) continue;
      reject_value<typename R::Semiring>(
          "split(" + std::to_string(i) + ',' + std::to_string(k) + ',' + std::to_string(j) + ')', split);
    }
  }
}

/// The largest magnitude in a list of a product split. Raises Error{usage} if the list is null, Error{input} for a
/// number that is not finite.
template <class T>
long double largest_of_list(const std::string& name, const T* list, std::size_t points) {
  if (list == nullptr) {
    throw Error(ErrorKind::usage, name + " is null: a list of " + std::to_string(points) + " numbers is accepted");
  }
  long double most = 0;
  if constexpr (std::is_arithmetic_v<T>) {
    for (std::size_t t = 0; t < points; ++t) {
      const auto magnitude = std::abs(static_cast<long double>(list[t]));
      if (!std::isfinite(magnitude)) {
        throw Error(ErrorKind::input,
                    name + "[" + std::to_string(t) + "] is " + number_text(list[t]) + ": a finite number is accepted");
      }
      most = std::max(most, magnitude);
    }
  }
  return most;
}

/// Raises what `largest_of_list` raises. Raises Error{overflow} if a product is not accepted, or does not fit the type
/// on the way.
template <class S, class T>
void check_product(const std::array<const T*, 3>& lists, std::size_t points) {
  const long double left = largest_of_list("product_split().left", lists[0], points);
  const long double factor = largest_of_list("product_split().middle", lists[1], points) *
                             largest_of_list("product_split().right", lists[2], points);
  if constexpr (std::is_arithmetic_v<T>) {
    constexpr bool has_domain = requires(T value) { S::accepts(value); };
    if (std::is_unsigned_v<T> && !has_domain) return;  // counting wraps at a power of two
    constexpr T most = std::numeric_limits<T>::max();
    if (factor > static_cast<long double>(most)) {  // even if left is small enough to make up for it
      throw Error(ErrorKind::overflow, "middle * right of the product split reaches " + number_text(factor) +
                                           ": up to " + number_text(most) + " is accepted");
    }
    const long double largest = left * factor;
    const auto is_taken = [](T product) {  // 0 may well be "no value", a number that is too large must not be
      return Stored<S>::accepts(product) && (product == T{0} || !S::is_zero(product));
    };
    if (largest <= static_cast<long double>(most) && is_taken(static_cast<T>(largest))) return;
    throw Error(ErrorKind::overflow,
                "the product split reaches " + number_text(largest) + ": " + Stored<S>::accepted());
  }
}

}  // namespace warpfold::interval::detail
