#include <fmt/format.h>

#include <algorithm>

#include "binding.hpp"
#include "core/quantity.hpp"
#include "warpfold/knapsack/solve.hpp"
#include "warpfold/knapsack/subset_sum.hpp"
#include "warpfold/knapsack/verify.hpp"

namespace warpfold::python {

namespace {

using knapsack::Kind;
using knapsack::Problem;
using knapsack::SubsetSum;
/// A packing, whose values and weights have units of their own.
struct Packing : Outcome<knapsack::Solution> {
  AmountUnit value_unit, weight_unit;

  [[nodiscard]] nb::object value() const { return value_unit.amount(solution.value); }
  [[nodiscard]] nb::object weight() const { return weight_unit.amount(solution.weight); }
};

/// A subset, whose numbers have a unit.
struct Subset : Outcome<knapsack::SubsetSumSolution> {
  AmountUnit unit;

  [[nodiscard]] nb::object sum() const { return unit.amount(solution.sum); }
};

void check_length(const char* name, std::size_t length, std::size_t items) {
  if (length == items) return;
  throw Error(ErrorKind::input, fmt::format("{} has {}, profits has {}: as many are accepted", name,
                                            quantity(length, "entry", "entries"), quantity(items, "entry", "entries")));
}

/// A problem in the units of its numbers.
struct PackingQuery {
  AmountUnit value_unit, weight_unit;
  Problem problem;
};

Problem problem_of(const AmountUnit& value_unit, const AmountUnit& weight_unit, nb::handle profits, nb::handle weights,
                   nb::handle capacity, nb::handle copies, nb::handle unbounded) {
  const bool is_unbounded = truth("unbounded", unbounded);
  if (is_unbounded && !copies.is_none()) {
    throw Error(ErrorKind::usage, "copies are limits and unbounded says that there are none: one of both is accepted");
  }
  const auto values = value_unit.list("profits", profits), heavy = weight_unit.list("weights", weights);
  const auto limits = copies.is_none() ? std::vector<std::int64_t>(values.size(), 1) : integers_of("copies", copies);
  check_length("weights", heavy.size(), values.size());
  check_length("copies", limits.size(), values.size());
  std::vector<knapsack::Item> items(values.size());
  for (std::size_t i = 0; i < items.size(); ++i) items[i] = {values[i], heavy[i], limits[i]};
  const Kind kind = is_unbounded ? Kind::unbounded : copies.is_none() ? Kind::zero_one : Kind::bounded;
  return Problem(kind, std::move(items), weight_unit.number("capacity", capacity));
}

PackingQuery query_of(nb::handle profits, nb::handle weights, nb::handle capacity, nb::handle copies,
                      nb::handle unbounded) {
  const auto value_unit = AmountUnit::of(profits), weight_unit = AmountUnit::of(weights, capacity);
  return {value_unit, weight_unit, problem_of(value_unit, weight_unit, profits, weights, capacity, copies, unbounded)};
}

/// A problem of integers, of which tables have an entry for every capacity.
Problem problem_of(nb::handle profits, nb::handle weights, nb::handle capacity, nb::handle copies,
                   nb::handle unbounded) {
  const AmountUnit one = AmountUnit::of();
  return problem_of(one, one, profits, weights, capacity, copies, unbounded);
}

double cells(std::size_t items, std::int64_t capacity) {
  return static_cast<double>(items) * (static_cast<double>(capacity) + 1);
}
double cells(const Problem& problem) { return cells(problem.items().size(), problem.capacity()); }
double cells(const SubsetSum& problem) { return cells(problem.numbers().size(), problem.target() + problem.deficit()); }

knapsack::Request request_of(const CallOptions& asked) {
  if (!asked.dtype.empty() && asked.dtype != "i32" && asked.dtype != "i64") {
    throw nb::type_error("dtype: int32 or int64 is accepted here");
  }
  return {.items = true, .dtype = asked.dtype};
}

Packing knapsack_(nb::handle profits, nb::handle weights, nb::handle capacity, nb::handle copies, nb::handle unbounded,
                  const nb::kwargs& words) {
  const CallOptions options = asked(words);
  const auto [value_unit, weight_unit, problem] = query_of(profits, weights, capacity, copies, unbounded);
  auto found = run(options, cells(problem), [&problem = problem, &options](const Options& limits) {
    return knapsack::solve(problem, limits, request_of(options));
  });
  return {std::move(found), value_unit, weight_unit};
}

nb::object knapsack_values(nb::handle profits, nb::handle weights, nb::handle capacity, nb::handle copies,
                           nb::handle unbounded, const nb::kwargs& words) {
  const CallOptions options = asked(words);
  const Problem problem = problem_of(profits, weights, capacity, copies, unbounded);
  auto table = run(options, cells(problem), [&](const Options& limits) {
    return knapsack::every_capacity(problem, limits, request_of(options));
  });
  const std::size_t count = table.solution.values.size();
  return array_of(std::move(table.solution.values), {count});
}

Verdict verify_values(nb::handle profits, nb::handle weights, nb::handle capacity, nb::handle values, nb::handle copies,
                      nb::handle unbounded, const nb::kwargs& words) {
  const CallOptions options = asked_of_check(words);
  reject_dtype(options, "values are found in integers of 64 bits");
  const Problem problem = problem_of(profits, weights, capacity, copies, unbounded);
  const knapsack::CapacityTable stated{integers_of("values", values)};
  constexpr double pieces = 32;  // of an item, more or less
  return run(options, pieces * cells(problem),
             [&](const Options& limits) { return knapsack::verify(problem, stated, limits); });
}

/// The indices of items with at least one packed copy.
nb::object items_of(const Packing& packing) {
  std::vector<std::int64_t> items;
  for (std::size_t i = 0; i < packing.solution.copies.size(); ++i) {
    if (packing.solution.copies[i] > 0) items.push_back(static_cast<std::int64_t>(i));
  }
  const std::size_t count = items.size();
  return array_of(std::move(items), {count});
}

/// The verdict on an amount that no numbers of the problem add up to.
Verdict wrong_amount(const char* name, nb::handle amount, const AmountUnit& unit) {
  return {.violation = fmt::format("the {} is {}: the problem's numbers are multiples of {}", name,
                                   nb::str(amount).c_str(), unit.text())};
}

/// The verdict with the unit of the numbers in its violation, if that is not 1.
Verdict in_units(Verdict verdict, const char* names, const AmountUnit& unit) {
  if (verdict.violation && unit.text() != "1")
    *verdict.violation += fmt::format(", {} in units of {}", names, unit.text());
  return verdict;
}

Verdict verify_packing(nb::handle problem, const Packing& packing, nb::handle copies, nb::handle unbounded) {
  const nb::tuple parts =
      parts_of("problem", problem, 3, 3, "(profits, weights, capacity) is accepted, and copies as a keyword");
  const PackingQuery query = query_of(parts[0], parts[1], parts[2], copies, unbounded);
  knapsack::Solution stated = packing.solution;
  const auto value = query.value_unit.from(packing.value_unit, stated.value);
  const auto weight = query.weight_unit.from(packing.weight_unit, stated.weight);
  if (!value) return wrong_amount("value", packing.value(), query.value_unit);
  if (!weight) return wrong_amount("weight", packing.weight(), query.weight_unit);
  stated.value = *value;
  stated.weight = *weight;
  Verdict verdict = in_units(knapsack::verify(query.problem, stated), "values", query.value_unit);
  return in_units(std::move(verdict), "weights", query.weight_unit);
}

void bind_packings(nb::module_& module) {
  nb::class_<Packing>(module, "Packing", "The packing with the largest value.")
      .def_prop_ro("value", &Packing::value, nb::sig("def value(self) -> int | typing.Any"),
                   "total profit: an int, or the kind of number that the profits are")
      .def_prop_ro("cost", &Packing::value, nb::sig("def cost(self) -> int | typing.Any"), "same as value")
      .def_prop_ro("weight", &Packing::weight, nb::sig("def weight(self) -> int | typing.Any"),
                   "total weight of the packed items: an int, or the kind of number that the weights are")
      .def_prop_ro(
          "copies",
          [](nb::handle self) {
            const auto& copies = nb::cast<const Packing&>(self).solution.copies;
            return array_in(self, copies.data(), {copies.size()});
          },
          nb::sig("def copies(self) -> numpy.typing.NDArray[numpy.int64]"), "packed copies of each item")
      .def_prop_ro("items", &items_of, nb::sig("def items(self) -> numpy.typing.NDArray[numpy.int64]"),
                   "indices of the packed items, in ascending order")
      .def_prop_ro(
          "reason", [](const Packing& packing) { return packing.solution.reason; },
          "one sentence on why this algorithm ran")
      .def_prop_ro(
          "report", [](const Packing& packing) { return packing.report; }, "report of the run")
      .def("__repr__", [](const Packing& packing) {
        return fmt::format("Packing(value={}, weight={})", shown(packing.value()), shown(packing.weight()));
      });
  const std::string limits = ", *, copies: numpy.typing.ArrayLike | None = None, unbounded: bool = False, OPTIONS) -> ";
  module.def("knapsack", &knapsack_, "profits"_required, "weights"_required, "capacity"_required, nb::kw_only(),
             "copies"_a = nb::none(), "unbounded"_a = false, "options"_a,
             signature("knapsack(profits: AMOUNTS, weights: AMOUNTS, capacity: AMOUNT" + limits + "Packing"),
             R"(The items of greatest total profit whose total weight is at most the capacity.

    best(i, c) = max(best(i-1, c), best(i-1, c - weights[i]) + profits[i]),    best(0, c) = 0

Each item is taken at most once. With copies it is taken at most that often, and with unbounded without limit.

Profits, weights and the capacity are integers or fractions: of Decimal, of Fraction, or floats, which are the decimal
numbers that they print. The result is exact: profits are integers in a unit of their own, and so are weights with the
capacity. Raises OverflowError for a number beyond 2^63 - 1 units.

If several packings have the greatest profit, the result is one of them. The algorithms "core" (a list of undominated
states around the break item) and "table" may give different ones.)");
  module.def(
      "knapsack_values", &knapsack_values, "profits"_required, "weights"_required, "capacity"_required, nb::kw_only(),
      "copies"_a = nb::none(), "unbounded"_a = false, "options"_a,
      signature("knapsack_values(profits: numpy.typing.ArrayLike, weights: numpy.typing.ArrayLike, capacity: int" +
                limits + "numpy.typing.NDArray[numpy.int64]"),
      "The total profit of the best packing for every capacity 0 .. capacity. All numbers are integers.");
  module.def(
      "verify_knapsack_values", &verify_values, "profits"_required, "weights"_required, "capacity"_required,
      "values"_required, nb::kw_only(), "copies"_a = nb::none(), "unbounded"_a = false, "options"_a,
      signature("verify_knapsack_values(profits: numpy.typing.ArrayLike, weights: numpy.typing.ArrayLike, "
                "capacity: int, values: numpy.typing.ArrayLike, *, copies: numpy.typing.ArrayLike | None = None, "
                "unbounded: bool = False, OPTIONS) -> Verdict"),
      "Checks that values are knapsack_values(profits, weights, capacity), by the textbook's table.");
  module.def(
      "verify", &verify_packing, "problem"_required, "solution"_required, nb::kw_only(), "copies"_a = nb::none(),
      "unbounded"_a = false,
      nb::sig("def verify(problem: tuple[typing.Any, ...], solution: Packing, *, copies: numpy.typing.ArrayLike "
              "| None = None, unbounded: bool = False) -> Verdict"),
      "Checks that the packing fits the capacity and has the stated value. Any packing of that value is accepted. "
      "problem is (profits, weights, capacity).");
}

SubsetSum subsets_of(const AmountUnit& unit, nb::handle numbers, nb::handle target) {
  return SubsetSum(unit.list("numbers", numbers), unit.number("target", target));
}

Subset subset_sum(nb::handle numbers, nb::handle target, const nb::kwargs& words) {
  const CallOptions options = asked(words);
  reject_dtype(options, "subsets are found in integers of 64 bits");
  const AmountUnit unit = AmountUnit::of(numbers, target);
  const SubsetSum problem = subsets_of(unit, numbers, target);
  return {run(options, cells(problem), [&](const Options& limits) { return knapsack::solve(problem, limits); }), unit};
}

nb::object count_subsets(nb::handle numbers, nb::handle target, nb::handle modulus, const nb::kwargs& words) {
  const CallOptions options = asked(words);
  const auto divisor = integer<std::uint64_t>("modulus", modulus);
  reject_dtype(options, "subsets are counted exactly");
  const SubsetSum problem = subsets_of(AmountUnit::of(numbers, target), numbers, target);
  const auto count = run(options, cells(problem),
                         [&](const Options& limits) { return knapsack::count_subsets(problem, divisor, limits); });
  return integer_of(count.solution.digits);
}

Verdict verify_count(nb::handle numbers, nb::handle target, nb::handle count, nb::handle modulus,
                     const nb::kwargs& words) {
  const CallOptions options = asked_of_check(words);
  const auto divisor = integer<std::uint64_t>("modulus", modulus);
  reject_dtype(options, "subsets are counted exactly");
  const SubsetSum problem = subsets_of(AmountUnit::of(numbers, target), numbers, target);
  const knapsack::SubsetCount stated{digits_of("count", count)};
  return run(options, cells(problem),
             [&](const Options& limits) { return knapsack::verify(problem, stated, divisor, limits); });
}

void bind_subsets(nb::module_& module) {
  nb::class_<Subset>(module, "Subset", "The sum closest to a target from below.")
      .def_prop_ro("sum", &Subset::sum, nb::sig("def sum(self) -> int | typing.Any"),
                   "an int, or the kind of number that the numbers are")
      .def_prop_ro("cost", &Subset::sum, nb::sig("def cost(self) -> int | typing.Any"), "same as sum")
      .def_prop_ro(
          "items",
          [](nb::handle self) {
            const auto& items = nb::cast<const Subset&>(self).solution.items;
            return array_in(self, reinterpret_cast<const std::int64_t*>(items.data()), {items.size()});
          },
          nb::sig("def items(self) -> numpy.typing.NDArray[numpy.int64]"),
          "indices of the chosen numbers, in ascending order")
      .def_prop_ro(
          "reason", [](const Subset& subset) { return subset.solution.reason; },
          "one sentence on why this algorithm ran")
      .def_prop_ro(
          "report", [](const Subset& subset) { return subset.report; }, "report of the run")
      .def("__repr__", [](const Subset& subset) {
        return fmt::format("Subset(sum={}, {})", shown(subset.sum()), quantity(subset.solution.items.size(), "item"));
      });
  module.def("subset_sum", &subset_sum, "numbers"_required, "target"_required, "options"_a,
             signature("subset_sum(numbers: AMOUNTS, target: AMOUNT, *, OPTIONS) -> Subset"),
             "Chooses numbers, each at most once, so that their sum is as large as possible but at most the target. "
             "Numbers and target may be negative, and fractions as in knapsack.");
  module.def("count_subsets", &count_subsets, "numbers"_required, "target"_required, nb::kw_only(), "modulus"_a = 0,
             "options"_a,
             signature("count_subsets(numbers: AMOUNTS, target: AMOUNT, *, modulus: int = 0, OPTIONS) -> int"),
             "The number of subsets with exactly this sum. With modulus it is the remainder. Numbers and target may be "
             "fractions.");
  module.def("verify_count_subsets", &verify_count, "numbers"_required, "target"_required, "count"_required,
             nb::kw_only(), "modulus"_a = 0, "options"_a,
             signature("verify_count_subsets(numbers: AMOUNTS, target: AMOUNT, count: int, *, "
                       "modulus: int = 0, OPTIONS) -> Verdict"),
             R"(Checks that the number of subsets with exactly this sum is count.

Counts again. Without a modulus it counts modulo the prime 2^61 - 1, which detects all but one in 2^61 wrong counts.
Above 10^9 additions it does not count, and sets Verdict.unchecked.)");
  module.def(
      "verify",
      [](nb::handle problem, const Subset& subset) -> Verdict {
        const nb::tuple parts = parts_of("problem", problem, 2, 2, "(numbers, target) is accepted");
        const AmountUnit unit = AmountUnit::of(parts[0], parts[1]);
        const auto sum = unit.from(subset.unit, subset.solution.sum);
        if (!sum) return wrong_amount("sum", subset.sum(), unit);
        knapsack::SubsetSumSolution stated = subset.solution;
        stated.sum = *sum;
        return in_units(knapsack::verify(subsets_of(unit, parts[0], parts[1]), stated), "numbers", unit);
      },
      "problem"_required, "solution"_required,
      nb::sig("def verify(problem: tuple[typing.Any, ...], solution: Subset) -> Verdict"),
      "Checks that the chosen numbers have the stated sum, which is at most the target. problem is (numbers, target).");
}

}  // namespace

void bind_knapsack(nb::module_& module) {
  bind_packings(module);
  bind_subsets(module);
}

}  // namespace warpfold::python
