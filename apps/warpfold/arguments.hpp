#pragma once

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

/// What a command is called, what it takes and what it does. The commands know CLI11 by this face alone: its headers
/// cost every file that includes them seconds of compiling.
namespace warpfold::app {

/// The number that an option was given; a whole one from `least` to `most`. Raises Error{usage} that names the option,
/// the word and what is accepted.
template <class T>
[[nodiscard]] T parse_option(const std::string& option, const std::string& word,
                             T least = std::numeric_limits<T>::lowest(), T most = std::numeric_limits<T>::max());

/// The words that the program was started with, without its name; what stands behind the = of an option is one of them.
[[nodiscard]] const std::vector<std::string>& given_words();

/// What a number option or an optional one holds.
template <class Value>
struct NumberOf {
  using Type = Value;
};
template <class Value>
struct NumberOf<std::optional<Value>> {
  using Type = Value;
};

/// An option, a flag or a word without a name, as the help shows it.
struct ArgumentText {
  std::vector<std::string> names;  ///< "-o" and "--output"; of a word without a name what stands for it: "INPUT"
  std::string value;               ///< what it takes: "TEXT", or words between bars; empty for a flag
  std::string shown_default;
  std::string description;
  bool is_required = false;
  bool is_repeated = false;

  /// The words that are accepted, where its value is a list of them; what only stands for a word has capitals.
  [[nodiscard]] std::vector<std::string> words() const;
  [[nodiscard]] std::string full_description() const;  ///< with the default
};

/// A command, as the help shows it.
struct CommandText {
  std::string name;  ///< behind those of the commands above it: "warpfold machine run"
  std::string description;
  std::vector<std::string> examples;
  std::vector<ArgumentText> options;
  std::vector<ArgumentText> words;  ///< those without a name
  std::vector<CommandText> commands;

  [[nodiscard]] std::string last_name() const { return name.substr(name.rfind(' ') + 1); }
};

/// An option, a flag or a word without a name, and what else holds of it.
class Argument {
 public:
  explicit Argument(CLI::Option* option) : option_(option) {}

  Argument required() const;
  Argument expected(int least, int most) const;  ///< so many words
  Argument exactly(int count) const;             ///< so many words, and what follows is none of them
  Argument one_of(const std::vector<std::string>& accepted) const;
  /// What the help shows for its value: words between bars, which shells complete, or what stands for one, in capitals.
  Argument takes(const std::string& value) const;
  Argument excludes(Argument other) const;
  Argument needs(Argument other) const;  ///< makes no sense without it

 private:
  CLI::Option* option_;
};

/// The headings of a command's help, in its order.
enum class Group { input, solving, output, limits };

/// A command, or the program that has commands below it. A value is filled in when the line is parsed and has to live
/// until then; what it holds before is its default, which the help shows; a name without a dash stands for words that
/// no option takes.
class Command {
 public:
  explicit Command(CLI::App& app) : app_(&app) {}

  /// A command below this one, which its help lists under `heading`.
  [[nodiscard]] Command add_command(const std::string& name, const std::string& description,
                                    const std::string& heading = "Commands") const;
  /// The same command; options added to what is returned are shown under that heading, others under that of the input.
  [[nodiscard]] Command in(Group group) const;
  void requires_command() const;
  [[nodiscard]] CommandText program_text() const;                            ///< of the program that it belongs to
  void examples(const std::string& first, const std::string& second) const;  ///< shown below the help

  Argument option(const std::string& name, std::string& value, const std::string& description) const;
  Argument option(const std::string& name, std::optional<std::string>& value, const std::string& description) const;
  Argument option(const std::string& name, std::filesystem::path& value, const std::string& description) const;
  Argument option(const std::string& name, std::vector<std::string>& value, const std::string& description) const;
  Argument flag(const std::string& name, bool& value, const std::string& description) const;

  /// A number or an optional one, whole ones from `least` to `most`, read by `parse_option`; a default above 0 shows in
  /// the help.
  template <class T>
  Argument number(const std::string& name, T& value, const std::string& description,
                  typename NumberOf<T>::Type least = std::numeric_limits<typename NumberOf<T>::Type>::lowest(),
                  typename NumberOf<T>::Type most = std::numeric_limits<typename NumberOf<T>::Type>::max()) const {
    using Number = typename NumberOf<T>::Type;
    std::string shown;
    if constexpr (std::is_arithmetic_v<T>) {
      if (value > T{0}) shown = std::to_string(value);
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

  [[nodiscard]] Command command() const;  ///< which the commands are added below
  [[nodiscard]] std::string help() const;

  /// Runs the command that the words behind the program's name name, or prints help or version. Raises Error{usage}
  /// that names the word and what may be meant, and what the command raises.
  void run(std::vector<std::string> words) const;

 private:
  std::unique_ptr<CLI::App> app_;
};

}  // namespace warpfold::app
