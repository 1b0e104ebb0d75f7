#include <fmt/format.h>

#include "binding.hpp"
#include "warpfold/recurrence/coins.hpp"
#include "warpfold/recurrence/solve.hpp"
#include "warpfold/recurrence/verify.hpp"

namespace warpfold::python {

namespace {

using recurrence::Change;
using recurrence::CoinSystem;

/// The table of a recurrence, and its problem.
struct Table {
  std::variant<std::vector<std::int64_t>, std::vector<double>, std::vector<std::uint64_t>, std::vector<std::int32_t>,
               std::vector<float>>
      values;
  Report report;
};

const ElementTypes table_types = {element_type<std::int64_t>, element_type<double>, element_type<std::uint64_t>,
                                  element_type<std::int32_t>, element_type<float>};

/// A list in the type of the table.
template <class T>
std::vector<T> list_of(const char* name, nb::handle value, const NoValue& none = {}) {
  const Array array(name, value, {element_type<T>}, std::string(dtype_name<T>()), none);
  check_list(array);
  return array.values<T>();
}

NoValue no_value_of(recurrence::Op op) {
  if (op == recurrence::Op::min) return infinity<double>;
  if (op == recurrence::Op::max) return -infinity<double>;
  return std::nullopt;
}

template <class T>
recurrence::Problem<T> problem_of(nb::handle offsets, nb::handle initial, nb::handle n, nb::handle op,
                                  nb::handle weights, nb::handle coefficients, nb::handle modulus) {
  recurrence::Statement<T> statement;
  statement.op = recurrence::parse_op(text("op", op));
  statement.offsets = integers_of("offsets", offsets);
  statement.n = integer<std::size_t>("n", n);
  statement.initial = list_of<T>("initial", initial, no_value_of(statement.op));
  if (!weights.is_none()) statement.weights = list_of<T>("weights", weights);
  if (!coefficients.is_none()) statement.coefficients = list_of<T>("coefficients", coefficients);
  const auto divisor = integer<std::int64_t>("modulus", modulus);
  if (divisor < 0 || static_cast<double>(divisor) > static_cast<double>(std::numeric_limits<T>::max())) {
    throw Error(ErrorKind::input,
                fmt::format("modulus is {}: 1 or more that {} holds is accepted", divisor, dtype_name<T>()));
  }
  statement.modulus = static_cast<T>(divisor);
  return recurrence::Problem<T>(std::move(statement));
}

/// The dtype for the entries of all given lists.
std::string dtype_of(nb::handle initial, nb::handle weights, nb::handle coefficients, recurrence::Op op) {
  std::vector<ElementType> types = {Array("initial", initial, table_types, "", no_value_of(op)).type()};
  if (!weights.is_none()) types.push_back(Array("weights", weights, table_types).type());
  if (!coefficients.is_none()) types.push_back(Array("coefficients", coefficients, table_types).type());
  return common_dtype(types);
}

Table solve_recurrence(nb::handle offsets, nb::handle initial, nb::handle n, nb::handle op, nb::handle weights,
                       nb::handle coefficients, nb::handle modulus, const nb::kwargs& words) {
  const CallOptions options = asked(words);
  const auto solve_in = [&]<class T>(T) {
    const auto problem = problem_of<T>(offsets, initial, n, op, weights, coefficients, modulus);
    auto [solution, report] =
        run(options, problem.operations(), [&](const Options& limits) { return recurrence::solve(problem, limits); });
    return Table{std::move(solution.values), std::move(report)};
  };
  const std::string dtype = options.dtype.empty()
                                ? dtype_of(initial, weights, coefficients, recurrence::parse_op(text("op", op)))
                                : options.dtype;
  return dtype == "u64" ? solve_in(std::uint64_t{}) : with_dtype(dtype, solve_in);
}

Verdict verify_table(nb::handle problem, const Table& table, nb::handle op, nb::handle weights, nb::handle coefficients,
                     nb::handle modulus, const nb::kwargs& words) {
  const CallOptions options = asked_of_check(words);
  reject_dtype(options, "the table has one");
  const nb::tuple parts = parts_of("problem", problem, 3, 3, "(offsets, initial, n) is accepted");
  return std::visit(
      [&]<class T>(const std::vector<T>& values) {
        const auto stated = problem_of<T>(parts[0], parts[1], parts[2], op, weights, coefficients, modulus);
        return run(options, stated.operations(), [&](const Options& limits) {
          return recurrence::verify(stated, recurrence::Solution<T>{values}, limits);
        });
      },
      table.values);
}

nb::object values_in(nb::handle self) {
  return std::visit([&](const auto& values) { return array_in(self, values.data(), {values.size()}); },
                    nb::cast<const Table&>(self).values);
}

void bind_table(nb::module_& module) {
  nb::class_<Table>(module, "RecurrenceTable", "The values of a linear recurrence.")
      .def_prop_ro("values", &values_in, nb::sig("def values(self) -> numpy.typing.NDArray[typing.Any]"),
                   "(n,): all values, the initial ones first")
      .def_prop_ro(
          "report", [](const Table& table) { return table.report; }, "report of the run")
      .def("__repr__", [](const Table& table) {
        return std::visit([](const auto& values) { return fmt::format("RecurrenceTable({} values)", values.size()); },
                          table.values);
      });
  module.def("recurrence", &solve_recurrence, "offsets"_required, "initial"_required, "n"_required, nb::kw_only(),
             "op"_a = "min", "weights"_a = nb::none(), "coefficients"_a = nb::none(), "modulus"_a = 0, "options"_a,
             signature("recurrence(offsets: numpy.typing.ArrayLike, initial: numpy.typing.ArrayLike, n: int, *, "
                       "op: str = 'min', weights: numpy.typing.ArrayLike | None = None, "
                       "coefficients: numpy.typing.ArrayLike | None = None, modulus: int = 0, OPTIONS) "
                       "-> RecurrenceTable"),
             R"(The first n values of a recurrence whose values depend on earlier ones at fixed distances.

    ST[i] = op over j of ([coefficients[j] *] ST[i - offsets[j]] [+ weights[j]])    for i >= the largest offset

initial has the first values; their number is the largest offset. op is min, max, sum, sum-mod (with modulus), xor, or,
and, or gcd. Only sum and sum-mod accept coefficients. Integers are exact. Raises OverflowError for a sum that does not
fit.)");
  module.def("verify", &verify_table, "problem"_required, "solution"_required, nb::kw_only(), "op"_a = "min",
             "weights"_a = nb::none(), "coefficients"_a = nb::none(), "modulus"_a = 0, "options"_a,
             signature("verify(problem: tuple[typing.Any, ...], solution: RecurrenceTable, *, op: str = 'min', "
                       "weights: numpy.typing.ArrayLike | None = None, "
                       "coefficients: numpy.typing.ArrayLike | None = None, modulus: int = 0, OPTIONS) -> Verdict"),
             "Checks that every value follows from those before it. problem is (offsets, initial, n).");
}

/// An amount, and the coins that pay it.
struct CoinQuery {
  CoinQuery(nb::handle coins, nb::handle paid, nb::handle stock, const AmountUnit& unit = AmountUnit::of())
      : system(unit.list("coins", coins), stock.is_none() ? std::vector<std::int64_t>() : integers_of("stock", stock)),
        amount(unit.number("amount", paid)) {}

  CoinSystem system;
  std::int64_t amount;

  /// At least about the operations of the slowest algorithm.
  [[nodiscard]] double operations() const {
    return static_cast<double>(system.coins().size()) * static_cast<double>(amount);
  }
};

using Payment = Outcome<Change>;

Payment coins(nb::handle coins, nb::handle amount, nb::handle stock, const nb::kwargs& words) {
  const CallOptions options = asked(words);
  reject_dtype(options, "coins are counted in integers of 64 bits");
  const CoinQuery purse(coins, amount, stock, AmountUnit::of(coins, amount));
  try {
    return run(options, purse.operations(),
               [&](const Options& limits) { return recurrence::fewest_coins(purse.system, purse.amount, limits); });
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::infeasible) throw;
    throw Error(ErrorKind::infeasible, fmt::format("no coins of these give the amount {}", nb::str(amount).c_str()));
  }
}

nb::object fewest_coins(nb::handle coins, nb::handle amount, nb::handle stock, const nb::kwargs& words) {
  const CallOptions options = asked(words);
  reject_dtype(options, "coins are counted in integers of 32 bits");
  const CoinQuery purse(coins, amount, stock);
  auto table = run(options, purse.operations(), [&](const Options& limits) {
    return recurrence::fewest_coins_up_to(purse.system, purse.amount, limits);
  });
  const std::size_t count = table.solution.fewest.size();
  return array_of(std::move(table.solution.fewest), {count});
}

/// A count as a Python integer of any length.
nb::object count_of(const recurrence::Ways& ways, std::size_t at) {
  if (ways.exact.empty()) return nb::int_(ways.modulo[at]);
  return integer_of(ways.exact[at]);
}

/// The counts of all amounts; Python integers if 64 bits are not enough.
nb::object counts_of(const recurrence::Ways& ways) {
  nb::list counts;
  for (std::size_t at = 0; at < ways.exact.size() + ways.modulo.size(); ++at) counts.append(count_of(ways, at));
  return array_of(counts);
}

nb::object coin_ways(nb::handle coins, nb::handle amount, nb::handle stock, nb::handle modulus, nb::handle return_table,
                     const nb::kwargs& words) {
  const CallOptions options = asked(words);
  reject_dtype(options, "ways are counted exactly");
  const bool of_all = truth("return_table", return_table);
  const CoinQuery purse(coins, amount, stock, of_all ? AmountUnit::of() : AmountUnit::of(coins, amount));
  const auto divisor = integer<std::uint64_t>("modulus", modulus);
  const auto ways = run(options, purse.operations(), [&](const Options& limits) {
                      return recurrence::count_ways(purse.system, purse.amount, divisor, of_all, limits);
                    }).solution;
  return of_all ? counts_of(ways) : count_of(ways, 0);
}

Verdict verify_coins(nb::handle problem, const Payment& payment) {
  const nb::tuple parts = parts_of("problem", problem, 2, 3, "(coins, amount) or (coins, amount, stock) is accepted");
  const CoinQuery purse(parts[0], parts[1], nb::len(parts) == 3 ? nb::object(parts[2]) : nb::none(),
                        AmountUnit::of(parts[0], parts[1]));
  const GilReleased released;
  return recurrence::verify(purse.system, purse.amount, payment.solution);
}

Verdict verify_fewest_coins(nb::handle coins, nb::handle amount, nb::handle fewest, nb::handle stock,
                            const nb::kwargs& words) {
  const CallOptions options = asked_of_check(words);
  reject_dtype(options, "coins are counted in integers of 32 bits");
  const CoinQuery purse(coins, amount, stock);
  const std::vector<std::int32_t> stated = list_of<std::int32_t>("fewest", fewest);
  return run(options, purse.operations(), [&](const Options& limits) {
    return recurrence::verify(purse.system, purse.amount, recurrence::FewestTable{stated}, limits);
  });
}

/// One count or, for a table, all.
recurrence::Ways stated_ways(nb::handle ways, std::uint64_t modulus) {
  recurrence::Ways stated;
  const auto add = [&](nb::handle count) {
    if (modulus == 0)
      stated.exact.push_back(digits_of("ways", count));
    else
      stated.modulo.push_back(integer<std::uint64_t>("ways", count));
  };
  if (!nb::hasattr(ways, "__len__")) {
    add(ways);
  } else {
    for (const nb::handle count : ways) add(count);
  }
  return stated;
}

Verdict verify_coin_ways(nb::handle coins, nb::handle amount, nb::handle ways, nb::handle stock, nb::handle modulus,
                         const nb::kwargs& words) {
  const CallOptions options = asked_of_check(words);
  reject_dtype(options, "ways are counted exactly");
  const bool of_all = nb::hasattr(ways, "__len__");
  const CoinQuery purse(coins, amount, stock, of_all ? AmountUnit::of() : AmountUnit::of(coins, amount));
  const auto divisor = integer<std::uint64_t>("modulus", modulus);
  const recurrence::Ways stated = stated_ways(ways, divisor);
  return run(options, purse.operations(), [&](const Options& limits) {
    return recurrence::verify(purse.system, purse.amount, stated, divisor, limits);
  });
}

void bind_coins(nb::module_& module) {
  nb::class_<Payment>(module, "Change", "A payment in the fewest coins.")
      .def_prop_ro(
          "fewest", [](const Payment& payment) { return payment.solution.fewest; }, "number of coins")
      .def_prop_ro(
          "cost", [](const Payment& payment) { return payment.solution.fewest; }, "same as fewest")
      .def_prop_ro(
          "used",
          [](nb::handle self) {
            const auto& used = nb::cast<const Payment&>(self).solution.used;
            return array_in(self, used.data(), {used.size()});
          },
          nb::sig("def used(self) -> numpy.typing.NDArray[numpy.int64]"), "number of coins of each kind")
      .def_prop_ro(
          "report", [](const Payment& payment) { return payment.report; }, "report of the run")
      .def("__repr__", [](const Payment& payment) { return fmt::format("Change({} coins)", payment.solution.fewest); });
  const std::string stock = ", *, stock: numpy.typing.ArrayLike | None = None, ";
  const std::string amounts = "(coins: AMOUNTS, amount: AMOUNT" + stock;
  module.def("coins", &coins, "coins"_required, "amount"_required, nb::kw_only(), "stock"_a = nb::none(), "options"_a,
             signature("coins" + amounts + "OPTIONS) -> Change"),
             R"(Pays an amount in the fewest coins. A stock limits how often each coin is used.

    F(0) = 0,    F(a) = 1 + min over coins c of F(a - c)

Coins and amount are integers or fractions, as in knapsack. Raises InfeasibleError if no coins give the amount.)");
  module.def("fewest_coins", &fewest_coins, "coins"_required, "amount"_required, nb::kw_only(), "stock"_a = nb::none(),
             "options"_a,
             signature("fewest_coins(coins: numpy.typing.ArrayLike, amount: int" + stock +
                       "OPTIONS) -> numpy.typing.NDArray[numpy.int32]"),
             "The fewest coins for every amount 0 .. amount; -1 if no coins give it.");
  module.def("verify_fewest_coins", &verify_fewest_coins, "coins"_required, "amount"_required, "fewest"_required,
             nb::kw_only(), "stock"_a = nb::none(), "options"_a,
             signature("verify_fewest_coins(coins: numpy.typing.ArrayLike, amount: int, fewest: "
                       "numpy.typing.ArrayLike, *, stock: numpy.typing.ArrayLike | None = None, OPTIONS) -> Verdict"),
             "Checks that fewest is fewest_coins(coins, amount), by the textbook's table.");
  module.def("coin_ways", &coin_ways, "coins"_required, "amount"_required, nb::kw_only(), "stock"_a = nb::none(),
             "modulus"_a = 0, "return_table"_a = false, "options"_a,
             signature("coin_ways" + amounts + "modulus: int = 0, return_table: bool = False, OPTIONS) -> typing.Any"),
             R"(The number of ways in which coins give an amount, regardless of order. With modulus it is the remainder.

Returns an int. With return_table it returns an array for the amounts 0 .. amount, of Python integers if 64 bits are not
enough; then coins and amount are integers, otherwise they may be fractions, as in knapsack.)");
  module.def("verify_coin_ways", &verify_coin_ways, "coins"_required, "amount"_required, "ways"_required, nb::kw_only(),
             "stock"_a = nb::none(), "modulus"_a = 0, "options"_a,
             signature("verify_coin_ways(coins: AMOUNTS, amount: AMOUNT, ways: typing.Any, *, "
                       "stock: numpy.typing.ArrayLike | None = None, modulus: int = 0, OPTIONS) -> Verdict"),
             R"(Checks the number of ways in which coins give the amount or, for a table, every amount up to it.

Counts again. Without a modulus it counts modulo the prime 2^61 - 1, which detects all but one in 2^61 wrong counts.)");
  module.def(
      "verify", &verify_coins, "problem"_required, "solution"_required,
      nb::sig("def verify(problem: tuple[typing.Any, ...], solution: Change) -> Verdict"),
      "Checks that the coins pay the amount, and that no payment takes fewer. problem is (coins, amount[, stock]).");
}

}  // namespace

void bind_recurrence(nb::module_& module) {
  bind_table(module);
  bind_coins(module);
}

}  // namespace warpfold::python
