#include "warpfold/core/error.hpp"

namespace warpfold {

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
