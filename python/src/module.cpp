#include "binding.hpp"

namespace warpfold::python {

// The functions that add each family to the module. Report and Verdict come first.
void bind_run(nb::module_& module);
void bind_interval(nb::module_& module);
void bind_polygon(nb::module_& module);
void bind_recurrence(nb::module_& module);
void bind_knapsack(nb::module_& module);
void bind_minplus(nb::module_& module);
void bind_paths(nb::module_& module);
void bind_permutation(nb::module_& module);
void bind_alignment(nb::module_& module);
void bind_time_warping(nb::module_& module);
void bind_sequence(nb::module_& module);
void bind_sequence_batch(nb::module_& module);
void bind_rna(nb::module_& module);
void bind_machine(nb::module_& module);
void bind_own(nb::module_& module);
void bind_compiled(nb::module_& module);
void bind_device(nb::module_& module);

}  // namespace warpfold::python

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
  bind_sequence(module);
  bind_alignment(module);
  bind_time_warping(module);
  bind_sequence_batch(module);
  bind_rna(module);
  bind_machine(module);
  bind_own(module);
  bind_compiled(module);
  bind_device(module);
  module.def("verify", &reject_solution, "problem"_required, "solution"_required,
             nanobind::sig("def verify(problem: object, solution: typing.NoReturn) -> Verdict"));
}
