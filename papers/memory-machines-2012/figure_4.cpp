#include "papers/papers.hpp"
#include "warpfold/machine/cost.hpp"

namespace warpfold::papers::memory_machines_2012 {

Table access_of_figure_4(const RunOptions&) {
  const auto accesses = machine::read_accesses("R 0 1 5 10\nR 8 9 14 15\n", "Fig. 4");
  Table table{{key("machine"), counted("stages of W(0)"), counted("stages of W(1)"), published("time units"),
               counted("time units")},
              {}};
  for (const auto& [machine, printed] : {std::pair{machine::dmm(4, 3), 5}, {machine::umm(4, 3), 7}}) {
    const machine::StepCost cost = step_cost(machine, accesses);
    table.rows.push_back(
        {to_string(machine), cost.warps[0].stages, cost.warps[1].stages, printed, cost.time_units.count});
  }
  table.notes = {"W(0) reads 0, 1, 5 and 10, W(1) 8, 9, 14 and 15"};
  return table;
}

}  // namespace warpfold::papers::memory_machines_2012
