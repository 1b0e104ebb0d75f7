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
using Packing = Outcome<knapsack::Solution>;
using Subset = Outcome<knapsack::SubsetSumSolution>;

void check_length(const char* name, std::size_t length, std::size_t items) {
  if (length == items) return;
  throw Error(ErrorKind::input, fmt::format("{} has {}, profits has {}: as many are accepted", name,
                                            quantity(length, "entry", "entries"), quantity(items, "entry", "entries")));
}

Problem problem_of(nb::handle profits, nb::handle weights, nb::handle capacity, nb::handle copies,
                   nb::handle unbounded) {
  const bool is_unbounded = truth("unbounded", unbounded);
  if (is_unbounded && !copies.is_none()) {
    throw Error(ErrorKind::usage, "copies are limits and unbounded says that there are none: one of both is accepted");
  }
  const auto values = integers_of("profits", profits), heavy = integers_of("weights", weights);
  const auto limits = copies.is_none() ? std::vector<std::int64_t>(values.size(), 1) : integers_of("copies", copies);
  check_length("weights", heavy.size(), values.size());
  check_length("copies", limits.size(), values.size());
  std::vector<knapsack::Item> items(values.size());
  for (std::size_t i = 0; i < items.size(); ++i) items[i] = {values[i], heavy[i], limits[i]};
  const Kind kind = is_unbounded ? Kind::unbounded : copies.is_none() ? Kind::zero_one : Kind::bounded;
  return Problem(kind, std::move(items), integer<std::int64_t>("capacity", capacity));
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
  const Problem problem = problem_of(profits, weights, capacity, copies, unbounded);
  return run(options, cells(problem),
             [&](const Options& limits) { return knapsack::solve(problem, limits, request_of(options)); });
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

Verdict verify_packing(nb::handle problem, const Packing& packing, nb::handle copies, nb::handle unbounded) {
  const nb::tuple parts =
      parts_of("problem", problem, 3, 3, "(profits, weights, capacity) is accepted, and copies as a keyword");
  return knapsack::verify(problem_of(parts[0], parts[1], parts[2], copies, unbounded), packing.solution);
}

void bind_packings(nb::module_& module) {
  nb::class_<Packing>(module, "Packing", "The packing with the largest value.")
      .def_prop_ro(
          "value", [](const Packing& packing) { return packing.solution.value; }, "total profit")
      .def_prop_ro(
          "cost", [](const Packing& packing) { return packing.solution.value; }, "same as value")
      .def_prop_ro(
          "weight", [](const Packing& packing) { return packing.solution.weight; }, "total weight of the packed items")
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
        return fmt::format("Packing(value={}, weight={})", packing.solution.value, packing.solution.weight);
      });
  const std::string arguments =
      "(profits: numpy.typing.ArrayLike, weights: numpy.typing.ArrayLike, capacity: int, *, copies: "
      "numpy.typing.ArrayLike | None = None, unbounded: bool = False, OPTIONS) -> ";
  module.def("knapsack", &knapsack_, "profits"_required, "weights"_required, "capacity"_required, nb::kw_only(),
             "copies"_a = nb::none(), "unbounded"_a = false, "options"_a, signature("knapsack" + arguments + "Packing"),
             R"(The items of greatest total profit whose total weight is at most the capacity.

    best(i, c) = max(best(i-1, c), best(i-1, c - weights[i]) + profits[i]),    best(0, c) = 0

Each item is taken at most once. With copies it is taken at most that often, and with unbounded without limit. All
numbers are integers, and the result is exact.

If several packings have the greatest profit, the result is one of them. The algorithms "core" (a list of undominated
states around the break item) and "table" may give different ones.)");
  module.def("knapsack_values", &knapsack_values, "profits"_required, "weights"_required, "capacity"_required,
             nb::kw_only(), "copies"_a = nb::none(), "unbounded"_a = false, "options"_a,
             signature("knapsack_values" + arguments + "numpy.typing.NDArray[numpy.int64]"),
             "The total profit of the best packing for every capacity 0 .. capacity.");
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

SubsetSum subsets_of(nb::handle numbers, nb::handle target) {
  return SubsetSum(integers_of("numbers", numbers), integer<std::int64_t>("target", target));
}

Subset subset_sum(nb::handle numbers, nb::handle target, const nb::kwargs& words) {
  const CallOptions options = asked(words);
  reject_dtype(options, "subsets are found in integers of 64 bits");
  const SubsetSum problem = subsets_of(numbers, target);
  return run(options, cells(problem), [&](const Options& limits) { return knapsack::solve(problem, limits); });
}

nb::object count_subsets(nb::handle numbers, nb::handle target, nb::handle modulus, const nb::kwargs& words) {
  const CallOptions options = asked(words);
  const auto divisor = integer<std::uint64_t>("modulus", modulus);
  reject_dtype(options, "subsets are counted exactly");
  const SubsetSum problem = subsets_of(numbers, target);
  const auto count = run(options, cells(problem),
                         [&](const Options& limits) { return knapsack::count_subsets(problem, divisor, limits); });
  return integer_of(count.solution.digits);
}

Verdict verify_count(nb::handle numbers, nb::handle target, nb::handle count, nb::handle modulus,
                     const nb::kwargs& words) {
  const CallOptions options = asked_of_check(words);
  const auto divisor = integer<std::uint64_t>("modulus", modulus);
  reject_dtype(options, "subsets are counted exactly");
  const SubsetSum problem = subsets_of(numbers, target);
  const knapsack::SubsetCount stated{digits_of("count", count)};
  return run(options, cells(problem),
             [&](const Options& limits) { return knapsack::verify(problem, stated, divisor, limits); });
}

void bind_subsets(nb::module_& module) {
  nb::class_<Subset>(module, "Subset", "The sum closest to a target from below.")
      .def_prop_ro("sum", [](const Subset& subset) { return subset.solution.sum; })
      .def_prop_ro(
          "cost", [](const Subset& subset) { return subset.solution.sum; }, "same as sum")
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
        return fmt::format("Subset(sum={}, {})", subset.solution.sum, quantity(subset.solution.items.size(), "item"));
      });
  module.def("subset_sum", &subset_sum, "numbers"_required, "target"_required, "options"_a,
             signature("subset_sum(numbers: numpy.typing.ArrayLike, target: int, *, OPTIONS) -> Subset"),
             "Chooses numbers, each at most once, so that their sum is as large as possible but at most the target. "
             "Numbers and "
             "target may be negative.");
  module.def(
      "count_subsets", &count_subsets, "numbers"_required, "target"_required, nb::kw_only(), "modulus"_a = 0,
      "options"_a,
      signature("count_subsets(numbers: numpy.typing.ArrayLike, target: int, *, modulus: int = 0, OPTIONS) -> int"),
      "The number of subsets with exactly this sum. With modulus it is the remainder.");
  module.def("verify_count_subsets", &verify_count, "numbers"_required, "target"_required, "count"_required,
             nb::kw_only(), "modulus"_a = 0, "options"_a,
             signature("verify_count_subsets(numbers: numpy.typing.ArrayLike, target: int, count: int, *, "
                       "modulus: int = 0, OPTIONS) -> Verdict"),
             R"(Checks that the number of subsets with exactly this sum is count.

Counts again. Without a modulus it counts modulo the prime 2^61 - 1, which detects all but one in 2^61 wrong counts.
Above 10^9 additions it does not count, and sets Verdict.unchecked.)");
  module.def(
      "verify",
      [](nb::handle problem, const Subset& subset) {
        const nb::tuple parts = parts_of("problem", problem, 2, 2, "(numbers, target) is accepted");
        return knapsack::verify(subsets_of(parts[0], parts[1]), subset.solution);
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
