#include <fmt/format.h>

#include "binding.hpp"
#include "core/quantity.hpp"
#include "warpfold/machine/algorithm.hpp"
#include "warpfold/machine/cost.hpp"

namespace warpfold::python {

namespace {

using machine::Machine;
using machine::WarpAccess;

// The cost of one step.

/// The cost of a step, with its machine, which draws it.
struct Cost {
  Machine on;
  machine::StepCost step;
};

/// Consecutive warps, from rows of addresses or from one list. A negative address is a lane without a request.
std::vector<WarpAccess> accesses_of(const Array& addresses, std::uint32_t warp, bool write) {
  if (addresses.dimensions() != 1 && addresses.dimensions() != 2) {
    throw Error(ErrorKind::input,
                "addresses are " + extents_text(addresses) + ": a list, or a row for each warp, is accepted");
  }
  const bool is_list = addresses.dimensions() == 1;
  const std::size_t lanes = is_list ? warp : addresses.extent(1), size = addresses.size();
  const std::size_t stride = is_list ? warp : addresses.row_stride();
  const std::size_t warps = lanes == 0 ? 0 : (size + lanes - 1) / lanes;
  std::vector<WarpAccess> accesses(warps, WarpAccess{write, {}});
  for (std::size_t at = 0; at < size; ++at) {
    const std::int64_t address = addresses.data<std::int64_t>()[at / lanes * stride + at % lanes];
    if (address > std::numeric_limits<machine::Address>::max()) {
      throw Error(ErrorKind::input, fmt::format("addresses[{}] is {}: at most {} is accepted", at, address,
                                                std::numeric_limits<machine::Address>::max()));
    }
    if (address < 0) continue;
    accesses[at / lanes].lanes.push_back(
        {static_cast<std::uint32_t>(at % lanes), static_cast<machine::Address>(address)});
  }
  return accesses;
}

Cost cost(const Machine& on, nb::handle addresses, nb::handle write, nb::handle bytes) {
  const Array array("addresses", addresses, {element_type<std::int64_t>});
  const bool writes = truth("write", write);
  const auto element = integer<std::uint32_t>("bytes", bytes);
  const GilReleased released;
  return {on, machine::step_cost(on, accesses_of(array, on.warp_size(), writes), element)};
}

nb::object stages_of(const Cost& cost) {
  std::vector<std::int64_t> stages;
  for (const machine::WarpCost& warp : cost.step.warps) stages.push_back(warp.stages);
  const std::size_t count = stages.size();
  return array_of(std::move(stages), {count});
}

// Programs.

/// Ends a simulation if its caller has stopped it.
class StopObserver : public machine::Observer {
 public:
  explicit StopObserver(const Options& options) : monitor_(options, 0), ticker_(monitor_, 1024) {}
  void on_dispatch(const machine::TraceDispatch&) override { ticker_.tick(); }

 private:
  SolveMonitor monitor_;
  PeriodicCheck ticker_;
};

struct Run {
  std::string name;
  machine::RunResult result;
};

/// A dictionary whose keys are text.
nb::dict named(const char* name, nb::handle value) {
  if (!PyDict_Check(value.ptr())) reject_type(name, value, "a dictionary is accepted");
  return nb::borrow<nb::dict>(value);
}

machine::RunRequest request_of(const Machine& on, const machine::Algorithm& algorithm, nb::handle n, nb::handle threads,
                               nb::handle timing, nb::handle seed, nb::handle as_printed, nb::handle exclusive,
                               nb::handle operation, nb::handle parameters, nb::handle lists) {
  machine::RunRequest request{.machine = on, .threads = integer<std::uint32_t>("threads", threads)};
  request.options.timing = machine::parse_timing(text("timing", timing));
  request.options.exclusive = truth("exclusive", exclusive);
  request.as_printed = truth("as_printed", as_printed);
  request.seed = integer<std::uint64_t>("seed", seed);
  request.operation = text("operation", operation);
  for (const auto& [name, value] : named("parameters", parameters)) {
    const std::string word = text("parameters", name);
    request.parameters[word] = integer<std::uint64_t>(word.c_str(), value);
  }
  for (const auto& [name, value] : named("lists", lists)) {
    const std::string word = text("lists", name);
    request.lists[word] = integers_of(word.c_str(), value);
  }
  constexpr std::uint64_t usual_size = 256;
  request.n =
      n.is_none() ? machine::size_of(algorithm, request.lists).value_or(usual_size) : integer<std::uint64_t>("n", n);
  return request;
}

Run run_algorithm(const Machine& on, nb::handle program, nb::handle n, nb::handle threads, nb::handle timing,
                  nb::handle seed, nb::handle as_printed, nb::handle exclusive, nb::handle operation,
                  nb::handle parameters, nb::handle lists, const nb::kwargs& words) {
  const CallOptions options = asked(words);
  const std::string name = text("name", program, "a program's name, as algorithms() lists them, is accepted");
  const machine::Algorithm& algorithm = machine::find_algorithm(name);
  machine::RunRequest request =
      request_of(on, algorithm, n, threads, timing, seed, as_printed, exclusive, operation, parameters, lists);
  if (options.options.max_memory < std::numeric_limits<std::size_t>::max()) {
    request.options.max_memory = options.options.max_memory;
  }
  constexpr double nobody_knows = std::numeric_limits<double>::infinity();
  return {name, run(options, nobody_knows, [&](const Options& limits) {
            StopObserver observer(limits);
            request.options.observer = &observer;
            return machine::run(algorithm, request);
          })};
}

nb::dict arrays_of(const machine::Lists& lists) {
  nb::dict arrays;
  for (const auto& [name, list] : lists) arrays[nb::cast(name)] = array_of(list, {list.size()});
  return arrays;
}

nb::dict counts_of(const Run& run) {
  nb::dict counts;
  for (const auto& [name, count] : run.result.counts) counts[nb::cast(name)] = count;
  return counts;
}

nb::list phases_of(const Run& run) {
  nb::list phases;
  for (const machine::PhaseReport& phase : run.result.report.phases) {
    phases.append(nb::make_tuple(phase.name, phase.counters.time_units.count));
  }
  return phases;
}

void bind_results(nb::module_& module) {
  nb::class_<Cost>(module, "StepCost", "The cost of one step of memory accesses.")
      .def_prop_ro(
          "time_units", [](const Cost& cost) { return cost.step.time_units.count; },
          "the stages of all warps + latency - 1")
      .def_prop_ro("stages", &stages_of, nb::sig("def stages(self) -> numpy.typing.NDArray[numpy.int64]"),
                   "pipeline stages of each warp's access")
      .def(
          "_repr_svg_", [](const Cost& cost) { return machine::cost_svg(cost.on, cost.step); },
          "The picture in notebooks: lanes and banks, with the stage in which each access is served.")
      .def("__str__", [](const Cost& cost) { return machine::cost_text(cost.on, cost.step); })
      .def("__repr__", [](const Cost& cost) {
        return fmt::format("StepCost({}, time_units={})", quantity(cost.step.warps.size(), "warp"),
                           cost.step.time_units.count);
      });
  nb::class_<Run>(module, "MachineRun", "The run of a program on a machine.")
      .def_prop_ro(
          "time_units", [](const Run& run) { return run.result.report.total.time_units.count; }, "measured time units")
      .def_prop_ro(
          "formula", [](const Run& run) { return run.result.formula; },
          "exact time in closed form, or None; for lockstep timing only")
      .def_prop_ro("formula_text", [](const Run& run) { return run.result.formula_text; })
      .def_prop_ro(
          "lower_bound", [](const Run& run) { return run.result.lower_bound; },
          "time units that no program can fall below")
      .def_prop_ro(
          "few_words_lower_bound", [](const Run& run) { return run.result.few_words_lower_bound; },
          "lower bound for threads that keep O(1) words, or None")
      .def_prop_ro(
          "correct", [](const Run& run) { return run.result.correct; },
          "whether the result equals that of a plain implementation")
      .def_prop_ro("accesses", [](const Run& run) { return run.result.report.total.accesses(); })
      .def_prop_ro("dispatches", [](const Run& run) { return run.result.report.total.dispatches; })
      .def_prop_ro("total_stages", [](const Run& run) { return run.result.report.total.stages; })
      .def_prop_ro("phases", &phases_of, nb::sig("def phases(self) -> list[tuple[str, int]]"),
                   "name and time units of each phase")
      .def_prop_ro("counts", &counts_of, nb::sig("def counts(self) -> dict[str, int]"),
                   "other quantities that the paper counts")
      .def_prop_ro(
          "inputs", [](const Run& run) { return arrays_of(run.result.inputs); },
          nb::sig("def inputs(self) -> dict[str, numpy.typing.NDArray[numpy.int64]]"), "input lists by name")
      .def_prop_ro(
          "outputs", [](const Run& run) { return arrays_of(run.result.outputs); },
          nb::sig("def outputs(self) -> dict[str, numpy.typing.NDArray[numpy.int64]]"), "output lists by name")
      .def("__repr__", [](const Run& run) {
        return fmt::format("MachineRun('{}', time_units={})", run.name, run.result.report.total.time_units.count);
      });
}

void construct(Machine* self, nb::handle kind, nb::handle width, nb::handle latency, nb::handle multiprocessors,
               nb::handle shared_latency, nb::handle mapping_seed, nb::handle warp) {
  Machine made{machine::parse_kind(text("kind", kind)), integer<std::uint32_t>("width", width),
               integer<std::uint32_t>("latency", latency), integer<std::uint32_t>("multiprocessors", multiprocessors),
               integer<std::uint32_t>("shared_latency", shared_latency)};
  if (!warp.is_none()) made.warp = integer<std::uint32_t>("warp", warp);
  machine::validate(made, made.warp_size() * made.multiprocessors);
  if (!mapping_seed.is_none()) {
    made.mapping = machine::Mapping::random_shift;
    made.mapping_seed = integer<std::uint64_t>("mapping_seed", mapping_seed);
  }
  new (self) Machine(made);
}

}  // namespace

void bind_machine(nb::module_& module) {
  bind_results(module);
  nb::class_<Machine>(module, "Machine", "A memory machine, without its threads.")
      .def("__init__", &construct, "kind"_required, "width"_required, "latency"_required, "multiprocessors"_a = 1,
           "shared_latency"_a = 1, "mapping_seed"_a = nb::none(), "warp"_a = nb::none(),
           nb::sig("def __init__(self, kind: str, width: int, latency: int, multiprocessors: int = 1, "
                   "shared_latency: int = 1, mapping_seed: int | None = None, warp: int | None = None) -> None"))
      .def(
          "cost", &cost, "addresses"_required, nb::kw_only(), "write"_a = false, "bytes"_a = 4,
          nb::sig(
              "def cost(self, addresses: numpy.typing.ArrayLike, *, write: bool = False, bytes: int = 4) -> StepCost"),
          "The cost of one step in which consecutive warps access these addresses. addresses has a row for each warp, "
          "or is one list that is cut into warps. A negative address is a lane without a request. bytes is the size of "
          "an element: 1, 2, 4, 8 or 16.")
      .def("run", &run_algorithm, "name"_required, nb::kw_only(), "n"_a = nb::none(), "threads"_a = 1024,
           "timing"_a = "lockstep", "seed"_a = 1, "as_printed"_a = false, "exclusive"_a = false, "operation"_a = "",
           "parameters"_a = nb::dict(), "lists"_a = nb::dict(), "options"_a,
           nb::sig("def run(self, name: str, *, n: int | None = None, threads: int = 1024, timing: str = 'lockstep', "
                   "seed: int = 1, as_printed: bool = False, exclusive: bool = False, operation: str = '', "
                   "parameters: dict[str, int] = {}, lists: dict[str, numpy.typing.ArrayLike] = {}, "
                   "time_limit: float | None = None, max_memory: int | None = None) -> MachineRun"),
           "Runs one of the programs of papers and textbooks that algorithms() lists, and counts its time units.")
      .def_ro("width", &Machine::width)
      .def_prop_ro("warp", &Machine::warp_size)
      .def_ro("latency", &Machine::latency)
      .def("__repr__", [](const Machine& on) { return machine::to_string(on); });
  module.def(
      "machine_algorithms",
      [] {
        nb::dict algorithms;
        for (const machine::Algorithm& one : machine::algorithms()) {
          algorithms[nb::cast(std::string(one.name))] = std::string(one.description);
        }
        return algorithms;
      },
      nb::sig("def machine_algorithms() -> dict[str, str]"), "The programs by name, with a description of each.");
}

}  // namespace warpfold::python
