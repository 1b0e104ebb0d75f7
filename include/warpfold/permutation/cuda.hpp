#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

struct CUstream_st;

namespace warpfold::permutation {
class StoredPlan;
}

/// Moving arrays in GPU memory by a permutation, on the caller's stream. Only a plan's constructor waits for the
/// device; its destructor waits for the plan's own work.
namespace warpfold::permutation::cuda {

/// A cudaStream_t of the plan's device. Null is its default stream.
using Stream = CUstream_st*;

/// How a plan moves words. Every algorithm gives the same result.
enum class Algorithm {
  fastest,     ///< the plan chooses
  rotation,    ///< one pass with computed places: (i + r) mod n
  axes,        ///< one pass through tiles in shared memory, for permutations that are an `AxisForm`
  two_passes,  ///< `TwoPassPlan`: each word moves twice, through blocks in shared memory
  gather,      ///< to[i] = from[inverse[i]]: reads a complete sector of 32 bytes for each word
  scatter,     ///< to[permutation[i]] = from[i]
};

/// The name that the command line has for it.
[[nodiscard]] std::string_view name_of(Algorithm algorithm);

/// What a plan is made for, and how it moves.
struct PlanOptions {
  Algorithm algorithm = Algorithm::fastest;
  std::size_t arrays = 1;   ///< how many arrays, one after another, a call moves along the same permutation
  std::uint32_t block = 0;  ///< words of a block of two passes, a multiple of 32; 0: the plan chooses
};

/// A permutation prepared on the device that was current when the plan was made. A plan moves one batch at a time. Any
/// number of plans may work at once.
class Plan {
 public:
  /// Prepares to move words of `word_bytes` = 1, 2, 4, 8 or 16 bytes. `permutation` is in host memory.
  ///
  /// Raises what `check_permutation` raises, Error{usage} for other word sizes and for an algorithm that this
  /// permutation does not have, Error{memory_limit} if device memory is short, and Error{device} if there is no device.
  Plan(std::span<const std::uint32_t> permutation, std::size_t word_bytes, const PlanOptions& options = {});
  /// Prepares to move `arrays` arrays by a plan that a file had. The plan's algorithm and its two passes are kept if a
  /// GPU made them and their blocks fit this GPU. Otherwise, and for three steps, makes a plan of its permutation.
  ///
  /// Raises Error{usage} for other word sizes and numbers of arrays, Error{memory_limit} and Error{device}.
  explicit Plan(const StoredPlan& plan, std::size_t word_bytes, std::size_t arrays = 1);
  ~Plan();
  Plan(Plan&&) noexcept;
  Plan& operator=(Plan&&) noexcept;

  /// Starts to[permutation[i]] = from[i] for each array of the batch. `from` and `to` are device arrays of arrays x n
  /// words. They may be the same array if `works_in_place`.
  void move(const void* from, void* to, Stream stream = nullptr);

  /// Starts to[i] = from[permutation[i]]: the inverse of `move`, with the same plan.
  void move_back(const void* from, void* to, Stream stream = nullptr);

  [[nodiscard]] Algorithm algorithm() const;
  [[nodiscard]] bool works_in_place() const;
  /// The bytes that a call reads and writes in global memory, the plan's own among them. For gather and scatter each
  /// random access counts as a sector of 32 bytes.
  [[nodiscard]] std::size_t bytes_moved() const;
  /// The device memory that the plan holds.
  [[nodiscard]] std::size_t bytes_held() const;
  /// Copies the plan to the host, so that a file can keep it. Waits for the device.
  [[nodiscard]] StoredPlan stored() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace warpfold::permutation::cuda
