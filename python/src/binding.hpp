#pragma once

#include <nanobind/eval.h>
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/number_types.hpp"
#include "warpfold/core/arithmetic.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/core/matrix.hpp"
#include "warpfold/minplus/semiring.hpp"
#include "warpfold/run/run.hpp"
#include "warpfold/run/verdict.hpp"

/// What the bindings of all families share: options, arrays in and out, and solves that Python can interrupt.
namespace warpfold::python {

namespace nb = nanobind;

/// An argument of that name. None reaches the function, which reports what it accepts instead.
inline auto operator""_a(const char* name, std::size_t) { return nb::arg(name).none(); }

/// The value of a required argument that the caller leaves out: an object that prints as "missing".
inline nb::object missing() {
  return nb::eval("type('Missing', (), {'__module__': 'warpfold', '__repr__': lambda self: 'missing'})()", nb::dict());
}

/// A required argument. Without it `missing()` reaches the function, which reports it like any other wrong value.
inline auto operator""_required(const char* name, std::size_t) { return nb::arg(name).none() = missing(); }

// Options: the keywords of every solving function.

/// The parsed keywords.
struct CallOptions {
  Options options;
  std::string dtype;    ///< "i32", .. or empty
  nb::object progress;  ///< called with (done, total), or None
};

/// Parses the keywords. Raises TypeError that lists the accepted ones for any other, and ValueError for an invalid
/// value.
[[nodiscard]] CallOptions asked(const nb::kwargs& words);

/// Parses the keywords of a check. Raises TypeError for an algorithm, because checks have none.
[[nodiscard]] CallOptions asked_of_check(const nb::kwargs& words);

/// Raises TypeError if a dtype is given to a function that has no choice of type. `why` is its reason.
void reject_dtype(const CallOptions& asked, const char* why);

/// Returns a function's signature for its stub, "knapsack(profits: AMOUNTS, OPTIONS) -> Packing". It spells out the
/// options, and the types of an AMOUNT, a number that may be a fraction, and of AMOUNTS, a list of them.
[[nodiscard]] nb::sig signature(const std::string& text);

// Solves.

/// The exception that an error becomes.
[[nodiscard]] nb::object exception_of(const Error& error);

/// Releases the GIL while it exists. A thread that would take the GIL back while the interpreter is ending ends there
/// without a message. Python lets no thread return then, and destroys the state that it would find.
class GilReleased {
 public:
  GilReleased();
  ~GilReleased();
  GilReleased(const GilReleased&) = delete;
  GilReleased& operator=(const GilReleased&) = delete;

  /// Returns call(), run with the GIL. Returns nothing if the interpreter is ending.
  template <class Call>
  [[nodiscard]] auto with_gil(const Call& call) {
    if (!take_back()) return decltype(call()){};
    auto result = call();
    release();
    return result;
  }

 private:
  void release();
  bool take_back();

  PyThreadState* state_ = nullptr;
};

/// The number of operations up to which a solve stays in the caller's thread, where nothing interrupts it. This takes
/// some tens of milliseconds. Another thread would cost some 20 microseconds.
inline constexpr double uninterrupted_operations = 2e7;

/// Runs `solve(options)` in its own thread. The caller's thread, without the GIL, checks for signals and reports
/// progress some 20 times a second. An exception there ends the solve, and is raised again.
void run_watched(const CallOptions& asked, const std::function<void(const Options&)>& solve);

/// Returns solve(options), run without the GIL. `operations` is at least about its number of operations.
template <class Solve>
[[nodiscard]] auto run(const CallOptions& asked, double operations, const Solve& solve) {
  if (operations <= uninterrupted_operations && asked.progress.is_none()) {
    const GilReleased released;
    return solve(asked.options);
  }
  std::optional<decltype(solve(asked.options))> result;
  run_watched(asked, [&](const Options& options) { result.emplace(solve(options)); });
  return std::move(*result);
}

// Scalars in: each function raises TypeError that names the argument, its value and what is accepted.

/// A value for messages: its repr on one line, cut if it is long.
[[nodiscard]] std::string shown(nb::handle value);

/// Raises TypeError, or ValueError for a value of an accepted type.
[[noreturn]] void reject_type(const char* name, nb::handle value, const char* accepted);
[[noreturn]] void reject_value(const char* name, nb::handle value, const char* accepted);

/// A Python index: an integer of Python or NumPy, not a float or text.
[[nodiscard]] nb::object index_of(const char* name, nb::handle value);

/// An integer. Raises OverflowError for a value that T does not hold.
template <class T>
[[nodiscard]] T integer(const char* name, nb::handle value) {
  T number{};
  if (nb::try_cast(index_of(name, value), number)) return number;
  throw Error(ErrorKind::overflow, std::string(name) + " is " + shown(value) + ": an integer from " +
                                       std::to_string(std::numeric_limits<T>::min()) + " to " +
                                       std::to_string(std::numeric_limits<T>::max()) + " is accepted");
}

[[nodiscard]] double real(const char* name, nb::handle value);
[[nodiscard]] bool truth(const char* name, nb::handle value);
[[nodiscard]] std::string text(const char* name, nb::handle value, const char* accepted = "text is accepted");

/// The digits of an integer of any length.
[[nodiscard]] std::string digits_of(const char* name, nb::handle value);

/// A tuple or a list with a number of parts between two limits. Raises ValueError for another number.
[[nodiscard]] nb::tuple parts_of(const char* name, nb::handle value, std::size_t least, std::size_t most,
                                 const char* accepted);

// Arrays in.

/// The type of entries: NumPy's kind ('i', 'u', 'f' or, for bool, 'b') and bytes.
struct ElementType {
  char kind;
  std::size_t bytes;

  bool operator==(const ElementType&) const = default;
};
template <class T>
inline constexpr ElementType element_type = {std::is_floating_point_v<T> ? 'f'
                                             : std::is_signed_v<T>       ? 'i'
                                                                         : 'u',
                                             sizeof(T)};

using ElementTypes = std::vector<ElementType>;

/// The types that a semiring accepts, the preferred one first. Or-and accepts bool too.
[[nodiscard]] ElementTypes element_types_of(const minplus::Semiring& semiring);

/// "No value" among the numbers of an array: zero() of a selective semiring, or nothing.
using NoValue = std::optional<double>;
[[nodiscard]] NoValue no_value_of(const minplus::Semiring& semiring);

/// An array argument. A buffer of an accepted type is used without a copy if each row is contiguous. Rows may be
/// further apart than they are long. NumPy makes one copy of anything else.
class Array {
 public:
  /// `accepted`: the types, the preferred one first. `dtype`: the one of them that the caller requests, or empty.
  /// `none`: the value for masked entries. Raises TypeError, ValueError or OverflowError that names the argument.
  Array(const char* name, nb::handle value, const ElementTypes& accepted, const std::string& dtype = "",
        const NoValue& none = {});
  ~Array() { PyBuffer_Release(&view_); }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;

  [[nodiscard]] const char* name() const { return name_; }
  [[nodiscard]] ElementType type() const { return type_; }
  template <class T>
  [[nodiscard]] bool holds() const {
    return type_ == element_type<T>;
  }
  [[nodiscard]] std::size_t dimensions() const { return static_cast<std::size_t>(view_.ndim); }
  [[nodiscard]] std::size_t extent(std::size_t axis) const { return static_cast<std::size_t>(view_.shape[axis]); }
  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(view_.len / view_.itemsize); }
  [[nodiscard]] std::vector<std::size_t> shape() const;
  template <class T>
  [[nodiscard]] const T* data() const {
    return static_cast<const T*>(view_.buf);
  }
  /// The distance from one row to the next, in entries.
  [[nodiscard]] std::size_t row_stride() const;
  /// The number of matrices: the product of all extents except the last two.
  [[nodiscard]] std::size_t matrices() const;

  /// Matrix `at`.
  template <class T>
  [[nodiscard]] MatrixView<const T> matrix(std::size_t at = 0) const {
    const std::size_t rows = extent(dimensions() - 2), columns = extent(dimensions() - 1);
    return {data<T>() + at * rows * row_stride(), rows, columns, row_stride()};
  }
  /// All entries, converted. T must hold every value of the array's type.
  template <class T>
  [[nodiscard]] std::vector<T> values() const {
    return {data<T>(), data<T>() + size()};
  }

 private:
  bool take(nb::handle value, const ElementTypes& accepted);

  const char* name_;
  Py_buffer view_{};
  ElementType type_{};
};

/// Calls `visit` with a zero of the array's type, one of the four types of most families.
template <class Visit>
auto with_type(const Array& array, const Visit& visit) {
  if (array.holds<std::int32_t>()) return visit(std::int32_t{});
  if (array.holds<std::int64_t>()) return visit(std::int64_t{});
  if (array.holds<float>()) return visit(float{});
  return visit(double{});
}
/// A value of Of<T>, for T one of the four types.
template <template <class> class Of>
using OfType = std::variant<Of<std::int64_t>, Of<double>, Of<std::int32_t>, Of<float>>;
inline const ElementTypes integer_or_real_types = {element_type<std::int64_t>, element_type<double>,
                                                   element_type<std::int32_t>, element_type<float>};

/// The same for a requested dtype. Raises TypeError for any other.
template <class Visit>
auto with_dtype(const std::string& dtype, const Visit& visit) {
  return with_type_named(dtype, TableTypes(), visit,
                         [] { throw nb::type_error("dtype: int32, int64, float32 or float64 is accepted here"); });
}

/// A list of Python integers, or an array of integers. Raises what `Array` raises.
[[nodiscard]] std::vector<std::int64_t> integers_of(const char* name, nb::handle value);

/// The unit of numbers that may be fractions (`_amounts.Unit`), or None for integers.
class AmountUnit {
 public:
  /// The largest unit of which all numbers and lists of numbers are multiples.
  template <class... Values>
  [[nodiscard]] static AmountUnit of(const Values&... values) {
    return AmountUnit(module().attr("unit_of")(values...));
  }

  /// `integers_of` a list, and `integer` of a number, in this unit.
  [[nodiscard]] std::vector<std::int64_t> list(const char* name, nb::handle value) const;
  [[nodiscard]] std::int64_t number(const char* name, nb::handle value) const;

  /// A number of units as the caller writes it.
  [[nodiscard]] nb::object amount(std::int64_t units) const;
  /// "1/20"; "1" of integers.
  [[nodiscard]] std::string text() const;
  /// A number of another unit in this one. Nothing if it is no multiple of this one.
  [[nodiscard]] std::optional<std::int64_t> from(const AmountUnit& other, std::int64_t units) const;

 private:
  explicit AmountUnit(nb::object unit) : unit_(std::move(unit)) {}
  [[nodiscard]] static nb::module_ module() { return nb::module_::import_("warpfold._amounts"); }

  nb::object unit_;
};

/// The dtype for the entries of one or more types: the widest of one kind, or f64 for integers beside floats.
[[nodiscard]] std::string common_dtype(const std::vector<ElementType>& types);

/// "a x b x c" of extents. Of an array with one dimension "a list of a".
[[nodiscard]] std::string extents_text(const std::vector<std::size_t>& shape);
[[nodiscard]] std::string extents_text(const Array& array);

/// Raises Error{input} that names the argument unless it is one square matrix, or a list.
void check_square(const Array& array);
void check_list(const Array& array);

/// Raises Error{overflow} for an integer beyond the infinities of its type, which could be taken for "no value". Checks
/// the entries of row i from column `first(i)` on.
template <class T, class First>
void check_within_infinity(const char* name, const MatrixView<const T>& matrix, const First& first) {
  if constexpr (std::is_integral_v<T> && std::is_signed_v<T>) {
    constexpr T most = infinity<T>;
    for (std::size_t i = 0; i < matrix.rows; ++i) {
      const T* row = matrix.row(i);
      bool beyond = false;
      for (std::size_t j = first(i); j < matrix.columns; ++j) beyond |= (row[j] > most) | (row[j] < -most);
      if (!beyond) continue;
      std::size_t j = first(i);
      while (row[j] <= most && row[j] >= -most) ++j;
      const std::string place = (matrix.rows == 1 ? "" : std::to_string(i) + ", ") + std::to_string(j);
      throw Error(ErrorKind::overflow, std::string(name) + "[" + place + "] is " + std::to_string(row[j]) +
                                           ": at most " + std::to_string(most) +
                                           " is accepted, and that means no value");
    }
  }
}
template <class T>
void check_within_infinity(const char* name, const MatrixView<const T>& matrix) {
  check_within_infinity(name, matrix, [](std::size_t) { return std::size_t{0}; });
}

/// The number of dimensions that NumPy would find, by the first entries.
[[nodiscard]] int depth_of(nb::handle value);

// Arrays out.

/// The array in NumPy's usual type of 64 bits ("long"). nanobind uses "long long", which prints another dtype.
template <class T>
[[nodiscard]] nb::object plain(nb::object array) {
  if constexpr (!std::is_integral_v<T> || sizeof(T) < 8) return array;
  return array.attr("view")(std::is_signed_v<T> ? "int64" : "uint64");
}

/// A read-only NumPy array of data that `owner` keeps.
template <class T>
[[nodiscard]] nb::object array_in(nb::handle owner, const T* data, std::initializer_list<std::size_t> shape) {
  return plain<T>(nb::cast(nb::ndarray<nb::numpy, const T>(data, shape.size(), shape.begin(), owner)));
}

/// A NumPy array that owns its data. The values move into it.
template <class T>
[[nodiscard]] nb::object array_of(std::vector<T> values, const std::vector<std::size_t>& shape) {
  auto kept = std::make_unique<std::vector<T>>(std::move(values));
  T* data = kept->data();
  const nb::capsule owner(kept.release(), [](void* all) noexcept { delete static_cast<std::vector<T>*>(all); });
  return plain<T>(nb::cast(nb::ndarray<nb::numpy, T>(data, shape.size(), shape.data(), owner)));
}

/// The pairs of a list as a NumPy array of integers, (k, 2).
template <class Pairs>
[[nodiscard]] nb::object array_of_pairs(const Pairs& pairs) {
  std::vector<std::int64_t> entries;
  entries.reserve(2 * pairs.size());
  for (const auto& [first, second] : pairs) {
    entries.push_back(static_cast<std::int64_t>(first));
    entries.push_back(static_cast<std::int64_t>(second));
  }
  return array_of(std::move(entries), {pairs.size(), 2});
}

/// A number as a Python number.
template <class T>
[[nodiscard]] nb::object number(T value) {
  if constexpr (std::is_floating_point_v<T>)
    return nb::float_(static_cast<double>(value));
  else
    return nb::int_(value);
}

/// An integer of any length, from its digits.
[[nodiscard]] nb::object integer_of(const std::string& digits);

/// An array of integers: of 64 bits if these hold them all, else of Python integers.
[[nodiscard]] nb::object array_of(const nb::list& numbers);

// Batches: leading dimensions of an argument, solved in one call.

/// The leading dimensions of an array. The last `own` dimensions belong to one problem.
[[nodiscard]] std::vector<std::size_t> leading(const Array& array, std::size_t own);

/// The number of the problem that an index, an integer or a tuple, selects in a batch of this shape. Raises IndexError.
[[nodiscard]] std::size_t place_of(const std::vector<std::size_t>& shape, nb::handle index);

/// "problem[1, 2]": the place of problem `at` in a batch of this shape.
[[nodiscard]] std::string place_text(const std::vector<std::size_t>& shape, std::size_t at);

/// Runs check(at) for each solution of a batch. Returns the first violation, with its place.
template <class Check>
[[nodiscard]] Verdict verify_each(const std::vector<std::size_t>& shape, std::size_t count, const Check& check) {
  Verdict all{.is_optimal = true};
  for (std::size_t at = 0; at < count; ++at) {
    Verdict one = check(at);
    if (one.violation) {
      one.violation = place_text(shape, at) + ": " + *one.violation;
      return one;
    }
    all.is_optimal = all.is_optimal && one.is_optimal;
    if (all.unchecked.empty() && !one.unchecked.empty()) all.unchecked = place_text(shape, at) + ": " + one.unchecked;
  }
  return all;
}

/// The costs of a batch's solutions, in its shape.
template <class Batch>
[[nodiscard]] nb::object costs_of(const Batch& all) {
  return std::visit(
      [&](const auto& solutions) {
        std::vector<decltype(solutions[0].cost)> costs;
        for (const auto& solution : solutions) costs.push_back(solution.cost);
        return array_of(std::move(costs), all.shape);
      },
      all.solutions);
}

}  // namespace warpfold::python
