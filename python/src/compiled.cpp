#include <deque>

#include "binding.hpp"
#include "own.hpp"

/// Recurrences that are structs in C++. _compile.py has compiled each into its own library.
namespace warpfold::python {

namespace {

/// The functions that such a library exports: one solves the struct with these members, the other checks a table.
using Solve = void (*)(const Given* members, std::size_t points, const Options& options,
                       std::optional<IntervalTable>& result);
using Check = void (*)(const Given* members, std::size_t points, const Options& options, const IntervalTable& table,
                       std::optional<Verdict>& result);

const ElementTypes member_types = {element_type<std::int64_t>, element_type<double>, element_type<std::int32_t>,
                                   element_type<float>, element_type<std::uint8_t>};

template <class T>
Given given_as(const Array& array) {
  if (array.dimensions() == 2) return array.matrix<T>();
  if (array.dimensions() == 1) return List<T>(array.data<T>(), array.size());
  if (array.dimensions() > 2) {
    throw Error(ErrorKind::input, std::string(array.name()) + " is " + extents_text(array) +
                                      ": a number, text, a list or a matrix is accepted");
  }
  if constexpr (std::is_floating_point_v<T>)
    return static_cast<double>(*array.data<T>());
  else
    return static_cast<std::int64_t>(*array.data<T>());
}

std::string_view text_in(nb::handle value) {
  Py_ssize_t size = 0;
  const char* text = PyUnicode_AsUTF8AndSize(value.ptr(), &size);
  if (text == nullptr) nb::raise_python_error();
  return {text, static_cast<std::size_t>(size)};
}

/// The members' values, borrowed from Python, and the objects that hold them meanwhile.
class Members {
 public:
  explicit Members(const nb::dict& members) {
    for (const auto& [name, value] : members) {
      names_.push_back("member " + nb::cast<std::string>(name));
      given_.push_back(taken(value));
    }
  }
  [[nodiscard]] const Given* data() const { return given_.data(); }

 private:
  Given taken(nb::handle value) {
    if (PyUnicode_Check(value.ptr())) return text_in(value);
    if (PyBytes_Check(value.ptr())) {
      const auto text = nb::borrow<nb::bytes>(value);
      return std::string_view(text.c_str(), text.size());
    }
    const Array& array = arrays_.emplace_back(names_.back().c_str(), value, member_types);
    if (array.holds<std::uint8_t>()) return given_as<std::uint8_t>(array);
    return with_type(array, [&]<class T>(T) { return given_as<T>(array); });
  }

  std::deque<std::string> names_;
  std::deque<Array> arrays_;
  std::vector<Given> given_;
};

/// Returns what `call(members, points, limits, result)` makes, with the caller's options.
template <class Result, class Call>
Result called(nb::handle points, const nb::dict& members, const CallOptions& options, const Call& call) {
  reject_dtype(options, "the struct's semiring has a type");
  const auto count = integer<std::size_t>("points", points);
  const Members given(members);
  constexpr double operations = infinity<double>;  // a caller's function may take however long
  auto result = run(options, operations, [&](const Options& limits) {
    std::optional<Result> made;
    call(given.data(), count, limits, made);
    return made;
  });
  return std::move(*result);
}

IntervalTable compiled_recurrence(std::uintptr_t solve, nb::handle points, const nb::dict& members,
                                  const nb::kwargs& words) {
  return called<IntervalTable>(points, members, asked(words), reinterpret_cast<Solve>(solve));
}

Verdict verify_compiled(std::uintptr_t check, nb::handle points, const IntervalTable& table, const nb::dict& members,
                        const nb::kwargs& words) {
  return called<Verdict>(points, members, asked_of_check(words),
                         [&](const Given* given, std::size_t count, const Options& limits, auto& result) {
                           reinterpret_cast<Check>(check)(given, count, limits, table, result);
                         });
}

}  // namespace

void bind_compiled(nb::module_& module) {
  module.def("compiled_recurrence", &compiled_recurrence, "solve"_a, "points"_a, "members"_a, "options"_a,
             signature("compiled_recurrence(solve: int, points: int, members: dict[str, typing.Any], OPTIONS) -> "
                       "IntervalTable"));
  module.def("verify_compiled_recurrence", &verify_compiled, "check"_a, "points"_a, "table"_a, "members"_a, "options"_a,
             signature("verify_compiled_recurrence(check: int, points: int, table: IntervalTable, "
                       "members: dict[str, typing.Any], OPTIONS) -> Verdict"));
}

}  // namespace warpfold::python
