#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

/// The interface to the parser of the command line. Only arguments.cpp includes CLI11, whose headers take seconds to
/// compile in every file that includes them.
namespace warpfold::app {

/// The value of a number option. Integers must be from `least` to `most`. Raises Error{usage} that names the option,
/// the word and what is accepted.
template <class T>
[[nodiscard]] T parse_option(const std::string& option, const std::string& word,
                             T least = std::numeric_limits<T>::lowest(), T most = std::numeric_limits<T>::max());

/// Raises Error{usage} if the option is given and has no effect. `needs` names the options without which it has none.
void reject_without_effect(const std::string& option, bool is_given, bool has_effect, const std::string& needs);

/// The words after the program's name. The value after the = of an option is a word of its own.
[[nodiscard]] const std::vector<std::string>& given_words();

/// The type of the value of a number option, which may be optional.
template <class Value>
struct NumberOf {
  using Type = Value;
};
template <class Value>
struct NumberOf<std::optional<Value>> {
  using Type = Value;
};

/// The help's data of an option, a flag or a word without a name.
struct ArgumentText {
  std::vector<std::string> names;  ///< "-o" and "--output"; for a word without a name its placeholder, "INPUT"
  std::string value;  ///< the placeholder of its value, "TEXT", or the accepted words between bars; empty for a flag
  std::string shown_default;
  std::string description;
  bool is_required = false;
  bool is_repeated = false;

  /// The accepted words, if its value lists them. Placeholders, which are in capitals, are not among them.
  [[nodiscard]] std::vector<std::string> words() const;
  [[nodiscard]] std::string full_description() const;  ///< with the default
  [[nodiscard]] std::string usage() const;             ///< of a word without a name: "INPUT", "[INPUT...]"
};

/// The help's data of a command.
struct CommandText {
  std::string name;  ///< including the commands above it: "warpfold machine run"
  std::string description;
  std::vector<std::string> examples;
  std::vector<ArgumentText> options;
  std::vector<ArgumentText> words;  ///< the words without a name
  std::vector<CommandText> commands;

  [[nodiscard]] std::string last_name() const { return name.substr(name.rfind(' ') + 1); }
};

/// An option, a flag or a word without a name.
class Argument {
 public:
  explicit Argument(CLI::Option* option) : option_(option) {}

  Argument required() const;
  Argument expected(int least, int most) const;  ///< so many words
  Argument exactly(int count) const;             ///< requires this number of values; later words are not among them
  Argument one_of(const std::vector<std::string>& accepted) const;
  /// Sets the placeholder of its value in the help. Words between bars are the accepted values, which shells complete;
  /// a name in capitals is a placeholder.
  Argument takes(const std::string& value) const;
  Argument excludes(Argument other) const;
  Argument needs(Argument other) const;  ///< rejected without the other one

 private:
  CLI::Option* option_;
};

/// The headings of a command's help, in their order.
enum class Group { input, solving, output, limits };

/// A command, or a program with commands. Values are filled in when the command line is parsed, and must live until
/// then. Their previous content is the default, which the help shows. A name without a dash is for words that belong to
/// no option.
class Command {
 public:
  explicit Command(CLI::App& app) : app_(&app) {}

  /// Adds a command below this one. The help of this one lists it under `heading`.
  [[nodiscard]] Command add_command(const std::string& name, const std::string& description,
                                    const std::string& heading = "Commands") const;
  /// Returns the same command. Options that are added to the result are shown under that heading; the default heading
  /// is `input`.
  [[nodiscard]] Command in(Group group) const;
  void requires_command() const;
  [[nodiscard]] CommandText program_text() const;                            ///< of the program of this command
  void examples(const std::string& first, const std::string& second) const;  ///< at the end of the help

  Argument option(const std::string& name, std::string& value, const std::string& description) const;
  Argument option(const std::string& name, std::optional<std::string>& value, const std::string& description) const;
  Argument option(const std::string& name, std::filesystem::path& value, const std::string& description) const;
  Argument option(const std::string& name, std::vector<std::string>& value, const std::string& description) const;
  /// Adds words that may be empty.
  Argument texts(const std::string& name, std::vector<std::string>& value, const std::string& description) const;
  Argument flag(const std::string& name, bool& value, const std::string& description) const;

  /// Adds a number option, which may be optional. Integers must be from `least` to `most`. `parse_option` reads it. The
  /// help shows a default above 0.
  template <class T>
  Argument number(const std::string& name, T& value, const std::string& description,
                  typename NumberOf<T>::Type least = std::numeric_limits<typename NumberOf<T>::Type>::lowest(),
                  typename NumberOf<T>::Type most = std::numeric_limits<typename NumberOf<T>::Type>::max()) const {
    using Number = typename NumberOf<T>::Type;
    std::string shown;
    if constexpr (std::is_arithmetic_v<T>) {
      if (value > T{0}) shown = fmt::format("{}", value);
    }
    return read_by([=, &value](const std::string& word) { value = parse_option<Number>(name, word, least, most); },
                   name, description, shown);
  }

  void on_parsed(const std::function<void()>& action) const;  ///< before the command runs
  void runs(const std::function<void()>& action) const;

 private:
  Argument grouped(CLI::Option* option) const;
  Argument read_by(const std::function<void(const std::string&)>& read, const std::string& name,
                   const std::string& description, const std::string& shown_default) const;

  CLI::App* app_;
  Group group_ = Group::input;
};

/// The program and all of its commands.
class Program {
 public:
  Program(const std::string& name, const std::string& description);
  ~Program();

  [[nodiscard]] Command command() const;  ///< the command to which all others are added
  [[nodiscard]] std::string help() const;

  /// Runs the command that the words name, or prints help or version. `words` does not include the program's name.
  /// Raises what the command raises, and Error{usage} that names the wrong word and similar names.
  void run(std::vector<std::string> words) const;

 private:
  std::unique_ptr<CLI::App> app_;
};

}  // namespace warpfold::app
