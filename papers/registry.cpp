#include "papers/registry.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "papers/papers.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold::papers {

const std::vector<Experiment>& experiments() {
  static const std::vector<Experiment> all = [] {
    std::vector<Experiment> list;
    for (const auto& of_paper :
         {memory_machines_2012::experiments(), memory_machines_2012::statements(), umm_2013::experiments(),
          umm_2013::statements(), gpu_polygon_2013::experiments(), pipeline_2018::experiments(),
          pipeline_2018::statements(), p_fold_2023::experiments(), p_fold_2023::gpu_experiments(),
          p_fold_2023::machine_experiments(), p_fold_2023::statements()}) {
      list.insert(list.end(), of_paper.begin(), of_paper.end());
    }
    return list;
  }();
  return all;
}

const Experiment& find_experiment(std::string_view id) {
  const auto& all = experiments();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Experiment& one) { return one.id == id; });
  if (found != all.end()) return *found;
  throw unknown_id("experiment", std::string(id), ids_of(all), ids_of(examples()), "paper example");
}

Error unknown_id(const char* kind, const std::string& id, const std::vector<std::string>& accepted,
                 const std::vector<std::string>& others, const char* command) {
  if (std::ranges::find(others, id) != others.end()) {
    return Error(ErrorKind::usage, fmt::format("{} '{}' is unknown: `warpfold {} {}` has it", kind, id, command, id));
  }
  std::vector<std::string> alike;
  for (const std::string& one : accepted) {
    if (!id.empty() && (one.starts_with(id + '/') || one.ends_with('/' + id))) alike.push_back(one);
  }
  const std::vector<std::string>& named = alike.empty() ? accepted : alike;
  return Error(ErrorKind::usage, fmt::format("{} '{}' is unknown: {} {} accepted", kind, id, fmt::join(named, ", "),
                                             named.size() == 1 ? "is" : "are"));
}

std::string command_of(const Experiment& experiment, const RunOptions& options) {
  const RunOptions usual;
  std::string command = "warpfold paper run " + experiment.id;
  if (options.seed != usual.seed) command += fmt::format(" --seed {}", options.seed);
  if (options.trials != usual.trials) command += fmt::format(" --trials {}", options.trials);
  return command;
}

Table run(const Experiment& experiment, const RunOptions& options) {
  Table table = experiment.run(options);
  if (table.rows.empty()) throw Error(ErrorKind::internal, fmt::format("{} has no row", experiment.id));
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    if (table.rows[row].size() != table.columns.size()) {
      throw Error(ErrorKind::internal, fmt::format("{}: row {} has {} cells for {} columns", experiment.id, row,
                                                   table.rows[row].size(), table.columns.size()));
    }
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
      const nlohmann::json& cell = table.rows[row][column].value;
      if (!cell.is_null() && cell != "") continue;
      throw Error(ErrorKind::internal, fmt::format("{}: the cell of row {} and column '{}' is empty", experiment.id,
                                                   row, heading(table.columns[column])));
    }
  }
  return table;
}

}  // namespace warpfold::papers
