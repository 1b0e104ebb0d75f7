#include <fmt/format.h>

#include "binding.hpp"
#include "warpfold/permutation/plan.hpp"

namespace warpfold::python {

namespace {

using permutation::ThreeStepPlan;

/// A permutation with its plan.
struct Plan {
  std::vector<std::uint32_t> permutation;
  ThreeStepPlan steps;
};

std::vector<std::uint32_t> places(nb::handle permutation) {
  const Array array("permutation", permutation, {element_type<std::uint32_t>});
  check_list(array);
  return array.values<std::uint32_t>();
}

Plan plan(nb::handle permutation, nb::handle seed) {
  const auto drawn = integer<std::uint64_t>("seed", seed);
  Plan plan{places(permutation), {}};
  const GilReleased released;
  plan.steps = permutation::plan_three_steps(plan.permutation, drawn);
  return plan;
}

template <class T>
nb::object moved(const ThreeStepPlan& plan, const Array& array, int threads) {
  std::vector<T> result(array.size());
  {
    const GilReleased released;
    std::vector<T> spare(permutation::spare_words(plan));
    permutation::move<T>(plan, {array.data<T>(), array.size()}, result, spare, threads);
  }
  const std::size_t count = result.size();
  return array_of(std::move(result), {count});
}

nb::object move(const Plan& plan, nb::handle values, nb::handle threads) {
  const auto count = integer<int>("threads", threads);
  const Array array(
      "values", values,
      {element_type<std::int64_t>, element_type<double>, element_type<std::int32_t>, element_type<float>});
  if (array.dimensions() != 1 || array.size() != plan.permutation.size()) {
    throw Error(ErrorKind::input, fmt::format("values are {}: a list of {}, as long as the permutation, is accepted",
                                              extents_text(array), plan.permutation.size()));
  }
  // Words are moved without regard to their type.
  return with_type(array, [&]<class T>(T) {
    if constexpr (std::is_floating_point_v<T>) return moved<T>(plan.steps, array, count);
    using Word = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
    return moved<Word>(plan.steps, array, count).attr("view")(sizeof(T) == 4 ? "int32" : "int64");
  });
}

nb::object bank_schedule(nb::handle permutation, nb::handle width, nb::handle seed) {
  const auto banks = integer<std::uint32_t>("width", width);
  const auto drawn = integer<std::uint64_t>("seed", seed);
  const std::vector<std::uint32_t> list = places(permutation);
  permutation::BankSchedule schedule;
  {
    const GilReleased released;
    schedule = permutation::conflict_free_schedule(list, banks, drawn);
  }
  const std::size_t rounds = schedule.rounds();
  return array_of(std::move(schedule.sources), {rounds, banks});
}

template <std::vector<std::uint16_t> ThreeStepPlan::*step>
nb::object step_in(nb::handle self) {
  const ThreeStepPlan& steps = nb::cast<const Plan&>(self).steps;
  return array_in(self, (steps.*step).data(), {steps.rows, steps.columns});
}

}  // namespace

void bind_permutation(nb::module_& module) {
  const char* const array_of_steps = "numpy.typing.NDArray[numpy.uint16]";
  const auto step = [&](const char* name) { return signature(fmt::format("{}(self) -> {}", name, array_of_steps)); };
  nb::class_<Plan>(module, "PermutationPlan",
                   "A plan that moves words by a permutation in three steps, each within rows or columns.")
      .def_prop_ro("first", &step_in<&ThreeStepPlan::first>, step("first"),
                   "(rows, columns): for each place the column that its word comes from, in the first step within rows")
      .def_prop_ro(
          "second", &step_in<&ThreeStepPlan::second>, step("second"),
          "(rows, columns): for each place the row that its word comes from, in the second step within columns")
      .def_prop_ro("third", &step_in<&ThreeStepPlan::third>, step("third"),
                   "(rows, columns): for each place the column that its word comes from, in the third step within rows")
      .def("__len__", [](const Plan& plan) { return plan.permutation.size(); })
      .def("move", &move, "values"_required, nb::kw_only(), "threads"_a = 1,
           nb::sig("def move(self, values: numpy.typing.ArrayLike, *, threads: int = 1) -> "
                   "numpy.typing.NDArray[typing.Any]"),
           "Returns the array with values[i] at place permutation[i]. Entries have 4 or 8 bytes.")
      .def("__repr__", [](const Plan& plan) {
        return fmt::format("PermutationPlan({} words as {} x {})", plan.permutation.size(), plan.steps.rows,
                           plan.steps.columns);
      });
  module.def(
      "permutation_plan", &plan, "permutation"_required, nb::kw_only(), "seed"_a = 1,
      nb::sig("def permutation_plan(permutation: numpy.typing.ArrayLike, *, seed: int = 1) -> PermutationPlan"),
      "A plan that moves the word at i to permutation[i] for every i in three steps, each within rows or columns. "
      "It is found by coloring the edges of a bipartite graph.");
  module.def(
      "bank_schedule", &bank_schedule, "permutation"_required, "width"_required, nb::kw_only(), "seed"_a = 1,
      nb::sig("def bank_schedule(permutation: numpy.typing.ArrayLike, width: int, *, seed: int = 1) -> "
              "numpy.typing.NDArray[numpy.uint32]"),
      "A schedule without bank conflicts at sources or destinations. Entry (i, j) of (rounds, width) is the word that "
      "lane j moves in round i; 4294967295 for none.");
}

}  // namespace warpfold::python
