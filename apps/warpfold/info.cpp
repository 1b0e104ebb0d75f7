#include <fmt/format.h>

#include "command.hpp"
#include "warpfold/core/version.hpp"

namespace warpfold::app {

void add_info(CLI::App& app) {
  CLI::App* command = app.add_subcommand("info", "version, devices, instruction sets and algorithms");
  auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "print one JSON object");
  command->callback([json] {
    if (*json) return print_json({{"command", "info"}, {"version", version}});
    fmt::print("warpfold {}\n", version);
  });
}

}  // namespace warpfold::app
