#pragma once

#include <cstddef>
#include <cstdint>

/// The vector loops of cpu-inl.h for the best instruction set of this processor. Fetch them once per solve.
namespace warpfold::recurrence::cpu {

/// Some of a problem's terms, in ascending order of their offsets.
template <class T>
struct Terms {
  const std::int32_t* offsets = nullptr;
  const T* weights = nullptr;
  std::size_t count = 0;
};

/// How a candidate joins an accumulator. The sums of an order (min or max) add the term's weight to the candidate. The
/// loop split_sum keeps the low and the high halves of 64-bit integers apart, so that the total is exact.
enum class Join { least, greatest, min_sum, greatest_sum, bit_xor, bit_or, bit_and, sum, split_sum };

/// Joins one candidate per term to each of `outputs` accumulators, a multiple of Sweeps::group. Output u of term j
/// takes window[u + origin - offsets[j]]. Only split_sum reads and writes `high`.
template <class T>
using Sweep = void (*)(const Terms<T>& terms, const T* window, std::ptrdiff_t origin, std::size_t outputs, T* low,
                       T* high);

template <class T>
struct Sweeps {
  Sweep<T> aligned;    ///< where every window + origin - offsets[j] is a vector's address
  Sweep<T> unaligned;  ///< for any address
  std::size_t lanes;   ///< lanes of a vector
  std::size_t group;   ///< outputs that stay in registers together
};

/// The loops by type: split_sum for int64_t and uint64_t, the bit operations for integers, sum for floats, weighted
/// orders for signed types.
template <class T>
[[nodiscard]] Sweeps<T> sweeps(Join join);

/// common[w] = set[w] & mask[w] for `words` words (rounded up to complete vectors of `vector_words()`), and these bits
/// leave the set. Writes only vectors that lose bits; where[] receives their first words. Returns their number.
std::size_t take_common(std::uint64_t* set, const std::uint8_t* mask, std::size_t words, std::uint64_t* common,
                        std::uint32_t* where);
[[nodiscard]] std::size_t vector_words();

}  // namespace warpfold::recurrence::cpu
