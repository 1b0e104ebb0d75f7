#pragma once

#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <string>
#include <type_traits>

#include "minplus/count.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/core/semiring.hpp"
#include "warpfold/minplus/multiply.hpp"

namespace warpfold::minplus {

/// The entries that a product accepts: from `least` to `most`, and zero.
template <class T>
struct Accepted {
  T least;
  T most;
  T zero;
  bool whole = false;  ///< no fractions
  bool is_of_unit_interval;

  /// The entries of a factor, or of C.
  Accepted(Semiring semiring, bool is_result)
      : zero(semiring.zero<T>()), is_of_unit_interval(semiring.is_of_unit_interval()) {
    const T max_summand = is_result ? largest_result<T> : largest_factor<T>;
    most = semiring.adds() ? max_summand : infinity<T>;
    least = static_cast<T>(-most);
    if (is_of_unit_interval) least = 0, most = 1;
    if (!semiring.is_selective()) least = 0, most = max_count<T>, whole = std::is_floating_point_v<T>;
  }
  [[nodiscard]] bool operator()(T x) const {
    if (x == zero) return true;
    if (!(x >= least && x <= most)) return false;
    if constexpr (std::is_floating_point_v<T>) return !whole || x == std::trunc(x);
    return true;
  }
  /// What many entries are.
  struct Found {
    bool refused;   ///< one is not accepted
    bool negative;  ///< one is below 0
  };
  /// Reads them once, in vectors.
  [[nodiscard]] Found inspect(const T* values, std::size_t count) const {
    unsigned refused = 0, negative = 0;
    for (std::size_t at = 0; at < count; ++at) {
      const T x = values[at];
      const unsigned in_range = static_cast<unsigned>(x >= least) & static_cast<unsigned>(x <= most);
      refused |= 1U ^ (in_range | static_cast<unsigned>(x == zero));
      if constexpr (std::is_signed_v<T>) negative |= static_cast<unsigned>(x < 0);
    }
    for (std::size_t at = 0; whole && refused == 0 && at < count; ++at) {
      refused = static_cast<unsigned>(!(*this)(values[at]));
    }
    return {refused != 0, negative != 0};
  }
  /// The kind of the error for x.
  [[nodiscard]] ErrorKind kind_of(T x) const {
    const bool beyond = x > most || (least < T{0} && x < least);
    return beyond && !is_of_unit_interval ? kind_of_refused(x) : ErrorKind::input;
  }
  [[nodiscard]] std::string text() const {
    if (most == infinity<T> && std::is_floating_point_v<T>) return "a number or an infinity is accepted";
    const std::string range =
        fmt::format("{} from {} to {} are accepted", whole ? "integers" : dtype_name<T>(), least, most);
    return zero >= least && zero <= most ? range : fmt::format("{}, and {} for no value", range, zero);
  }
};

}  // namespace warpfold::minplus
