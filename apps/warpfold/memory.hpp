#pragma once

#include <cstddef>
#include <string>

#include "warpfold/run/budget.hpp"

/// The host memory of this process. Every allocation is counted, including those of the libraries. So one number and
/// one limit cover input, solver and results.
namespace warpfold::app {

/// Call it first. Sets the limit to the memory of the machine or of the process's control group. Large blocks return to
/// the system when they are freed, so that the count is what the process holds.
void account_for_memory();

/// Sets the limit. Later allocations beyond it raise std::bad_alloc; this call raises it if more is held already. In
/// places that may not throw, the process ends with the same line and exit code (guard.hpp).
void limit_memory(std::size_t bytes);

/// Removes the limit, so that a process that reached it can print its error.
void lift_memory_limit();

/// The error line after a failed allocation: the bytes that the process would have held with it, and the limit.
[[nodiscard]] std::string memory_message();

/// The bytes that are held now.
[[nodiscard]] std::size_t held_bytes();

/// The maximum of held_bytes() so far.
[[nodiscard]] std::size_t peak_bytes();

/// The rest of the limit. Solvers reserve from it before they allocate.
[[nodiscard]] Budget& process_budget();

}  // namespace warpfold::app
