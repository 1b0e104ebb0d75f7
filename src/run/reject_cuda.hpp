#pragma once

namespace warpfold {

/// Raises Error{device}: this build has no CUDA code. Stubs of GPU functions call it.
[[noreturn]] void reject_cuda();

}  // namespace warpfold
