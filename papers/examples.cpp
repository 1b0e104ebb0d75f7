#include "papers/examples.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <regex>

#include "papers/items.hpp"
#include "papers/papers.hpp"

namespace warpfold::papers {

const std::vector<Example>& examples() {
  static const std::vector<Example> all = [] {
    std::vector<Example> list;
    for (const auto& of_paper : {memory_machines_2012::examples(), umm_2013::examples(), gpu_polygon_2013::examples(),
                                 pipeline_2018::examples(), p_fold_2023::examples()}) {
      list.insert(list.end(), of_paper.begin(), of_paper.end());
    }
    return list;
  }();
  return all;
}

namespace {

/// Whether the name of an item covers a figure: "Fig. 8, binary reduction", "Figs. 1 and 2", "Figs. 10 to 12".
bool covers(const std::string& name, int figure) {
  static const std::regex figures("Figs?\\. ([0-9]+)(?: (and|to) ([0-9]+))?");
  std::smatch found;
  if (!std::regex_search(name, found, figures)) return false;
  const int first = std::stoi(found[1]), last = found[3].matched ? std::stoi(found[3]) : first;
  return found[2] == "to" ? first <= figure && figure <= last : figure == first || figure == last;
}

/// The error for a figure that is not drawn, if an item of its paper has it: where its content is.
std::optional<Error> not_drawn(const std::string& id) {
  static const std::regex figure("(.+)/figure-([0-9]{1,3})");
  std::smatch parts;
  if (!std::regex_match(id, parts, figure)) return std::nullopt;
  for (const PaperItems& paper : all_items()) {
    if (paper.id != parts[1]) continue;
    for (const Item& item : paper.items) {
      if (!covers(item.name, std::stoi(parts[2]))) continue;
      const std::vector<std::string> commands = commands_of(item);
      return Error(
          ErrorKind::usage,
          fmt::format("example '{}' is not drawn: section {}, '{}', is answered by {}", id, item.section, item.name,
                      commands.empty() ? item.nothing_to_run
                                       : fmt::format("`warpfold {}`", fmt::join(commands, "`, `warpfold "))));
    }
  }
  return std::nullopt;
}

}  // namespace

const Example& find_example(std::string_view id) {
  const auto found = std::ranges::find(examples(), id, &Example::id);
  if (found != examples().end()) return *found;
  const bool is_experiment = std::ranges::find(experiments(), id, &Experiment::id) != experiments().end();
  if (const auto error = is_experiment ? std::nullopt : not_drawn(std::string(id))) throw Error(*error);
  throw unknown_id("example", std::string(id), ids_of(examples()), ids_of(experiments()), "paper run");
}

}  // namespace warpfold::papers
