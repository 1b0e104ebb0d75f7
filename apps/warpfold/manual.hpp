#pragma once

#include <string>

#include "arguments.hpp"

/// What is installed beside the program, made from what its help says: the build runs it for them.
namespace warpfold::app {

/// The manual page, for man.
[[nodiscard]] std::string manual(const CommandText& program);

void add_manual(const Program& program);

}  // namespace warpfold::app
