#include "sequence/advance_points.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sequence/advance_points.cpp"
#include <hwy/foreach_target.h>  // compiles the rest of this file once for every instruction set
#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "sequence/furthest_reaching.hpp"

HWY_BEFORE_NAMESPACE();
namespace warpfold::sequence::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// How many symbols are equal at the beginning of two words of 8, whose bits differ in `different`.
#if HWY_TARGET == HWY_SCALAR || HWY_IS_BIG_ENDIAN
using Lanes = hn::CappedTag<std::int64_t, 1>;
using V = hn::Vec<Lanes>;

HWY_INLINE V equal_symbols(V different) {
  return hn::Set(Lanes(), equal_bits(static_cast<std::uint64_t>(hn::GetLane(different))) / 8);
}
#else
using Lanes = hn::CappedTag<std::int64_t, points_of_vector>;
using V = hn::Vec<Lanes>;

HWY_INLINE V equal_symbols(V different) {
  const Lanes d;
  const V before = hn::AndNot(different, hn::Sub(different, hn::Set(d, 1)));  // the bits before the first difference
  const V each = hn::And(hn::ShiftRight<7>(before), hn::Set(d, 0x0101010101010101));
  return hn::BitCast(d, hn::SumsOf8(hn::BitCast(hn::Repartition<std::uint8_t, Lanes>(), each)));
}
#endif

/// The 8 symbols from each position on.
HWY_INLINE V symbols_from(const std::uint8_t* sequence, V at) {
#if HWY_TARGET == HWY_SCALAR  // whose gathers need aligned places
  std::int64_t symbols;
  std::memcpy(&symbols, sequence + hn::GetLane(at), sizeof symbols);
  return hn::Set(Lanes(), symbols);
#else
  return hn::GatherOffset(Lanes(), reinterpret_cast<const std::int64_t*>(sequence), at);
#endif
}

/// Follows further equal symbols of the lanes whose first 8 are equal, which are few.
HWY_INLINE void slide_on(const Points& points, std::int64_t at, hn::Mask<Lanes> goes_on) {
  std::uint8_t bits[8] = {};
  hn::StoreMaskBits(Lanes(), goes_on, bits);
  for (unsigned left = bits[0]; left != 0; left &= left - 1) {
    const std::int64_t lane = at + std::countr_zero(left);
    const std::int64_t i = points.next[lane], k = points.first + lane * points.step;
    points.next[lane] = i + common_prefix(points.a + i, points.b + (i - k), std::min(points.n - i, points.m + k - i));
  }
}

void advance(const Points& all) {
  const Points points = all;  // or the compiler loads its members again after every store
  const Lanes d;
  const V zero = hn::Zero(d), one = hn::Set(d, 1), n = hn::Set(d, points.n), m = hn::Set(d, points.m);
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  alignas(64) std::int64_t diagonals[points_of_vector];
  for (std::int64_t lane = 0; lane < lanes; ++lane) diagonals[lane] = points.first + lane * points.step;
  V k = hn::Load(d, diagonals);
  const V further = hn::Set(d, lanes * points.step);
  for (std::int64_t at = 0; at < points.count; at += lanes, k = hn::Add(k, further)) {
    V from = hn::Add(hn::LoadU(d, points.lower + at), one);
    if (points.same) from = hn::Max(from, hn::Add(hn::LoadU(d, points.same + at), one));
    const V most = hn::Min(n, hn::Add(m, k));
    from = hn::Min(hn::Max(from, hn::LoadU(d, points.higher + at)), most);
    const auto is_reached = hn::Not(hn::Lt(from, hn::Max(k, zero)));
    const V i = hn::IfThenElseZero(is_reached, from);
    const V different =
        hn::Xor(symbols_from(points.a, i), symbols_from(points.b, hn::IfThenElseZero(is_reached, hn::Sub(from, k))));
    const V to = hn::Min(hn::Add(from, equal_symbols(different)), most);
    hn::StoreU(hn::IfThenElse(is_reached, to, hn::Set(d, unreached)), d, points.next + at);
    const auto goes_on = hn::And(hn::And(hn::Eq(different, zero), is_reached), hn::Lt(to, most));
    if (HWY_UNLIKELY(!hn::AllFalse(d, goes_on))) slide_on(points, at, goes_on);
  }
}

AdvancePoints advance_function() { return advance; }

}  // namespace warpfold::sequence::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace warpfold::sequence {

HWY_EXPORT(advance_function);

AdvancePoints advance_points() { return HWY_DYNAMIC_DISPATCH(advance_function)(); }

}  // namespace warpfold::sequence
#endif
