#pragma once

#include <chrono>
#include <stop_token>

/// Ends the process soon after an interrupt or the time limit, whatever it is doing. Solvers answer their stop token
/// and deadline by themselves, in an orderly way; reading, writing and what cannot be asked in between do not.
namespace warpfold::app {

/// SIGINT, SIGTERM and SIGHUP, unless they are ignored, go to a thread of their own from now on. To be called before
/// any other thread starts.
void guard_against_interrupts();

/// Where memory is refused and nothing may be raised (some destructors take memory), the process ends with that line
/// and exit code 5, as it does elsewhere.
void guard_where_nothing_may_be_raised();

/// What a solve is to monitor: stop is requested by the first interrupt.
[[nodiscard]] std::stop_token interrupt_token();

/// From now on solvers get 10 s instead, in which they write what is to be kept.
void wait_for_checkpoints();

/// Ends the process with exit code 5 when it still runs a moment after the deadline.
void guard_deadline(std::chrono::steady_clock::time_point deadline);

/// To be called before the process ends with an error line, so that there is one only: a second caller waits for ever.
void take_the_last_word();

}  // namespace warpfold::app
