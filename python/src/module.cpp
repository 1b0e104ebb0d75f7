#include "binding.hpp"

NB_MODULE(_core, module) {
  using namespace warpfold::python;
  module.doc() = "The library behind the package warpfold, which names what is public.";
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
}
