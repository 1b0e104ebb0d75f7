#include <fmt/format.h>

#include <cstdio>
#include <new>

#include "command.hpp"
#include "guard.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/core/version.hpp"

namespace {

using namespace warpfold;

int fail(int code, const std::string& message) {
  app::take_the_last_word();
  fmt::print(stderr, "warpfold: error: {}\n", message);
  return code;
}

/// The parser would wrap "-4" to a huge number where an option holds no negative ones.
void refuse_negative_sizes(CLI::App& command) {
  for (CLI::Option* option : command.get_options()) {
    if (option->get_type_name().find("UINT") == std::string::npos) continue;
    option->check([](const std::string& text) {
      return text.starts_with('-') ? "'" + text + "' is negative: 0 or more is accepted" : std::string();
    });
  }
  for (CLI::App* below : command.get_subcommands({})) refuse_negative_sizes(*below);
}

/// The first word where the parser only says that a command is missing.
std::string message_of(const CLI::ParseError& error, const CLI::App& app) {
  const std::vector<std::string> words = app.remaining();
  if (!app.get_subcommands().empty() || words.empty()) return error.what();
  return fmt::format("'{}' is no command: `warpfold --help` lists them", words.front());
}

}  // namespace

int main(int argc, char** argv) {
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
  refuse_negative_sizes(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {
    return app.exit(success);
  } catch (const CLI::ParseError& error) {
    return fail(exit_code(ErrorKind::usage), message_of(error, app));
  } catch (const Error& error) {
    return fail(exit_code(error.kind()), error.what());
  } catch (const nlohmann::json::exception&) {
    return fail(exit_code(ErrorKind::input), "a value in the JSON is of another kind than this command reads there");
  } catch (const std::bad_alloc&) {
    return fail(exit_code(ErrorKind::memory_limit), "there is not enough memory");
  } catch (const std::exception& error) {
    return fail(exit_code(ErrorKind::internal), error.what());
  }
  return 0;
}
