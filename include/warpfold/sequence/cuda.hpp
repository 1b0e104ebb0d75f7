#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "warpfold/sequence/batch.hpp"

struct CUstream_st;

/// Distances of many pairs on a GPU whose sequences stay there: device pointers in and out, on the caller's stream.
namespace warpfold::sequence::cuda {

/// A cudaStream_t of the plan's device. Null is its default stream.
using Stream = CUstream_st*;

/// The lengths of many pairs, prepared on the device that was current when the plan was made. A plan solves one batch
/// at a time. Any number of plans may work at once.
///
/// Only the constructor waits for the device; the destructor waits for the plan's own work. Device memory: with p
/// planes and lengths rounded up to 32, (p + 1) n + (p + 2) m bits a pair, and 32 bytes.
class PairPlan {
 public:
  /// Sequence A[i] is the bytes a_offsets[i] .. a_offsets[i + 1] - 1 of the symbols that `run` gets, and B[i] likewise.
  /// `alphabet`: the bytes that occur, in any order; empty: all. The fewer bits tell them apart, the less work. With
  /// `max_distance` only the diagonals that it allows are computed, and a warp ends once all its pairs have passed it.
  ///
  /// Raises Error{input} unless both have as many offsets in ascending order and fewer than 2^31 pairs, and if a
  /// sequence has more than `max_symbols` symbols. Raises Error{memory_limit} if device memory is short, and
  /// Error{device} if there is no device.
  PairPlan(std::span<const std::uint64_t> a_offsets, std::span<const std::uint64_t> b_offsets,
           const BatchRequest& request = {}, std::string_view alphabet = {});
  ~PairPlan();
  PairPlan(PairPlan&&) noexcept;
  PairPlan& operator=(PairPlan&&) noexcept;

  static constexpr std::size_t max_symbols = 16384;

  /// Starts to set distances[i] to the distance of A[i] and B[i], for all i, as `distances` gives them. All arrays are
  /// on the device, or in pinned memory. Symbols are read in aligned words of 4 bytes, also those that a sequence has
  /// in part. Symbols that the alphabet lacks may be taken for others.
  void run(const std::uint8_t* a, const std::uint8_t* b, std::uint32_t* distances, Stream stream = nullptr);

  /// The device memory that the plan holds.
  [[nodiscard]] std::size_t bytes_held() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace warpfold::sequence::cuda
