#include "papers/items.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "papers/data.hpp"
#include "papers/examples.hpp"
#include "papers/registry.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/io/file.hpp"

namespace warpfold::papers {

namespace {

std::string data_file(const std::string& name) {
  const std::filesystem::path folder = data_folder();
  if (folder.empty())
    throw Error(ErrorKind::input,
                fmt::format("{}: is not installed: the folder share/warpfold of an installation has it", name));
  return (folder / name).string();
}

Item item_of(const std::string& path, const std::string& paper, const nlohmann::json& object) {
  Item item;
  try {
    item = {object.at("item"),
            object.at("section"),
            object.at("says"),
            object.value("printed", ""),
            {},
            {},
            object.value("runs", std::vector<std::string>()),
            object.value("errata", std::vector<int>()),
            object.value("nothing_to_run", "")};
    for (const std::string& name : object.value("experiments", std::vector<std::string>())) {
      item.experiments.push_back(find_experiment(paper + "/" + name).id);
    }
    for (const std::string& name : object.value("examples", std::vector<std::string>())) {
      item.examples.push_back(find_example(paper + "/" + name).id);
    }
  } catch (const nlohmann::json::exception&) {
    throw Error(ErrorKind::input,
                fmt::format("{}: {}: item, section and says, and lists of runs, experiments, examples or errata are "
                            "accepted",
                            path, object.dump()));
  }
  if (commands_of(item).empty() == item.nothing_to_run.empty()) {
    throw Error(ErrorKind::input,
                fmt::format("{}: {}: runs, experiments and examples, or why there is nothing_to_run, are accepted",
                            path, item.name));
  }
  return item;
}

void check_errata(const std::string& path, const std::vector<Item>& items, const std::vector<Erratum>& errata) {
  for (const Item& item : items) {
    for (const int number : item.errata) {
      if (std::ranges::find(errata, number, &Erratum::number) != errata.end()) continue;
      throw Error(ErrorKind::input, fmt::format("{}: {}: erratum {} is not in errata.md: 1 to {} are accepted", path,
                                                item.name, number, errata.size()));
    }
  }
}

}  // namespace

std::vector<std::string> commands_of(const Item& item) {
  std::vector<std::string> commands = item.runs;
  for (const std::string& id : item.examples) commands.push_back("paper example " + id);
  for (const std::string& id : item.experiments) commands.push_back("paper run " + id);
  return commands;
}

std::vector<std::string> algorithms_of(const Item& item) {
  std::vector<std::string> names;
  for (const std::string& run : item.runs) {
    std::istringstream words(run);
    std::string machine, command, name;
    if (!(words >> machine >> command >> name) || machine != "machine" || command != "run") continue;
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  return names;
}

PaperItems items_of(const std::string& id) {
  std::vector<std::string> ids;
  for (PaperItems& paper : all_items()) {
    if (paper.id == id) return std::move(paper);
    ids.push_back(paper.id);
  }
  throw Error(ErrorKind::usage, fmt::format("paper '{}' is unknown: {} are accepted", id, fmt::join(ids, ", ")));
}

std::vector<PaperItems> all_items() {
  const std::vector<Erratum> errata = all_errata();
  std::vector<PaperItems> all;
  for (const Experiment& experiment : experiments()) {
    const std::string id = experiment.id.substr(0, experiment.id.find('/'));
    if (std::ranges::find(all, id, &PaperItems::id) != all.end()) continue;
    const std::string path = data_file("papers/" + id + "/items.json");
    const auto list = nlohmann::json::parse(io::read_file(path), nullptr, false);
    if (!list.is_array()) throw Error(ErrorKind::input, fmt::format("{}: a list of items is accepted", path));
    PaperItems paper{id, experiment.paper, {}};
    for (const auto& object : list) paper.items.push_back(item_of(path, id, object));
    check_errata(path, paper.items, errata);
    all.push_back(std::move(paper));
  }
  return all;
}

std::vector<Erratum> all_errata() {
  std::istringstream lines(io::read_file(data_file("errata.md")));
  std::vector<Erratum> all;
  bool in_console = false, in_block = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("## ")) {
      const std::size_t point = line.find(". ");
      all.push_back({std::stoi(line.substr(3, point - 3)), line.substr(point + 2), {}});
      in_block = false;
    } else if (all.empty()) {
      continue;
    } else if (line.starts_with("```")) {
      in_console = !in_console;
      in_block = false;
    } else if (line.empty()) {
      in_block = false;
    } else {
      std::vector<Block>& blocks = all.back().blocks;
      if (!in_block) blocks.push_back({"", in_console});
      blocks.back().text += (in_block ? "\n" : "") + line;
      in_block = true;
    }
  }
  return all;
}

}  // namespace warpfold::papers
