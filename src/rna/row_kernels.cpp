#include "rna/row_kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "rna/row_kernels.cpp"
#include <hwy/foreach_target.h>  // compiles the rest of this file once for every instruction set

#include <algorithm>

#include "rna/listed_loops-inl.h"

HWY_BEFORE_NAMESPACE();
namespace warpfold::rna::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<Energy, 16>;
using V = hn::Vec<D>;
using Values = interval::detail::Stored<MinPlus<Energy>>;
constexpr std::size_t side = tiles::tile_side, lanes = hn::MaxLanes(D());

/// Values as they are stored: zero() for those that are infinite. Adds to `wrong` the lanes that are not accepted.
HWY_INLINE V accepted(V value, hn::Mask<D>& wrong) {
  const D d;
  const auto is_infinite = hn::Gt(value, hn::Set(d, Values::infinite_from - 1));
  wrong = hn::Or(wrong, hn::AndNot(is_infinite, hn::Gt(hn::Abs(value), hn::Set(d, Values::largest))));
  return hn::IfThenElse(is_infinite, hn::Set(d, Values::zero()), value);
}

/// The first column of the vectors that have intervals.
inline std::size_t first_column(const interval::GrammarRow<Energy>& row) { return row.begin / lanes * lanes; }

/// The least energies of the loops that a pair closes, from column c on. `hairpin`: those of the hairpins.
HWY_INLINE V least_of_loops(const CommonEnergies& all, const RowEnergies& e, const ListedLoops& listed,
                            const FoldingTables& tables, const interval::GrammarRow<Energy>& row, V hairpin,
                            std::size_t c) {
  const D d;
  const auto helix = [&](std::size_t left, std::size_t right)
                         HWY_ATTR { return hn::LoadU(d, row.inside(tables.helix, 1 + left) + c - 1 - right); };
  const auto list = [&](const Energy* values) HWY_ATTR { return hn::LoadU(d, values + c); };
  V least = hairpin;
  const auto add = [&](V inside, auto... energies) HWY_ATTR {
    ((inside = hn::Add(inside, energies)), ...);
    least = hn::Min(least, inside);
  };
  add(hn::LoadU(d, row.inside(tables.paired, 1) + c - 1), list(e.stack), list(e.stack_right), hn::Set(d, e.stack_left));
  const V bulge = hn::Set(d, all.bulge_1);
  add(helix(0, 1), list(e.bulge_right), bulge);
  add(helix(1, 0), list(e.bulge_left), bulge);
  add(helix(1, 1), hn::Load(d, listed.of_11 + c));
  add(helix(1, 2), hn::Load(d, listed.of_12 + c));
  add(helix(2, 1), hn::Load(d, listed.of_21 + c));
  add(helix(2, 2), hn::Load(d, listed.of_22 + c));
  const V outer_23 = hn::Add(list(e.outer_23), hn::Set(d, all.loop_23));
  add(helix(2, 3), list(e.inner_23 - 4), outer_23);
  add(helix(3, 2), list(e.inner_32 - 3), outer_23);
  for (std::size_t s = 0; s < summed_kinds; ++s) add(hn::LoadU(d, row.stencils[s] + c), list(e.outer[s]));
  add(hn::LoadU(d, row.inside(tables.branches, 1) + c - 1), list(e.multi_closing));
  return least;
}

/// Finishes the tables of pairs of a row.
HWY_INLINE void close_pairs(const CommonEnergies& all, const RowEnergies& e, const FoldingTables& tables,
                            const interval::GrammarRow<Energy>& row, const ListedHairpins<Energy>& hairpins,
                            hn::Mask<D>& wrong) {
  const D d;
  const V none = hn::Set(d, Values::zero());
  alignas(64) Energy of_hairpins[side];
  for (std::size_t c = first_column(row); c < row.end; c += lanes) {
    hn::Store(hn::Add(hn::LoadU(d, e.initiation + c), hn::LoadU(d, e.hairpin + c)), d, of_hairpins + c);
  }
  hairpins.put_into(of_hairpins);
  ListedLoops listed;
  list_loops(*all.numbers, e, row.begin, row.end, listed);
  for (std::size_t c = first_column(row); c < row.end; c += lanes) {
    const auto may_pair = lanes_of(d, e.may_pair >> c);
    const V least = least_of_loops(all, e, listed, tables, row, hn::Load(d, of_hairpins + c), c);
    hn::Store(accepted(hn::IfThenElse(may_pair, least, none), wrong), d, row.values[tables.paired] + c);
    if (tables.helix == tables.paired) continue;
    const V stack =
        hn::Add(hn::Add(hn::LoadU(d, e.stack + c), hn::LoadU(d, e.stack_right + c)), hn::Set(d, e.stack_left));
    const V helix = hn::Add(stack, hn::LoadU(d, row.inside(tables.paired, 1) + c - 1));
    hn::Store(accepted(hn::IfThenElse(may_pair, helix, none), wrong), d, row.values[tables.helix] + c);
  }
}

/// sums[c] = min(sums[c], min over k of from[k] + values[k][c]), first <= k, c < end, for a tile whose rows have no
/// values up to the diagonal.
HWY_INLINE void add_triangle(const Energy* from, const Energy* values, std::size_t first, std::size_t end,
                             Energy* sums) {
  const D d;
  constexpr std::size_t vectors = std::min<std::size_t>(side / lanes, 4), wide = vectors * lanes;
  const auto add = [=](V(&sum)[vectors], std::size_t k, std::size_t c, std::size_t first_vector) HWY_ATTR {
    const V left = hn::Set(d, from[k]);
#pragma GCC unroll 4
    for (std::size_t v = first_vector; v < vectors; ++v) {
      sum[v] = hn::Min(sum[v], hn::Add(left, hn::Load(d, values + k * side + c + v * lanes)));
    }
  };
  for (std::size_t c = first / wide * wide; c < end; c += wide) {
    V sum[vectors];
#pragma GCC unroll 4
    for (std::size_t v = 0; v < vectors; ++v) sum[v] = hn::Load(d, sums + c + v * lanes);
    for (std::size_t k = first; k < c; ++k) add(sum, k, c, 0);
#pragma GCC unroll 4
    for (std::size_t v = 0; v < vectors; ++v) {
      const std::size_t last = std::min(end, c + (v + 1) * lanes);
      for (std::size_t k = std::max(first, c + v * lanes); k < last; ++k) add(sum, k, c, v);
    }
#pragma GCC unroll 4
    for (std::size_t v = 0; v < vectors; ++v) hn::Store(sum[v], d, sums + c + v * lanes);
  }
}

/// values[c] = min over k <= c of values[k] + (c - k) * step, in the order of the columns.
HWY_INLINE V add_steps(V values, V before, Energy step) {
  const D d;
  for (std::size_t far = 1; far < lanes; far *= 2) {
    const V lane = hn::Iota(d, 0), distance = hn::Set(d, static_cast<Energy>(far));
    const auto from = hn::IndicesFromVec(d, hn::Max(hn::Sub(lane, distance), hn::Zero(d)));
    const V stepped = hn::Add(hn::TableLookupLanes(values, from), hn::Set(d, static_cast<Energy>(far) * step));
    values = hn::Min(values, hn::IfThenElse(hn::Gt(distance, lane), values, stepped));
  }
  return hn::Min(values, hn::Add(before, hn::Mul(hn::Iota(d, 1), hn::Set(d, step))));
}

/// Finishes branches and stems.
///
/// Let x(k) be the least of the terms of stems(i,k) that read no interval (i,m) of these columns. The stems between the
/// columns are final: stems(k,j) <= stems(k,m) + stems(m,j), and stems(k,j) <= stems(k,j-1) + multi_base. So
///
///     branches(i,j) = min(sum so far, min over k of x(k) + stems(k,j)),
///     stems(i,j) = min(branches(i,j), min over k <= j of x(k) + (j - k) * multi_base),
///
/// and no column waits for the one before it.
HWY_INLINE void close_stems(const CommonEnergies& all, const RowEnergies& e, const FoldingTables& tables,
                            const interval::GrammarRow<Energy>& row, hn::Mask<D>& wrong) {
  const D d;
  alignas(64) Energy first[side], sums[side];
  std::copy_n(row.products[0], side, sums);
  const V step = hn::Set(d, all.multi_base);
  for (std::size_t c = first_column(row); c < row.end; c += lanes) {
    const V sum = hn::Load(d, sums + c);
    const V stem = hn::Add(hn::LoadU(d, e.multi_branch + c), hn::Load(d, row.values[tables.helix] + c));
    const V shorter = hn::Add(hn::LoadU(d, row.inside(tables.stems, 1) + c), step);
    hn::Store(accepted(hn::Min(sum, hn::Min(stem, shorter)), wrong), d, first + c);
  }
  if (row.begin == 0) first[0] = std::min(first[0], row.inside(tables.stems, 0)[-1] + all.multi_base);
  add_triangle(first, row.right[0], first_column(row), row.end, sums);
  V before = hn::Set(d, Values::zero());
  const auto last = hn::IndicesFromVec(d, hn::Set(d, static_cast<Energy>(lanes - 1)));
  for (std::size_t c = first_column(row); c < row.end; c += lanes) {
    const V branches = accepted(hn::Load(d, sums + c), wrong);
    V stems = accepted(add_steps(hn::Min(branches, hn::Load(d, first + c)), before, all.multi_base), wrong);
    before = hn::TableLookupLanes(stems, last);
    const auto exists = hn::FirstN(d, row.end - c);
    hn::Store(branches, d, row.values[tables.branches] + c);
    hn::Store(hn::IfThenElse(exists, stems, hn::Set(d, Values::zero())), d, row.values[tables.stems] + c);
  }
}

bool close_row(const CommonEnergies& all, const RowEnergies& energies, const FoldingTables& tables,
               const interval::GrammarRow<Energy>& row, const ListedHairpins<Energy>& hairpins) {
  hn::Mask<D> wrong = hn::FirstN(D(), 0);
  close_pairs(all, energies, tables, row, hairpins, wrong);
  close_stems(all, energies, tables, row, wrong);
  return hn::AllFalse(D(), wrong);
}

void weigh_row(const Energy* values, const Energy* weights, std::size_t count, Energy* weighted) {
  const D d;
  const V none = hn::Set(d, Values::zero());
  const auto weigh = [&](std::size_t t) HWY_ATTR {
    const V sum = hn::Add(hn::LoadU(d, values + t), hn::LoadU(d, weights + t));
    const auto is_infinite = hn::Gt(sum, hn::Set(d, Values::infinite_from - 1));
    hn::StoreU(hn::IfThenElse(is_infinite, none, sum), d, weighted + t);
  };
  for (std::size_t t = 0; t + lanes < count; t += lanes) weigh(t);
  weigh(count - lanes);  // some of them again
}

void add_pairs(Energy before, const Energy* values, const Energy* adds, std::size_t count, Energy* least) {
  const D d;
  const V first = hn::Set(d, before);
  for (std::size_t t = 0; t + lanes <= count; t += lanes) {
    const V sum = hn::Add(hn::Add(first, hn::LoadU(d, values + t)), hn::LoadU(d, adds + t));
    hn::StoreU(hn::Min(hn::LoadU(d, least + t), sum), d, least + t);
  }
  for (std::size_t t = count / lanes * lanes; t < count; ++t) {
    least[t] = std::min(least[t], before + values[t] + adds[t]);
  }
}

RowKernels row_kernels() { return {close_row, weigh_row, add_pairs}; }

}  // namespace warpfold::rna::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace warpfold::rna {

HWY_EXPORT(row_kernels);

RowKernels row_kernels() { return HWY_DYNAMIC_DISPATCH(row_kernels)(); }

}  // namespace warpfold::rna
#endif
