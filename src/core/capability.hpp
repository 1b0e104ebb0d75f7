#pragma once

/// Properties of GPUs by compute capability, where 90 stands for 9.0. Device code and the host that launches it look
/// them up in the same tables.
namespace warpfold::cuda {

/// Bytes of shared memory that the system reserves for each block.
inline constexpr int reserved_bytes = 1024;

/// Bytes of shared memory of a multiprocessor (CUDA programming guide, "Technical Specifications per Compute
/// Capability"). A capability that is not listed gets the smallest size.
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

/// Bytes of shared memory that one block can have.
[[nodiscard]] constexpr int shared_bytes_of_block(int capability) {
  return shared_bytes_of_processor(capability) - reserved_bytes;
}

/// Bytes of shared memory that a block can have on every GPU. A kernel that uses no more starts everywhere.
inline constexpr int min_shared_bytes_of_block = shared_bytes_of_block(0);

/// The number of blocks that a multiprocessor's shared memory has room for.
[[nodiscard]] constexpr int blocks_in_shared_memory(int capability, int bytes_of_block) {
  return shared_bytes_of_processor(capability) / (bytes_of_block + reserved_bytes);
}

/// Whether DPX executes "add, then choose" and "choose of three" as one instruction. Elsewhere CUDA's functions of
/// these names take several.
[[nodiscard]] constexpr bool has_dpx(int capability) { return capability >= 90; }

}  // namespace warpfold::cuda
