// The kernel of narrow.hpp for the instruction set that is being compiled. simd_dispatch.cpp includes it once for each.
#if defined(WARPFOLD_SEQUENCE_ALIGN_STRIPS_NARROW_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef WARPFOLD_SEQUENCE_ALIGN_STRIPS_NARROW_INL_H_
#undef WARPFOLD_SEQUENCE_ALIGN_STRIPS_NARROW_INL_H_
#else
#define WARPFOLD_SEQUENCE_ALIGN_STRIPS_NARROW_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "sequence/align/strips/kernel-inl.h"
#include "sequence/align/strips/narrow.hpp"

HWY_BEFORE_NAMESPACE();
namespace warpfold::sequence::alignment::strips::HWY_NAMESPACE {

#if HWY_TARGET != HWY_SCALAR

using Byte = std::uint8_t;
using Bytes = Lanes<Byte>;
using Wide = Lanes<std::uint16_t>;
using SignedWide = hn::RebindToSigned<Wide>;

/// 16 bits for each lane of a vector of bytes.
struct WideLanes {
  V<std::uint16_t> low, high;

  static HWY_INLINE WideLanes load(const std::uint16_t* low, const std::uint16_t* high) {
    return {hn::Load(Wide(), low), hn::Load(Wide(), high)};
  }
  static HWY_INLINE WideLanes load(const std::uint16_t* stored) { return load(stored, stored + hn::Lanes(Wide())); }
  static HWY_INLINE WideLanes load_unaligned(const std::uint16_t* stored) {
    return {hn::LoadU(Wide(), stored), hn::LoadU(Wide(), stored + hn::Lanes(Wide()))};
  }
  static HWY_INLINE WideLanes set(std::uint16_t value) { return {hn::Set(Wide(), value), hn::Set(Wide(), value)}; }
  static HWY_INLINE WideLanes of(V<Byte> bytes) {
    const hn::Half<Bytes> half;
    return {hn::PromoteTo(Wide(), hn::LowerHalf(bytes)), hn::PromoteTo(Wide(), hn::UpperHalf(half, bytes))};
  }
  HWY_INLINE void store(std::uint16_t* low_to, std::uint16_t* high_to) const {
    hn::Store(low, Wide(), low_to);
    hn::Store(high, Wide(), high_to);
  }
  HWY_INLINE void store(std::uint16_t* to) const { store(to, to + hn::Lanes(Wide())); }
  /// In 8 bits: differences below 0 become 0, those beyond 255 become 255.
  [[nodiscard]] HWY_INLINE V<Byte> narrowed() const {
    const hn::Half<Bytes> half;
    return hn::Combine(Bytes(), hn::DemoteTo(half, hn::BitCast(SignedWide(), high)),
                       hn::DemoteTo(half, hn::BitCast(SignedWide(), low)));
  }
};

HWY_INLINE WideLanes operator+(WideLanes a, WideLanes b) { return {hn::Add(a.low, b.low), hn::Add(a.high, b.high)}; }
HWY_INLINE WideLanes operator-(WideLanes a, WideLanes b) { return {hn::Sub(a.low, b.low), hn::Sub(a.high, b.high)}; }

/// From one base to another, which is higher by `loss` or lower by `gain`.
struct Way {
  V<Byte> loss, gain;

  static HWY_INLINE Way between(WideLanes from, WideLanes to) {
    return {(to - from).narrowed(), (from - to).narrowed()};
  }
  static HWY_INLINE Way load(const Byte* stored) {
    return {hn::Load(Bytes(), stored), hn::Load(Bytes(), stored + hn::Lanes(Bytes()))};
  }
  HWY_INLINE void store(Byte* to) const {
    hn::Store(loss, Bytes(), to);
    hn::Store(gain, Bytes(), to + hn::Lanes(Bytes()));
  }
  [[nodiscard]] HWY_INLINE V<Byte> difference() const { return hn::Sub(loss, gain); }
  [[nodiscard]] HWY_INLINE WideLanes wide_difference() const { return WideLanes::of(loss) - WideLanes::of(gain); }
  /// A value behind the way. What is too low for 8 bits becomes 0, or so little more that no H is as low.
  [[nodiscard]] HWY_INLINE V<Byte> taken_by(V<Byte> v) const {
    return hn::SaturatedAdd(hn::SaturatedSub(v, loss), gain);
  }
};

/// A strip, or the part of it that has rows, in a chunk.
template <bool compares>
class Narrow {
 public:
  explicit Narrow(const Chunk<std::uint16_t>& chunk)
      : chunk_(chunk), first_(chunk.half[0]), second_(chunk.half[1]), last_(chunk.half[chunk.halves - 1]) {
    Byte* memory = chunk.narrow.memory;
    const auto vectors = [&](std::size_t count) {
      Byte* const begin = memory;
      memory += count * lanes;
      return begin;
    };
    best_ = vectors(chunk.words);
    if (chunk.narrow.kept_best) {
      best_ = chunk.narrow.kept_best;
      column_size_ = chunk.words * lanes;
    }
    inserted_ = vectors(chunk.words), ways_ = vectors(2 * chunk.words);
    costs_ = vectors(6), entry_ = vectors(1), through_ = vectors(2);
    top_ = reinterpret_cast<std::uint16_t*>(vectors(4)) + lanes;
    bottom_ = reinterpret_cast<std::uint16_t*>(vectors(2));
    last_lane_ = (chunk.halves - 1) * (lanes / 2) + last_.last_lane;
    last_at_ = last_.last_word * lanes + last_lane_;
  }

  void run() {
    begin();
    Carried carried{hn::Zero(Bytes()), hn::Zero(Bytes())};
    for (std::size_t j = 0; j < chunk_.columns;) {
      const std::size_t end = std::min(j + chunk_.narrow.columns, chunk_.columns);
      if (j > 0) advance<true>(j++, carried);
      for (; j < end; ++j) advance<false>(j, carried);
    }
    finish(carried.at_top);
  }

 private:
  static constexpr std::size_t lanes = hn::MaxLanes(Bytes());

  /// The best deletion into each lane from the lanes before, as it comes to the lane's first and last row.
  struct Carried {
    V<Byte> at_top, at_bottom;
  };

  /// What a column hands on from row to row.
  struct Pass {
    V<Byte> carried, diagonal, deleted;
    V<Byte> move;  ///< of the base
    V<Byte> open, symbol, match, mismatch;

    template <bool moves>
    HWY_INLINE void row(const Byte* best, Byte* out, Byte* inserted, const Byte* codes) {
      const Bytes d;
      V<Byte> left = hn::Max(hn::Load(d, best), carried);
      V<Byte> gap = hn::Load(d, inserted);
      if constexpr (moves) {
        left = hn::Sub(left, move);
        gap = hn::Sub(gap, move);
      }
      gap = hn::Max(gap, hn::Sub(left, open));
      V<Byte> score = hn::Load(d, codes);
      if constexpr (compares) score = hn::IfThenElse(hn::Eq(score, symbol), match, mismatch);
      const V<Byte> value = hn::Max(hn::Add(diagonal, score), gap);
      diagonal = left;
      hn::Store(hn::Max(value, deleted), d, out);
      hn::Store(gap, d, inserted);
      deleted = hn::Max(deleted, hn::Sub(value, open));
    }
    template <bool moves>
    HWY_INLINE void four_rows(const Byte* best, Byte* out, Byte* inserted, const Byte* codes) {
      row<moves>(best, out, inserted, codes);
      row<moves>(best + lanes, out + lanes, inserted + lanes, codes + lanes);
      row<moves>(best + 2 * lanes, out + 2 * lanes, inserted + 2 * lanes, codes + 2 * lanes);
      row<moves>(best + 3 * lanes, out + 3 * lanes, inserted + 3 * lanes, codes + 3 * lanes);
    }
  };

  [[nodiscard]] Byte* way_to(std::size_t group) const { return ways_ + 2 * group * lanes; }

  /// Takes over H and E of 16 bits, and sets the bases.
  void begin() {
    WideLanes base = WideLanes::set(0);
    for (std::size_t word = 0; word < chunk_.words; ++word) {
      const std::size_t at = word * (lanes / 2);
      const WideLanes best = WideLanes::load(first_.best + at, second_.best + at);
      if (word % chunk_.narrow.group == 0) {
        const WideLanes before = base;
        base = best - WideLanes::set(chunk_.narrow.corner);
        if (word == 0) base.store(top_);
        Way::between(before, base).store(way_to(word / chunk_.narrow.group));
      }
      hn::Store((best - base).narrowed(), Bytes(), best_ + word * lanes);
      const WideLanes inserted = WideLanes::load(first_.inserted + at, second_.inserted + at);
      hn::Store((inserted - base).narrowed(), Bytes(), inserted_ + word * lanes);
    }
    base.store(bottom_);
    set_ways();
    keep_bases(0);
    const Half<std::uint16_t>& half = last_;
    half.below_best[0] = half.best[half.last_word * (lanes / 2) + half.last_lane];
  }

  /// Gives H and E back.
  void finish(V<Byte> carried) const {
    WideLanes base = WideLanes::load(top_);
    for (std::size_t word = 0; word < chunk_.words; ++word) {
      if (word > 0 && word % chunk_.narrow.group == 0) {
        const Way way = Way::load(way_to(word / chunk_.narrow.group));
        base = base + way.wide_difference();
        carried = way.taken_by(carried);
      }
      const std::size_t at = word * (lanes / 2);
      const V<Byte> best = hn::Max(hn::Load(Bytes(), best_ + word * lanes), carried);
      (base + WideLanes::of(best)).store(first_.best + at, second_.best + at);
      const V<Byte> inserted = hn::Load(Bytes(), inserted_ + word * lanes);
      (base + WideLanes::of(inserted)).store(first_.inserted + at, second_.inserted + at);
    }
  }

  /// Keeps the bases for a walk. `column`: the first one that is relative to them.
  HWY_INLINE void keep_bases(std::size_t column) const {
    if (column_size_ == 0) return;
    const std::size_t groups = chunk_.narrow.groups(chunk_.words);
    std::uint16_t* kept = chunk_.narrow.kept_bases + chunk_.narrow.moves(column) * groups * lanes;
    WideLanes base = WideLanes::load(top_);
    for (std::size_t group = 0; group < groups; ++group, kept += lanes) {
      if (group > 0) base = base + Way::load(way_to(group)).wide_difference();
      base.store(kept);
    }
  }

  /// The way of a difference, which is at least less the cost to open a gap: one gap leads from each cell to those
  /// below it and right of it.
  [[nodiscard]] HWY_INLINE Way way_of(V<Byte> difference) const {
    const V<Byte> open = hn::Set(Bytes(), static_cast<Byte>(chunk_.open));
    const V<Byte> with_open = hn::Add(difference, open);
    return {hn::SaturatedSub(with_open, open), hn::SaturatedSub(open, with_open)};
  }

  /// How far a base moves, so that H is the corner's again. `best`: of the group's first row.
  [[nodiscard]] HWY_INLINE V<Byte> move_of(const Byte* best, V<Byte> carried) const {
    const Bytes d;
    return hn::Sub(hn::Max(hn::Load(d, best), carried), hn::Set(d, chunk_.narrow.corner));
  }

  /// Advances by a column. `moves`: the bases move before it. `carried`: of the column before and then of this one.
  template <bool moves>
  HWY_INLINE void advance(std::size_t j, Carried& carried) {
    const Bytes d;
    Pass pass;
    pass.open = hn::Set(d, static_cast<Byte>(chunk_.open));
    pass.symbol = hn::Set(d, static_cast<Byte>(chunk_.symbols[j]));
    pass.match = hn::Set(d, static_cast<Byte>(chunk_.match));
    pass.mismatch = hn::Set(d, static_cast<Byte>(chunk_.mismatch));
    pass.carried = carried.at_top;
    pass.diagonal = entered(hn::Max(hn::Load(d, best_ + (chunk_.words - 1) * lanes), carried.at_bottom));
    if constexpr (moves) {
      pass.move = move_of(best_, carried.at_top);
      (WideLanes::load(top_) + way_of(pass.move).wide_difference()).store(top_);
      pass.diagonal = hn::Sub(pass.diagonal, pass.move);
    }
    const int above_best = first_.above_best[j] - top_[0];
    const int above_deleted = first_.above_deleted[j] - top_[0];
    pass.diagonal = hn::IfThenElse(hn::FirstN(d, 1), hn::Set(d, static_cast<Byte>(above_best)), pass.diagonal);
    pass.deleted = first_lane<Byte>(static_cast<Byte>(std::clamp(above_deleted, 0, 255)));
    advance_rows<moves>(pass, j);
    if constexpr (moves) {
      (WideLanes::load(bottom_) + way_of(pass.move).wide_difference()).store(bottom_);
      set_ways();
      keep_bases(j + 1);
    }
    carry(hn::IfThenZeroElse(hn::FirstN(d, 1), entered(pass.deleted)), carried);
    V<Byte> below = hn::Max(pass.deleted, carried.at_bottom);
    const bool ends_in_next_lane = hn::AllTrue(d, hn::Eq(below, pass.deleted));
    if (!ends_in_next_lane) {
      carry(scanned(carried.at_top), carried);
      below = hn::Max(pass.deleted, carried.at_bottom);
    }
    if (column_size_ > 0) hn::Store(carried.at_top, d, chunk_.narrow.kept_carried + (j + 1) * lanes);
    set_below(below, carried.at_top, j);
  }

  /// Values of the lanes' last rows, for the first rows of the next lanes. The first lane gets others.
  [[nodiscard]] HWY_INLINE V<Byte> entered(V<Byte> last) const {
    return hn::Sub(moves_.template turned<1>(last), hn::Load(Bytes(), entry_));
  }
  /// Takes deletions through the lanes.
  HWY_INLINE void carry(V<Byte> at_top, Carried& carried) const {
    carried = {at_top, Way::load(through_).taken_by(at_top)};
  }

  template <bool moves>
  HWY_INLINE void advance_rows(Pass& pass, std::size_t j) {
    const Byte* best = best_;
    best_ += column_size_;
    Byte *out = best_, *inserted = inserted_, *way = ways_;
    const Byte* codes = chunk_.narrow.codes + (compares ? 0 : chunk_.symbols[j] * chunk_.words * lanes);
    const std::size_t group = chunk_.narrow.group;
    const auto take = [&](std::size_t rows) HWY_ATTR {
      best += rows * lanes, out += rows * lanes, inserted += rows * lanes, codes += rows * lanes;
    };
    for (std::size_t words = chunk_.words; words > 0; way += 2 * lanes) {
      if (words < chunk_.words) enter_group<moves>(pass, best, way);
      std::size_t rows = std::min(group, words);
      words -= rows;
      for (; rows >= 8; rows -= 8, take(8)) {
        constexpr std::size_t four = 4 * lanes;
        pass.template four_rows<moves>(best, out, inserted, codes);
        pass.template four_rows<moves>(best + four, out + four, inserted + four, codes + four);
      }
      for (; rows >= 4; rows -= 4, take(4)) pass.template four_rows<moves>(best, out, inserted, codes);
      for (; rows > 0; --rows, take(1)) pass.template row<moves>(best, out, inserted, codes);
    }
  }

  template <bool moves>
  HWY_INLINE void enter_group(Pass& pass, const Byte* best, Byte* stored) const {
    Way way = Way::load(stored);
    pass.carried = way.taken_by(pass.carried);
    if constexpr (moves) {
      const V<Byte> before = pass.move;
      pass.move = move_of(best, pass.carried);
      way = way_of(hn::Add(way.difference(), hn::Sub(pass.move, before)));
      way.store(stored);
    }
    const V<Byte> difference = way.difference();
    pass.diagonal = hn::Sub(pass.diagonal, difference);
    pass.deleted = hn::Sub(pass.deleted, difference);
  }

  /// The best deletion into each lane from all lanes before. `best`: from the lane before alone. A base is at most the
  /// cost to open a gap lower than one above it, so that with this cost no way gains.
  [[nodiscard]] HWY_INLINE V<Byte> scanned(V<Byte> best) const {
    const Bytes d;
    const V<Byte> open = hn::Set(d, static_cast<Byte>(chunk_.open));
    const auto take = [&](V<Byte> turned, std::size_t step) HWY_ATTR {
      best = hn::Max(best, hn::SaturatedSub(hn::SaturatedAdd(turned, open), hn::Load(d, costs_ + step * lanes)));
    };
    take(moves_.template turned<1>(best), 0);
    take(moves_.template turned<2>(best), 1);
    take(moves_.template turned<4>(best), 2);
    take(moves_.template turned<8>(best), 3);
    if constexpr (lanes > 16) take(moves_.template turned<16>(best), 4);
    if constexpr (lanes > 32) take(moves_.template turned<32>(best), 5);
    return best;
  }

  /// Gives H of the last row, and F of the row below the strip.
  HWY_INLINE void set_below(V<Byte> deleted, V<Byte> carried, std::size_t j) {
    const Bytes d;
    HWY_ALIGN Byte below[lanes];
    HWY_ALIGN Byte at_top[lanes];
    hn::Store(deleted, d, below);
    hn::Store(carried, d, at_top);
    last_.below_deleted[j] = static_cast<std::uint16_t>(bottom_[lanes - 1] + below[lanes - 1]);
    last_.below_best[j + 1] =
        static_cast<std::uint16_t>(std::max(last_base_ + best_[last_at_], top_[last_lane_] + at_top[last_lane_]));
  }

  /// Sets the ways between lanes, from the bases at the tops and bottoms.
  HWY_INLINE void set_ways() {
    const WideLanes top = WideLanes::load(top_), bottom = WideLanes::load(bottom_);
    Way::between(top, bottom).store(through_);
    const auto below_all = static_cast<std::uint16_t>(top_[0] - chunk_.open - 255);
    std::fill_n(top_ - lanes, lanes, below_all);
    std::uint16_t before[lanes + 1] = {below_all};
    hn::StoreU(bottom.low, Wide(), before + 1);
    hn::StoreU(bottom.high, Wide(), before + 1 + lanes / 2);
    hn::Store(Way::between(WideLanes::load_unaligned(before), top).difference(), Bytes(), entry_);
    const WideLanes with_open = top + WideLanes::set(chunk_.open);
    for (std::size_t step = 0, away = 1; away < lanes; ++step, away *= 2) {
      hn::Store((with_open - WideLanes::load_unaligned(top_ - away)).narrowed(), Bytes(), costs_ + step * lanes);
    }
    last_base_ = top_[last_lane_];
    for (std::size_t group = 1; group <= last_.last_word / chunk_.narrow.group; ++group) {
      const Byte* const way = way_to(group) + last_lane_;
      last_base_ += way[0] - way[lanes];
    }
  }

  const Chunk<std::uint16_t>& chunk_;
  const Half<std::uint16_t>&first_, &second_, &last_;
  const LaneMoves<Byte> moves_;
  std::size_t last_lane_, last_at_;  ///< of the last row
  int last_base_ = 0;
  std::size_t column_size_ = 0;  ///< 0 if only the last column is kept
  Byte *best_, *inserted_;
  Byte* ways_;     ///< to each group's base from the one before
  Byte* entry_;    ///< how much higher the base at the top of a lane is than that at the bottom of the one before
  Byte* through_;  ///< the way from the top of a lane to its bottom
  Byte* costs_;    ///< the way between the tops of lanes that are 1, 2, 4 .. apart, with the cost to open a gap
  /// The bases of the first and of the last group of each lane. Those before the first lane are so low that nothing
  /// comes from there.
  std::uint16_t *top_, *bottom_;
};

template <bool compares>
void advance_narrow(Chunk<std::uint16_t>& chunk) {
  Narrow<compares>(chunk).run();
}

Advance<std::uint16_t> kernel_of_8_bits(bool compares) {
  return compares ? advance_narrow<true> : advance_narrow<false>;
}

#else

Advance<std::uint16_t> kernel_of_8_bits(bool /*compares*/) { return nullptr; }

#endif

}  // namespace warpfold::sequence::alignment::strips::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard
