#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <new>
#include <stdexcept>
#include <utility>

#include "command.hpp"
#include "guard.hpp"
#include "terminal.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/core/version.hpp"

namespace {

using namespace warpfold;

int fail(ErrorKind kind, std::string_view message) {
  app::take_the_last_word();
  app::say_error(message);
  return exit_code(kind);
}

/// How many letters have to change, come or go between two words.
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

/// ": did you mean NAME?", where a name is near.
std::string suggestion(std::string_view word, const std::vector<std::string>& names) {
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

/// What is wrong with the words, where the parser would only say that they were not expected.
std::string message_of(const CLI::ParseError& error, const CLI::App& app) {
  const CLI::App* command = &app;
  while (!command->get_subcommands().empty()) command = command->get_subcommands().back();
  const std::vector<std::string> words = app.remaining(true);
  if (words.empty()) return error.what();
  const std::string& word = words.front();
  if (!command->get_subcommands({}).empty() && !word.starts_with('-')) {
    return fmt::format("'{}' is no command{}", word,
                       suggestion(word, command_names(*command)) + "; `warpfold --help` lists them");
  }
  if (command == &app && error.get_name() != "ExtrasError") return error.what();
  return fmt::format("'{}' is not accepted here{}; `{} --help` says what is", word,
                     suggestion(word.substr(0, word.find('=')), option_names(*command)),
                     command == &app ? "warpfold" : "warpfold " + command->get_name());
}

void run(CLI::App& app, int argc, char** argv) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {
    app.exit(success);
  }
  app::flush_output();
  app::say_notes();
}

}  // namespace

int main(int argc, char** argv) {
  app::open_standard_files();
  app::guard_against_interrupts();
  CLI::App app("Dynamic programming at hardware speed, and the memory machines that explain it.", "warpfold");
  app.set_version_flag("--version", version);
  app.require_subcommand(1);
  app::add_bench(app);
  app::add_chain(app);
  app::add_coins(app);
  app::add_info(app);
  app::add_knapsack(app);
  app::add_machine(app);
  app::add_minplus(app);
  app::add_paper(app);
  app::add_permute(app);
  app::add_recurrence(app);
  app::add_subset_sum(app);
  app::add_tree(app);
  app::add_tune(app);
  app::add_triangulate(app);
  app::add_verify(app);
  try {
    run(app, argc, argv);
  } catch (const CLI::ParseError& error) {
    return fail(ErrorKind::usage, message_of(error, app));
  } catch (const Error& error) {
    return fail(error.kind(), error.what());
  } catch (const nlohmann::json::exception&) {
    return fail(ErrorKind::input, "a value in the JSON is of another kind than this command reads there");
  } catch (const std::bad_alloc&) {
    return fail(ErrorKind::memory_limit, "there is not enough memory");
  } catch (const std::length_error&) {
    return fail(ErrorKind::memory_limit, "there is not enough memory");
  } catch (const std::exception& error) {
    if (std::ferror(stdout) != 0) return fail(ErrorKind::input, "standard output: cannot be written");
    return fail(ErrorKind::internal, error.what());
  }
  return 0;
}
