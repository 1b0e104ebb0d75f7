#include "warpfold/formats/weights.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>

#include "core/exact_type.hpp"
#include "core/number_types.hpp"
#include "core/quantity.hpp"
#include "formats/matrix_market.hpp"
#include "io/npy_entries.hpp"
#include "warpfold/core/arithmetic.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/formats/format.hpp"
#include "warpfold/formats/matrix.hpp"
#include "warpfold/io/file.hpp"
#include "warpfold/io/numbers.hpp"

namespace warpfold::formats {

namespace {

bool is_chord(std::size_t n, std::size_t i, std::size_t j) { return i + 1 < j && !(i == 0 && j + 1 == n); }

/// Whether an entry of the file's type (float, double or an integer of any width) is an integer.
template <class From>
bool is_integer(From value) {
  if constexpr (std::is_floating_point_v<From>) {
    return std::isinf(value) ||
           (std::abs(value) <= static_cast<From>(integer_limit<double>) && std::trunc(value) == value);
  } else {
    return true;
  }
}

/// Whether T holds the weight below its infinity. Integers of text are compared as io::Integer, without rounding.
template <class T, class From>
bool holds(From value) {
  if constexpr (std::is_floating_point_v<T>) {
    return io::holds_rounded<T>(static_cast<double>(value));
  } else {
    const auto integer = static_cast<io::Integer>(value);
    return integer < io::Integer{infinity<T>} && -integer < io::Integer{infinity<T>};
  }
}

/// The types that hold the weight, as text for a message.
template <class From>
std::string holders(From value) {
  if (is_integer(value) && holds<std::int32_t>(value)) return "i32, i64 and f64 do";
  if (is_integer(value) && holds<std::int64_t>(value)) return "i64 and, perhaps rounded, f64 do";
  return "f64 does, perhaps rounded";
}

}  // namespace

/// Calls visit(position, entry) for every entry that counts. The entry has the type of the file. In text, an integer
/// that is infinite as a double is visited as a double.
template <class Visit>
void WeightMatrix::each_chord(const Visit& visit) const {
  const auto visit_chord = [&](std::size_t position, auto entry) {
    if (is_chord(n_, position / n_, position % n_)) visit(position, entry);
  };
  if (const auto* array = std::get_if<io::NpyArray>(&entries_)) return io::each_entry(*array, visit_chord);
  const auto& numbers = std::get<io::Numbers>(entries_);
  for (std::size_t position = 0; position < numbers.size(); ++position) {
    const double real = numbers.real(position);
    if (numbers.is_integral && !std::isinf(real)) {
      visit_chord(position, numbers.integers[position]);
    } else {
      visit_chord(position, real);
    }
  }
}

WeightMatrix::WeightMatrix(std::string path, std::size_t n, std::variant<io::NpyArray, io::Numbers> entries)
    : path_(std::move(path)), n_(n), entries_(std::move(entries)) {
  is_integral_ = doubles_hold() || std::get<io::Numbers>(entries_).is_integral;
  each_chord([&](std::size_t position, auto entry) {
    const auto real = static_cast<double>(entry);
    if (std::isnan(real) || real == -infinity<double>) {
      throw Error(ErrorKind::input,
                  fmt::format("{}: chord ({}, {}) weighs {}: a number, or inf to forbid it, is accepted", path_,
                              position / n_, position % n_, real));
    }
    is_integral_ = is_integral_ && is_integer(entry);
    if (!std::isinf(real)) largest_ = std::max(largest_, std::abs(real));
  });
}

bool WeightMatrix::doubles_hold() const {
  const auto* numbers = std::get_if<io::Numbers>(&entries_);
  return !numbers || numbers->doubles_hold;
}

template <class T>
std::vector<T> WeightMatrix::values() const {
  std::vector<T> result(n_ * n_, T{0});
  each_chord([&](std::size_t position, auto entry) {
    using From = decltype(entry);
    if constexpr (std::is_floating_point_v<From>) {
      if (std::isinf(entry)) return void(result[position] = infinity<T>);
    }
    const bool fraction = std::is_integral_v<T> && !is_integer(entry);
    if (fraction || !holds<T>(entry)) {
      throw Error(fraction ? ErrorKind::input : ErrorKind::overflow,
                  fmt::format("{}: chord ({}, {}) weighs {}: {} does not hold it, {}", path_, position / n_,
                              position % n_, entry, dtype_name<T>(), holders(entry)));
    }
    result[position] = static_cast<T>(entry);
  });
  return result;
}

#define WARPFOLD_INSTANTIATE(T) template std::vector<T> WeightMatrix::values() const;
WARPFOLD_FOR_EACH_TABLE_TYPE(WARPFOLD_INSTANTIATE)
#undef WARPFOLD_INSTANTIATE

namespace {

WeightMatrix parse_npy_weights(const std::string& path, std::string content) {
  io::NpyArray array = io::parse_npy(path, std::move(content));
  if (array.shape.size() != 2 || array.shape[0] != array.shape[1]) {
    throw Error(ErrorKind::input,
                fmt::format("{}: the shape is ({}): a square matrix is accepted", path, fmt::join(array.shape, ", ")));
  }
  const std::size_t n = array.shape[0];
  return {path, n, std::move(array)};
}

WeightMatrix square_of(const std::string& path, TextMatrix matrix) {
  if (matrix.rows != matrix.columns) {
    throw Error(ErrorKind::input,
                fmt::format("{}: {} of {}: a square matrix is accepted", path, quantity(matrix.rows, "row"),
                            quantity(matrix.columns, "entry", "entries")));
  }
  return {path, matrix.rows, std::move(matrix.numbers)};
}

}  // namespace

WeightMatrix parse_weights(const std::string& path, std::string_view text) {
  return square_of(path, parse_text_matrix(path, text, is_chord));
}

std::span<const WeightFormat> weight_formats() {
  static const WeightFormat all[] = {
      {"NumPy", {".npy", ".npz"}, io::is_npy, parse_npy_weights},
      {"Matrix Market",
       {".mtx"},
       is_matrix_market,
       [](const std::string& path, std::string content) { return square_of(path, parse_market_array(path, content)); }},
      {"text",
       {".csv", ".txt"},
       any_other,
       [](const std::string& path, std::string content) { return parse_weights(path, content); }},
  };
  return all;
}

WeightMatrix read_weights(const std::string& path) {
  std::string content = io::read_file(path);
  const WeightFormat& format = find_format(weight_formats(), path, content);
  return format.parse(path, std::move(content));
}

}  // namespace warpfold::formats
