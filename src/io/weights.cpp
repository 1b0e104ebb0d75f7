#include "warpfold/io/weights.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <type_traits>
#include <utility>

#include "warpfold/core/arithmetic.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/io/file.hpp"
#include "warpfold/io/npy.hpp"
#include "warpfold/io/numbers.hpp"

namespace warpfold::io {

namespace {

constexpr double largest_exact_whole = 9007199254740992.0;  // 2^53: doubles from here on skip whole numbers

bool is_chord(std::size_t n, std::size_t i, std::size_t j) { return i + 1 < j && !(i == 0 && j + 1 == n); }

bool is_whole(double value) {
  return value == infinity<double> || (std::abs(value) <= largest_exact_whole && std::trunc(value) == value);
}

template <class T>
void clear_all_but_chords(std::size_t n, std::vector<T>& values) {
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      if (!is_chord(n, i, j)) values[i * n + j] = 0;
    }
  }
}

WeightMatrix from_wholes(const std::string& path, std::size_t n, std::vector<std::int64_t> values) {
  clear_all_but_chords(n, values);
  return {path, n, true, std::move(values), {}};
}

WeightMatrix from_reals(const std::string& path, std::size_t n, std::vector<double> values) {
  clear_all_but_chords(n, values);
  for (const double value : values) {
    if (!is_whole(value)) return {path, n, false, {}, std::move(values)};
  }
  std::vector<std::int64_t> wholes;
  wholes.reserve(values.size());
  for (const double value : values) {
    wholes.push_back(value == infinity<double> ? infinity<std::int64_t> : static_cast<std::int64_t>(value));
  }
  return {path, n, true, std::move(wholes), {}};
}

WeightMatrix from_npy(const std::string& path) {
  const NpyArray array = read_npy(path);
  if (array.shape.size() != 2 || array.shape[0] != array.shape[1]) {
    throw Error(ErrorKind::input,
                fmt::format("{}: the shape is ({}): a square matrix is accepted", path, fmt::join(array.shape, ", ")));
  }
  if (array.is_integral()) return from_wholes(path, array.shape[0], array.values<std::int64_t>());
  return from_reals(path, array.shape[0], array.values<double>());
}

/// The entry as T; nothing where it has no exact whole T, or is finite and T's is not.
template <class T, class From>
std::optional<T> converted(From value) {
  if (value == infinity<From>) return infinity<T>;
  if constexpr (std::is_floating_point_v<T>) {
    const T result = static_cast<T>(value);
    if (std::isinf(result) && value > -infinity<From>) return std::nullopt;
    return result;
  } else {
    if constexpr (std::is_floating_point_v<From>) {
      if (!is_whole(value)) return std::nullopt;
      return converted<T>(static_cast<std::int64_t>(value));
    } else {
      if (!std::in_range<T>(value)) return std::nullopt;
      return static_cast<T>(value);
    }
  }
}

template <class T, class From>
std::vector<T> convert_all(const WeightMatrix& matrix, const std::vector<From>& entries) {
  std::vector<T> result;
  result.reserve(entries.size());
  for (const From entry : entries) {
    const std::optional<T> value = converted<T>(entry);
    if (!value) {
      throw Error(ErrorKind::input,
                  fmt::format("{}: chord ({}, {}) weighs {}: {} does not hold it", matrix.path,
                              result.size() / matrix.n, result.size() % matrix.n, entry, dtype_name<T>()));
    }
    result.push_back(*value);
  }
  return result;
}

}  // namespace

template <class T>
std::vector<T> WeightMatrix::values() const {
  return whole ? convert_all<T>(*this, wholes) : convert_all<T>(*this, reals);
}

template std::vector<std::int32_t> WeightMatrix::values() const;
template std::vector<std::int64_t> WeightMatrix::values() const;
template std::vector<float> WeightMatrix::values() const;
template std::vector<double> WeightMatrix::values() const;

WeightMatrix parse_weights(const std::string& path, std::string_view text) {
  Numbers numbers = parse_numbers(path, text);
  const auto n = static_cast<std::size_t>(std::llround(std::sqrt(static_cast<double>(numbers.reals.size()))));
  if (n * n != numbers.reals.size()) {
    throw Error(ErrorKind::input,
                fmt::format("{}: there are {} numbers: n times n are accepted", path, numbers.reals.size()));
  }
  return numbers.whole ? from_wholes(path, n, std::move(numbers.wholes))
                       : from_reals(path, n, std::move(numbers.reals));
}

WeightMatrix read_weights(const std::string& path) {
  return extension(path) == ".npy" ? from_npy(path) : parse_weights(path, read_file(path));
}

}  // namespace warpfold::io
