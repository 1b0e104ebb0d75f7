#include <cstdio>
#include <new>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <system_error>

#include "arguments.hpp"
#include "commands.hpp"
#include "guard.hpp"
#include "memory.hpp"
#include "terminal.hpp"
#include "warpfold/core/error.hpp"

namespace {

using namespace warpfold;

int fail(ErrorKind kind, std::string_view message) {
  app::lift_memory_limit();
  app::take_the_last_word();
  app::say_error(message);
  return exit_code(kind);
}

int fail_for_want_of_memory() {
  app::lift_memory_limit();  // the message needs memory
  return fail(ErrorKind::memory_limit, app::memory_message());
}

}  // namespace

int main(int argc, char** argv) {
  app::account_for_memory();
  app::open_standard_files();
  app::guard_against_interrupts();
  app::guard_where_nothing_may_be_raised();
  const app::Program program("warpfold",
                             "Dynamic programming at hardware speed, and the memory machines that explain it.");
  app::add_commands(program.command());
  const bool names_command = argc > 1;
  try {
    names_command ? program.run({argv + 1, argv + argc}) : app::write_output(program.help());
    app::flush_output();
    app::say_notes();
    return names_command ? 0 : exit_code(ErrorKind::usage);
  } catch (const Error& error) {
    return fail(error.kind(), error.what());
  } catch (const nlohmann::json::exception&) {
    return fail(ErrorKind::input, "a value in the JSON is of another kind than this command reads there");
  } catch (const std::bad_alloc&) {
    return fail_for_want_of_memory();
  } catch (const std::length_error&) {
    return fail_for_want_of_memory();
  } catch (const std::system_error& error) {  // an error of printing
    if (std::ferror(stdout) == 0) return fail(ErrorKind::internal, error.what());
    app::end_if_reader_left(error.code().value());
    return fail(ErrorKind::input, app::output_failure(error.code().message()));
  } catch (const std::exception& error) {
    return fail(ErrorKind::internal, error.what());
  }
}
