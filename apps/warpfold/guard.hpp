#pragma once

#include <chrono>
#include <stop_token>

/// Ends the process soon after an interrupt or the time limit, whatever it is doing. Solvers stop by themselves when
/// they see their stop token or deadline. Reading and writing do not.
namespace warpfold::app {

/// From now on a separate thread handles SIGINT, SIGTERM and SIGHUP, unless they are ignored. Call it before any other
/// thread starts.
void guard_against_interrupts();

/// If an allocation fails in a place that may not throw, such as a destructor, the process ends with the usual error
/// line and exit code 5.
void guard_where_nothing_may_be_raised();

/// The stop token of every solve. The first interrupt requests the stop.
[[nodiscard]] std::stop_token interrupt_token();

/// Allows solvers 10 s from now on to stop after an interrupt, so that they can write their checkpoints.
void wait_for_checkpoints();

/// Ends the process with exit code 5 if it still runs shortly after the deadline.
void guard_deadline(std::chrono::steady_clock::time_point deadline);

/// Call it before the process ends with an error line, so that only one is printed. A second caller never returns.
void take_the_last_word();

}  // namespace warpfold::app
