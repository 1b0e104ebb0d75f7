#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "arguments.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/core/version.hpp"

/// The manual page that is installed with the program, generated from the help's data.
namespace warpfold::app {

namespace {

/// Escapes text for roff: every letter is printed as it is, no line is a request, and lines may break after a bar.
std::string plain(std::string_view text) {
  constexpr std::pair<char, std::string_view> escapes[] = {
      {'\\', "\\e"}, {'-', "\\-"}, {'`', "\\(ga"}, {'\'', "\\(aq"}, {'^', "\\(ha"}, {'~', "\\(ti"}, {'|', "|\\:"}};
  std::string escaped = text.starts_with('.') ? "\\&" : "";
  for (const char letter : text) {
    const auto* escape =
        std::find_if(std::begin(escapes), std::end(escapes), [&](auto e) { return e.first == letter; });
    if (escape != std::end(escapes)) {
      escaped += escape->second;
    } else {
      escaped += letter;
    }
  }
  return escaped;
}

std::string bold(std::string_view text) { return "\\fB" + plain(text) + "\\fR"; }

std::string argument_entry(const ArgumentText& argument) {
  std::vector<std::string> names;
  for (const std::string& name : argument.names) names.push_back(bold(name));
  std::string entry = fmt::format(".TP\n{}", fmt::join(names, ", "));
  if (!argument.value.empty()) entry += " " + plain(argument.value);
  return entry + "\n" + plain(argument.full_description()) + "\n";
}

std::string synopsis(const CommandText& command) {
  std::string line = bold(command.name) + " [options]";
  for (const ArgumentText& word : command.words) line += " " + plain(word.usage());
  return line;
}

std::string command_entry(const CommandText& command) {
  std::string entry;
  if (command.commands.empty()) {
    entry = fmt::format(".SS {}\n{}\n", synopsis(command), plain(command.description));
    for (const ArgumentText& word : command.words) entry += argument_entry(word);
    for (const ArgumentText& option : command.options) entry += argument_entry(option);
    entry += ".PP\nExamples:\n";
    for (const std::string& example : command.examples) entry += ".br\n" + plain(example) + "\n";
  }
  for (const CommandText& below : command.commands) entry += command_entry(below);
  return entry;
}

std::string exit_status() {
  const std::pair<int, const char*> meanings[] = {{0, "solved"},
                                                  {exit_code(ErrorKind::internal), "a defect of warpfold"},
                                                  {exit_code(ErrorKind::usage), "the command line makes no sense"},
                                                  {exit_code(ErrorKind::input), "the data is not acceptable"},
                                                  {exit_code(ErrorKind::infeasible), "there is no solution"},
                                                  {exit_code(ErrorKind::time_limit), "a limit was reached"},
                                                  {exit_code(ErrorKind::device), "the device is not there, or failed"},
                                                  {exit_code(ErrorKind::cancelled), "interrupted"}};
  std::string entries;
  for (const auto& [code, meaning] : meanings)
    entries += fmt::format(".TP\n{}\n{}\n", bold(std::to_string(code)), meaning);
  return entries;
}

std::string manual(const CommandText& program) {
  std::string page =
      fmt::format(".TH WARPFOLD 1 {} \"warpfold {}\" \"User Commands\"\n.ad l\n.nh\n", version_date, version);
  page += fmt::format(".SH NAME\nwarpfold \\- {}\n", plain(program.description));
  page += fmt::format(".SH SYNOPSIS\n{} COMMAND [options] [words]\n.br\n{} COMMAND\n", bold("warpfold"),
                      bold("warpfold help"));
  page += ".SH OPTIONS\n";
  for (const ArgumentText& option : program.options) page += argument_entry(option);
  page += ".SH COMMANDS\n";
  for (const CommandText& command : program.commands) page += command_entry(command);
  return page + ".SH EXIT STATUS\n" + exit_status();
}

}  // namespace

void add_manual(Command command) {
  command.examples("warpfold man > warpfold.1", "warpfold man | gzip > warpfold.1.gz");
  command.runs([command] { fmt::print("{}", manual(command.program_text())); });
}

}  // namespace warpfold::app
