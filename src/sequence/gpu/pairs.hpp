#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "warpfold/sequence/batch.hpp"

/// Many pairs on a GPU (gpu/pair_kernel.cuh).
namespace warpfold::sequence::cuda {

/// A pair by its places in two lists.
struct PairPlace {
  std::uint32_t a, b;
};

/// The memory of one thread of the host for some pairs at a time, and its stream.
class PairWorker {
 public:
  PairWorker(int device, Measure measure);
  ~PairWorker();
  PairWorker(PairWorker&&) noexcept;

  /// Sets `distances` to those of some pairs of A and B. Larger ones than `bound` are given as bound + 1. All symbols
  /// are bytes, and no sequence is empty.
  void solve(std::span<const SymbolView> a, std::span<const SymbolView> b, std::span<const PairPlace> pairs,
             std::optional<std::uint32_t> bound, std::uint32_t* distances);
  /// Sets `backwards` to the scripts of A[i] and B[i] of Ties::left, from the end to the beginning. No distance exceeds
  /// `bound`. All symbols are bytes, and no sequence is empty.
  void find_scripts(std::span<const SymbolView> a, std::span<const SymbolView> b, std::optional<std::uint32_t> bound,
                    std::span<Script> backwards);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The memory of a worker for pairs of so many symbols together (tuning::gpu_pair_symbols more for each of them).
[[nodiscard]] std::size_t device_bytes_of_worker(std::size_t symbols);
[[nodiscard]] std::size_t host_bytes_of_worker(std::size_t symbols);
[[nodiscard]] std::size_t device_bytes_of_scripts(std::size_t symbols);

}  // namespace warpfold::sequence::cuda
