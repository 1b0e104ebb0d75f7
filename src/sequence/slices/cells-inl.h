// The operations of the kernel for the instruction set that is being compiled: differences, their way from stripe to
// stripe, and the comparison of symbols.
#if defined(WARPFOLD_SEQUENCE_SLICES_CELLS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef WARPFOLD_SEQUENCE_SLICES_CELLS_INL_H_
#undef WARPFOLD_SEQUENCE_SLICES_CELLS_INL_H_
#else
#define WARPFOLD_SEQUENCE_SLICES_CELLS_INL_H_
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>

#include "sequence/slices/kernel.hpp"

HWY_BEFORE_NAMESPACE();
namespace warpfold::sequence::slices::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Bits = hn::ScalableTag<std::uint64_t>;
using V = hn::Vec<Bits>;

/// Bits that move on by one stripe. Stripe 0 gets 0.
class NextStripe {
 public:
  NextStripe() {
    const Bits d;
    const std::size_t lanes = hn::Lanes(d);
    alignas(64) std::uint64_t from[max_lanes];
    for (std::size_t lane = 0; lane < lanes; ++lane) from[lane] = (lane + lanes - 1) % lanes;
    from_ = hn::SetTableIndices(d, from);
    alignas(64) std::uint64_t first[max_lanes] = {~std::uint64_t{0}};
    first_ = hn::Load(d, first);
  }
  HWY_INLINE V operator()(V bits) const {
    const V rotated = hn::TableLookupLanes(bits, from_);
    return hn::Add(rotated, hn::And(rotated, first_));
  }

 private:
  decltype(hn::SetTableIndices(Bits(), static_cast<const std::uint64_t*>(nullptr))) from_;
  V first_;
};

/// The vector whose first bit is `bit`.
struct FirstBit {
  alignas(64) std::uint64_t vectors[2][max_lanes] = {{0}, {1}};

  HWY_INLINE V of(const std::uint64_t* words, std::size_t at) const {
    return hn::Load(Bits(), vectors[words[at / 64] >> (at % 64) & 1]);
  }
};

/// Puts the bit of the last stripe to bit `at` of `words`.
HWY_INLINE void put_last_bit(V bits, std::uint64_t* words, std::size_t at) {
  const Bits d;
  words[at / 64] |= hn::ExtractLane(bits, hn::Lanes(d) - 1) >> 63 << (at % 64);
}

/// Copies the bit of a stripe to the words of a vector.
inline void copy_stripe(std::uint64_t* words, const std::uint64_t* from, std::size_t stripe, std::size_t lanes) {
  const std::uint64_t bit = std::uint64_t{1} << (stripe / lanes);
  std::uint64_t& word = words[stripe % lanes];
  word = (word & ~bit) | (from[stripe % lanes] & bit);
}

/// Differences of +1 and -1, for edits.
struct Signed {
  static constexpr std::size_t vectors = 2;
  static constexpr bool rows_are_inverted = false;
  V plus, minus;

  static HWY_INLINE Signed load(const std::uint64_t* from) {
    const Bits d;
    return {hn::Load(d, from), hn::Load(d, from + hn::Lanes(d))};
  }
  HWY_INLINE void store(std::uint64_t* to) const {
    const Bits d;
    hn::Store(plus, d, to);
    hn::Store(minus, d, to + hn::Lanes(d));
  }
  /// One cell: from h above and v on the left to h below and v on the right.
  static HWY_INLINE V cell(V differs, Signed& h, Signed& v) {
    const V one_more = hn::AndNot(hn::Or(v.minus, h.minus), differs);
    const Signed below = {hn::Or(v.minus, hn::AndNot(v.plus, one_more)), hn::AndNot(one_more, v.plus)};
    v = {hn::Or(h.minus, hn::AndNot(h.plus, one_more)), hn::AndNot(one_more, h.plus)};
    h = below;
    return one_more;
  }
  /// h that enters the next stripe, and column `at` of the chunk in the first one.
  static HWY_INLINE Signed entered(const Signed& h, const NextStripe& next_stripe, const FirstBit& first_bit,
                                   const Chunk& chunk, std::size_t at) {
    return {hn::Or(next_stripe(h.plus), first_bit.of(chunk.above[0], at)),
            hn::Or(next_stripe(h.minus), first_bit.of(chunk.above[1], at))};
  }
  HWY_INLINE void leave(Chunk& chunk, std::size_t at) const {
    put_last_bit(plus, chunk.below[0], at);
    put_last_bit(minus, chunk.below[1], at);
  }
  static HWY_INLINE void keep(V one_more, const Signed& v, std::uint64_t* to) {
    const Bits d;
    hn::Store(one_more, d, to);
    hn::Store(v.plus, d, to + hn::Lanes(d));
  }
  /// Copies v of a stripe.
  static void copy(std::uint64_t* v, const std::uint64_t* from, std::size_t stripe, std::size_t lanes) {
    copy_stripe(v, from, stripe, lanes);
    copy_stripe(v + lanes, from + lanes, stripe, lanes);
  }
};

/// Differences of 0 and 1, for common subsequences.
struct Unsigned {
  static constexpr std::size_t vectors = 1;
  static constexpr bool rows_are_inverted = true;
  V one;

  static HWY_INLINE Unsigned load(const std::uint64_t* from) { return {hn::Load(Bits(), from)}; }
  HWY_INLINE void store(std::uint64_t* to) const { hn::Store(one, Bits(), to); }
  static HWY_INLINE V cell(V same, Unsigned& h, Unsigned& v) {
    const V below = hn::AndNot(v.one, hn::Or(h.one, same));
    v.one = hn::AndNot(h.one, hn::Or(v.one, same));
    h.one = below;
    return same;
  }
  static HWY_INLINE Unsigned entered(const Unsigned& h, const NextStripe& next_stripe, const FirstBit& first_bit,
                                     const Chunk& chunk, std::size_t at) {
    return {hn::Or(next_stripe(h.one), first_bit.of(chunk.above[0], at))};
  }
  HWY_INLINE void leave(Chunk& chunk, std::size_t at) const { put_last_bit(one, chunk.below[0], at); }
  static HWY_INLINE void keep(V, const Unsigned& v, std::uint64_t* to) { v.store(to); }
  static void copy(std::uint64_t* v, const std::uint64_t* from, std::size_t stripe, std::size_t lanes) {
    copy_stripe(v, from, stripe, lanes);
  }
};

/// One plane more of "the symbols differ", or with inverted rows of "they are the same".
template <class D>
HWY_INLINE V joined(V so_far, V plane) {
  return D::rows_are_inverted ? hn::And(so_far, plane) : hn::Or(so_far, plane);
}

/// The planes of C columns in one step, and the comparison of a word's rows with one of them.
template <class D, std::size_t planes>
class Columns {
 public:
  HWY_INLINE Columns(const Chunk& chunk, std::size_t step) {
#pragma GCC unroll 4
    for (std::size_t c = 0; c < columns; ++c) {
#pragma GCC unroll 8
      for (std::size_t p = 0; p < planes; ++p) {
        planes_[c][p] = hn::LoadU(Bits(), chunk.window + (c * planes + p) * window_words + chunk_steps - 1 - step);
      }
    }
  }
  struct Rows {
    V plane[planes];
    HWY_INLINE Rows(const std::uint64_t* all_rows, std::size_t, std::size_t word) {
      const Bits d;
#pragma GCC unroll 8
      for (std::size_t p = 0; p < planes; ++p) plane[p] = hn::Load(d, all_rows + (word * planes + p) * hn::Lanes(d));
    }
  };
  HWY_INLINE V compare(const Rows& rows, std::size_t c) const {
    V result = hn::Xor(rows.plane[0], planes_[c][0]);
#pragma GCC unroll 8
    for (std::size_t p = 1; p < planes; ++p) result = joined<D>(result, hn::Xor(rows.plane[p], planes_[c][p]));
    return result;
  }

 private:
  V planes_[columns][planes];
};

/// For any number of planes.
template <class D>
class Columns<D, 0> {
 public:
  HWY_INLINE Columns(const Chunk& chunk, std::size_t step)
      : window_(chunk.window + chunk_steps - 1 - step), planes_(chunk.planes) {}
  struct Rows {
    const std::uint64_t* first;
    HWY_INLINE Rows(const std::uint64_t* all_rows, std::size_t planes_of_rows, std::size_t word)
        : first(all_rows + word * planes_of_rows * hn::Lanes(Bits())) {}
  };
  HWY_INLINE V compare(const Rows& rows, std::size_t c) const {
    V result = plane(rows, c, 0);
    for (std::size_t p = 1; p < planes_; ++p) result = joined<D>(result, plane(rows, c, p));
    return result;
  }

 private:
  [[nodiscard]] HWY_INLINE V plane(const Rows& rows, std::size_t c, std::size_t p) const {
    const Bits d;
    return hn::Xor(hn::Load(d, rows.first + p * hn::Lanes(d)),
                   hn::LoadU(d, window_ + (c * planes_ + p) * window_words));
  }

  const std::uint64_t* window_;
  std::size_t planes_;
};

}  // namespace warpfold::sequence::slices::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard
