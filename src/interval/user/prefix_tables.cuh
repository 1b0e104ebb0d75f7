#pragma once

#include "interval/user/grammar_tiles.cuh"
#include "warpfold/interval/detail/prefix_terms.hpp"

/// Fills the prefix tables of a grammar on a GPU, from its finished tables (docs/explanation/kernels/grammar.md). As on
/// the CPU every sum takes its terms from the smallest i upwards, and so has the CPU's bits. Blocks of 64 points are
/// finished one after the other; a finished block adds its part to the sums of all later points.
namespace warpfold::interval::device {

using interval::detail::PrefixTotal;
using interval::detail::PrefixValue;

/// The prefix sums of a grammar.
template <class G>
inline constexpr int prefix_sum_count = static_cast<int>(interval::detail::prefix_sums_of<G>().size());

/// The totals of the prefix sums at one point.
template <class G>
struct PrefixTotals {
  PrefixTotal<G> of_sum[prefix_sum_count<G> + 1];  ///< no array is empty
};

template <class G>
struct PrefixRules {
  using T = GrammarValue<G>;
  using Value = PrefixValue<G>;
  using Values = interval::detail::Stored<typename G::Semiring>;

  G grammar;
  unsigned points;
  const T* tables;  ///< the first one; the others follow, `table_size` values each
  std::size_t table_size;
  const std::int32_t* exponents;  ///< under ScaledSum, of each tile
  Value* prefixes;                ///< F(q,j) is at q * points + j, as it is stored
  PrefixTotals<G>* totals;        ///< of each point after the first block, once that is finished
  unsigned long long* misfit;     ///< the least GrammarMisfit that was seen

  [[nodiscard]] __device__ __forceinline__ T inside(unsigned table, unsigned i, unsigned j) const {
    return tables[table * table_size + entry_offset(i, j, tile_side)];
  }
  [[nodiscard]] __device__ __forceinline__ std::int64_t exponent([[maybe_unused]] unsigned i,
                                                                 [[maybe_unused]] unsigned j) const {
    if constexpr (is_scaled<typename G::Semiring>) {
      return exponents[tiles::tile_number(i / tile_side, j / tile_side)];
    } else {
      return 0;
    }
  }
  /// The weight of interval (i,j) for prefix sum s as it is stored. Notes one that is not accepted.
  [[nodiscard]] __device__ __forceinline__ T join([[maybe_unused]] int s, [[maybe_unused]] unsigned i,
                                                  [[maybe_unused]] unsigned j) const {
    if constexpr (interval::detail::joins<G>) {
      const T weight = interval::detail::join_of(grammar, static_cast<std::size_t>(s), i, j);
      if (!Values::accepts(weight)) note(GrammarMisfit::encode(i, j, 0, GrammarMisfit::join));
      return Values::of(weight);
    } else {
      return Values::of(G::Semiring::one());
    }
  }
  /// Adds what the sums read at i to those of a later point.
  __device__ __forceinline__ void give(unsigned i, unsigned j, PrefixTotals<G>& totals_of_j) const {
    each_number<prefix_sum_count<G>>([&](auto s) {
      constexpr interval::PrefixSum sum = interval::detail::prefix_sums_of<G>()[s];
      const Value prefix = prefixes[sum.left * points + i];
      if (interval::detail::is_zero_prefix<G>(prefix)) return;
      const T read = inside(sum.right, i, j);
      if (Values::is_zero(read)) return;
      totals_of_j.of_sum[s].add(prefix, read, exponent(i, j), join(s, i, j));
    });
  }
  __device__ __forceinline__ void note(unsigned long long code) const {
    if (code != GrammarMisfit::none) atomicMin(misfit, code);
  }
};

/// Computes the values of the prefix tables at one point from their terms, as PrefixTerms does on the CPU.
template <class G>
class DevicePrefixTerms : public CheckedTerms<typename G::Semiring> {
 public:
  using S = typename G::Semiring;
  using Checks = CheckedTerms<S>;
  using Value = PrefixValue<G>;
  using Operand = interval::detail::Operand<Value>;
  using Kind = typename Operand::Kind;

  constexpr DevicePrefixTerms(const PrefixRules<G>& rules, unsigned j, const PrefixTotals<G>& totals)
      : Checks(0, j, table_count<G>), rules_(rules), totals_(totals) {
    for (Value& value : values_) value = interval::detail::zero_prefix<G>();
  }

  template <class... Parts>
  constexpr void operator()(unsigned table, const Parts&... parts) {
    interval::detail::check_parts<Parts...>();
    if (table < first_open_ || table >= prefix_count<G>) return refuse(table, GrammarMisfit::order);
    first_open_ = table;
    Value& value = values_[table];
    if constexpr (is_scaled<S>) {
      value = value + (Scaled(1) * ... * Value(stored(table, parts)));
    } else {
      value = S::plus(value, term_of<S>(stored(table, parts)...));
    }
  }
  constexpr Operand before(unsigned table, std::size_t distance) {
    if (distance == 0) {
      first_open_ = first_open_ > table + 1 ? first_open_ : table + 1;
      return {Kind::before, table, 0, j_, final_value(table)};
    }
    const bool has_point = distance <= j_;
    return {Kind::before, table, 0, j_,
            has_point ? rules_.prefixes[table * rules_.points + j_ - distance] : interval::detail::zero_prefix<G>()};
  }
  constexpr Operand prefix(unsigned s) const { return {Kind::prefix, s, 0, j_, totals_.of_sum[s].total()}; }

  /// The value of a prefix table after all its terms, as it is stored.
  constexpr Value final_value(unsigned table) {
    if constexpr (is_scaled<S>) {
      return values_[table];
    } else {
      return Checks::final_value(table, values_[table]);
    }
  }

 private:
  using Checks::j_;
  using Checks::refuse, Checks::stored;

  const PrefixRules<G>& rules_;
  const PrefixTotals<G>& totals_;
  Value values_[prefix_count<G>];
  unsigned first_open_ = 0;  ///< the tables before it are complete
};

/// Finishes the points of a block, one after the other. A thread has a point.
template <class G>
__global__ void __launch_bounds__(tile_side)
    finish_points(const __grid_constant__ PrefixRules<G> rules, unsigned block) {
  const unsigned own = block * tile_side + threadIdx.x, end = min(rules.points, (block + 1) * tile_side);
  PrefixTotals<G> totals;
  if (block > 0 && own < end) totals = rules.totals[own];
  for (unsigned j = block * tile_side; j < end; ++j) {
    if (own == j) {
      DevicePrefixTerms<G> terms(rules, j, totals);
      rules.grammar.prefix_terms(j, terms);
      for (unsigned t = 0; t < prefix_count<G>; ++t) rules.prefixes[t * rules.points + j] = terms.final_value(t);
      rules.note(terms.misfit);
    }
    __syncthreads();
    if (own > j && own < end) rules.give(j, own, totals);
  }
}

/// Adds the part of a finished block to the sums of the points after it. A thread has a point.
template <class G>
__global__ void __launch_bounds__(tile_side) give_points(const __grid_constant__ PrefixRules<G> rules, unsigned block) {
  const unsigned own = (block + 1 + blockIdx.x) * tile_side + threadIdx.x;
  if (own >= rules.points) return;
  PrefixTotals<G> totals;
  if (block > 0) totals = rules.totals[own];
#pragma unroll 4
  for (unsigned i = block * tile_side; i < (block + 1) * tile_side; ++i) rules.give(i, own, totals);
  rules.totals[own] = totals;
}

/// Computes again what was not accepted, for its message: a part of a term at point j, or a weight of interval (i,j).
template <class G>
__global__ void find_refused_prefix(const __grid_constant__ PrefixRules<G> rules, unsigned i, unsigned j,
                                    GrammarMisfit::Kind kind, GrammarValue<G>* refused) {
  if (kind == GrammarMisfit::join) {
    for (std::size_t s = 0; s < prefix_sum_count<G>; ++s) {
      if constexpr (interval::detail::joins<G>) *refused = interval::detail::join_of(rules.grammar, s, i, j);
      if (!PrefixRules<G>::Values::accepts(*refused)) return;
    }
  } else {
    const PrefixTotals<G> totals;
    DevicePrefixTerms<G> terms(rules, j, totals);
    rules.grammar.prefix_terms(j, terms);
    *refused = terms.refused;
  }
}

}  // namespace warpfold::interval::device
