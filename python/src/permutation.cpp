#include <fmt/format.h>

#include <mutex>
#include <optional>
#include <ostream>

#include "binding.hpp"
#include "permutation/word_types.hpp"
#include "warpfold/io/file.hpp"
#include "warpfold/permutation/cuda.hpp"
#include "warpfold/permutation/plan.hpp"
#include "warpfold/permutation/stored_plan.hpp"
#include "warpfold/run/team.hpp"

namespace warpfold::python {

namespace {

using permutation::StoredPlan;
using permutation::ThreeStepPlan;

/// A permutation with its plan.
struct Plan {
  std::vector<std::uint32_t> permutation;
  ThreeStepPlan steps;
};

std::vector<std::uint32_t> places(nb::handle entries) {
  return permutation::permutation_of(integers_of("permutation", entries));
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

/// A number of threads; 0: all allowed. Raises Error{usage} for a negative one.
int threads_of(nb::handle threads) {
  const auto count = integer<int>("threads", threads);
  static_cast<void>(thread_count(count));
  return count;
}

/// The part of `warpfold.Permutation` that moves: addresses of dense arrays in, which Python has checked.
class Permutation {
 public:
  Permutation(nb::handle permutation, nb::handle threads)
      : places_(places(permutation)), size_(places_.size()), threads_(threads_of(threads)) {}
  Permutation(StoredPlan plan, int threads) : size_(plan.size()), threads_(threads), plan_(std::move(plan)) {}

  [[nodiscard]] std::size_t size() const { return size_; }

  void move(std::uintptr_t from, std::uintptr_t to, std::size_t word_bytes, std::size_t arrays, bool inverse) {
    const GilReleased released;
    const auto* const source = reinterpret_cast<const std::byte*>(from);
    auto* const target = reinterpret_cast<std::byte*>(to);
    if (const StoredPlan* const plan = plan_of(least_planned)) {
      std::vector<std::byte> spare(plan->spare_bytes(word_bytes));
      inverse ? plan->move_back(word_bytes, source, target, spare, arrays, threads_)
              : plan->move(word_bytes, source, target, spare, arrays, threads_);
    } else {
      permutation::with_word(word_bytes, [&]<class T>(T) { move_words<T>(from, to, arrays, inverse); });
    }
  }

  void save(const std::string& path) {
    const GilReleased released;
    io::write_file(path, [&](std::ostream& out) { plan_of(0)->write(out); });
  }

  [[nodiscard]] permutation::cuda::Plan on_gpu(std::size_t word_bytes, std::size_t arrays) const {
    return places_.empty() && plan_ ? permutation::cuda::Plan(*plan_, word_bytes, arrays)
                                    : permutation::cuda::Plan(places_, word_bytes, {.arrays = arrays});
  }

 private:
  /// Below this length a plain loop is faster than two passes (results/xeon-16core/permutation_moving.json).
  static constexpr std::size_t least_planned = 1 << 16;

  /// The plan, which is made for `least` words or more.
  const StoredPlan* plan_of(std::size_t least) {
    const std::lock_guard lock(planning_);
    if (!plan_ && size_ >= least) plan_.emplace(permutation::plan_to_store(places_, {}, threads_));
    return plan_ ? &*plan_ : nullptr;
  }

  template <class T>
  void move_words(std::uintptr_t from, std::uintptr_t to, std::size_t arrays, bool inverse) const {
    for (std::size_t array = 0; array < arrays; ++array) {
      const T* const source = reinterpret_cast<const T*>(from) + array * size_;
      T* const target = reinterpret_cast<T*>(to) + array * size_;
      for (std::size_t i = 0; i < size_; ++i)
        (inverse ? target[i] : target[places_[i]]) = source[inverse ? places_[i] : i];
    }
  }

  std::vector<std::uint32_t> places_;  ///< empty if a file had the plan
  std::size_t size_;
  int threads_;
  std::mutex planning_;
  std::optional<StoredPlan> plan_;
};

/// A permutation on the current GPU.
class DevicePermutation {
 public:
  DevicePermutation(const Permutation& permutation, std::size_t word_bytes, std::size_t arrays)
      : plan_(permutation.on_gpu(word_bytes, arrays)) {}

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

void save_steps(const Plan& plan, nb::handle path) {
  const auto name = nb::cast<std::string>(nb::module_::import_("os").attr("fspath")(path));
  const GilReleased released;
  const StoredPlan stored(plan.permutation.size(), plan.steps);
  io::write_file(name, [&](std::ostream& out) { stored.write(out); });
}

/// A PermutationPlan of three steps, otherwise a Permutation.
nb::object load_plan(const std::string& path, nb::handle threads) {
  const int count = threads_of(threads);
  std::optional<StoredPlan> stored;
  {
    const GilReleased released;
    stored.emplace(StoredPlan::parse(path, io::read_file(path)));
  }
  const auto* const steps = std::get_if<ThreeStepPlan>(&stored->form());
  if (steps == nullptr || stored->is_of_inverse()) return nb::cast(new Permutation(std::move(*stored), count));
  return nb::cast(Plan{stored->permutation(), *steps});
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
      .def("save", &save_steps, "path"_a, nb::sig("def save(self, path: str | os.PathLike[str]) -> None"),
           "Writes the plan to a file, completely or not at all. `load_plan` reads it.")
      .def("__repr__", [](const Plan& plan) {
        return fmt::format("PermutationPlan({} words as {} x {})", plan.permutation.size(), plan.steps.rows,
                           plan.steps.columns);
      });
  nb::class_<Permutation>(module, "Permutation")
      .def(nb::init<nb::handle, nb::handle>(), "places"_a, "threads"_a)
      .def("__len__", &Permutation::size)
      .def("move", &Permutation::move, "source"_a, "target"_a, "word_bytes"_a, "arrays"_a, "inverse"_a)
      .def("save", &Permutation::save, "path"_a);
  nb::class_<DevicePermutation>(module, "DevicePermutation")
      .def(nb::init<const Permutation&, std::size_t, std::size_t>(), "permutation"_a, "word_bytes"_a, "arrays"_a)
      .def("move", &DevicePermutation::move, "source"_a, "target"_a, "inverse"_a, "stream"_a);
  module.def("load_plan", &load_plan, "path"_a, "threads"_a);
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
