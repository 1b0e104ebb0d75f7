// The energies of loops that are listed for two pairs and the bases between, for the instruction set being compiled.
#if defined(WARPFOLD_RNA_LISTED_LOOPS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef WARPFOLD_RNA_LISTED_LOOPS_INL_H_
#undef WARPFOLD_RNA_LISTED_LOOPS_INL_H_
#else
#define WARPFOLD_RNA_LISTED_LOOPS_INL_H_
#endif

#include <hwy/highway.h>

#include <bit>
#include <cstddef>
#include <cstdint>

#include "rna/row_kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace warpfold::rna::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// The lanes whose bit is set. At most 16 lanes.
template <class D>
HWY_INLINE hn::Mask<D> lanes_of(D d, std::uint64_t bits) {
  const auto bit = hn::Shl(hn::Set(d, 1), hn::Iota(d, 0));
  return hn::TestBit(hn::Set(d, static_cast<hn::TFromD<D>>(bits & 0xFFFF)), bit);
}

/// The energies, by columns.
struct ListedLoops {
  alignas(64) Energy of_11[tiles::tile_side], of_12[tiles::tile_side], of_21[tiles::tile_side], of_22[tiles::tile_side];
};

/// Lists them for the columns that may pair: their places by vectors, and then their energies one by one. Gathers of
/// all columns took 3 % longer for 1,000 bases.
HWY_INLINE void list_loops(const LoopTables& n, const RowEnergies& e, std::size_t begin, std::size_t end,
                           ListedLoops& loops) {
  const hn::CappedTag<Energy, 16> d;
  constexpr std::size_t lanes = hn::MaxLanes(d);
  const auto times_plus = [](auto a, auto b, auto c) HWY_ATTR { return hn::Add(hn::Mul(a, b), c); };
  const auto five = hn::Set(d, 5), six = hn::Set(d, 6), square = hn::Set(d, 25);
  const auto place_1 = hn::Set(d, 5 * e.base_1), place_12 = hn::Set(d, 5 * e.base_1 + e.base_2);
  for (std::size_t c = begin / lanes * lanes; c < end; c += lanes) {
    const auto outer = hn::LoadU(d, e.outer_kind + c), outer_6 = hn::Mul(six, outer);
    const auto base = hn::LoadU(d, e.base + c), bases = hn::LoadU(d, e.bases + c);
    const auto at_11 = hn::Add(outer_6, hn::LoadU(d, e.kind_2 - 2 + c));
    const auto at_12 = hn::Add(hn::Add(outer_6, hn::LoadU(d, e.kind_2 - 3 + c)), place_1);
    const auto at_21 = hn::Add(times_plus(six, hn::LoadU(d, e.kind_3 - 2 + c), outer), hn::Mul(five, base));
    const auto at_22 = hn::Add(hn::Add(outer_6, hn::LoadU(d, e.kind_3 - 3 + c)), place_12);
    hn::Store(hn::Add(hn::Add(at_11, place_1), base), d, loops.of_11 + c);
    hn::Store(times_plus(five, at_12, bases), d, loops.of_12 + c);
    hn::Store(times_plus(five, at_21, place_12), d, loops.of_21 + c);
    hn::Store(times_plus(square, at_22, bases), d, loops.of_22 + c);
  }
  for (std::uint64_t columns = e.may_pair; columns != 0; columns &= columns - 1) {
    const auto c = static_cast<std::size_t>(std::countr_zero(columns));
    loops.of_11[c] = n.interior_11.values[static_cast<std::size_t>(loops.of_11[c])];
    loops.of_12[c] = n.interior_21.values[static_cast<std::size_t>(loops.of_12[c])];
    loops.of_21[c] = n.interior_21.values[static_cast<std::size_t>(loops.of_21[c])];
    loops.of_22[c] = n.interior_22.values[static_cast<std::size_t>(loops.of_22[c])];
  }
}

}  // namespace warpfold::rna::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard
