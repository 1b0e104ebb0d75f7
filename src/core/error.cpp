#include "warpfold/core/error.hpp"

namespace warpfold {

std::string one_line(std::string_view text) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string line;
  for (const char character : text) {
    const auto byte = static_cast<unsigned char>(character);
    if (byte >= ' ' && byte != 0x7f) {
      line += character;
    } else {
      line += {'\\', 'x', digits[byte / 16], digits[byte % 16]};
    }
  }
  return line;
}

int exit_code(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::internal:
      return 1;
    case ErrorKind::usage:
      return 2;
    case ErrorKind::input:
    case ErrorKind::overflow:
      return 3;
    case ErrorKind::infeasible:
      return 4;
    case ErrorKind::time_limit:
    case ErrorKind::memory_limit:
      return 5;
    case ErrorKind::device:
      return 6;
    case ErrorKind::cancelled:
      return 130;
  }
  return 1;
}

}  // namespace warpfold
