#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace warpfold {

/// Why a call failed. The command line turns each kind into its exit code.
enum class ErrorKind {
  internal,      ///< a defect of warpfold
  usage,         ///< the call or the command line makes no sense
  input,         ///< the data is not acceptable
  overflow,      ///< a finite number, of the data or on the way, is too large for the type
  infeasible,    ///< the problem has no solution
  time_limit,    ///< the deadline passed, or would
  memory_limit,  ///< more memory would be needed than is allowed, or there is
  device,        ///< the device asked for is not there, or failed
  cancelled      ///< the caller asked to stop
};

/// Of the error that refuses a number for its size: `input` where it is NaN or an infinity.
template <class T>
[[nodiscard]] constexpr ErrorKind kind_of_refused(T number) {
  return number - number == T{0} ? ErrorKind::overflow : ErrorKind::input;
}

/// The text with its control characters, line ends among them, as `\xNN`: as one line that changes no terminal can show
/// what a file or a caller gave.
[[nodiscard]] std::string one_line(std::string_view text);

/// The one exception that public calls raise. `what()` is one line, whatever it quotes: what is wrong, with the value,
/// and what is accepted.
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
