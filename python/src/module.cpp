#include "binding.hpp"

namespace {

/// The last of its name: what no other takes.
void reject_solution(nanobind::handle, nanobind::handle solution) {
  warpfold::python::reject_type("solution", solution, "what a solving function returned is accepted");
}

}  // namespace

NB_MODULE(_core, module) {
  using namespace warpfold::python;
  module.doc() = "The compiled part of the package warpfold, which exports the public names.";
  bind_run(module);
  bind_interval(module);
  bind_polygon(module);
  bind_recurrence(module);
  bind_knapsack(module);
  bind_minplus(module);
  bind_paths(module);
  bind_permutation(module);
  bind_machine(module);
  bind_own(module);
  bind_compiled(module);
  bind_device(module);
  module.def("verify", &reject_solution, "problem"_required, "solution"_required,
             nanobind::sig("def verify(problem: object, solution: typing.NoReturn) -> Verdict"));
}
