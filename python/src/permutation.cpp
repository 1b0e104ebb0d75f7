#include <fmt/format.h>

#include <mutex>
#include <optional>

#include "binding.hpp"
#include "permutation/word_types.hpp"
#include "warpfold/permutation/cuda.hpp"
#include "warpfold/permutation/plan.hpp"
#include "warpfold/permutation/two_passes.hpp"
#include "warpfold/run/team.hpp"

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

/// The part of `warpfold.Permutation` that moves: addresses of dense arrays in, which Python has checked.
class Permutation {
 public:
  Permutation(nb::handle permutation, nb::handle threads)
      : places_(places(permutation)), threads_(integer<int>("threads", threads)) {
    permutation::check_permutation(places_);
  }

  [[nodiscard]] const std::vector<std::uint32_t>& list() const { return places_; }

  void move(std::uintptr_t from, std::uintptr_t to, std::size_t word_bytes, std::size_t arrays, bool inverse) {
    const GilReleased released;
    permutation::with_word(word_bytes, [&]<class T>(T) { move_words<T>(from, to, arrays, inverse); });
  }

 private:
  /// Below this length a plain loop is faster than two passes (results/xeon-16core/permutation_moving.json).
  static constexpr std::size_t least_planned = 1 << 16;

  const permutation::TwoPassPlan& plan() {
    const std::lock_guard lock(planning_);
    if (!plan_) plan_.emplace(places_, 0, threads_);
    return *plan_;
  }

  template <class T>
  void move_words(std::uintptr_t from, std::uintptr_t to, std::size_t arrays, bool inverse) {
    const std::size_t n = places_.size();
    std::vector<T> middle(n < least_planned ? 0 : n);
    for (std::size_t array = 0; array < arrays; ++array) {
      const std::span<const T> source(reinterpret_cast<const T*>(from) + array * n, n);
      const std::span<T> target(reinterpret_cast<T*>(to) + array * n, n);
      if (n >= least_planned) {
        inverse ? plan().move_back<T>(source, target, middle, threads_)
                : plan().move<T>(source, target, middle, threads_);
      } else {
        for (std::size_t i = 0; i < n; ++i)
          (inverse ? target[i] : target[places_[i]]) = source[inverse ? places_[i] : i];
      }
    }
  }

  std::vector<std::uint32_t> places_;
  int threads_;
  std::mutex planning_;
  std::optional<permutation::TwoPassPlan> plan_;
};

/// A permutation on the current GPU.
class DevicePermutation {
 public:
  DevicePermutation(const Permutation& permutation, std::size_t word_bytes, std::size_t arrays)
      : plan_(permutation.list(), word_bytes, {.arrays = arrays}) {}

  void move(std::uintptr_t from, std::uintptr_t to, bool inverse, std::uintptr_t stream) {
    const GilReleased released;
    auto* const on = reinterpret_cast<permutation::cuda::Stream>(stream);
    const auto* const source = reinterpret_cast<const void*>(from);
    auto* const target = reinterpret_cast<void*>(to);
    inverse ? plan_.move_back(source, target, on) : plan_.move(source, target, on);
  }

 private:
  permutation::cuda::Plan plan_;
};

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
  nb::class_<Permutation>(module, "Permutation")
      .def(nb::init<nb::handle, nb::handle>(), "places"_a, "threads"_a)
      .def("__len__", [](const Permutation& permutation) { return permutation.list().size(); })
      .def("move", &Permutation::move, "source"_a, "target"_a, "word_bytes"_a, "arrays"_a, "inverse"_a);
  nb::class_<DevicePermutation>(module, "DevicePermutation")
      .def(nb::init<const Permutation&, std::size_t, std::size_t>(), "permutation"_a, "word_bytes"_a, "arrays"_a)
      .def("move", &DevicePermutation::move, "source"_a, "target"_a, "inverse"_a, "stream"_a);
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
