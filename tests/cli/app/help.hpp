#pragma once

#include <fmt/format.h>

#include <sstream>
#include <string>
#include <vector>

/// The commands and their options, as the help lists them.
namespace warpfold::app::test {

/// The names of options, of commands or of words below a heading of a help.
struct Section {
  std::string heading;
  std::vector<std::string> names;
};

/// The sections of a help. A heading ends with a colon; an entry begins with two spaces. An entry "  -o, --output FILE"
/// has both names.
inline std::vector<Section> sections_of(const std::string& help) {
  std::vector<Section> sections;
  std::istringstream lines(help);
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty() && line.back() == ':' && line[0] != ' ')
      sections.push_back({line.substr(0, line.size() - 1), {}});
    if (sections.empty() || !line.starts_with("  ") || line.starts_with("   ")) continue;
    std::istringstream words(line);
    std::string name;
    bool goes_on = true;
    while (goes_on && words >> name) {
      goes_on = name.back() == ',';
      sections.back().names.push_back(goes_on ? name.substr(0, name.size() - 1) : name);
    }
  }
  return sections;
}

/// The names below a heading that ends with "ommands".
inline std::vector<std::string> commands_in(const std::string& help) {
  std::vector<std::string> names;
  for (const Section& section : sections_of(help)) {
    if (section.heading.ends_with("ommands")) names.insert(names.end(), section.names.begin(), section.names.end());
  }
  return names;
}

inline std::vector<std::string> options_in(const std::string& help) {
  std::vector<std::string> options;
  for (const Section& section : sections_of(help)) {
    for (const std::string& name : section.names) {
      if (name.starts_with('-')) options.push_back(name);
    }
  }
  return options;
}

/// Every command without commands below it, with the names of its options.
struct Found {
  std::string command;
  std::vector<std::string> options;
};

template <class Help>
void find_commands(const Help& help_of, const std::string& command, std::vector<Found>& found) {
  const std::string help = help_of(command);
  const std::vector<std::string> below = commands_in(help);
  for (const std::string& name : below) find_commands(help_of, command + " " + name, found);
  if (below.empty()) found.push_back({command, options_in(help)});
}

}  // namespace warpfold::app::test
