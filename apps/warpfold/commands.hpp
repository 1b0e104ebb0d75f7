#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "arguments.hpp"
#include "io/json.hpp"
#include "warpfold/run/run.hpp"
#include "warpfold/run/verdict.hpp"

/// The commands of `warpfold`: one table, from which come the program with its help, what `info` lists, and what
/// `verify` checks.
namespace warpfold::app {

using io::Json;

/// The names of an instance's files.
using Files = std::vector<std::string>;

/// A command. One that solves no problem has the first three entries alone.
struct CommandEntry {
  std::string name;
  std::string description;
  /// Says what the command takes and what it runs.
  void (*add)(Command command);
  /// What the command chooses from.
  std::vector<AlgorithmInfo> (*algorithms)() = nullptr;
  /// Checks what the command printed with --json. Raises Error{input} for an instance that cannot be read, what the
  /// library's `verify` raises, and for a solution that lacks a key or has a value of another kind MalformedSolution
  /// (verify.hpp) or one of nlohmann's exceptions.
  Verdict (*verify)(const Files& instance, const Json& solution, const Options& limits) = nullptr;
  /// The cost of an optimum, found by another algorithm than the one that the solution names. Null: `verify` computes
  /// every value anew.
  Json (*optimum)(const Files& instance, const Json& solution, Options limits) = nullptr;
  std::size_t max_files = 1;  ///< of an instance
  bool has_decimals = false;  ///< numbers of its solutions are decimals, which are read without rounding
};

/// In the order of the help: those that most people want first.
[[nodiscard]] std::span<const CommandEntry> commands();

/// Adds all of them to the program.
void add_commands(Command program);

}  // namespace warpfold::app
