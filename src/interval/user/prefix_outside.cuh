#pragma once

#include "interval/user/prefix_tables.cuh"

/// The outside values of prefix tables on a GPU, with the bits of the CPU (prefix_outside.hpp has the recurrence):
/// blocks of 64 points from the last one, and in a block the points from the last one.
namespace warpfold::interval::device {

template <class G>
struct PrefixOutsideRules {
  PrefixRules<G> inside;
  ScaledTotal* totals;  ///< of F(q,j), at q * points + j
  Scaled* of_sums;      ///< the derivative of ln Z by prefix sum s at j, at s * points + j

  [[nodiscard]] __device__ __forceinline__ ScaledTotal& total(unsigned prefix, unsigned j) const {
    return totals[prefix * inside.points + j];
  }
  [[nodiscard]] __device__ __forceinline__ Scaled& by_sum(int s, unsigned j) const {
    return of_sums[static_cast<unsigned>(s) * inside.points + j];
  }
  /// Gives the part of the sums at j to a point i before it.
  __device__ __forceinline__ void give(unsigned i, unsigned j) const {
    each_number<prefix_sum_count<G>>([&](auto s) {
      constexpr interval::PrefixSum sum = interval::detail::prefix_sums_of<G>()[s];
      const Scaled outside = by_sum(s, j);
      const double read = inside.inside(sum.right, i, j);
      if (outside.is_zero() || read == 0) return;
      total(sum.left, i)
          .add(outside.fraction() * read * inside.join(s, i, j), outside.exponent() + inside.exponent(i, j));
    });
  }
};

/// One term of a prefix table, with what it reads and its other values, as PrefixReads lists them on the CPU.
template <class G>
class PrefixReadAt {
 public:
  using Operand = interval::detail::Operand<Scaled>;
  using Kind = typename Operand::Kind;

  bool reads = false, is_sum = false;
  unsigned table = 0, index = 0;
  std::size_t distance = 0;
  Scaled weight;
  int terms = 0;  ///< seen so far

  /// `sought`: the number of the term.
  constexpr PrefixReadAt(unsigned j, int sought) : j_(j), sought_(sought) {}

  template <class... Parts>
  constexpr void operator()(unsigned of, const Parts&... parts) {
    if (terms++ != sought_) return;
    table = of;
    weight = (Scaled(1) * ... * factor(parts));
  }
  constexpr Operand before(unsigned of, std::size_t d) const { return {Kind::before, of, d <= j_, d, Scaled(1)}; }
  constexpr Operand prefix(unsigned s) const { return {Kind::prefix, s, true, 0, Scaled(1)}; }

 private:
  template <class Part>
  constexpr Scaled factor(const Part& part) {
    if constexpr (interval::detail::is_operand<Part>) {
      is_sum = part.kind == Kind::prefix;
      index = part.index;
      reads = part.i != 0;
      distance = part.j;
      return part.stored;
    } else {
      return Scaled(interval::detail::Stored<typename G::Semiring>::of(static_cast<double>(part)));
    }
  }

  unsigned j_;
  int sought_;
};

/// Gives the outside values of point j to what its terms read, the last term first.
template <class G>
__device__ void finish_outside_of(const PrefixOutsideRules<G>& rules, unsigned j) {
  ScaledTotal of_sums[prefix_sum_count<G> + 1];
  const G& grammar = rules.inside.grammar;
  PrefixReadAt<G> all(j, -1);
  grammar.prefix_terms(j, all);
  for (int t = all.terms - 1; t >= 0; --t) {
    PrefixReadAt<G> term(j, t);
    grammar.prefix_terms(j, term);
    if (!term.reads || term.weight.is_zero()) continue;
    const Scaled part = rules.total(term.table, j).total() * term.weight;
    ScaledTotal& target =
        term.is_sum ? of_sums[term.index] : rules.total(term.index, j - static_cast<unsigned>(term.distance));
    target.add(part);
  }
  for (int s = 0; s < prefix_sum_count<G>; ++s) rules.by_sum(s, j) = of_sums[s].total();
}

/// Finishes the points of a block, from the last one. A thread has a point.
template <class G>
__global__ void __launch_bounds__(tile_side)
    finish_outside_points(const __grid_constant__ PrefixOutsideRules<G> rules, unsigned block) {
  const unsigned first = block * tile_side, own = first + threadIdx.x;
  for (unsigned j = min(rules.inside.points, first + tile_side); j-- > first;) {
    if (own == j) finish_outside_of(rules, j);
    __syncthreads();
    if (own < j) rules.give(own, j);
    __syncthreads();
  }
}

/// Gives the part of a finished block to the points before it. A thread has a point.
template <class G>
__global__ void __launch_bounds__(tile_side)
    give_outside_points(const __grid_constant__ PrefixOutsideRules<G> rules, unsigned block) {
  const unsigned first = block * tile_side, own = blockIdx.x * tile_side + threadIdx.x;
  for (unsigned j = min(rules.inside.points, first + tile_side); j-- > first;) rules.give(own, j);
}

}  // namespace warpfold::interval::device
