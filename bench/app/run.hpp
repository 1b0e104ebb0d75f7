#pragma once

#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <stdexcept>
#include <string>

#include "../result.hpp"

namespace warpfold::bench {

/// What the built command line, which lies beside the benchmarks, prints in that folder, with `before` in front of it
/// (mpirun).
inline Json run(const std::filesystem::path& folder, const std::string& arguments, const std::string& before = "") {
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe").parent_path() / "warpfold";
  const std::string command =
      fmt::format("cd '{}' && {} '{}' {} --json", folder.string(), before, program.string(), arguments);
  FILE* const pipe = popen(command.c_str(), "r");
  if (!pipe) throw std::runtime_error("no shell starts");
  std::string text;
  std::array<char, 1 << 16> part;
  for (std::size_t size; (size = std::fread(part.data(), 1, part.size(), pipe)) > 0;) text.append(part.data(), size);
  if (pclose(pipe) != 0) throw std::runtime_error("fails: " + command);
  return Json::parse(text);
}

}  // namespace warpfold::bench
