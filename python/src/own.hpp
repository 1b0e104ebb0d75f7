#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "warpfold/core/error.hpp"
#include "warpfold/core/matrix.hpp"
#include "warpfold/core/semiring.hpp"
#include "warpfold/interval/recurrence.hpp"
#include "warpfold/interval/verify_recurrence.hpp"
#include "warpfold/run/run.hpp"
#include "warpfold/run/verdict.hpp"

/// Interval recurrences of Python: the filled table, and how a struct of a user is filled in, solved and checked. The
/// package ships this file for the user's compiler. It contains nothing of Python.
namespace warpfold::python {

/// A value of Of<T>, for T one of the types of values.
template <template <class> class Of>
using OfValue =
    std::variant<Of<std::int64_t>, Of<double>, Of<std::int32_t>, Of<float>, Of<std::uint64_t>, Of<std::uint8_t>>;

template <class T>
using VectorOf = std::vector<T>;  // clang takes no template of two parameters for one of one

/// Rejects a semiring whose values are none of these types. _compile.py finds the message by its beginning.
template <class Value>
constexpr void check_value() {
  static_assert(
      std::is_constructible_v<OfValue<VectorOf>, std::vector<Value>>,
      "warpfold: the Value of the semiring is no number that Python takes: std::int64_t, double, std::int32_t, "
      "float, std::uint64_t or std::uint8_t is accepted");
}

struct IntervalTable {
  OfValue<interval::IntervalTable> table;
  std::vector<interval::Split> splits;
  Report report;
};

/// The selective semirings, whose optima have a structure.
template <class S>
inline constexpr bool has_structure = SemiringTraits<S>::is_selective;

/// The table, and the structure if there is one.
template <class R>
IntervalTable fill(const R& recurrence, std::size_t points, const Options& options) {
  check_value<typename R::Semiring::Value>();
  auto [table, report] = interval::solve_recurrence(recurrence, points, options);
  std::vector<interval::Split> splits;
  if constexpr (has_structure<typename R::Semiring>) {
    if (!R::Semiring::is_zero(table.value())) splits = interval::structure(recurrence, table, options);
  }
  return {std::move(table), std::move(splits), std::move(report)};
}

/// Calls it. A struct's function may throw something other than a std::exception, which becomes an Error.
template <class Call>
void call_user(const Call& call) {
  try {
    call();
  } catch (const std::exception&) {
    throw;
  } catch (...) {
    throw Error(ErrorKind::usage, "the struct throws what is no std::exception");
  }
}

/// Checks that every value of a table follows from those inside its interval.
template <class R>
Verdict check(const R& recurrence, const IntervalTable& all, std::size_t points, const Options& options) {
  const auto* table = std::get_if<interval::IntervalTable<typename R::Semiring::Value>>(&all.table);
  if (table == nullptr) return infeasible("the table is of another dtype");
  if (table->points() != points) return infeasible("the table has another number of points");
  return interval::verify_recurrence(recurrence, *table, options);
}

template <class T>
using List = std::span<const T>;

/// A value that Python gives to a member of a struct.
using Given = std::variant<std::int64_t, double, std::string_view, List<std::int64_t>, List<double>, List<std::int32_t>,
                           List<float>, List<std::uint8_t>, MatrixView<const std::int64_t>, MatrixView<const double>,
                           MatrixView<const std::int32_t>, MatrixView<const float>, MatrixView<const std::uint8_t>>;

inline std::string text_of(const Given& given) {
  constexpr const char* kinds[] = {"an integer",          "a float",           "text",
                                   "a list of int64",     "a list of float64", "a list of int32",
                                   "a list of float32",   "a list of uint8",   "a matrix of int64",
                                   "a matrix of float64", "a matrix of int32", "a matrix of float32",
                                   "a matrix of uint8"};
  static_assert(std::size(kinds) == std::variant_size_v<Given>);
  return kinds[given.index()];
}

/// Whether a member accepts a value of type T: a number of its kind, or a value that can be assigned.
template <class Member, class T>
inline constexpr bool takes = std::is_arithmetic_v<T>
                                  ? std::is_floating_point_v<Member> ||
                                        (std::is_integral_v<Member> && std::is_integral_v<T>)
                                  : !std::is_arithmetic_v<Member> && std::is_assignable_v<Member&, const T&>;

template <class Member, class T>
void assign(const char* name, Member& member, const T& value) {
  if constexpr (std::is_arithmetic_v<T>) {
    member = static_cast<Member>(value);
    if (std::is_floating_point_v<T> || static_cast<long double>(member) == static_cast<long double>(value)) return;
    throw Error(ErrorKind::overflow,
                std::string("member ") + name + " is " + std::to_string(value) + ", which its type does not hold");
  } else {
    member = value;
  }
}

/// The error for a value that a member does not accept: TypeError in Python.
class WrongKind : public Error {
 public:
  explicit WrongKind(const std::string& message) : Error(ErrorKind::usage, message) {}
};

/// Sets a member to a value from Python. Raises WrongKind if its type does not accept it, and Error{overflow} for an
/// integer out of its range. Both name the member.
template <class Member>
void set(const char* name, Member& member, const Given& given) {
  std::visit(
      [&]<class T>(const T& value) {
        if constexpr (takes<Member, T>) {
          assign(name, member, value);
        } else {
          throw WrongKind(std::string("member ") + name + " is given as " + text_of(given) +
                          ", which its type does not take: a number of its kind, std::string_view, "
                          "std::span<const T> or warpfold::MatrixView<const T> of this type is accepted. Arrays come "
                          "as int64, int32, uint8, float64 or float32, other integers as int64");
        }
      },
      given);
}

}  // namespace warpfold::python
