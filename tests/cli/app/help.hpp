#pragma once

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

/// The commands and their options, as the help lists them.
namespace warpfold::app::test {

/// The first words of a help's indented lines below `heading`: commands, or options such as "-o,--output".
inline std::vector<std::string> entries(const std::string& help, const std::string& heading) {
  std::vector<std::string> found;
  std::istringstream lines(help.substr(std::min(help.find(heading + ":\n"), help.size())));
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line) && line.starts_with("  ")) {
    std::string entry;
    std::istringstream(line) >> entry;
    if (!line.starts_with("   ")) found.push_back(entry);
  }
  return found;
}

/// Every command that has none below it, with the names of its options.
struct Found {
  std::string command;
  std::vector<std::string> options;
};

template <class Help>
void find_commands(const Help& help_of, const std::string& command, std::vector<Found>& found) {
  const std::string help = help_of(command);
  const std::vector<std::string> below = entries(help, "Subcommands");
  for (const std::string& name : below) find_commands(help_of, command + " " + name, found);
  if (!below.empty()) return;
  found.push_back({command, {}});
  for (const std::string& entry : entries(help, "Options")) {
    std::istringstream names(entry);
    for (std::string name; std::getline(names, name, ',');) found.back().options.push_back(name);
  }
}

}  // namespace warpfold::app::test
