// The kernel of kernel.hpp for the instruction set that is being compiled. simd_dispatch.cpp includes it once for each.
#if defined(WARPFOLD_SEQUENCE_ALIGN_STRIPS_KERNEL_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef WARPFOLD_SEQUENCE_ALIGN_STRIPS_KERNEL_INL_H_
#undef WARPFOLD_SEQUENCE_ALIGN_STRIPS_KERNEL_INL_H_
#else
#define WARPFOLD_SEQUENCE_ALIGN_STRIPS_KERNEL_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "sequence/align/strips/kernel.hpp"

HWY_BEFORE_NAMESPACE();
namespace warpfold::sequence::alignment::strips::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class T>
using Lanes = hn::ScalableTag<T>;
template <class T>
using V = hn::Vec<Lanes<T>>;

/// a - b, or 0 if that is less.
template <class T>
HWY_INLINE V<T> reduced(V<T> a, V<T> b) {
  return hn::Sub(hn::Max(a, b), b);
}

/// Moves values from lane to lane.
template <class T>
class LaneMoves {
 public:
#if HWY_TARGET == HWY_SCALAR
  HWY_INLINE V<T> next_lane(V<T> v) const { return hn::Xor(v, v); }
#else
  static constexpr std::size_t blocks = hn::MaxLanes(Lanes<T>()) * sizeof(T) / 16;
  static constexpr std::size_t block_lanes = 16 / sizeof(T);

  LaneMoves() {
    const Words words;
    HWY_ALIGN std::uint32_t from[hn::MaxLanes(words)];
    HWY_ALIGN std::uint32_t from_second[hn::MaxLanes(words)];
    HWY_ALIGN std::uint32_t kept[hn::MaxLanes(words)];
    const std::size_t count = hn::Lanes(words);
    for (std::size_t word = 0; word < count; ++word) {
      from[word] = static_cast<std::uint32_t>((word + count - 4) % count);
      from_second[word] = static_cast<std::uint32_t>((word + 2 * count - 8) % count);
      kept[word] = word < 4 ? 0 : ~std::uint32_t{0};
    }
    block_before_ = hn::SetTableIndices(words, from);
    second_before_ = hn::SetTableIndices(words, from_second);
    has_block_before_ = hn::Load(words, kept);
  }

  /// Each lane gets the one before it, lane 0 gets 0.
  HWY_INLINE V<T> next_lane(V<T> v) const {
    if constexpr (blocks == 1) return hn::ShiftLeftLanes<1>(v);
    if constexpr (blocks > 1) return hn::CombineShiftRightBytes<16 - sizeof(T)>(Lanes<T>(), v, next_block(v));
  }
  /// Each lane gets the one `count` before it, a power of two up to two blocks. The first ones get others.
  template <std::size_t count>
  HWY_INLINE V<T> turned(V<T> v) const {
    if constexpr (count == 2 * block_lanes) {
      return by_words(v, second_before_);
    } else if constexpr (count == block_lanes) {
      return by_words(v, block_before_);
    } else if constexpr (blocks == 1) {
      return hn::ShiftLeftLanes<count>(v);
    } else {
      return hn::CombineShiftRightBytes<16 - count * sizeof(T)>(Lanes<T>(), v, by_words(v, block_before_));
    }
  }
  /// Each block of 16 bytes gets the one before it, the first one gets 0.
  HWY_INLINE V<T> next_block(V<T> v) const {
    return hn::And(by_words(v, block_before_), hn::BitCast(Lanes<T>(), has_block_before_));
  }

 private:
  using Words = hn::Repartition<std::uint32_t, Lanes<T>>;
  using Indices = decltype(hn::SetTableIndices(Words(), static_cast<const std::uint32_t*>(nullptr)));

  static HWY_INLINE V<T> by_words(V<T> v, Indices from) {
    return hn::BitCast(Lanes<T>(), hn::TableLookupLanes(hn::BitCast(Words(), v), from));
  }

  Indices block_before_, second_before_;
  hn::Vec<Words> has_block_before_;
#endif
};

/// Moves deletions from lane to lane.
template <class T>
class Shifts : public LaneMoves<T> {
 public:
  /// `lane_cost`: what a deletion loses in each lane that it goes through.
  explicit Shifts(std::size_t lane_cost) {
    const Lanes<T> d;
    for (std::size_t step = 0; step < 3; ++step) costs_[step] = hn::Set(d, cost(lane_cost << step));
    for (std::size_t step = 0; step < 2; ++step) block_costs_[step] = hn::Set(d, cost(lane_cost * block_lanes << step));
    HWY_ALIGN T to_lane[hn::MaxLanes(d)];
    for (std::size_t lane = 0; lane < hn::Lanes(d); ++lane) to_lane[lane] = cost((lane % block_lanes + 1) * lane_cost);
    lane_costs_ = hn::Load(d, to_lane);
  }

  /// The best deletion into each lane from the lanes before. `is_free`: it loses nothing on the way.
  template <bool is_free>
  HWY_INLINE V<T> scanned(V<T> deleted) const {
    V<T> best = this->next_lane(deleted);
#if HWY_TARGET != HWY_SCALAR
    constexpr std::size_t blocks = LaneMoves<T>::blocks;
    const auto lost = [](V<T> v, V<T> amount) HWY_ATTR { return is_free ? v : reduced<T>(v, amount); };
    best = hn::Max(best, lost(hn::ShiftLeftLanes<1>(best), costs_[0]));
    best = hn::Max(best, lost(hn::ShiftLeftLanes<2>(best), costs_[1]));
    if constexpr (block_lanes > 4) best = hn::Max(best, lost(hn::ShiftLeftLanes<4>(best), costs_[2]));
    if constexpr (blocks > 1) {
      V<T> before = this->next_block(hn::Broadcast<block_lanes - 1>(best));
      if constexpr (blocks > 2) {
        before = hn::Max(before, lost(this->next_block(before), block_costs_[0]));
        before = hn::Max(before, lost(this->next_block(this->next_block(before)), block_costs_[1]));
      }
      best = hn::Max(best, lost(before, lane_costs_));
    }
#endif
    return best;
  }

 private:
  static constexpr std::size_t block_lanes = 16 / sizeof(T);

  static T cost(std::size_t amount) { return static_cast<T>(std::min<std::size_t>(amount, static_cast<T>(~T{0}))); }

  V<T> costs_[3], block_costs_[2], lane_costs_;
};

/// The vector whose first lane is `value`. The others are 0.
template <class T>
HWY_INLINE V<T> first_lane(T value) {
  const Lanes<T> d;
  return hn::IfThenElseZero(hn::FirstN(d, 1), hn::Set(d, value));
}

/// One row of a column.
template <class T, bool is_local, bool compares>
struct Pass {
  V<T> carried, diagonal, deleted, best;
  V<T> open, extend, zero, symbol, match, mismatch;

  HWY_INLINE void row(const T* in, T* out, T* inserted, const T* profile) {
    const Lanes<T> d;
    const V<T> left = hn::Max(hn::Load(d, in), carried);
    V<T> gap = hn::Load(d, inserted);
    if constexpr (is_local) {
      carried = hn::Sub(carried, extend);
      gap = hn::Sub(gap, extend);
    }
    gap = hn::Max(gap, hn::Sub(left, open));
    V<T> score = hn::Load(d, profile);
    if constexpr (compares) score = hn::IfThenElse(hn::Eq(score, symbol), match, mismatch);
    V<T> value = hn::Max(hn::Add(diagonal, score), gap);
    if constexpr (is_local) {
      value = hn::Max(value, zero);
      best = hn::Max(best, value);
    }
    diagonal = left;
    hn::Store(hn::Max(value, deleted), d, out);
    hn::Store(gap, d, inserted);
    if constexpr (is_local) deleted = hn::Sub(deleted, extend);
    deleted = hn::Max(deleted, hn::Sub(value, open));
  }
};

template <class T, bool is_local, bool compares>
HWY_INLINE void advance_column(const Chunk<T>& chunk, const Half<T>& half, const Shifts<T>& shifts, std::size_t j,
                               V<T>& best) {
  const Lanes<T> d;
  const std::size_t lanes = hn::Lanes(d);
  const std::size_t words = chunk.words;
  const T* in = half.best + j * chunk.column_size;
  T* out = half.best + (j + 1) * chunk.column_size;
  const T* profile = half.profile + (compares ? 0 : chunk.symbols[j] * chunk.profile_size);
  Pass<T, is_local, compares> pass;
  pass.open = hn::Set(d, chunk.open);
  pass.extend = hn::Set(d, chunk.extend);
  pass.zero = hn::Set(d, chunk.zero);
  pass.symbol = hn::Set(d, chunk.symbols[j]);
  pass.match = hn::Set(d, chunk.match);
  pass.mismatch = hn::Set(d, chunk.mismatch);
  pass.best = best;
  pass.carried = hn::Load(d, half.carried + j * chunk.carried_size);
  V<T> last = pass.carried;
  if constexpr (is_local) last = hn::Sub(last, hn::Set(d, static_cast<T>((words - 1) * chunk.extend)));
  last = hn::Max(hn::Load(d, in + (words - 1) * lanes), last);
  pass.diagonal = hn::Or(shifts.next_lane(last), first_lane<T>(half.above_best[j]));
  pass.deleted = first_lane<T>(half.above_deleted[j]);
  if constexpr (is_local) pass.deleted = hn::Max(pass.deleted, pass.zero);
  T* const inserted = half.inserted;
  std::size_t at = 0;
  const std::size_t end = words * lanes;
  for (; at + 4 * lanes <= end; at += 4 * lanes) {
    pass.row(in + at, out + at, inserted + at, profile + at);
    pass.row(in + at + lanes, out + at + lanes, inserted + at + lanes, profile + at + lanes);
    pass.row(in + at + 2 * lanes, out + at + 2 * lanes, inserted + at + 2 * lanes, profile + at + 2 * lanes);
    pass.row(in + at + 3 * lanes, out + at + 3 * lanes, inserted + at + 3 * lanes, profile + at + 3 * lanes);
  }
  for (; at < end; at += lanes) pass.row(in + at, out + at, inserted + at, profile + at);
  best = pass.best;
  V<T> carried = shifts.template scanned<!is_local>(pass.deleted);
  const V<T> below =
      hn::Max(pass.deleted, is_local ? reduced<T>(carried, hn::Set(d, static_cast<T>(words * chunk.extend))) : carried);
  if constexpr (is_local) carried = hn::Max(carried, pass.zero);
  T* const stored = half.carried + (j + 1) * chunk.carried_size;
  hn::Store(carried, d, stored);
  HWY_ALIGN T deleted[hn::MaxLanes(d)];
  hn::Store(below, d, deleted);
  half.below_deleted[j] = deleted[lanes - 1];
  const T to_last =
      is_local ? static_cast<T>(stored[half.last_lane] - half.last_word * chunk.extend) : stored[half.last_lane];
  half.below_best[j + 1] = std::max(out[half.last_word * lanes + half.last_lane], to_last);
}

template <class T, bool is_local, bool compares>
void advance(Chunk<T>& chunk) {
  const Lanes<T> d;
  const Shifts<T> shifts(chunk.words * chunk.extend);
  V<T> best = hn::Zero(d);
  for (std::size_t h = 0; h < chunk.halves; ++h) {
    const Half<T>& half = chunk.half[h];
    half.below_best[0] = half.best[half.last_word * hn::Lanes(d) + half.last_lane];
  }
  for (std::size_t step = 0; step < chunk.columns + chunk.halves - 1; ++step) {
    if (step < chunk.columns) advance_column<T, is_local, compares>(chunk, chunk.half[0], shifts, step, best);
    if (chunk.halves == 2 && step > 0)
      advance_column<T, is_local, compares>(chunk, chunk.half[1], shifts, step - 1, best);
  }
  HWY_ALIGN T largest[hn::MaxLanes(d)];
  hn::Store(best, d, largest);
  chunk.best = *std::max_element(largest, largest + hn::Lanes(d));
}

template <class T>
Advance<T> kernel_for(bool is_local, bool compares) {
  if (is_local) return compares ? advance<T, true, true> : advance<T, true, false>;
  return compares ? advance<T, false, true> : advance<T, false, false>;
}

Advance<std::uint16_t> kernel_of_16_bits(bool is_local, bool compares) {
  return kernel_for<std::uint16_t>(is_local, compares);
}
Advance<std::uint32_t> kernel_of_32_bits(bool is_local, bool compares) {
  return kernel_for<std::uint32_t>(is_local, compares);
}
std::size_t lanes_of_16_bits() { return hn::Lanes(Lanes<std::uint16_t>()); }
std::size_t lanes_of_32_bits() { return hn::Lanes(Lanes<std::uint32_t>()); }

/// Rows of three columns that are independent of each other. Nothing is loaded or stored.
template <class T>
CeilingLoop ceiling_loop(std::size_t rounds) {
  const Lanes<T> d;
  const V<T> open = hn::Set(d, T{11});
  const V<T> score = hn::Iota(d, T{1});
  struct Column {
    V<T> best, inserted, deleted, diagonal;
  };
  const auto column_of = [&](T first) HWY_ATTR {
    const V<T> value = hn::Iota(d, first);
    return Column{value, value, value, value};
  };
  // Columns that begin alike would be computed once.
  Column column0 = column_of(1), column1 = column_of(2), column2 = column_of(3);
  const auto row = [&](Column& column) HWY_ATTR {
    const V<T> left = hn::Max(column.best, score);
    column.inserted = hn::Max(column.inserted, hn::Sub(left, open));
    const V<T> value = hn::Max(hn::Add(column.diagonal, score), column.inserted);
    column.diagonal = left;
    column.best = hn::Max(value, column.deleted);
    column.deleted = hn::Max(column.deleted, hn::Sub(value, open));
  };
  for (std::size_t round = 0; round < rounds; ++round) row(column0), row(column1), row(column2);
  std::uint64_t result = 0;
  HWY_ALIGN T results[hn::MaxLanes(d)];
  for (const Column& column : {column0, column1, column2}) {
    hn::Store(hn::Max(column.best, column.deleted), d, results);
    result += results[0];
  }
  return {static_cast<double>(rounds * 3 * hn::Lanes(d)), result};
}

CeilingLoop ceiling_loop_of_8_bits(std::size_t rounds) { return ceiling_loop<std::uint8_t>(rounds); }
CeilingLoop ceiling_loop_of_16_bits(std::size_t rounds) { return ceiling_loop<std::uint16_t>(rounds); }

}  // namespace warpfold::sequence::alignment::strips::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard
