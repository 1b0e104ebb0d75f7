#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sequence/lanes/alphabet.hpp"
#include "sequence/lanes/kernel.hpp"
#include "sequence/slices/strip.hpp"
#include "warpfold/run/run.hpp"
#include "warpfold/sequence/batch.hpp"

namespace warpfold::sequence::lanes {

/// The number of pairs that share a vector.
[[nodiscard]] std::size_t pairs_of_vector();

/// The memory of one thread for sequences of at most `n` and `m` symbols, and the way from sequences to distances.
class Group {
 public:
  Group(Measure measure, std::size_t n, std::size_t m, const SolveMonitor& monitor);
  [[nodiscard]] static std::size_t bytes(std::size_t n, std::size_t m);

  /// Sets the sequences B of up to `pairs_of_vector` pairs, none empty. Their symbols are bytes that `planes` tells
  /// apart.
  void set_b(std::span<const SymbolView> b, const Planes& planes);
  /// Sets `distances` to those of A[q] and B[q] for all q. Larger ones than `bound` may be anything above it.
  void solve(std::span<const SymbolView> a, std::optional<std::uint32_t> bound, std::uint32_t* distances);
  /// The same for A and every B[q].
  void solve(SymbolView a, std::optional<std::uint32_t> bound, std::uint32_t* distances);

 private:
  void pack(std::span<const SymbolView> list, std::size_t length, bool is_aligned_at_end, std::uint64_t* to);
  void run(std::optional<std::uint32_t> bound, std::uint32_t* distances);
  [[nodiscard]] std::size_t columns_between_looks(bool has_bound) const;
  void limit_to(std::uint32_t bound);
  void entries_at(std::size_t column, std::int64_t* entries);
  [[nodiscard]] bool all_exceed(std::uint32_t bound, std::size_t column);

  Measure measure_;
  const SolveMonitor& monitor_;
  std::size_t lanes_;  ///< words of a vector
  slices::AlignedWords a_, b_, has_row_, has_column_, v_, symbols_;
  Planes planes_;
  Functions functions_;
  Tables tables_{};
  std::vector<std::uint32_t> rows_of_pair_, columns_of_pair_, sums_;
  std::vector<std::int64_t> entries_;
};

}  // namespace warpfold::sequence::lanes
