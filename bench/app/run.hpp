#pragma once

#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <stdexcept>
#include <string>

#include "../result.hpp"

namespace warpfold::bench {

/// The built command line, which is beside the benchmarks.
inline std::filesystem::path program() {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path() / "warpfold";
}

/// Runs the command line in that folder and returns its JSON. `before` (mpirun) is put before the command.
inline Json run(const std::filesystem::path& folder, const std::string& arguments, const std::string& before = "") {
  const std::string command =
      fmt::format("cd '{}' && {} '{}' {} --json", folder.string(), before, program().string(), arguments);
  FILE* const pipe = popen(command.c_str(), "r");
  if (!pipe) throw std::runtime_error("no shell starts");
  std::string text;
  std::array<char, 1 << 16> part;
  for (std::size_t size; (size = std::fread(part.data(), 1, part.size(), pipe)) > 0;) text.append(part.data(), size);
  if (pclose(pipe) != 0) throw std::runtime_error("fails: " + command);
  return Json::parse(text);
}

}  // namespace warpfold::bench
