#pragma once

#include "sequence/backends.hpp"

/// The cells of slices (slices/kernel.hpp) on a GPU: 32 of them in one instruction of three inputs each.
namespace warpfold::sequence::cuda {

/// The inputs of `logic`, as the columns of its truth table.
inline constexpr unsigned A = 0xF0, B = 0xCC, C = 0xAA;

/// A function of three inputs, bit by bit, in one instruction. `Function`: an expression of A, B and C.
template <unsigned Function>
__device__ __forceinline__ unsigned logic(unsigned a, unsigned b, unsigned c) {
  unsigned result;
  asm("lop3.b32 %0, %1, %2, %3, %4;" : "=r"(result) : "r"(a), "r"(b), "r"(c), "n"(Function & 0xFF));
  return result;
}

/// The differences between neighboring cells, in 32 stripes.
template <Measure measure>
struct Difference;

/// The last edit of the script of each cell, in Ties::left's order, as two bits of the edit's number: 0 match, 1
/// substitution, 2 deletion, 3 insertion.
struct Choice {
  unsigned low, high;
};

/// The choices of K rows.
template <int K>
struct alignas(K == 1 ? 8 : 16) Choices {
  uint2 of_row[K];

  __device__ __forceinline__ explicit Choices(const Choice* choices) {
#pragma unroll
    for (int k = 0; k < K; ++k) of_row[k] = {choices[k].low, choices[k].high};
  }
};

/// Of edit distances: +1, -1 or neither.
template <>
struct Difference<Measure::edit> {
  static constexpr unsigned words = 2;
  unsigned plus, minus;

  /// h from before column 0, and the v that it keeps; h in row 0.
  static __device__ constexpr Difference before() { return {0, ~0U}; }
  static __device__ constexpr Difference column_zero() { return {~0U, 0}; }
  static __device__ constexpr Difference row_zero() { return {~0U, 0}; }
  /// h in row 0 of the pairs that have the column; that of the others keeps v.
  static __device__ constexpr Difference above(unsigned has_column) { return {has_column, ~has_column}; }

  /// Applies to each word.
  template <class Function>
  static __device__ __forceinline__ Difference each(const Difference& x, const Difference& y,
                                                    const Function& function) {
    return {function(x.plus, y.plus), function(x.minus, y.minus)};
  }

  /// `differ`: whether the symbols do.
  static __device__ __forceinline__ void cell(unsigned differ, Difference& h, Difference& v) {
    const unsigned substituted = logic<A & ~B & ~C>(differ, v.minus, h.minus);
    const Difference from = h;
    h = {logic<A | (B & ~C)>(v.minus, substituted, v.plus), logic<A & ~B>(v.plus, substituted, 0)};
    v = {logic<A | (B & ~C)>(from.minus, substituted, from.plus), logic<A & ~B>(from.plus, substituted, 0)};
  }

  /// Of cells with h from `above`, v from `left`, and v = `down`.
  static __device__ __forceinline__ Choice choice(unsigned differ, const Difference& above, const Difference& left,
                                                  const Difference& down) {
    const unsigned is_gap = logic<A&(B | C)>(differ, left.minus, above.minus);
    return {logic<A & ~(B & C)>(differ, is_gap, down.plus), is_gap};
  }

  /// Of the bits in a mask.
  __device__ int sum(unsigned mask) const { return __popc(plus & mask) - __popc(minus & mask); }
  __device__ void store(unsigned* to, unsigned stride) const {
    to[0] = plus;
    to[stride] = minus;
  }
  static __device__ Difference load(const unsigned* from, unsigned stride) { return {from[0], from[stride]}; }

  /// The words whose bits in column m, counted over all rows, give the distance of n and m symbols.
  __device__ unsigned counted(int i) const { return i == 0 ? plus : ~minus; }
  static __device__ unsigned distance(unsigned n, unsigned m, unsigned count) { return m - n + count; }

  /// A strip hands on 32 columns as one word of 64 bits, which tells by itself whether it is there.
  static constexpr unsigned long long not_there = ~0ULL;
  __device__ unsigned long long packet() const { return static_cast<unsigned long long>(plus) << 32 | minus; }
  static __device__ Difference of(unsigned long long packet) {
    return {static_cast<unsigned>(packet >> 32), static_cast<unsigned>(packet)};
  }
};

/// Of common subsequences: 1 or 0.
template <>
struct Difference<Measure::indel> {
  static constexpr unsigned words = 1;
  unsigned one;

  static __device__ constexpr Difference before() { return {~0U}; }
  static __device__ constexpr Difference column_zero() { return {0}; }
  static __device__ constexpr Difference row_zero() { return {0}; }
  static __device__ constexpr Difference above(unsigned has_column) { return {~has_column}; }

  template <class Function>
  static __device__ __forceinline__ Difference each(const Difference& x, const Difference& y,
                                                    const Function& function) {
    return {function(x.one, y.one)};
  }

  static __device__ __forceinline__ void cell(unsigned differ, Difference& h, Difference& v) {
    const unsigned from = h.one;
    h.one = logic<(A | ~B) & ~C>(h.one, differ, v.one);
    v.one = logic<(A | ~B) & ~C>(v.one, differ, from);
  }

  static __device__ __forceinline__ Choice choice(unsigned differ, const Difference&, const Difference&,
                                                  const Difference& down) {
    return {differ & down.one, differ};
  }

  __device__ int sum(unsigned mask) const { return __popc(one & mask); }
  __device__ void store(unsigned* to, unsigned) const { to[0] = one; }
  static __device__ Difference load(const unsigned* from, unsigned) { return {from[0]}; }

  __device__ unsigned counted(int) const { return one; }
  static __device__ unsigned distance(unsigned n, unsigned m, unsigned count) { return n + m - 2 * count; }

  static constexpr unsigned long long not_there = ~0ULL;
  __device__ unsigned long long packet() const { return one; }
  static __device__ Difference of(unsigned long long packet) { return {static_cast<unsigned>(packet)}; }
};

}  // namespace warpfold::sequence::cuda
