#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <vector>

#include "arguments.hpp"

/// Shell completions of commands, options, accepted values and file names. Each script finds the command from the words
/// before the cursor, and then uses lists that are generated from the help's data.
namespace warpfold::app {

namespace {

using Strings = std::vector<std::string>;

/// The command and all commands below it.
std::vector<CommandText> with_all_below(const CommandText& command) {
  std::vector<CommandText> all = {command};
  for (const CommandText& below : command.commands) {
    for (CommandText& one : with_all_below(below)) all.push_back(std::move(one));
  }
  return all;
}

std::string joined(const Strings& words) { return fmt::format("{}", fmt::join(words, " ")); }

/// Quotes a text with apostrophes. `apostrophe` is the shell's escape for an apostrophe inside.
std::string in_quotes(std::string_view text, std::string_view apostrophe = "'\\''") {
  std::string result = "'";
  for (const char letter : text) {
    if (letter == '\'') {
      result += apostrophe;
    } else {
      result += letter;
    }
  }
  return result + "'";
}

/// A name and its description, in the form of zsh's _describe.
std::string described(const std::string& name, const std::string& description) {
  return in_quotes(name + ":" + description);
}

/// A pattern of a `case` for each word. The matched text begins with the name of the command.
std::string patterns(const std::string& command, const Strings& words, std::string_view separator) {
  Strings all;
  for (const std::string& word : words) all.push_back(in_quotes(command + word));
  return fmt::format("{}", fmt::join(all, separator));
}

std::string command_patterns(const CommandText& program, std::string_view separator) {
  Strings names;
  for (const CommandText& command : with_all_below(program)) names.push_back(command.name);
  names.erase(names.begin());  // the program's own name
  return patterns("", names, separator);
}

/// The words that can come first after a command: the commands below it, or the accepted values of its first word
/// without a name.
Strings first_words(const CommandText& command) {
  Strings words;
  for (const CommandText& below : command.commands) words.push_back(below.last_name());
  return command.words.empty() ? words : command.words.front().words();
}

/// The lines of a script's two `case` commands.
struct Cases {
  std::string values;  ///< the words that an option accepts
  std::string words;   ///< the words that a command accepts
};

Cases bash_cases(const CommandText& program) {
  Cases cases;
  for (const CommandText& command : with_all_below(program)) {
    const std::string line = command.name + "/";
    Strings names;
    for (const ArgumentText& option : command.options) {
      names.insert(names.end(), option.names.begin(), option.names.end());
      if (option.value.empty()) continue;
      cases.values +=
          fmt::format("    {}) words='{}' ;;\n", patterns(line, option.names, " | "), joined(option.words()));
    }
    cases.words += fmt::format("        {}-*) words='{}' ;;\n", in_quotes(line), joined(names));
    cases.words += fmt::format("        {}*) words='{}' ;;\n", in_quotes(line), joined(first_words(command)));
  }
  return cases;
}

std::string bash_completions(const CommandText& program) {
  const auto& [values, words] = bash_cases(program);
  return fmt::format(R"(# Completions of warpfold for bash, as `warpfold completions bash` prints them.
_warpfold() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} option=${{COMP_WORDS[COMP_CWORD - 1]}} command=warpfold words='' word
  if [ "$current" = = ]; then
    current=''
  elif [ "$option" = = ]; then
    option=${{COMP_WORDS[COMP_CWORD - 2]}}
  fi
  for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
    case "$command $word" in
      {}) command="$command $word" ;;
    esac
  done
  case "$command/$option" in
{}    *)
      case "$command/$current" in
{}      esac
      ;;
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}}
complete -o default -F _warpfold warpfold
)",
                     command_patterns(program, " | "), values, words);
}

Cases zsh_cases(const CommandText& program) {
  Cases cases;
  for (const CommandText& command : with_all_below(program)) {
    const std::string line = command.name + "/";
    Strings options, commands;
    for (const ArgumentText& option : command.options) {
      for (const std::string& name : option.names) options.push_back(described(name, option.description));
      if (option.value.empty()) continue;
      cases.values +=
          fmt::format("  ({}) accepted=({}) ;;\n", patterns(line, option.names, " | "), joined(option.words()));
    }
    for (const CommandText& below : command.commands) {
      commands.push_back(described(below.last_name(), below.description));
    }
    cases.words += fmt::format("      ({}-*) described=({}) ;;\n", in_quotes(line), joined(options));
    if (commands.empty()) {
      cases.words += fmt::format("      ({}*) accepted=({}) ;;\n", in_quotes(line), joined(first_words(command)));
    } else {
      cases.words += fmt::format("      ({}*) described=({}) ;;\n", in_quotes(line), joined(commands));
    }
  }
  return cases;
}

std::string zsh_completions(const CommandText& program) {
  const auto& [values, words] = zsh_cases(program);
  return fmt::format(R"(#compdef warpfold
# Completions of warpfold for zsh, as `warpfold completions zsh` prints them.
local option=$words[CURRENT-1] command=warpfold word
local -a accepted described
if [[ $PREFIX == --*=* ]]; then
  option=${{PREFIX%%=*}}
  compset -P '*='
fi
for word in $words[2,CURRENT-1]; do
  case "$command $word" in
    ({}) command="$command $word" ;;
  esac
done
case "$command/$option" in
{}  (*)
    case "$command/$PREFIX" in
{}    esac
    ;;
esac
if (( $#described )); then
  _describe 'command or option' described
elif (( $#accepted )); then
  compadd -- $accepted
else
  _files
fi
)",
                     command_patterns(program, " | "), values, words);
}

std::string fish_completions(const CommandText& program) {
  const auto text = [](std::string_view words) { return in_quotes(words, "\\'"); };
  std::string lines;
  for (const CommandText& command : with_all_below(program)) {
    const std::string here = fmt::format("complete -c warpfold -n {}", text("__warpfold_at " + command.name));
    for (const CommandText& below : command.commands) {
      lines += fmt::format("{} -f -a {} -d {}\n", here, below.last_name(), text(below.description));
    }
    if (command.commands.empty() && !first_words(command).empty()) {
      lines += fmt::format("{} -f -a {}\n", here, text(joined(first_words(command))));
    }
    for (const ArgumentText& option : command.options) {
      lines += here;
      for (const std::string& name : option.names) {
        lines += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      }
      if (!option.value.empty()) lines += " -r";
      if (!option.words().empty()) lines += " -f -a " + text(joined(option.words()));
      lines += fmt::format(" -d {}\n", text(option.description));
    }
  }
  return fmt::format(R"(# Completions of warpfold for fish, as `warpfold completions fish` prints them.
function __warpfold_at
  set -l command warpfold
  for word in (commandline -opc)[2..]
    switch "$command $word"
      case {}
        set command "$command $word"
    end
  end
  test "$command" = "$argv"
end
{})",
                     command_patterns(program, " "), lines);
}

}  // namespace

void add_completions(Command command) {
  command.examples("warpfold completions bash > warpfold.bash", "warpfold completions zsh > _warpfold");
  auto shell = std::make_shared<std::string>();
  command.option("SHELL", *shell, "shell that the script is for").required().one_of({"bash", "zsh", "fish"});
  command.runs([command, shell] {
    const auto completions = *shell == "bash" ? bash_completions : *shell == "zsh" ? zsh_completions : fish_completions;
    fmt::print("{}", completions(command.program_text()));
  });
}

}  // namespace warpfold::app
