#pragma once

namespace warpfold {

/// What a build without CUDA does in place of all that runs on a GPU: raises Error{device} that says so.
[[noreturn]] void reject_cuda();

}  // namespace warpfold
