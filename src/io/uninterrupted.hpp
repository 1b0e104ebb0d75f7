#pragma once

#include <cerrno>
#include <system_error>

namespace warpfold::io {

/// Repeats a system call while a signal interrupts it, and returns its result: -1, with errno, on failure. Not for
/// close(), which closes its file even if interrupted.
template <class Call>
auto uninterrupted(const Call& call) {
  while (true) {
    const auto result = call();
    if (result != -1 || errno != EINTR) return result;
  }
}

/// Turns an error code into the result of a system call: 0 if there is no error, else -1 with errno.
inline int as_result(const std::error_code& failure) {
  errno = failure.value();
  return failure ? -1 : 0;
}

}  // namespace warpfold::io
