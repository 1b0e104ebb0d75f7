#include "warpfold/recurrence/problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/number_types.hpp"
#include "core/quantity.hpp"
#include "warpfold/core/arithmetic.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold::recurrence {

namespace {

constexpr std::pair<std::string_view, Op> op_names[] = {
    {"min", Op::min},     {"max", Op::max},   {"sum", Op::sum},     {"sum-mod", Op::sum_mod},
    {"xor", Op::bit_xor}, {"or", Op::bit_or}, {"and", Op::bit_and}, {"gcd", Op::gcd}};

[[noreturn]] void refuse(const std::string& what) { throw Error(ErrorKind::input, what); }

bool needs_integers(Op op) { return op != Op::min && op != Op::max && op != Op::sum; }

bool adds(Op op) { return op == Op::sum || op == Op::sum_mod; }

bool takes_weights(Op op) { return op == Op::min || op == Op::max || adds(op); }

template <class T>
T modulo(T number, T modulus) {
  return static_cast<T>((static_cast<__int128>(number) % modulus + modulus) % modulus);
}

template <class T>
bool is_no_value(Op op, T value) {
  if constexpr (std::is_signed_v<T>) {
    if (op == Op::max) return value == -infinity<T>;
  }
  return op == Op::min && value == infinity<T>;
}

}  // namespace

Op parse_op(const std::string& text) {
  for (const auto& [name, op] : op_names) {
    if (name == text) return op;
  }
  throw Error(ErrorKind::usage,
              fmt::format("op '{}' is unknown: min, max, sum, sum-mod, xor, or, and, gcd are accepted", text));
}

std::string_view to_string(Op op) {
  for (const auto& [name, value] : op_names) {
    if (value == op) return name;
  }
  return "";
}

bool is_idempotent(Op op) { return op != Op::sum && op != Op::sum_mod && op != Op::bit_xor; }

template <class T>
Problem<T>::Problem(Statement<T> statement) : stated_(std::move(statement)) {
  if (to_string(stated_.op).empty()) {
    throw Error(ErrorKind::usage, fmt::format("op {} is unknown", static_cast<int>(stated_.op)));
  }
  check_offsets();
  sort_offsets();
  if (stated_.initial.size() != static_cast<std::size_t>(largest_offset())) {
    refuse(fmt::format("initial has {}: as many as the largest offset, {}, are accepted",
                       quantity(stated_.initial.size(), "value"), largest_offset()));
  }
  if (n() < stated_.initial.size()) {
    refuse(fmt::format("n is {}: at least {}, the number of initial values, is accepted", n(), stated_.initial.size()));
  }
  constexpr std::size_t most = std::size_t{1} << 48;
  if (n() > most) refuse(fmt::format("n is {}: at most {} is accepted", n(), most));
  check_initial();
  check_weights();
  check_coefficients();
  bound_values();
}

template <class T>
double Problem<T>::operations() const {
  return static_cast<double>(n() - stated_.initial.size()) * static_cast<double>(stated_.offsets.size());
}

template <class T>
void Problem<T>::check_offsets() const {
  if (stated_.offsets.empty()) refuse("there are no offsets: at least one is needed");
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  for (const std::int64_t offset : stated_.offsets) {
    if (offset < 1 || offset > most) refuse(fmt::format("offset {} is not accepted: 1 to {} is", offset, most));
  }
  check_for_each_offset(stated_.weights, "weight", takes_weights(op()), "min, max, sum and sum-mod");
  check_for_each_offset(stated_.coefficients, "coefficient", adds(op()), "sum and sum-mod");
}

template <class T>
void Problem<T>::check_for_each_offset(const std::vector<T>& numbers, const char* one, bool is_accepted,
                                       const char* accepting) const {
  if (numbers.empty()) return;
  if (numbers.size() != stated_.offsets.size()) {
    refuse(fmt::format("{} for {}: none or one for each is accepted", quantity(numbers.size(), one),
                       quantity(stated_.offsets.size(), "offset")));
  }
  if (!is_accepted) refuse(fmt::format("{}s do not go with {}: {} accept them", one, to_string(op()), accepting));
}

template <class T>
void Problem<T>::sort_offsets() {
  const auto& weights = stated_.weights;
  std::vector<std::size_t> order(stated_.offsets.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  // Of equal offsets the one whose weight wins comes first.
  std::sort(order.begin(), order.end(), [&](std::size_t x, std::size_t y) {
    if (stated_.offsets[x] != stated_.offsets[y]) return stated_.offsets[x] > stated_.offsets[y];
    if (weights.empty()) return false;
    return op() == Op::max ? weights[x] > weights[y] : weights[x] < weights[y];
  });
  std::vector<std::int64_t> offsets;
  std::vector<T> sorted_weights, sorted_coefficients;
  for (const std::size_t j : order) {
    const std::int64_t offset = stated_.offsets[j];
    if (!offsets.empty() && offsets.back() == offset) {
      if (is_idempotent(op())) continue;
      refuse(fmt::format("offset {} occurs twice: with {} each may occur once", offset, to_string(op())));
    }
    offsets.push_back(offset);
    if (!weights.empty()) sorted_weights.push_back(weights[j]);
    if (has_coefficients()) sorted_coefficients.push_back(stated_.coefficients[j]);
  }
  stated_.offsets = std::move(offsets);
  stated_.weights = std::move(sorted_weights);
  stated_.coefficients = std::move(sorted_coefficients);
}

template <class T>
void Problem<T>::check_initial() {
  if (std::is_floating_point_v<T> && needs_integers(op())) {
    refuse(fmt::format("{} needs integers: i32, i64 and u64 are accepted", to_string(op())));
  }
  if (op() == Op::sum_mod ? modulus() < 1 : modulus() != 0) {
    refuse(op() == Op::sum_mod ? fmt::format("modulus is {}: with sum-mod at least 1 is accepted", modulus())
                               : fmt::format("modulus is {}: only sum-mod has one", modulus()));
  }
  for (std::size_t i = 0; i < stated_.initial.size(); ++i) {
    T& value = stated_.initial[i];
    if constexpr (std::is_floating_point_v<T>) {
      if (std::isnan(value)) refuse(fmt::format("initial value {} is NaN: numbers are accepted", i));
      value += T{0};  // -0.0 becomes 0.0
    }
    if (op() == Op::gcd && value < 0) {
      refuse(fmt::format("initial value {} is {}: with gcd at least 0 is accepted", i, value));
    }
    if (op() == Op::sum_mod && (value < 0 || value >= modulus())) {
      refuse(fmt::format("initial value {} is {}: with this modulus 0 to {} is accepted", i, value, modulus() - 1));
    }
  }
}

template <class T>
void Problem<T>::check_weights() {
  for (T& weight : stated_.weights) {
    if constexpr (std::is_floating_point_v<T>) {
      if (!std::isfinite(weight)) refuse(fmt::format("weight {} is not accepted: finite numbers are", weight));
      weight += T{0};
    } else if (op() == Op::sum_mod) {
      weight = modulo(weight, modulus());
    }
  }
}

template <class T>
void Problem<T>::check_coefficients() {
  __int128 total = 0;
  for (T& coefficient : stated_.coefficients) {
    if constexpr (std::is_floating_point_v<T>) {
      if (!std::isfinite(coefficient)) {
        refuse(fmt::format("coefficient {} is not accepted: finite numbers are", coefficient));
      }
      coefficient += T{0};
    } else if (op() == Op::sum_mod) {
      coefficient = modulo(coefficient, modulus());
    } else {
      total += std::max(__int128{coefficient}, -__int128{coefficient});
    }
  }
  if (total > __int128{1} << 62) {
    throw Error(ErrorKind::overflow,
                fmt::format("the coefficients add up to {} in magnitude: up to 2^62 is accepted", total));
  }
}

template <class T>
void Problem<T>::bound_values() {
  if constexpr (std::is_integral_v<T>) {
    if (!is_weighted() || (op() != Op::min && op() != Op::max)) return;
    // u64 is solved as i64, so its range is that of i64.
    constexpr auto most = static_cast<__int128>(
        std::min<std::uint64_t>(std::numeric_limits<T>::max(), std::numeric_limits<std::int64_t>::max()));
    const auto largest = [](const std::vector<T>& values, const auto& skip) {
      __int128 magnitude = 0;
      for (const T value : values) {
        if (!skip(value)) magnitude = std::max({magnitude, __int128{value}, -__int128{value}});
      }
      return magnitude;
    };
    // A value is an initial one plus a weight for each step back to it, and a step is at least the smallest offset.
    const __int128 steps = n() == stated_.initial.size()
                               ? 0
                               : 1 + static_cast<__int128>(n() - stated_.initial.size() - 1) / smallest_offset();
    const __int128 heaviest = largest(stated_.weights, [](T) { return false; });
    const __int128 total = largest(stated_.initial, [&](T value) { return is_no_value(op(), value); }) +
                           steps * std::min<__int128>(heaviest, most);
    if (4 * total >= most) {
      throw Error(ErrorKind::overflow, fmt::format("values can reach {} in {} steps: {} accepts less than {} here",
                                                   total, steps, dtype_name<T>(), most / 4));
    }
    bound_ = static_cast<T>(total);
  }
}

#define WARPFOLD_INSTANTIATE(T) template class Problem<T>;
WARPFOLD_FOR_EACH_RECURRENCE_TYPE(WARPFOLD_INSTANTIATE)
#undef WARPFOLD_INSTANTIATE

}  // namespace warpfold::recurrence
