#pragma once

namespace warpfold {

/// Raises Error{device}: this build has no CUDA code. Stubs of GPU functions call it.
[[noreturn]] void reject_cuda();

}  // namespace warpfold

/// Defines a function template of T, given as it is declared, by `reject_cuda`.
#define WARPFOLD_REJECT_CUDA(...) \
  template <class T>              \
  __VA_ARGS__ {                   \
    reject_cuda();                \
  }
