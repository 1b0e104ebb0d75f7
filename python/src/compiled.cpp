#include <fmt/format.h>

#include <cmath>
#include <deque>

#include "binding.hpp"
#include "own_grammar.hpp"

/// Recurrences and grammars that are structs in C++. _compile.py has compiled each into its own library.
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
      keys_.push_back(nb::borrow<nb::object>(name));
      given_.push_back(taken(value));
    }
  }
  [[nodiscard]] const Given* data() const { return given_.data(); }
  [[nodiscard]] std::size_t size() const { return given_.size(); }
  [[nodiscard]] const nb::object& name(std::size_t at) const { return keys_[at]; }
  /// The extents of a member's array: none of a number.
  [[nodiscard]] std::vector<std::size_t> shape(std::size_t at) const {
    return std::visit(
        []<class T>(const T& value) -> std::vector<std::size_t> {
          if constexpr (requires { value.rows; }) return {value.rows, value.columns};
          if constexpr (requires { value.size(); }) return {value.size()};
          return {};
        },
        given_[at]);
  }

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
  std::vector<nb::object> keys_;
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

using SolveGrammar = void (*)(const Given* members, std::size_t points, const Options& options,
                              std::unique_ptr<SolvedGrammar>& result);

/// The tables of a grammar, and the members that its struct borrows.
struct GrammarTables {
  std::unique_ptr<Members> members;
  std::unique_ptr<SolvedGrammar> solved;
};

constexpr double any_number = infinity<double>;  // a caller's function may take however long

GrammarTables compiled_grammar(std::uintptr_t solve, nb::handle points, const nb::dict& members,
                               const nb::kwargs& words) {
  const CallOptions options = asked(words);
  reject_dtype(options, "the struct's semiring has a type");
  const auto count = integer<std::size_t>("points", points);
  auto given = std::make_unique<Members>(members);
  auto solved = run(options, any_number, [&](const Options& limits) {
    std::unique_ptr<SolvedGrammar> made;
    reinterpret_cast<SolveGrammar>(solve)(given->data(), count, limits, made);
    return made;
  });
  return {std::move(given), std::move(solved)};
}

/// The options of a question about finished tables.
CallOptions asked_of_tables(const nb::kwargs& words) {
  CallOptions options = asked_of_check(words);
  reject_dtype(options, "the tables have one");
  return options;
}

unsigned table_of(const GrammarTables& tables, nb::handle table) {
  const auto number = integer<unsigned>("table", table);
  if (number < tables.solved->tables()) return number;
  throw Error(ErrorKind::usage, fmt::format("table is {}: 0 to {} is accepted", number, tables.solved->tables() - 1));
}

nb::object number_of(const GrammarNumber& value) {
  return std::visit([](const auto& one) { return number(one); }, value);
}

/// The extents of what a table has: a value for each interval, or for each point.
std::vector<std::size_t> extents_of(const GrammarTables& tables, unsigned table) {
  const std::size_t n = tables.solved->points();
  if (table + tables.solved->prefixes() >= tables.solved->tables()) return {n};
  return {n, n};
}

nb::object values_of(const GrammarTables& tables, nb::handle table) {
  const unsigned number = table_of(tables, table);
  auto values = tables.solved->values(number);
  return std::visit([&](auto& all) { return array_of(std::move(all), extents_of(tables, number)); }, values);
}

/// Rows (table, i, j, term, first, last).
nb::object array_of_steps(const SolvedGrammar::Steps& steps) {
  std::vector<std::uint32_t> numbers;
  for (const auto& [table, i, j, term, first, last] : steps) {
    numbers.insert(numbers.end(), {table, i, j, term, first, last});
  }
  return array_of(std::move(numbers), {steps.size(), 6});
}

using Ranked = std::vector<std::pair<GrammarNumber, SolvedGrammar::Steps>>;

nb::list list_of(const Ranked& ranked) {
  nb::list all;
  for (const auto& [value, steps] : ranked) all.append(nb::make_tuple(number_of(value), array_of_steps(steps)));
  return all;
}

nb::list best(const GrammarTables& tables, nb::handle k, const nb::kwargs& words) {
  const auto count = integer<std::size_t>("k", k);
  return list_of(run(asked_of_tables(words), any_number, [&](const Options& limits) {
    Ranked found;
    const auto keep = [&](GrammarNumber value, SolvedGrammar::Steps steps) {
      found.emplace_back(value, std::move(steps));
      return true;
    };
    tables.solved->visit({}, count, keep, limits);
    return found;
  }));
}

nb::list within(const GrammarTables& tables, nb::handle delta, nb::handle limit, const nb::kwargs& words) {
  const double difference = real("delta", delta);
  if (std::isnan(difference)) throw Error(ErrorKind::usage, "delta is nan: a number is accepted");
  const auto most = integer<std::size_t>("limit", limit);
  return list_of(run(asked_of_tables(words), any_number, [&](const Options& limits) {
    Ranked found;
    const auto keep = [&](GrammarNumber value, SolvedGrammar::Steps steps) {
      if (found.size() < most) found.emplace_back(value, std::move(steps));
      return found.size() < most;
    };
    tables.solved->visit(difference, {}, keep, limits);
    return found;
  }));
}

nb::list sample(const GrammarTables& tables, nb::handle count, nb::handle seed, const nb::kwargs& words) {
  const auto samples = integer<std::size_t>("count", count);
  const auto from = integer<std::uint64_t>("seed", seed);
  const auto drawn = run(asked_of_tables(words), any_number, [&](const Options& limits) {
    const SolveMonitor monitor(limits, 0);
    std::vector<SolvedGrammar::Steps> all;
    for (std::size_t t = 0; t < samples; ++t) {
      monitor.check();
      all.push_back(tables.solved->sample(from, t));
    }
    return all;
  });
  nb::list all;
  for (const auto& steps : drawn) all.append(array_of_steps(steps));
  return all;
}

nb::object marginals_of(const GrammarTables& tables, nb::handle table, const nb::kwargs& words) {
  const unsigned number = table_of(tables, table);
  auto found = run(asked_of_tables(words), any_number,
                   [&](const Options& limits) { return tables.solved->marginals(number, limits); });
  return array_of(std::move(found), extents_of(tables, number));
}

/// The derivatives by the members that have doubles, by their names.
nb::dict derivatives_of(const GrammarTables& tables, const nb::kwargs& words) {
  auto found = run(asked_of_tables(words), any_number,
                   [&](const Options& limits) { return tables.solved->derivatives(limits); });
  nb::dict all;
  for (std::size_t t = 0; t < found.size(); ++t) {
    const std::vector<std::size_t> shape = tables.members->shape(t);
    if (found[t].empty()) continue;
    all[tables.members->name(t)] = shape.empty() ? number(found[t][0]) : array_of(std::move(found[t]), shape);
  }
  return all;
}

void bind_grammar_tables(nb::module_& module) {
  constexpr const char* steps =
      "rows (table, i, j, term, first, last): the term that gives T(table,i,j) its value, by "
      "its number, and the interval that it reads; a product reads (i,first) and (first,j)";
  nb::class_<GrammarTables>(module, "GrammarTables",
                            "The tables of a grammar. Values of sums (ScaledSum) are natural logarithms.")
      .def_prop_ro(
          "points", [](const GrammarTables& all) { return all.solved->points(); }, "number of points")
      .def_prop_ro(
          "cost", [](const GrammarTables& all) { return number_of(all.solved->value()); },
          nb::sig("def cost(self) -> typing.Any"), "value of the whole, an int or a float")
      .def_prop_ro(
          "report", [](const GrammarTables& all) { return all.solved->report(); }, "report of the run")
      .def("values", &values_of, "table"_a, nb::sig("def values(self, table: int) -> numpy.typing.NDArray[typing.Any]"),
           "(n, n): T(table,i,j) for i < j; \"no value\" of the semiring elsewhere. The prefix tables come after the "
           "tables and have (n,) values.")
      .def(
          "derivation",
          [](const GrammarTables& all, const nb::kwargs& words) {
            return array_of_steps(run(asked_of_tables(words), any_number,
                                      [&](const Options& limits) { return all.solved->derivation(limits); }));
          },
          "options"_a, signature("derivation(self, OPTIONS) -> numpy.typing.NDArray[numpy.uint32]"), steps)
      .def(
          "best", &best, "k"_a, "options"_a,
          signature("best(self, k: int, OPTIONS) -> list[tuple[typing.Any, numpy.typing.NDArray[numpy.uint32]]]"),
          "The k best derivations, the best first, each with its value and its steps, as in derivation(). For MinPlus, "
          "MaxPlus and MaxTimes. A grammar that derives a structure in several ways lists it several times.")
      .def("within", &within, "delta"_a, nb::kw_only(), "limit"_a = 10000, "options"_a,
           signature("within(self, delta: float, *, limit: int = 10000, OPTIONS) -> list[tuple[typing.Any, "
                     "numpy.typing.NDArray[numpy.uint32]]]"),
           "The derivations whose values differ from the best by at most delta, the best first, up to a limit; under "
           "MaxTimes delta is the largest ratio of the best to a value.")
      .def("sample", &sample, "count"_a, "seed"_a = 0, "options"_a,
           signature("sample(self, count: int, seed: int = 0, OPTIONS) -> "
                     "list[numpy.typing.NDArray[numpy.uint32]]"),
           "Derivations that are drawn with the probabilities of their weights, under ScaledSum. Each depends on the "
           "seed and its number alone.")
      .def("marginals", &marginals_of, "table"_a, "options"_a,
           signature("marginals(self, table: int, OPTIONS) -> numpy.typing.NDArray[numpy.float64]"),
           "(n, n): the probability that a derivation has interval (i,j) in this table, under ScaledSum; of a prefix "
           "table (n,)")
      .def("derivatives", &derivatives_of, "options"_a,
           signature("derivatives(self, OPTIONS) -> dict[str, typing.Any]"),
           "The derivatives of the value, ln Z, by the members of float64, under ScaledSum: for each an array of its "
           "shape, or a float. Numbers count where the grammar uses them as a Weight.")
      .def(
          "verify",
          [](const GrammarTables& all, const nb::kwargs& words) {
            return run(asked_of_tables(words), any_number,
                       [&](const Options& limits) { return all.solved->verify(limits); });
          },
          "options"_a, signature("verify(self, OPTIONS) -> Verdict"),
          "Whether every value follows from those inside its interval, floats up to rounding")
      .def("__repr__", [](const GrammarTables& all) {
        return fmt::format("GrammarTables({} points, {} tables, cost={})", all.solved->points(), all.solved->tables(),
                           nb::repr(number_of(all.solved->value())).c_str());
      });
}

}  // namespace

void bind_compiled(nb::module_& module) {
  bind_grammar_tables(module);
  module.def("compiled_grammar", &compiled_grammar, "solve"_a, "points"_a, "members"_a, "options"_a,
             signature("compiled_grammar(solve: int, points: int, members: dict[str, typing.Any], OPTIONS) -> "
                       "GrammarTables"));
  module.def("compiled_recurrence", &compiled_recurrence, "solve"_a, "points"_a, "members"_a, "options"_a,
             signature("compiled_recurrence(solve: int, points: int, members: dict[str, typing.Any], OPTIONS) -> "
                       "IntervalTable"));
  module.def("verify_compiled_recurrence", &verify_compiled, "check"_a, "points"_a, "table"_a, "members"_a, "options"_a,
             signature("verify_compiled_recurrence(check: int, points: int, table: IntervalTable, "
                       "members: dict[str, typing.Any], OPTIONS) -> Verdict"));
}

}  // namespace warpfold::python
