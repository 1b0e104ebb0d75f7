#include "rna/sum_kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "rna/sum_kernels.cpp"
#include <hwy/foreach_target.h>  // compiles the rest of this file once for every instruction set

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "rna/listed_loops-inl.h"
#include "tiles/cpu/fused_sums-inl.h"
#include "warpfold/interval/detail/tile_scales.hpp"

HWY_BEFORE_NAMESPACE();
namespace warpfold::rna::HWY_NAMESPACE {
namespace sums {

using tiles::HWY_NAMESPACE::fused;
using D = hn::ScalableTag<double>;
using V = hn::Vec<D>;
using Energies = hn::Rebind<Energy, D>;
using Places = hn::Rebind<std::int64_t, D>;
constexpr std::size_t side = tiles::tile_side, lanes = hn::MaxLanes(D());

/// What takes the place of products that are lost, in a form for vectors (interval/detail/tile_scales.hpp).
HWY_INLINE V with_trace(V product) {
  const D d;
  const auto trace = hn::Max(product, hn::Set(d, interval::detail::trace));
  return hn::IfThenElseZero(hn::Gt(product, hn::Zero(d)), trace);
}
inline double with_trace(double product) { return interval::detail::with_trace(product, 1); }

/// Adds to `wrong` the lanes whose values are neither 0 nor accepted.
HWY_INLINE void check(V value, hn::Mask<D>& wrong) {
  const D d;
  const auto is_accepted = hn::And(hn::Ge(value, hn::Set(d, interval::detail::smallest_value)),
                                   hn::Le(value, hn::Set(d, interval::detail::largest_value)));
  wrong = hn::Or(wrong, hn::Not(hn::Or(is_accepted, hn::Eq(value, hn::Zero(d)))));
}

HWY_INLINE V weights_of(const WeightList& weights, hn::Vec<Energies> energies) {
  const auto listed = hn::Min(energies, hn::Set(Energies(), weights.listed + 1));
  return hn::GatherIndex(D(), weights.of_none, hn::PromoteTo(Places(), listed));
}

/// One row that is closed.
struct Row {
  const CommonEnergies& all;
  const RowEnergies& energies;
  const WeightList& weights;
  double multi_base;
  const double* long_loops;
  const SumTables& tables;
  const interval::GrammarRow<double>& row;

  [[nodiscard]] std::size_t first() const { return row.begin / lanes * lanes; }
};

/// The weights of the hairpins, in the unit of the row.
HWY_INLINE void weigh_hairpins(const Row& r, const ListedHairpins<double>& hairpins, double* weights) {
  const D d;
  const Energies de;
  for (std::size_t c = r.first(); c < r.row.end; c += lanes) {
    const auto energy = hn::Add(hn::LoadU(de, r.energies.initiation + c), hn::LoadU(de, r.energies.hairpin + c));
    hn::Store(hn::Mul(weights_of(r.weights, energy), hn::LoadU(d, r.long_loops + c)), d, weights + c);
  }
  hairpins.put_into(weights);
  for (std::size_t c = r.first(); c < r.row.end; c += lanes) {
    hn::Store(with_trace(hn::Mul(hn::Load(d, weights + c), hn::Set(d, r.row.one))), d, weights + c);
  }
}

/// The sum over the loops that a pair closes, from column c on, in the order of the grammar's terms.
HWY_INLINE V sum_of_loops(const Row& r, const ListedLoops& listed, V hairpin, hn::Mask<Energies> may_pair,
                          std::size_t c) {
  const D d;
  const Energies de;
  const RowEnergies& e = r.energies;
  const auto none = hn::Set(de, r.weights.listed + 1);
  const auto list = [&](const Energy* values) HWY_ATTR { return hn::LoadU(de, values + c); };
  const auto inside = [&](unsigned table, std::size_t left, std::size_t right)
                          HWY_ATTR { return hn::LoadU(d, r.row.inside(table, 1 + left) + c - 1 - right); };
  const auto helix = [&](std::size_t left, std::size_t right) HWY_ATTR { return inside(r.tables.helix, left, right); };
  V sum = hairpin;
  const auto add = [&](V of_inside, auto energy, auto... energies) HWY_ATTR {
    ((energy = hn::Add(energy, energies)), ...);
    const V weight = weights_of(r.weights, hn::IfThenElse(may_pair, energy, none));
    sum = hn::Add(sum, with_trace(hn::Mul(weight, of_inside)));
  };
  add(inside(r.tables.paired, 0, 0), list(e.stack), list(e.stack_right), hn::Set(de, e.stack_left));
  const auto bulge = hn::Set(de, r.all.bulge_1);
  add(helix(0, 1), list(e.bulge_right), bulge);
  add(helix(1, 0), list(e.bulge_left), bulge);
  add(helix(1, 1), list(listed.of_11));
  add(helix(1, 2), list(listed.of_12));
  add(helix(2, 1), list(listed.of_21));
  add(helix(2, 2), list(listed.of_22));
  const auto outer_23 = hn::Add(list(e.outer_23), hn::Set(de, r.all.loop_23));
  add(helix(2, 3), list(e.inner_23 - 4), outer_23);
  add(helix(3, 2), list(e.inner_32 - 3), outer_23);
  for (std::size_t s = 0; s < summed_kinds; ++s) add(hn::LoadU(d, r.row.stencils[s] + c), list(e.outer[s]));
  add(inside(r.tables.branches, 0, 0), list(e.multi_closing));
  return sum;
}

/// Finishes the tables of pairs of a row.
HWY_INLINE void close_pairs(const Row& r, const ListedHairpins<double>& hairpins, hn::Mask<D>& wrong) {
  const D d;
  const Energies de;
  const RowEnergies& e = r.energies;
  alignas(64) double of_hairpins[side];
  weigh_hairpins(r, hairpins, of_hairpins);
  ListedLoops listed;
  list_loops(*r.all.numbers, e, r.row.begin, r.row.end, listed);
  for (std::size_t c = r.first(); c < r.row.end; c += lanes) {
    const auto may_pair = lanes_of(de, e.may_pair >> c);
    const auto pairs = hn::RebindMask(d, lanes_of(Places(), e.may_pair >> c));
    const V sum = sum_of_loops(r, listed, hn::Load(d, of_hairpins + c), may_pair, c);
    const V paired = hn::IfThenElseZero(pairs, sum);
    check(paired, wrong);
    hn::Store(paired, d, r.row.values[r.tables.paired] + c);
    if (r.tables.helix == r.tables.paired) continue;
    const auto stack =
        hn::Add(hn::Add(hn::LoadU(de, e.stack + c), hn::LoadU(de, e.stack_right + c)), hn::Set(de, e.stack_left));
    const V inside = hn::LoadU(d, r.row.inside(r.tables.paired, 1) + c - 1);
    const V helix = hn::IfThenElseZero(pairs, with_trace(hn::Mul(weights_of(r.weights, stack), inside)));
    check(helix, wrong);
    hn::Store(helix, d, r.row.values[r.tables.helix] + c);
  }
}

/// The columns that are finished one by one. A branch has five points or more, so the sums over the splits of a column
/// are final before those of three columns to its left.
constexpr std::size_t group = 4;

/// sums[c] += values[k] * right[k][c] for the columns k of a group and those after it. Those of the group are 0 there.
HWY_INLINE void add_splits(const double* values, const double* right, std::size_t first, std::size_t end,
                           double* sums) {
  const D d;
  for (std::size_t c = (first + group) / lanes * lanes; c < end; c += lanes) {
    V sum = hn::Load(d, sums + c);
#pragma GCC unroll 4
    for (std::size_t k = first; k < first + group; ++k) {
      sum = fused(sum, hn::Set(d, values[k]), hn::Load(d, right + k * side + c));
    }
    hn::Store(sum, d, sums + c);
  }
}

/// The values of branches and of the tables that they are made of.
struct Branches {
  alignas(64) double last[side] = {}, single[side] = {}, branches[side] = {}, stems[side] = {};
};

/// Finishes the tables of branches of a row.
HWY_INLINE void close_branches(const Row& r, Branches& found) {
  const D d;
  const Energies de;
  const V base = hn::Set(d, r.multi_base);
  alignas(64) double begins[side], from_below[side], sums[side];
  std::copy_n(r.row.products[0], side, sums);
  for (std::size_t c = r.first(); c < r.row.end; c += lanes) {
    const V branch = weights_of(r.weights, hn::LoadU(de, r.energies.multi_branch + c));
    hn::Store(with_trace(hn::Mul(branch, hn::Load(d, r.row.values[r.tables.helix] + c))), d, begins + c);
    hn::Store(with_trace(hn::Mul(base, hn::LoadU(d, r.row.inside(r.tables.single, 1) + c))), d, from_below + c);
  }
  double before = r.row.begin == 0 ? r.row.inside(r.tables.last, 0)[-1] : 0;
  for (std::size_t first = r.row.begin / group * group; first < r.row.end; first += group) {
    for (std::size_t c = std::max(first, r.row.begin); c < std::min(first + group, r.row.end); ++c) {
      // A value of this row times an accepted weight is more than a trace.
      const double longer = r.multi_base * before;
      found.last[c] = before = begins[c] + (c == 0 ? with_trace(longer) : longer);
      found.single[c] = before + from_below[c];
      found.branches[c] = sums[c];
      found.stems[c] = found.single[c] + sums[c];
    }
    add_splits(found.stems, r.row.right[0], first, r.row.end, sums);
  }
}

bool close_row(const CommonEnergies& all, const RowEnergies& energies, const WeightList& weights, double multi_base,
               const double* long_loops, const SumTables& tables, const interval::GrammarRow<double>& row,
               const ListedHairpins<double>& hairpins) {
  const D d;
  const Row r{all, energies, weights, multi_base, long_loops, tables, row};
  hn::Mask<D> wrong = hn::FirstN(d, 0);
  close_pairs(r, hairpins, wrong);
  Branches found;
  close_branches(r, found);
  const auto put = [&](const double* values, unsigned table) HWY_ATTR {
    for (std::size_t c = 0; c < side; c += lanes) {
      const V value = hn::Load(d, values + c);
      check(value, wrong);
      hn::Store(value, d, row.values[table] + c);
    }
  };
  put(found.last, tables.last);
  put(found.single, tables.single);
  put(found.branches, tables.branches);
  put(found.stems, tables.stems);
  return hn::AllFalse(d, wrong);
}

void weigh_row(const double* values, const Energy* energies, const WeightList& weights, std::size_t count,
               double* weighted) {
  const D d;
  const auto weigh = [&](std::size_t t) HWY_ATTR {
    const V weight = weights_of(weights, hn::LoadU(Energies(), energies + t));
    hn::StoreU(hn::Mul(hn::LoadU(d, values + t), weight), d, weighted + t);
  };
  for (std::size_t t = 0; t + lanes < count; t += lanes) weigh(t);
  weigh(count - lanes);  // some of them again
}

/// A row of outside values.
struct GivenRow {
  const CommonEnergies& all;
  const RowEnergies& energies;
  const std::array<const Energy*, summed_kinds>& inner;
  const WeightList& weights;
  double multi_base;
  const SumTables& tables;
  const interval::detail::OutsideRow& row;
};

/// left[k] += outside[c] * turned[c][k] for the columns c of a block and all k before it, c ascending.
HWY_INLINE void add_turned(const double* outside, const double* turned, std::size_t first, double* left) {
  constexpr std::size_t block = tiles::block_side;
  const hn::CappedTag<double, block> d;
  for (std::size_t k = 0; k < first; k += hn::MaxLanes(d)) {
    auto sum = hn::LoadU(d, left + k);
#pragma GCC unroll 8
    for (std::size_t c = first; c < first + block; ++c) {
      sum = fused(sum, hn::Set(d, outside[c]), hn::Load(d, turned + c * side + k));
    }
    hn::StoreU(sum, d, left + k);
  }
}

/// Finds the outside values of branches and of the tables that they are made of, from the right. `last` gets those of
/// the table `last`, from the right, too.
HWY_INLINE void find_outside_branches(const GivenRow& r, double* last) {
  constexpr std::size_t block = tiles::block_side;
  const auto& row = r.row;
  double* const left = row.left[0];
  double* const outside = row.outside[0];
  const double* const right = row.right[0];
  const double* const turned = row.turned[0];
  double* const stems = row.out[r.tables.stems];
  double* const branches = row.out[r.tables.branches];
  double* const single = row.out[r.tables.single];
  double* const of_last = row.out[r.tables.last];
  const double* const to_branches = row.given(r.tables.branches, 0);
  const double* const to_single = row.given(r.tables.single, 0);
  const double* const to_last = row.given(r.tables.last, 0);
  double* const below = row.given(r.tables.single, 1);
  double from_right = 0;
  const auto find = [&](std::size_t first, std::size_t end) {
    for (std::size_t c = end; c-- > first;) {
      const std::size_t x = side - 1 - c;
      stems[c] += left[c];
      branches[c] = branches[c] + to_branches[x] + stems[c];
      single[c] = single[c] + to_single[x] + stems[c];
      outside[c] += branches[c];
      below[x] += single[c] * r.multi_base;
      last[x] = of_last[c] = of_last[c] + (to_last[x] + from_right) + right[c] + single[c];
      from_right = of_last[c] * r.multi_base;
    }
  };
  for (std::size_t first = side; first > row.begin / block * block;) {
    first -= block;
    const std::size_t begin = std::max(first, row.begin), end = std::min(first + block, row.end);
    const std::size_t middle = std::clamp(first + group, begin, std::max(begin, end));
    if (begin >= end) continue;
    find(middle, end);
    for (std::size_t k = 0; k + group < block; ++k) {  // a branch has five points or more
      for (std::size_t c = block; c-- > k + group + 1;) {
        left[first + k] = std::fma(outside[first + c], turned[(first + c) * side + first + k], left[first + k]);
      }
    }
    find(begin, middle);
    add_turned(outside, turned, first, left);
  }
  if (row.begin == 0) row.given(r.tables.last, 0)[side] += from_right;
}

/// The parts that a row gives, from the right, between zeros.
struct Parts {
  static constexpr std::size_t pad = 8;
  alignas(64) double values[pad + side + 2 * pad] = {};

  HWY_INLINE void put(V part, std::size_t x) { hn::Store(part, D(), values + pad + x); }
  /// What the entry x gets from those b to the right.
  HWY_INLINE V at(std::size_t x, std::size_t b) const { return hn::LoadU(D(), values + pad + x - b); }
};

/// The parts for each of the loops that are not sums, by small_loops.
struct LoopParts {
  Parts of[small_loops.size()], helix, branches;
};

/// Finds the outside values of pairs, and their parts.
HWY_INLINE void find_outside_pairs(const GivenRow& r, const double* last, LoopParts& parts) {
  const D d;
  const Energies de;
  const RowEnergies& e = r.energies;
  const auto& row = r.row;
  const bool has_lone = r.tables.helix == r.tables.paired;
  ListedLoops listed;
  list_loops(*r.all.numbers, e, row.begin, row.end, listed);
  const auto none = hn::Set(de, r.weights.listed + 1);
  for (std::size_t c = row.begin / lanes * lanes; c < row.end; c += lanes) {
    const std::size_t x = side - lanes - c;
    const auto may_pair = lanes_of(de, e.may_pair >> c);
    const auto pairs = hn::RebindMask(d, lanes_of(Places(), e.may_pair >> c));
    // Vectors are from the right.
    const auto list = [&](const Energy* values) HWY_ATTR { return hn::LoadU(de, values + c); };
    const auto weight = [&](auto energy, auto... energies) HWY_ATTR {
      ((energy = hn::Add(energy, energies)), ...);
      return weights_of(r.weights, hn::Reverse(de, hn::IfThenElse(may_pair, energy, none)));
    };
    const auto seed = [&](unsigned table) HWY_ATTR { return hn::Reverse(d, hn::Load(d, row.out[table] + c)); };
    const auto put = [&](V value, unsigned table) HWY_ATTR {
      value = hn::Reverse(d, value);
      value = hn::IfThenElseZero(pairs, value);
      hn::Store(value, d, row.out[table] + c);
      return hn::Reverse(d, value);
    };
    V helix = hn::Add(seed(r.tables.helix), hn::LoadU(d, row.given(r.tables.helix, 0) + x));
    for (std::size_t s = 0; s < summed_kinds; ++s) {
      helix = hn::Add(helix, hn::Mul(hn::LoadU(d, row.around[s] + x), weight(list(r.inner[s]))));
    }
    helix = put(hn::Add(helix, hn::Mul(hn::Load(d, last + x), weight(list(e.multi_branch)))), r.tables.helix);
    V paired = helix;
    const V stack = weight(list(e.stack), list(e.stack_right), hn::Set(de, e.stack_left));
    if (!has_lone) {
      paired = put(hn::Add(seed(r.tables.paired), hn::LoadU(d, row.given(r.tables.paired, 0) + x)), r.tables.paired);
      parts.helix.put(hn::Mul(helix, stack), x);
    }
    const auto give = [&](std::size_t loop, V by) HWY_ATTR { parts.of[loop].put(hn::Mul(paired, by), x); };
    const auto bulge = hn::Set(de, r.all.bulge_1);
    const auto outer_23 = hn::Add(list(e.outer_23), hn::Set(de, r.all.loop_23));
    give(0, stack);
    give(1, weight(list(e.bulge_right), bulge));
    give(2, weight(list(e.bulge_left), bulge));
    give(3, weight(list(listed.of_11)));
    give(4, weight(list(listed.of_12)));
    give(5, weight(list(listed.of_21)));
    give(6, weight(list(listed.of_22)));
    give(7, weight(list(e.inner_23 - 4), outer_23));
    give(8, weight(list(e.inner_32 - 3), outer_23));
    parts.branches.put(hn::Mul(paired, weight(list(e.multi_closing))), x);
    for (std::size_t s = 0; s < summed_kinds; ++s) {
      hn::StoreU(hn::Mul(paired, weight(list(e.outer[s]))), d, row.of_stencils[s] + x);
    }
  }
}

/// Adds the parts of a row to what the intervals inside were given: those from the right first.
HWY_INLINE void give_parts(const GivenRow& r, const LoopParts& parts) {
  const D d;
  const auto& row = r.row;
  const bool has_lone = r.tables.helix == r.tables.paired;
  const auto& of = parts.of;  // 0x0 0x1 1x0 1x1 1x2 2x1 2x2 2x3 3x2
  const auto add = [&](unsigned table, std::size_t a, std::size_t x, V sum) HWY_ATTR {
    double* to = row.given(table, a) + x;
    hn::StoreU(hn::Add(hn::LoadU(d, to), sum), d, to);
  };
  for (std::size_t x = 0; x < side + Parts::pad; x += lanes) {
    const V stack = of[0].at(x, 1), bulge = of[1].at(x, 2);
    if (has_lone) add(r.tables.helix, 1, x, hn::Add(bulge, stack));
    if (!has_lone) add(r.tables.helix, 1, x, bulge);
    if (!has_lone) add(r.tables.paired, 1, x, hn::Add(parts.helix.at(x, 1), stack));
    add(r.tables.branches, 1, x, parts.branches.at(x, 1));
    add(r.tables.helix, 2, x, hn::Add(hn::Add(of[4].at(x, 3), of[3].at(x, 2)), of[2].at(x, 1)));
    add(r.tables.helix, 3, x, hn::Add(hn::Add(of[7].at(x, 4), of[6].at(x, 3)), of[5].at(x, 2)));
    add(r.tables.helix, 4, x, of[8].at(x, 3));
  }
}

void outside_row(const CommonEnergies& all, const RowEnergies& energies,
                 const std::array<const Energy*, summed_kinds>& inner, const WeightList& weights, double multi_base,
                 const SumTables& tables, const interval::detail::OutsideRow& row) {
  const GivenRow r{all, energies, inner, weights, multi_base, tables, row};
  alignas(64) double last[side] = {};
  find_outside_branches(r, last);
  LoopParts parts;
  find_outside_pairs(r, last, parts);
  give_parts(r, parts);
}

}  // namespace sums

SumKernels sum_kernels() { return {sums::close_row, sums::weigh_row, sums::outside_row}; }

}  // namespace warpfold::rna::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace warpfold::rna {

HWY_EXPORT(sum_kernels);

SumKernels sum_kernels() { return HWY_DYNAMIC_DISPATCH(sum_kernels)(); }

}  // namespace warpfold::rna
#endif
