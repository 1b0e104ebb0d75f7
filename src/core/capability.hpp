#pragma once

/// What GPUs have, by their compute capability; 90 stands for 9.0. Plain data: code that is compiled for a capability
/// and the host that starts it look it up alike.
namespace warpfold::cuda {

/// Of shared memory, which the system takes for every block.
inline constexpr int reserved_bytes = 1024;

/// Shared memory of a multiprocessor (CUDA's programming guide, "Technical Specifications per Compute Capability"). A
/// capability that is not listed is taken for one with the least.
[[nodiscard]] constexpr int shared_bytes_of_processor(int capability) {
  switch (capability) {
    case 80:
    case 87:
      return 164 * 1024;
    case 90:
    case 100:
    case 103:
      return 228 * 1024;
    default:
      return 100 * 1024;
  }
}

/// Shared memory that one block can have.
[[nodiscard]] constexpr int shared_bytes_of_block(int capability) {
  return shared_bytes_of_processor(capability) - reserved_bytes;
}

/// What a block can have on every GPU: kernels that take no more start everywhere.
inline constexpr int min_shared_bytes_of_block = shared_bytes_of_block(0);

/// How many blocks a multiprocessor's shared memory has room for.
[[nodiscard]] constexpr int blocks_in_shared_memory(int capability, int bytes_of_block) {
  return shared_bytes_of_processor(capability) / (bytes_of_block + reserved_bytes);
}

/// Whether a sum and a choice, or a choice of three, is one instruction (DPX). Elsewhere CUDA's functions of these
/// names are several.
[[nodiscard]] constexpr bool has_dpx(int capability) { return capability >= 90; }

}  // namespace warpfold::cuda
