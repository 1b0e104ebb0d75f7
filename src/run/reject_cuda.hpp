#pragma once

namespace warpfold {

/// What a build without CUDA does in place of all that runs on a GPU: raises Error{device} that says so.
[[noreturn]] void reject_cuda();

}  // namespace warpfold

/// Defines a function template of T, given as it is declared, by `reject_cuda`.
#define WARPFOLD_REJECT_CUDA(...) \
  template <class T>              \
  __VA_ARGS__ {                   \
    reject_cuda();                \
  }
