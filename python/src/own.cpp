#include "own.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <deque>

#include "binding.hpp"
#include "core/listed.hpp"
#include "warpfold/minplus/semiring.hpp"

/// Interval recurrences that Python declares by arrays: a semiring, leaves, weights, factors of a product, and weights
/// around the inner interval.
namespace warpfold::python {

namespace {

using interval::ProductSplit;

/// The arrays of a declaration, borrowed. A missing one is a view without data.
template <class T>
struct Declared {
  MatrixView<const T> leaves, weights, left, middle, right, inner;

  [[nodiscard]] std::size_t points() const { return leaves.columns + 1; }
};

/// times(best, weight(i,j)).
template <class S>
struct Weighted {
  using Semiring = S;
  using Value = typename S::Value;
  Declared<Value> declared;

  Value leaf(std::size_t i) const { return declared.leaves(0, i); }
  Value weight(std::size_t i, std::size_t j) const { return declared.weights.data ? declared.weights(i, j) : S::one(); }
};

/// Each split also costs left[i] * middle[k] * right[j].
template <class S>
struct Split : Weighted<S> {
  using Value = typename S::Value;
  ProductSplit<Value> product_split() const {
    return {this->declared.left.data, this->declared.middle.data, this->declared.right.data};
  }
};

/// The alternative of the inner interval (i+1,j-1), with inner(i,j) around it.
template <class S>
struct Around {
  using Semiring = S;
  using Value = typename S::Value;
  Weighted<S> weighted;

  Value leaf(std::size_t i) const { return weighted.leaf(i); }
  Value close(std::size_t i, std::size_t j, Value best, Value inner) const {
    return S::plus(S::times(best, weighted.weight(i, j)), S::times(inner, weighted.declared.inner(i, j)));
  }
};

/// Raises Error{usage} that names the semirings that accept a part of a declaration.
template <class Accepts>
[[noreturn]] void reject_part(const char* name, const Accepts& accepts) {
  std::vector<std::string_view> names = minplus::semiring_names();
  std::erase_if(names, [&](std::string_view one) { return !accepts(minplus::parse_semiring(std::string(one))); });
  throw Error(ErrorKind::usage, fmt::format("{} accepted over {}", name, listed(names)));
}

/// Calls `use` with the recurrence of the form that the arrays require. The library has vector code for each.
template <class S, class Use>
auto with_form(const Declared<typename S::Value>& declared, const Use& use) {
  using Traits = SemiringTraits<S>;
  const Weighted<S> weighted{declared};
  if (declared.left.data != nullptr) {
    if constexpr (Traits::adds) return use(Split<S>{{declared}});
    reject_part("factors are", [](minplus::Semiring over) { return over.adds(); });
  }
  if (declared.inner.data != nullptr) {
    if constexpr (Traits::adds || Traits::multiplies) return use(Around<S>{weighted});
    reject_part("inner is", [](minplus::Semiring over) { return over.adds() || over.multiplies(); });
  }
  return use(weighted);
}

template <class T, class Use>
auto with_recurrence(const std::string& semiring, const Declared<T>& declared, const Use& use) {
  const minplus::Semiring over = minplus::parse_semiring(semiring);
  if (!over.accepts<double>()) {
    throw Error(ErrorKind::usage, "semiring is '" + semiring + "': one of float64 is accepted");
  }
  if (!over.accepts<T>()) throw Error(ErrorKind::usage, semiring + " is of float64: dtype=float64 is accepted");
  return minplus::with_tag<T>(over, [&](auto tag) { return with_form<decltype(tag)>(declared, use); });
}

const ElementTypes types = {element_type<std::int64_t>, element_type<double>};

/// An array of a declaration in its dtype; nothing for None.
class Part {
 public:
  Part(const char* name, nb::handle value, const std::string& dtype, std::vector<std::size_t> shape,
       const NoValue& none = {}) {
    if (value.is_none()) return;
    array_.emplace(name, value, types, dtype, none);
    if (array_->shape() != shape) {
      throw Error(ErrorKind::input, fmt::format("{} is {}: {} is accepted beside so many leaves", name,
                                                extents_text(*array_), fmt::join(shape, " x ")));
    }
    if (none && array_->holds<std::int64_t>()) {
      check_within_infinity(name, view<std::int64_t>(), [](std::size_t i) { return i; });
    }
  }
  template <class T>
  [[nodiscard]] MatrixView<const T> view() const {
    if (!array_) return {};
    if (array_->dimensions() == 1) return {array_->data<T>(), 1, array_->extent(0), array_->extent(0)};
    return array_->matrix<T>();
  }

 private:
  std::optional<Array> array_;
};

/// The dtype for the entries of all arrays that are given.
std::string common_dtype_of(std::initializer_list<std::pair<const char*, nb::handle>> arrays, const NoValue& none) {
  ElementTypes given;
  for (const auto& [name, value] : arrays) {
    if (!value.is_none()) given.push_back(Array(name, value, types, "", none).type());
  }
  return common_dtype(given);
}

/// The parsed arguments of Python.
class Declaration {
 public:
  Declaration(nb::handle leaves, nb::handle semiring, nb::handle weights, nb::handle factors, nb::handle inner,
              std::string dtype);

  [[nodiscard]] std::size_t points() const { return points_; }
  [[nodiscard]] double operations() const { return std::pow(static_cast<double>(points_), 3) / 6; }

  /// Calls `use` with the declared recurrence.
  template <class Use>
  auto with(const Use& use) const {
    return is_real_ ? with_recurrence(semiring_, declared<double>(), use)
                    : with_recurrence(semiring_, declared<std::int64_t>(), use);
  }

 private:
  template <class T>
  [[nodiscard]] Declared<T> declared() const {
    return {parts_[0].view<T>(), parts_[1].view<T>(), parts_[2].view<T>(),
            parts_[3].view<T>(), parts_[4].view<T>(), parts_[5].view<T>()};
  }

  std::string semiring_;
  bool is_real_ = false;
  std::size_t points_ = 0;
  std::deque<Part> parts_;  // leaves, weights, three factors, inner
};

Declaration::Declaration(nb::handle leaves, nb::handle semiring, nb::handle weights, nb::handle factors,
                         nb::handle inner, std::string dtype)
    : semiring_(text("semiring", semiring)) {
  nb::object left = nb::none(), middle = nb::none(), right = nb::none();
  if (!factors.is_none()) {
    const nb::tuple three =
        parts_of("factors", factors, 3, 3, "(left, middle, right), a number a point each, is accepted");
    left = three[0], middle = three[1], right = three[2];
    if (!inner.is_none()) throw Error(ErrorKind::usage, "factors and inner go not together: one of both is accepted");
  }
  const minplus::Semiring over = minplus::parse_semiring(semiring_);
  if (!over.accepts<std::int64_t>() && dtype.empty()) dtype = "f64";
  const NoValue none = no_value_of(over);
  if (dtype.empty()) {
    dtype = common_dtype_of({{"leaves", leaves},
                             {"weights", weights},
                             {"factors[0]", left},
                             {"factors[1]", middle},
                             {"factors[2]", right},
                             {"inner", inner}},
                            none);
  }
  const Array first("leaves", leaves, types, dtype, none);
  if (first.dimensions() != 1 || first.size() == 0) {
    throw Error(ErrorKind::input, "leaves are " + extents_text(first) + ": a list of one or more is accepted");
  }
  is_real_ = first.holds<double>();
  points_ = first.size() + 1;
  parts_.emplace_back("leaves", leaves, dtype, std::vector<std::size_t>{points_ - 1}, none);
  parts_.emplace_back("weights", weights, dtype, std::vector<std::size_t>{points_, points_}, none);
  parts_.emplace_back("factors[0]", left, dtype, std::vector<std::size_t>{points_});
  parts_.emplace_back("factors[1]", middle, dtype, std::vector<std::size_t>{points_});
  parts_.emplace_back("factors[2]", right, dtype, std::vector<std::size_t>{points_});
  parts_.emplace_back("inner", inner, dtype, std::vector<std::size_t>{points_, points_}, none);
}

IntervalTable interval_recurrence(nb::handle leaves, nb::handle semiring, nb::handle weights, nb::handle factors,
                                  nb::handle inner, const nb::kwargs& words) {
  const CallOptions options = asked(words);
  const Declaration declaration(leaves, semiring, weights, factors, inner, options.dtype);
  return run(options, declaration.operations(), [&](const Options& limits) {
    return declaration.with([&](const auto& recurrence) { return fill(recurrence, declaration.points(), limits); });
  });
}

/// Checks in the dtype of the table.
Verdict verify_table(nb::handle leaves, const IntervalTable& all, nb::handle semiring, nb::handle weights,
                     nb::handle factors, nb::handle inner, const nb::kwargs& words) {
  const CallOptions options = asked_of_check(words);
  reject_dtype(options, "the table has one");
  const bool is_real = std::holds_alternative<interval::IntervalTable<double>>(all.table);
  const Declaration declaration(leaves, semiring, weights, factors, inner, is_real ? "f64" : "i64");
  return run(options, declaration.operations(), [&](const Options& limits) {
    return declaration.with(
        [&](const auto& recurrence) { return check(recurrence, all, declaration.points(), limits); });
  });
}

/// The table as a square, with zero() of the semiring below the diagonal.
nb::object square_of(const IntervalTable& all) {
  return std::visit(
      [&]<class T>(const interval::IntervalTable<T>& table) {
        const std::size_t n = table.points();
        std::vector<T> values(n * n, table.zero());
        for (std::size_t i = 0; i < n; ++i) {
          for (std::size_t j = i; j < n; ++j) values[i * n + j] = table.value(i, j);
        }
        return array_of(std::move(values), {n, n});
      },
      all.table);
}

}  // namespace

void bind_own(nb::module_& module) {
  nb::class_<IntervalTable>(module, "IntervalTable", "The values of an interval recurrence.")
      .def_prop_ro(
          "cost",
          [](const IntervalTable& all) {
            return std::visit([](const auto& table) { return number(table.value()); }, all.table);
          },
          nb::sig("def cost(self) -> typing.Any"), "value of the whole interval, an int or a float")
      .def_prop_ro("values", &square_of, nb::sig("def values(self) -> numpy.typing.NDArray[typing.Any]"),
                   "(n, n): value(i,j) for i <= j; \"no value\" of the semiring below the diagonal")
      .def_prop_ro(
          "splits",
          [](nb::handle self) {
            const auto& splits = nb::cast<const IntervalTable&>(self).splits;
            return array_in(self, splits.empty() ? nullptr : &splits[0].i, {splits.size(), 3});
          },
          nb::sig("def splits(self) -> numpy.typing.NDArray[numpy.uint32]"),
          "rows (i, k, j): interval (i,j) of the optimum splits at k; k = i: it is closed around (i+1,j-1). Empty "
          "if the semiring counts")
      .def_prop_ro(
          "report", [](const IntervalTable& all) { return all.report; }, "report of the run")
      .def("__repr__", [](const IntervalTable& all) {
        return std::visit(
            [](const auto& table) {
              return fmt::format("IntervalTable({} points, cost={})", table.points(),
                                 nb::repr(number(table.value())).c_str());
            },
            all.table);
      });
  module.def("interval_recurrence", &interval_recurrence, "leaves"_required, nb::kw_only(), "semiring"_a = "min-plus",
             "weights"_a = nb::none(), "factors"_a = nb::none(), "inner"_a = nb::none(), "options"_a,
             signature("interval_recurrence(leaves: numpy.typing.ArrayLike, *, semiring: str = 'min-plus', "
                       "weights: numpy.typing.ArrayLike | None = None, factors: tuple[numpy.typing.ArrayLike, "
                       "numpy.typing.ArrayLike, numpy.typing.ArrayLike] | None = None, "
                       "inner: numpy.typing.ArrayLike | None = None, OPTIONS) -> IntervalTable"),
             R"(A recurrence over the intervals of n points, declared by arrays.

    value(i,i)   = one                      value(i,i+1) = leaves[i]
    value(i,j)   = times(best, weights[i,j])  or with inner  plus(that, times(value(i+1,j-1), inner[i,j]))
    best         = plus over i<k<j of times(value(i,k), value(k,j)) [and left[i] * middle[k] * right[j], factors]

* leaves: n - 1 numbers.
* semiring: min-plus, max-plus, min-max, max-min, or plus-times, which counts. docs/guides/minplus.md lists all.
* weights: (n, n).
* factors: (left, middle, right) of n numbers each, for semirings whose times adds.
* inner: (n, n), for semirings whose times adds or multiplies. It excludes factors.

Integers are exact in int64, and floats are float64. plus-times is always float64, and rounds counts beyond 2^53.
Cost: n^3/6 products in vector code.

compiled_recurrence accepts recurrences written in C++.)");
  module.def(
      "verify", &verify_table, "problem"_required, "solution"_required, nb::kw_only(), "semiring"_a = "min-plus",
      "weights"_a = nb::none(), "factors"_a = nb::none(), "inner"_a = nb::none(), "options"_a,
      signature("verify(problem: numpy.typing.ArrayLike, solution: IntervalTable, *, semiring: str = 'min-plus', "
                "weights: numpy.typing.ArrayLike | None = None, factors: tuple[numpy.typing.ArrayLike, "
                "numpy.typing.ArrayLike, numpy.typing.ArrayLike] | None = None, "
                "inner: numpy.typing.ArrayLike | None = None, OPTIONS) -> Verdict"),
      "Whether every value of interval_recurrence(problem, ..) follows from those inside its interval, floats "
      "up to rounding; problem is the leaves.");
}

}  // namespace warpfold::python
