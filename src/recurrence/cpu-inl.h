// The vector loops of `blocks` and `spread` for the instruction set that is being compiled. simd_dispatch.cpp includes
// it once for each.
#if defined(WARPFOLD_RECURRENCE_CPU_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef WARPFOLD_RECURRENCE_CPU_INL_H_
#undef WARPFOLD_RECURRENCE_CPU_INL_H_
#else
#define WARPFOLD_RECURRENCE_CPU_INL_H_
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "recurrence/kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace warpfold::recurrence::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <Join join, class V>
HWY_INLINE void take(V& low, V& high, V value, V weight) {
  if constexpr (join == Join::least) low = hn::Min(low, value);
  if constexpr (join == Join::greatest) low = hn::Max(low, value);
  if constexpr (join == Join::min_sum) low = hn::Min(low, hn::Add(value, weight));
  if constexpr (join == Join::greatest_sum) low = hn::Max(low, hn::Add(value, weight));
  if constexpr (join == Join::bit_xor) low = hn::Xor(low, value);
  if constexpr (join == Join::bit_or) low = hn::Or(low, value);
  if constexpr (join == Join::bit_and) low = hn::And(low, value);
  if constexpr (join == Join::sum) low = hn::Add(low, value);
  if constexpr (join == Join::split_sum) {
    const hn::DFromV<V> d;
    low = hn::Add(low, hn::And(value, hn::Set(d, 0xFFFFFFFF)));
    high = hn::Add(high, hn::ShiftRight<32>(value));
  }
}

/// The number of output vectors that one sweep keeps in registers.
inline constexpr std::size_t sweep_vectors = 8;

/// A candidate vector takes one load, and one more per term for its weight.
template <Join join, bool aligned, class T>
HWY_INLINE void sweep_group(const Terms<T>& terms, const T* HWY_RESTRICT window, std::ptrdiff_t origin,
                            T* HWY_RESTRICT low_part, T* HWY_RESTRICT high_part) {
  constexpr bool is_split = join == Join::split_sum;
  constexpr bool is_weighted = join == Join::min_sum || join == Join::greatest_sum;
  const hn::ScalableTag<T> d;
  using V = hn::Vec<decltype(d)>;
  const std::size_t lanes = hn::Lanes(d);
  V low[sweep_vectors];
  V high[sweep_vectors];
#pragma GCC unroll 8
  for (std::size_t v = 0; v < sweep_vectors; ++v) {
    low[v] = hn::Load(d, low_part + v * lanes);
    if constexpr (is_split) high[v] = hn::Load(d, high_part + v * lanes);
  }
  for (std::size_t j = 0; j < terms.count; ++j) {
    V weight = hn::Zero(d);
    if constexpr (is_weighted) weight = hn::Set(d, terms.weights[j]);
    const T* from = window + (origin - terms.offsets[j]);
#pragma GCC unroll 8
    for (std::size_t v = 0; v < sweep_vectors; ++v) {
      const V value = aligned ? hn::Load(d, from + v * lanes) : hn::LoadU(d, from + v * lanes);
      take<join>(low[v], high[v], value, weight);
    }
  }
#pragma GCC unroll 8
  for (std::size_t v = 0; v < sweep_vectors; ++v) {
    hn::Store(low[v], d, low_part + v * lanes);
    if constexpr (is_split) hn::Store(high[v], d, high_part + v * lanes);
  }
}

template <Join join, bool aligned, class T>
void sweep(const Terms<T>& terms, const T* window, std::ptrdiff_t origin, std::size_t outputs, T* low, T* high) {
  const std::size_t group = sweep_vectors * hn::Lanes(hn::ScalableTag<T>());
  for (std::size_t u = 0; u < outputs; u += group) {
    sweep_group<join, aligned>(terms, window + u, origin, low + u, high + u);
  }
}

template <Join join, class T>
Sweeps<T> sweeps_by() {
  const std::size_t lanes = hn::Lanes(hn::ScalableTag<T>());
  return {sweep<join, true, T>, sweep<join, false, T>, lanes, sweep_vectors * lanes};
}

template <class T>
Sweeps<T> sweeps_of(Join join) {
  if constexpr (std::is_integral_v<T>) {
    if (join == Join::bit_xor) return sweeps_by<Join::bit_xor, T>();
    if (join == Join::bit_or) return sweeps_by<Join::bit_or, T>();
    if (join == Join::bit_and) return sweeps_by<Join::bit_and, T>();
    if constexpr (sizeof(T) == 8) {
      if (join == Join::split_sum) return sweeps_by<Join::split_sum, T>();
    }
  } else {
    if (join == Join::sum) return sweeps_by<Join::sum, T>();
  }
  if constexpr (std::is_signed_v<T>) {
    if (join == Join::min_sum) return sweeps_by<Join::min_sum, T>();
    if (join == Join::greatest_sum) return sweeps_by<Join::greatest_sum, T>();
  }
  return join == Join::least ? sweeps_by<Join::least, T>() : sweeps_by<Join::greatest, T>();
}

// HWY_EXPORT takes plain functions only.
Sweeps<std::int32_t> sweeps_i32(Join join) { return sweeps_of<std::int32_t>(join); }
Sweeps<std::int64_t> sweeps_i64(Join join) { return sweeps_of<std::int64_t>(join); }
Sweeps<std::uint64_t> sweeps_u64(Join join) { return sweeps_of<std::uint64_t>(join); }
Sweeps<float> sweeps_f32(Join join) { return sweeps_of<float>(join); }
Sweeps<double> sweeps_f64(Join join) { return sweeps_of<double>(join); }

/// A vector of words from bytes at any address.
template <class D>
HWY_INLINE hn::Vec<D> load_bytes(D d, const std::uint8_t* bytes) {
#if HWY_TARGET == HWY_SCALAR
  std::uint64_t word;
  std::memcpy(&word, bytes, sizeof word);
  return hn::Set(d, word);
#else
  return hn::BitCast(d, hn::LoadU(hn::Repartition<std::uint8_t, D>(), bytes));
#endif
}

std::size_t take_common_bits(std::uint64_t* HWY_RESTRICT set, const std::uint8_t* HWY_RESTRICT mask, std::size_t words,
                             std::uint64_t* HWY_RESTRICT common, std::uint32_t* HWY_RESTRICT where) {
  const hn::ScalableTag<std::uint64_t> d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t found = 0;
  for (std::size_t w = 0; w < words; w += lanes) {
    const auto present = hn::LoadU(d, set + w);
    const auto masked = load_bytes(d, mask + w * sizeof(std::uint64_t));
    const auto taken = hn::And(present, masked);
    if (hn::AllTrue(d, hn::Eq(taken, hn::Zero(d)))) continue;
    hn::StoreU(hn::AndNot(masked, present), d, set + w);
    hn::StoreU(taken, d, common + w);
    where[found++] = static_cast<std::uint32_t>(w);
  }
  return found;
}

std::size_t words_of_vector() { return hn::Lanes(hn::ScalableTag<std::uint64_t>()); }

}  // namespace warpfold::recurrence::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard
