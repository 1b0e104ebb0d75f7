// The vector code of `blocks`, compiled once per instruction set. Included by cpu.cpp only.
#if defined(WARPFOLD_RECURRENCE_CPU_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef WARPFOLD_RECURRENCE_CPU_INL_H_
#undef WARPFOLD_RECURRENCE_CPU_INL_H_
#else
#define WARPFOLD_RECURRENCE_CPU_INL_H_
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <new>
#include <span>
#include <type_traits>
#include <vector>

#include "core/large_vector.hpp"
#include "hwy/aligned_allocator.h"
#include "hwy/highway.h"
#include "recurrence/backends.hpp"
#include "recurrence/operations.hpp"
#include "recurrence/terms.hpp"
#include "recurrence/tuning.hpp"
#include "warpfold/core/team.hpp"

HWY_BEFORE_NAMESPACE();
namespace warpfold::recurrence::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// A rule says how candidates join an accumulator of one vector (or two, for sums of 64 bits that must not overflow).
// `blank` stands for values outside the table: it never changes an accumulator.

template <class Value>
struct MinRule {
  using T = Value;
  static constexpr int parts = 1;
  static constexpr bool is_weighted = false;
  static constexpr T blank =
      std::is_floating_point_v<T> ? std::numeric_limits<T>::infinity() : std::numeric_limits<T>::max();
  template <class V>
  static HWY_INLINE void join(V& sum, V&, V value, V) {
    sum = hn::Min(sum, value);
  }
};

template <class Value>
struct MaxRule {
  using T = Value;
  static constexpr int parts = 1;
  static constexpr bool is_weighted = false;
  static constexpr T blank =
      std::is_floating_point_v<T> ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::lowest();
  template <class V>
  static HWY_INLINE void join(V& sum, V&, V value, V) {
    sum = hn::Max(sum, value);
  }
};

template <class Value>
struct MinPlusRule {
  using T = Value;
  static constexpr int parts = 1;
  static constexpr bool is_weighted = true;
  static constexpr T blank = infinity<T>;
  template <class V>
  static HWY_INLINE void join(V& sum, V&, V value, V weight) {
    sum = hn::Min(sum, hn::Add(value, weight));
  }
};

template <class Value>
struct MaxPlusRule {
  using T = Value;
  static constexpr int parts = 1;
  static constexpr bool is_weighted = true;
  static constexpr T blank = -infinity<T>;
  template <class V>
  static HWY_INLINE void join(V& sum, V&, V value, V weight) {
    sum = hn::Max(sum, hn::Add(value, weight));
  }
};

template <class Value>
struct XorRule {
  using T = Value;
  static constexpr int parts = 1;
  static constexpr bool is_weighted = false;
  static constexpr T blank = 0;
  template <class V>
  static HWY_INLINE void join(V& sum, V&, V value, V) {
    sum = hn::Xor(sum, value);
  }
};

template <class Value>
struct OrRule {
  using T = Value;
  static constexpr int parts = 1;
  static constexpr bool is_weighted = false;
  static constexpr T blank = 0;
  template <class V>
  static HWY_INLINE void join(V& sum, V&, V value, V) {
    sum = hn::Or(sum, value);
  }
};

template <class Value>
struct AndRule {
  using T = Value;
  static constexpr int parts = 1;
  static constexpr bool is_weighted = false;
  static constexpr T blank = static_cast<T>(~T{0});
  template <class V>
  static HWY_INLINE void join(V& sum, V&, V value, V) {
    sum = hn::And(sum, value);
  }
};

/// Floats: rounded at every step, in this algorithm's order.
template <class Value>
struct SumRule {
  using T = Value;
  static constexpr int parts = 1;
  static constexpr bool is_weighted = false;
  static constexpr T blank = 0;
  template <class V>
  static HWY_INLINE void join(V& sum, V&, V value, V) {
    sum = hn::Add(sum, value);
  }
};

/// 64-bit whole numbers: the low and the high halves are added apart, so that the total is exact.
template <class Value>
struct SplitSumRule {
  using T = Value;
  static constexpr int parts = 2;
  static constexpr bool is_weighted = false;
  static constexpr T blank = 0;
  template <class V>
  static HWY_INLINE void join(V& low, V& high, V value, V) {
    const hn::DFromV<V> d;
    low = hn::Add(low, hn::And(value, hn::Set(d, static_cast<T>(0xFFFFFFFF))));
    high = hn::Add(high, hn::ShiftRight<32>(value));
  }
};

/// Vectors of outputs that one sweep keeps in registers.
inline constexpr std::size_t sweep_vectors = 8;

/// Joins one candidate a term to each of sweep_vectors vectors of accumulators: output u of term j takes
/// window[u + origin - offsets[j]]. A candidate vector costs one load; a term one more for its weight.
template <class Rule, bool Aligned>
HWY_INLINE void sweep(const Terms<typename Rule::T>& terms, const typename Rule::T* HWY_RESTRICT window,
                      std::ptrdiff_t origin, typename Rule::T* HWY_RESTRICT low_part,
                      typename Rule::T* HWY_RESTRICT high_part) {
  using T = typename Rule::T;
  const hn::ScalableTag<T> d;
  using V = hn::Vec<decltype(d)>;
  const std::size_t lanes = hn::Lanes(d);
  V low[sweep_vectors];
  V high[sweep_vectors];
#pragma GCC unroll 8
  for (std::size_t v = 0; v < sweep_vectors; ++v) {
    low[v] = hn::Load(d, low_part + v * lanes);
    if constexpr (Rule::parts == 2) high[v] = hn::Load(d, high_part + v * lanes);
  }
  for (std::size_t j = 0; j < terms.count; ++j) {
    V weight = hn::Zero(d);
    if constexpr (Rule::is_weighted) weight = hn::Set(d, terms.weights[j]);
    const T* from = window + (origin - terms.offsets[j]);
#pragma GCC unroll 8
    for (std::size_t v = 0; v < sweep_vectors; ++v) {
      const V value = Aligned ? hn::Load(d, from + v * lanes) : hn::LoadU(d, from + v * lanes);
      Rule::join(low[v], high[v], value, weight);
    }
  }
#pragma GCC unroll 8
  for (std::size_t v = 0; v < sweep_vectors; ++v) {
    hn::Store(low[v], d, low_part + v * lanes);
    if constexpr (Rule::parts == 2) hn::Store(high[v], d, high_part + v * lanes);
  }
}

/// The table of one solve, cut in halves: solve the first half, accumulate the second from it, solve the second.
/// `Operation` works on the problem's own type P; the table may be wider.
template <class Rule, class Operation, class P>
class Blocks {
 public:
  using T = typename Rule::T;

  Blocks(const Problem<P>& problem, Team& team, Watch& watch, std::span<T> table)
      : problem_(problem),
        operation_(problem),
        team_(team),
        watch_(watch),
        table_(table),
        terms_(problem, hn::Lanes(hn::ScalableTag<T>())),
        scratch_(static_cast<std::size_t>(team.size())) {
    if constexpr (Rule::parts == 2) {
      grow(low_, table.size(), T{0}, watch);
      grow(high_, table.size(), T{0}, watch);
    }
    if (!Rule::is_weighted) {
      for (const P weight : problem.weights()) total_weight_ += static_cast<Element>(weight);
    }
  }

  void solve(std::size_t from) {
    const std::size_t n = table_.size();
    if constexpr (Rule::parts == 1) fill(table_.subspan(from), T{Rule::blank}, watch_);
    accumulate(from, n, from - problem_.initial().size(), from);
    solve(from, n);
  }

 private:
  using Element = typename Operation::Element;

  /// A thread's copies of the older values and of the accumulators of one tile.
  struct Scratch {
    static constexpr std::size_t padding = 64 * sweep_vectors;
    static constexpr std::size_t tile = tuning::tile_bytes / sizeof(T) + padding;
    static hwy::AlignedFreeUniquePtr<T[]> allocate(std::size_t size) {
      auto memory = hwy::AllocateAligned<T>(size);
      if (!memory) throw std::bad_alloc();
      return memory;
    }
    hwy::AlignedFreeUniquePtr<T[]> window = allocate(2 * tile);
    hwy::AlignedFreeUniquePtr<T[]> shifted = allocate(2 * tile);
    hwy::AlignedFreeUniquePtr<T[]> low = allocate(tile);
    hwy::AlignedFreeUniquePtr<T[]> high = allocate(tile);
  };

  void solve(std::size_t first, std::size_t last) {
    const auto independent = static_cast<std::size_t>(problem_.smallest_offset());
    if (last - first <= std::max(tuning::close_outputs, independent)) return close(first, last);
    const std::size_t middle = first + (last - first + 1) / 2;
    solve(first, middle);
    accumulate(middle, last, first, middle);
    solve(middle, last);
  }

  /// Everything older than `first` has been joined: join what lies between, and finish one value after the other.
  void close(std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      Element element = joined(i);
      for (std::size_t j = 0; j < terms_.ascending.size(); ++j) {
        const auto offset = static_cast<std::size_t>(terms_.ascending[j]);
        if (offset > i - first) break;
        const P weight = Rule::is_weighted ? terms_.ascending_weights[j] : P{0};
        element = operation_.combine(element, operation_.lift(static_cast<P>(table_[i - offset]), weight));
      }
      table_[i] = static_cast<T>(operation_.finish(element, i));
    }
  }

  Element joined(std::size_t i) const {
    if constexpr (Rule::parts == 2) {
      return (static_cast<Element>(high_[i]) << 32) + static_cast<Element>(static_cast<std::uint64_t>(low_[i])) +
             total_weight_;
    } else if constexpr (std::is_same_v<Rule, SumRule<T>>) {
      return static_cast<Element>(table_[i]) + total_weight_;
    } else {
      return static_cast<Element>(table_[i]);
    }
  }

  /// Joins to the outputs [first, last) their candidates among the final values [source, source_end).
  void accumulate(std::size_t first, std::size_t last, std::size_t source, std::size_t source_end) {
    if (first == last) return;
    constexpr std::size_t most = tuning::tile_bytes / sizeof(T);
    const std::size_t outputs = last - first;
    const auto [begin, end] = terms_.within(first + 1 - source_end, last - 1 - source);
    const double work = static_cast<double>(outputs) * static_cast<double>(end - begin) / 2;
    if (begin == end) return;
    const bool in_parallel = team_.size() > 1 && work > tuning::worth_threads;
    const std::size_t group = sweep_vectors * terms_.lanes;
    const std::size_t share = in_parallel ? outputs / static_cast<std::size_t>(2 * team_.size()) : outputs;
    const std::size_t tile = std::clamp((share + group - 1) / group * group, group, std::max(group, most));
    const std::size_t tiles = (outputs + tile - 1) / tile;
    const auto take = [&](std::size_t t, int member) {
      watch_.check();
      const std::size_t start = first + t * tile;
      accumulate_tile(start, std::min(tile, last - start), source, source_end,
                      scratch_[static_cast<std::size_t>(member)]);
    };
    if (in_parallel) {
      team_.loop(tiles, take);
    } else {
      for (std::size_t t = 0; t < tiles; ++t) take(t, 0);
    }
    watch_.advance(work);
  }

  void accumulate_tile(std::size_t start, std::size_t outputs, std::size_t source, std::size_t source_end,
                       Scratch& scratch) {
    const std::size_t lanes = terms_.lanes;
    const std::size_t group = sweep_vectors * lanes;
    const std::size_t padded = (outputs + group - 1) / group * group;
    load_parts(start, outputs, padded, scratch);
    auto [next, end] = terms_.within(start + 1 > source_end ? start + 1 - source_end : 1, start + outputs - 1 - source);
    while (next < end) {
      const auto base = static_cast<std::size_t>(terms_.ascending[next]) / lanes * lanes;
      const std::size_t chunk_end = std::min(end, terms_.first_at_least(base + tuning::tile_bytes / sizeof(T)));
      const auto newest = static_cast<std::size_t>(terms_.ascending[chunk_end - 1]);
      const std::size_t span = (newest - base) / lanes * lanes + lanes;
      const std::size_t size = padded + span;
      // window[p] is the value at start - base - span + p.
      const auto origin = static_cast<std::ptrdiff_t>(span + base);
      const auto oldest = static_cast<std::ptrdiff_t>(start) - origin;
      copy_window(oldest, size, source, source_end, scratch.window.get());
      for (std::size_t residue = 0; residue < lanes; ++residue) {
        const Terms<T> terms = terms_.of(residue, base, newest);
        const auto shift = static_cast<std::ptrdiff_t>(residue);
        if (terms.count < tuning::worth_a_shift) {
          sweep_tile<false>(terms, scratch.window.get(), origin, padded, scratch);
        } else {
          copy_window(oldest - shift, size, source, source_end, scratch.shifted.get());
          sweep_tile<true>(terms, scratch.shifted.get(), origin + shift, padded, scratch);
        }
      }
      next = chunk_end;
    }
    store_parts(start, outputs, scratch);
  }

  template <bool Aligned>
  void sweep_tile(const Terms<T>& terms, const T* window, std::ptrdiff_t origin, std::size_t padded, Scratch& scratch) {
    if (terms.count == 0) return;
    const std::size_t group = sweep_vectors * terms_.lanes;
    for (std::size_t u = 0; u < padded; u += group) {
      sweep<Rule, Aligned>(terms, window + u, origin, scratch.low.get() + u, scratch.high.get() + u);
    }
  }

  /// to[p] = the value at oldest + p, or blank where that is no source.
  void copy_window(std::ptrdiff_t oldest, std::size_t size, std::size_t source, std::size_t source_end, T* to) const {
    const auto clip = [&](std::size_t index) {
      return static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(index) - oldest, 0,
                                                                 static_cast<std::ptrdiff_t>(size)));
    };
    const std::size_t first = clip(source);
    const std::size_t last = clip(source_end);
    std::fill(to, to + first, Rule::blank);
    if (first < last) {
      std::memcpy(to + first, table_.data() + (oldest + static_cast<std::ptrdiff_t>(first)),
                  (last - first) * sizeof(T));
    }
    std::fill(to + last, to + size, Rule::blank);
  }

  T* part(int p) { return Rule::parts == 1 ? table_.data() : p == 0 ? low_.data() : high_.data(); }

  void load_parts(std::size_t start, std::size_t outputs, std::size_t padded, Scratch& scratch) {
    std::memcpy(scratch.low.get(), part(0) + start, outputs * sizeof(T));
    std::fill(scratch.low.get() + outputs, scratch.low.get() + padded, Rule::blank);
    if constexpr (Rule::parts == 2) {
      std::memcpy(scratch.high.get(), part(1) + start, outputs * sizeof(T));
      std::fill(scratch.high.get() + outputs, scratch.high.get() + padded, Rule::blank);
    }
  }

  void store_parts(std::size_t start, std::size_t outputs, const Scratch& scratch) {
    std::memcpy(part(0) + start, scratch.low.get(), outputs * sizeof(T));
    if constexpr (Rule::parts == 2) std::memcpy(part(1) + start, scratch.high.get(), outputs * sizeof(T));
  }

  const Problem<P>& problem_;
  const Operation operation_;
  Team& team_;
  Watch& watch_;
  const std::span<T> table_;  // with one part the outputs accumulate here
  const TermTable<T, P> terms_;
  std::vector<Scratch> scratch_;
  std::vector<T> low_, high_;
  Element total_weight_{};
};

template <class Rule, class Operation, class P>
void run(const Problem<P>& problem, Team& team, std::size_t from, Watch& watch, std::span<typename Rule::T> table) {
  Blocks<Rule, Operation, P>(problem, team, watch, table).solve(from);
}

template <class T>
void blocks_of(const Problem<T>& problem, Team& team, std::size_t from, Watch& watch, std::span<T> table) {
  if constexpr (std::is_integral_v<T>) {
    if (problem.op() == Op::bit_xor) return run<XorRule<T>, BitXor<T>>(problem, team, from, watch, table);
    if (problem.op() == Op::bit_or) return run<OrRule<T>, BitOr<T>>(problem, team, from, watch, table);
    if (problem.op() == Op::bit_and) return run<AndRule<T>, BitAnd<T>>(problem, team, from, watch, table);
    if (problem.op() == Op::sum || problem.op() == Op::sum_mod) {
      using Wide = std::conditional_t<std::is_same_v<T, std::uint64_t>, std::uint64_t, std::int64_t>;
      std::vector<Wide> wide;
      grow(wide, table.size(), Wide{0}, watch);
      in_pieces<T>(from, watch, [&](std::size_t first, std::size_t last) {
        std::copy(&table[first], table.data() + last, &wide[first]);
      });
      if (problem.op() == Op::sum) {
        run<SplitSumRule<Wide>, Sum<T>>(problem, team, from, watch, std::span<Wide>(wide));
      } else {
        run<SplitSumRule<Wide>, SumModulo<T>>(problem, team, from, watch, std::span<Wide>(wide));
      }
      in_pieces<T>(table.size(), watch, [&](std::size_t first, std::size_t last) {
        std::transform(&wide[first], wide.data() + last, &table[first],
                       [](Wide value) { return static_cast<T>(value); });
      });
      return;
    }
  } else {
    if (problem.op() == Op::sum) return run<SumRule<T>, Sum<T>>(problem, team, from, watch, table);
  }
  const bool is_min = problem.op() == Op::min;
  if constexpr (std::is_signed_v<T>) {
    if (problem.is_weighted() && is_min) return run<MinPlusRule<T>, Minimum<T>>(problem, team, from, watch, table);
    if (problem.is_weighted()) return run<MaxPlusRule<T>, Maximum<T>>(problem, team, from, watch, table);
  }
  if (is_min) return run<MinRule<T>, Minimum<T>>(problem, team, from, watch, table);
  run<MaxRule<T>, Maximum<T>>(problem, team, from, watch, table);
}

void blocks_i32(const Problem<std::int32_t>& problem, Team& team, std::size_t from, Watch& watch,
                std::span<std::int32_t> table) {
  blocks_of(problem, team, from, watch, table);
}
void blocks_i64(const Problem<std::int64_t>& problem, Team& team, std::size_t from, Watch& watch,
                std::span<std::int64_t> table) {
  blocks_of(problem, team, from, watch, table);
}
void blocks_u64(const Problem<std::uint64_t>& problem, Team& team, std::size_t from, Watch& watch,
                std::span<std::uint64_t> table) {
  blocks_of(problem, team, from, watch, table);
}
void blocks_f32(const Problem<float>& problem, Team& team, std::size_t from, Watch& watch, std::span<float> table) {
  blocks_of(problem, team, from, watch, table);
}
void blocks_f64(const Problem<double>& problem, Team& team, std::size_t from, Watch& watch, std::span<double> table) {
  blocks_of(problem, team, from, watch, table);
}

/// A vector of words from bytes at any address.
template <class D>
HWY_INLINE hn::Vec<D> load_bytes(D d, const std::uint8_t* bytes) {
#if HWY_TARGET == HWY_SCALAR
  std::uint64_t word;
  std::memcpy(&word, bytes, sizeof word);
  return hn::Set(d, word);
#else
  return hn::BitCast(d, hn::LoadU(hn::Repartition<std::uint8_t, D>(), bytes));
#endif
}

/// common[w] = set[w] & mask[w], and these bits leave the set. where[] receives the first word of every vector that
/// lost bits; the return value is how many there are. `words` is rounded up to whole vectors.
std::size_t take_common(std::uint64_t* HWY_RESTRICT set, const std::uint8_t* HWY_RESTRICT mask, std::size_t words,
                        std::uint64_t* HWY_RESTRICT common, std::uint32_t* HWY_RESTRICT where) {
  const hn::ScalableTag<std::uint64_t> d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t found = 0;
  for (std::size_t w = 0; w < words; w += lanes) {
    const auto present = hn::LoadU(d, set + w);
    const auto masked = load_bytes(d, mask + w * sizeof(std::uint64_t));
    const auto taken = hn::And(present, masked);
    if (hn::AllTrue(d, hn::Eq(taken, hn::Zero(d)))) continue;
    hn::StoreU(hn::AndNot(masked, present), d, set + w);
    hn::StoreU(taken, d, common + w);
    where[found++] = static_cast<std::uint32_t>(w);
  }
  return found;
}

std::size_t vector_words() { return hn::Lanes(hn::ScalableTag<std::uint64_t>()); }

}  // namespace warpfold::recurrence::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
