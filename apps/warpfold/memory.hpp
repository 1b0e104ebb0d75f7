#pragma once

#include <cstddef>
#include <string>

#include "warpfold/run/budget.hpp"

/// The host's memory that this process holds. Every allocation is counted, those of the libraries too: what was read,
/// what a solver takes and what is kept as a result are all in one number, and one limit holds for all.
namespace warpfold::app {

/// To be called first. The limit is what the machine, or the control group of the process, has. Large blocks go back to
/// the system as soon as they are freed, so that what is counted is what the process holds.
void account_for_memory();

/// From now on an allocation after which more would be held raises std::bad_alloc; this call, if that is so already.
/// Where nothing may be raised the process ends, with the same line and exit code: guard.hpp.
void limit_memory(std::size_t bytes);

/// For the last words of a process that has run into its limit, or the system's: gives them room.
void lift_memory_limit();

/// One line that says what was asked for when an allocation failed, and the limit.
[[nodiscard]] std::string memory_message();

/// What is held now.
[[nodiscard]] std::size_t held_bytes();

/// What was held at most.
[[nodiscard]] std::size_t peak_bytes();

/// The limit less what is held now, which solvers take from: they refuse beforehand.
[[nodiscard]] Budget& process_budget();

}  // namespace warpfold::app
