#include "arguments.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <sstream>
#include <utility>

#include "warpfold/core/error.hpp"
#include "warpfold/core/version.hpp"
#include "warpfold/io/numbers.hpp"

namespace warpfold::app {

namespace {

std::vector<std::string> words_of_program;

/// Splits "--output=a.npy" into "--output" and "a.npy".
std::vector<std::string> split_at_values(const std::vector<std::string>& words) {
  std::vector<std::string> split;
  for (const std::string& word : words) {
    const std::size_t equals = word.starts_with("--") ? word.find('=') : std::string::npos;
    split.push_back(word.substr(0, equals));
    if (equals != std::string::npos) split.push_back(word.substr(equals + 1));
  }
  return split;
}

/// The edit distance of two words.
std::size_t distance(std::string_view from, std::string_view to) {
  std::vector<std::size_t> row(to.size() + 1);
  for (std::size_t j = 0; j <= to.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= from.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= to.size(); ++j) {
      const std::size_t replaced = diagonal + (from[i - 1] != to[j - 1]);
      diagonal = std::exchange(row[j], std::min({row[j] + 1, row[j - 1] + 1, replaced}));
    }
  }
  return row.back();
}

/// ": did you mean NAME?" if a name is similar to the word, else "".
std::string suggestion(std::string_view word, const std::vector<std::string>& names) {
  if (word.empty()) return "";
  std::string nearest;
  std::size_t least = std::min<std::size_t>(3, word.size() / 2 + 1);
  for (const std::string& name : names) {
    const std::size_t changes = name.starts_with(word) ? 0 : distance(word, name);
    if (changes >= least) continue;
    least = changes;
    nearest = name;
  }
  return nearest.empty() ? "" : fmt::format(": did you mean {}?", nearest);
}

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  return names;
}

/// Rewrites the parser's message for too many or too few values, "--dtype: At Most 1 required but received 2".
std::string mismatch(const std::string& said, const std::string& called) {
  const std::size_t colon = said.find(": ");
  const std::string name = said.substr(0, colon);
  const std::vector<std::string> words = CLI::detail::split(said.substr(colon + 2), ' ');
  if (words.size() == 4 && words[3] == "missing")
    return fmt::format("{}: a value is missing: {} is accepted", name, words[2]);
  const bool is_range = words.size() == 7 && words[3] == "required";
  if (!is_range) return said;
  return fmt::format("{}: {} value{}, {} {} {} accepted{}", name, words[6], words[6] == "1" ? "" : "s",
                     CLI::detail::to_lower(words[0] + " " + words[1]), words[2], words[2] == "1" ? "is" : "are",
                     name.starts_with('-') ? "" : fmt::format("; `{} --help` shows examples", called));
}

/// Rewrites the parser's message for the value of a flag, "Could not convert: --script = x".
std::string value_of_flag(const std::string& said) {
  const std::size_t name = said.find(": ") + 2, equals = said.find(" = ", name);
  return fmt::format("{} is '{}': the option takes no value", said.substr(name, equals - name),
                     said.substr(equals + 3));
}

/// Rewrites the parser's message.
std::string in_our_words(const std::string& kind, const std::string& said, const std::string& called) {
  const std::vector<std::string> words = CLI::detail::split(said, ' ');
  if (kind == "ArgumentMismatch") return mismatch(said, called);
  if (kind == "ConversionError") return value_of_flag(said);
  if (kind == "RequiredError") return fmt::format("{} is missing; `{} --help` says what it is", words.front(), called);
  if (kind == "RequiresError") return fmt::format("{} needs {}", words.front(), words.back());
  if (kind != "ExcludesError") return said;
  return fmt::format("{} and {} exclude each other: one of them is accepted", words.front(), words.back());
}

/// Says what is wrong with the words. The parser would only say that they were not expected.
std::string message_of(const CLI::ParseError& error, const CLI::App& app) {
  const CLI::App* command = &app;
  std::string called = "warpfold";
  while (!command->get_subcommands().empty()) {
    command = command->get_subcommands().back();
    called += " " + command->get_name();
  }
  const std::vector<std::string> words = app.remaining(true);
  if (words.empty() && error.get_name() == "RequiredError" && !command->get_subcommands({}).empty()) {
    return fmt::format("`{}` needs a command: {} are accepted", called, fmt::join(command_names(*command), ", "));
  }
  if (words.empty()) return in_our_words(error.get_name(), error.what(), called);
  const std::string& word = words.front();
  if (!command->get_subcommands({}).empty() && !word.starts_with('-')) {
    return fmt::format("'{}' is no command{}", word,
                       suggestion(word, command_names(*command)) + "; `warpfold --help` lists them");
  }
  return fmt::format("'{}' is not accepted here{}; `{} --help` says what is", word,
                     suggestion(word.substr(0, word.find('=')), option_names(*command)), called);
}

/// Checks the words after `help`: each must be a command below those before it.
void check_commands(const CLI::App& app, const std::vector<std::string>& words) {
  const CLI::App* command = &app;
  for (const std::string& word : words) {
    if (word.starts_with('-')) return;  // the parser checks options
    const std::vector<std::string> names = command_names(*command);
    if (std::find(names.begin(), names.end(), word) == names.end()) {
      throw Error(ErrorKind::usage,
                  fmt::format("'{}' is no command{}; `warpfold --help` lists them", word, suggestion(word, names)));
    }
    command = command->get_subcommand(word);
  }
}

/// Whether -h or --help is among the words.
bool ask_for_help(const std::vector<std::string>& words) {
  const auto end = std::find(words.begin(), words.end(), "--");
  return std::any_of(words.begin(), end, [](const std::string& word) { return word == "-h" || word == "--help"; });
}

ArgumentText text_of(const CLI::Option& option) {
  ArgumentText text;
  for (const std::string& name : option.get_snames()) text.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) text.names.push_back("--" + name);
  if (option.get_positional()) text.names = {option.get_single_name()};
  if (option.get_type_size_max() != 0) text.value = option.get_type_name();
  text.shown_default = option.get_default_str();
  text.description = option.get_description();
  text.is_required = option.get_required();
  text.is_repeated = option.get_items_expected_max() > 1;
  return text;
}

/// In the order of `Group`. The last one is for options that every command has.
constexpr std::array<const char*, 5> headings = {"Input", "Solving", "Output", "Limits", "Help"};

constexpr std::size_t help_width = 80;
constexpr std::size_t option_column = 27;
constexpr std::size_t command_column = 16;

/// Breaks text into lines that begin at column `first`.
std::string wrapped(const std::string& words, std::size_t first) {
  const std::string indent(first, ' ');
  std::string text;
  std::size_t column = first;
  std::istringstream stream(words);
  for (std::string word; stream >> word;) {
    const bool is_first = column == first;
    if (!is_first && column + 1 + word.size() > help_width) {
      text += "\n" + indent;
      column = first;
    } else if (!is_first) {
      text += ' ';
      ++column;
    }
    text += word;
    column += word.size();
  }
  return text;
}

/// An option or a command with its description, which begins at column `column`.
std::string help_entry(const std::string& name, const std::string& description, std::size_t column) {
  const std::string indent(column, ' ');
  const std::string begin = "  " + name;
  const std::string gap = begin.size() < column ? indent.substr(begin.size()) : "\n" + indent;
  return begin + gap + wrapped(description, column) + "\n";
}

std::string help_entry(const ArgumentText& text, bool is_word) {
  std::string shown = fmt::format("{}", fmt::join(text.names, ", "));
  std::string description = text.full_description();
  if (!is_word && !text.value.empty()) {
    const bool is_long = shown.size() + text.value.size() > help_width;
    if (is_long) description += fmt::format(": {}", fmt::join(text.words(), ", "));
    shown += is_long ? " NAME" : " " + text.value;
  }
  return help_entry(shown, description, option_column);
}

/// The options of a command under a heading. Options without a name come first.
std::string help_of(const CLI::App& command, const std::string& heading) {
  std::string named, words;
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_group() != heading) continue;
    const bool is_word = option->get_positional();
    (is_word ? words : named) += help_entry(text_of(*option), is_word);
  }
  return words.empty() && named.empty() ? "" : fmt::format("\n{}:\n{}{}", heading, words, named);
}

/// The help of the program and of its commands.
class HelpFormatter : public CLI::Formatter {
 public:
  HelpFormatter() { label("SUBCOMMAND", "COMMAND"); }

  std::string make_help(const CLI::App* command, std::string name, CLI::AppFormatMode mode) const override {
    std::string text =
        make_description(command) + make_usage(command, std::move(name)) + make_subcommands(command, mode);
    for (const char* heading : headings) text += help_of(*command, heading);
    return text + "\n" + make_footer(command);
  }

  std::string make_subcommand(const CLI::App* command) const override {
    return help_entry(command->get_name(), command->get_description(), command_column);
  }

  std::string make_option_usage(const CLI::Option* word) const override { return text_of(*word).usage(); }
};

CommandText text_of(const CLI::App& command, const std::string& above = "") {
  CommandText text;
  text.name = above + command.get_name();
  text.description = command.get_description();
  const std::vector<std::string> lines = CLI::detail::split(command.get_footer(), '\n');
  for (const std::string& line : lines) {
    if (line.starts_with("  ")) text.examples.push_back(line.substr(2));
  }
  for (const CLI::Option* option : command.get_options()) {
    (option->get_positional() ? text.words : text.options).push_back(text_of(*option));
  }
  for (const CLI::App* below : command.get_subcommands({})) text.commands.push_back(text_of(*below, text.name + " "));
  return text;
}

/// An empty word comes from a shell variable that is not set.
std::string reject_empty(const std::string& word) { return word.empty() ? "'' is not accepted" : ""; }

}  // namespace

std::vector<std::string> ArgumentText::words() const {
  std::vector<std::string> listed = CLI::detail::split(value, '|');
  const auto is_capital = [](char letter) { return 'A' <= letter && letter <= 'Z'; };
  std::erase_if(listed, [&](const std::string& word) { return std::any_of(word.begin(), word.end(), is_capital); });
  return listed;
}

std::string ArgumentText::full_description() const {
  return description + (shown_default.empty() ? "" : fmt::format(" (default {})", shown_default));
}

std::string ArgumentText::usage() const {
  const std::string shown = names.front() + (is_repeated ? "..." : "");
  return is_required ? shown : "[" + shown + "]";
}

const std::vector<std::string>& given_words() { return words_of_program; }

template <class T>
T parse_option(const std::string& option, const std::string& word, T least, T most) {
  std::string accepted = "a number is accepted";
  if constexpr (std::is_integral_v<T>) {
    const bool is_any = sizeof(T) == 8 && std::is_unsigned_v<T> && most == std::numeric_limits<T>::max();
    accepted = fmt::format("an integer from {} to {} is accepted", least, is_any ? "2^64 - 1" : fmt::to_string(most));
  }
  try {
    const io::Number number = io::parse_number(word);
    if constexpr (std::is_integral_v<T>) {
      const bool in_range = number.exact >= io::Integer{least} && number.exact <= io::Integer{most};
      if (number.is_integral && in_range) return static_cast<T>(number.exact);
    } else if (!std::isnan(number.real)) {
      return number.real;
    }
  } catch (const Error&) {  // the error below says more
  }
  throw Error(ErrorKind::usage, fmt::format("{} is '{}': {}", option, word, accepted));
}

template std::int32_t parse_option(const std::string&, const std::string&, std::int32_t, std::int32_t);
template std::uint32_t parse_option(const std::string&, const std::string&, std::uint32_t, std::uint32_t);
template std::int64_t parse_option(const std::string&, const std::string&, std::int64_t, std::int64_t);
template std::uint64_t parse_option(const std::string&, const std::string&, std::uint64_t, std::uint64_t);
template double parse_option(const std::string&, const std::string&, double, double);

void reject_without_effect(const std::string& option, bool is_given, bool has_effect, const std::string& needs) {
  if (!is_given || has_effect) return;
  throw Error(ErrorKind::usage, fmt::format("{} has no effect without {}", option, needs));
}

Argument Argument::required() const {
  option_->required();
  return *this;
}

Argument Argument::expected(int least, int most) const {
  option_->expected(least, most);
  return *this;
}

Argument Argument::exactly(int count) const {
  option_->expected(count)->allow_extra_args(false);
  return *this;
}

Argument Argument::one_of(const std::vector<std::string>& accepted) const {
  option_->check([accepted](const std::string& word) {
    const bool is_one = std::find(accepted.begin(), accepted.end(), word) != accepted.end();
    return is_one ? "" : fmt::format("'{}' is not accepted: {} is", word, fmt::join(accepted, " or "));
  });
  return takes(fmt::format("{}", fmt::join(accepted, "|")));
}

Argument Argument::excludes(Argument other) const {
  option_->excludes(other.option_);
  return *this;
}

Argument Argument::needs(Argument other) const {
  option_->needs(other.option_);
  return *this;
}

Argument Argument::takes(const std::string& value) const {
  option_->type_name(value);
  return *this;
}

Command Command::add_command(const std::string& name, const std::string& description,
                             const std::string& heading) const {
  CLI::App* command = app_->add_subcommand(name, description)->group(heading);
  command->footer("");  // otherwise the parser copies the program's
  command->get_help_ptr()->group(headings.back());
  return Command(*command);
}

Command Command::in(Group group) const {
  Command command = *this;
  command.group_ = group;
  return command;
}

void Command::requires_command() const { app_->require_subcommand(1); }

CommandText Command::program_text() const {
  const CLI::App* program = app_;
  while (program->get_parent() != nullptr) program = program->get_parent();
  return text_of(*program);
}

void Command::examples(const std::string& first, const std::string& second) const {
  app_->footer("Examples:\n  " + first + "\n  " + second);
}

Argument Command::option(const std::string& name, std::string& value, const std::string& description) const {
  return grouped(app_->add_option(name, value, description)->default_str(value)->check(reject_empty));
}

Argument Command::option(const std::string& name, std::optional<std::string>& value,
                         const std::string& description) const {
  return grouped(app_->add_option(name, value, description)->check(reject_empty));
}

Argument Command::option(const std::string& name, std::filesystem::path& value, const std::string& description) const {
  return grouped(app_->add_option(name, value, description)->check(reject_empty));
}

Argument Command::option(const std::string& name, std::vector<std::string>& value,
                         const std::string& description) const {
  return grouped(app_->add_option(name, value, description)->check(reject_empty));
}

Argument Command::texts(const std::string& name, std::vector<std::string>& value,
                        const std::string& description) const {
  return grouped(app_->add_option(name, value, description));
}

Argument Command::flag(const std::string& name, bool& value, const std::string& description) const {
  return grouped(app_->add_flag(name, value, description));
}

Argument Command::read_by(const std::function<void(const std::string&)>& read, const std::string& name,
                          const std::string& description, const std::string& shown_default) const {
  CLI::Option* option = app_->add_option_function<std::string>(name, read, description);
  return grouped(option->default_str(shown_default)->type_name("NUMBER"));
}

Argument Command::grouped(CLI::Option* option) const {
  return Argument(option->group(headings[static_cast<std::size_t>(group_)]));
}

void Command::on_parsed(const std::function<void()>& action) const { app_->parse_complete_callback(action); }

void Command::runs(const std::function<void()>& action) const { app_->callback(action); }

Program::Program(const std::string& name, const std::string& description)
    : app_(std::make_unique<CLI::App>(description, name)) {
  app_->formatter(std::make_shared<HelpFormatter>());
  app_->option_defaults()->group(headings.back());
  app_->set_help_flag("-h,--help", "this help");
  app_->set_version_flag("--version", version, "the version");
  app_->require_subcommand(1);
  app_->footer("`" + name + " help COMMAND` lists a command's options and shows two examples.");
}

Program::~Program() = default;

Command Program::command() const { return Command(*app_); }

std::string Program::help() const { return app_->help(); }

void Program::run(std::vector<std::string> words) const {
  words_of_program = split_at_values(words);
  try {
    if (!words.empty() && (words.front() == "help" || words.front() == "--help" || words.front() == "-h")) {
      words.erase(words.begin());
      check_commands(*app_, words);
      words.push_back("--help");
    }
    std::reverse(words.begin(), words.end());  // the parser takes them in reverse order
    app_->parse(words);
  } catch (const CLI::Success& asked) {  // --help or --version
    if (!app_->remaining(true).empty()) throw Error(ErrorKind::usage, message_of(asked, *app_));
    std::ostringstream text;  // through standard output, so that an error of writing is reported
    app_->exit(asked, text, text);
    fmt::print("{}", text.str());
  } catch (const CLI::ArgumentMismatch& error) {  // too few or too many words: the help needs none
    if (!ask_for_help(words_of_program)) throw Error(ErrorKind::usage, message_of(error, *app_));
    fmt::print("{}", app_->help());
  } catch (const CLI::ParseError& error) {
    throw Error(ErrorKind::usage, message_of(error, *app_));
  }
}

}  // namespace warpfold::app
