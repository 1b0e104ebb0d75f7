#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace warpfold {

/// Why a call failed. The command line turns each kind into its exit code.
enum class ErrorKind {
  internal,      ///< a defect of warpfold
  usage,         ///< the call or the command line is wrong
  input,         ///< the data is not accepted
  overflow,      ///< a finite number, in the data or computed, is too large for its type
  infeasible,    ///< the problem has no solution
  time_limit,    ///< the deadline passed, or would pass
  memory_limit,  ///< the solve needs more memory than is allowed or available
  device,        ///< the requested device is missing or failed
  cancelled      ///< the caller requested the stop
};

/// The kind of error for a number outside the accepted range: `input` for NaN or an infinity, else `overflow`.
template <class T>
[[nodiscard]] constexpr ErrorKind kind_of_refused(T number) {
  return number - number == T{0} ? ErrorKind::overflow : ErrorKind::input;
}

/// Returns the text with each control character, line ends included, written as `\xNN`. Text from a file or a caller
/// then stays on one line and cannot control a terminal.
[[nodiscard]] std::string one_line(std::string_view text);

/// The only exception type that public calls raise, besides std::bad_alloc. `what()` is one line: what is wrong, with
/// the value, and what is accepted.
class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message) : std::runtime_error(one_line(message)), kind_(kind) {}

  [[nodiscard]] ErrorKind kind() const { return kind_; }

 private:
  ErrorKind kind_;
};

/// The process exit code of an error: internal 1, usage 2, input and overflow 3, infeasible 4, limits 5, device 6,
/// cancelled 130.
[[nodiscard]] int exit_code(ErrorKind kind);

}  // namespace warpfold
