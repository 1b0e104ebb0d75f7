// The rows' inner loops, for every instruction set that Highway compiles them for. Included by cpu.cpp alone.
#if defined(WARPFOLD_KNAPSACK_CPU_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef WARPFOLD_KNAPSACK_CPU_INL_H_
#undef WARPFOLD_KNAPSACK_CPU_INL_H_
#else
#define WARPFOLD_KNAPSACK_CPU_INL_H_
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

HWY_BEFORE_NAMESPACE();
namespace warpfold::knapsack::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// to[i] = max(to[i], from[i] + value) for i = count-1 .. 0. `from` may be any distance below `to` in the same array. 8
/// bytes read and 4 written per i32 cell.
template <class T>
void raise_down(T* to, const T* from, std::size_t count, T value) {
  const hn::ScalableTag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto add = hn::Set(d, value);
  const auto step = [&](std::size_t at) HWY_ATTR {
    hn::StoreU(hn::Max(hn::LoadU(d, to + at), hn::Add(hn::LoadU(d, from + at), add)), d, to + at);
  };
  std::size_t i = count;
  for (; i >= 4 * lanes; i -= 4 * lanes) {
    step(i - lanes);
    step(i - 2 * lanes);
    step(i - 3 * lanes);
    step(i - 4 * lanes);
  }
  for (; i >= lanes; i -= lanes) step(i - lanes);
  while (i-- > 0) to[i] = HWY_MAX(to[i], static_cast<T>(from[i] + value));
}

/// The same for count a multiple of 64. Bit i of `raised` tells whether to[i] grew.
template <class T>
void raise_down_marked(T* to, const T* from, std::size_t count, T value, std::uint64_t* raised) {
  const hn::ScalableTag<T> d;
  const std::size_t lanes = HWY_MIN(hn::Lanes(d), std::size_t{64});
  const auto add = hn::Set(d, value);
  for (std::size_t block = count; block > 0; block -= 64) {
    std::uint64_t word = 0;
    for (std::size_t at = 64; at > 0; at -= lanes) {
      T* target = to + block - 64 + at - lanes;
      const auto old = hn::LoadU(d, target);
      const auto raise = hn::Add(hn::LoadU(d, from + block - 64 + at - lanes), add);
      std::uint64_t mask = 0;
      hn::StoreMaskBits(d, hn::Gt(raise, old), reinterpret_cast<std::uint8_t*>(&mask));
      word |= mask << (at - lanes);
      hn::StoreU(hn::Max(old, raise), d, target);
    }
    raised[block / 64 - 1] = word;
  }
}

/// to[i] = max(to[i], from[i] + value) for i = 0 .. count-1, where from[i] may already be one of these results.
template <class T>
void raise_up(T* to, const T* from, std::size_t count, T value) {
  const hn::ScalableTag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto add = hn::Set(d, value);
  std::size_t i = 0;
  if (static_cast<std::size_t>(to - from) >= lanes) {
    for (; i + lanes <= count; i += lanes) {
      hn::StoreU(hn::Max(hn::LoadU(d, to + i), hn::Add(hn::LoadU(d, from + i), add)), d, to + i);
    }
  }
  for (; i < count; ++i) to[i] = HWY_MAX(to[i], static_cast<T>(from[i] + value));
}

/// sums[i] |= (shifted up by `shift` bits sums)[i] for words i = last-1 .. first; first > shift / 64.
inline void or_shifted(std::uint64_t* sums, std::size_t first, std::size_t last, std::uint64_t shift) {
  const hn::ScalableTag<std::uint64_t> d;
  const std::size_t lanes = hn::Lanes(d);
  const std::size_t words = shift / 64;
  const int bits = static_cast<int>(shift % 64);
  std::size_t i = last;
  if (bits == 0) {
    for (; i >= first + lanes; i -= lanes) {
      std::uint64_t* at = sums + i - lanes;
      hn::StoreU(hn::Or(hn::LoadU(d, at), hn::LoadU(d, at - words)), d, at);
    }
    while (i-- > first) sums[i] |= sums[i - words];
    return;
  }
  for (; i >= first + lanes; i -= lanes) {
    std::uint64_t* at = sums + i - lanes;
    const auto upper = hn::ShiftLeftSame(hn::LoadU(d, at - words), bits);
    const auto lower = hn::ShiftRightSame(hn::LoadU(d, at - words - 1), 64 - bits);
    hn::StoreU(hn::Or(hn::LoadU(d, at), hn::Or(upper, lower)), d, at);
  }
  while (i-- > first) sums[i] |= sums[i - words] << bits | sums[i - words - 1] >> (64 - bits);
}

}  // namespace warpfold::knapsack::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
