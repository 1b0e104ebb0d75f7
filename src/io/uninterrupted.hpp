#pragma once

#include <cerrno>
#include <system_error>

namespace warpfold::io {

/// What a call to the system returns, which is made again as long as a signal interrupts it: -1, and errno, where it
/// fails. Not for close(), which has closed its file even then.
template <class Call>
auto uninterrupted(const Call& call) {
  while (true) {
    const auto result = call();
    if (result != -1 || errno != EINTR) return result;
  }
}

/// The same of a failure that is handed over: 0 where there is none.
inline int as_result(const std::error_code& failure) {
  errno = failure.value();
  return failure ? -1 : 0;
}

}  // namespace warpfold::io
