#include <hwy/aligned_allocator.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <new>
#include <span>
#include <type_traits>
#include <vector>

#include "core/number_types.hpp"
#include "recurrence/backends.hpp"
#include "recurrence/kernels.hpp"
#include "recurrence/operations.hpp"
#include "recurrence/terms.hpp"
#include "recurrence/tuning.hpp"
#include "run/large_vector.hpp"
#include "warpfold/run/team.hpp"

namespace warpfold::recurrence {
namespace cpu {
namespace {

/// The value for places outside the table. It never changes an accumulator.
template <class T>
constexpr T blank_of(Join join) {
  constexpr bool is_float = std::is_floating_point_v<T>;
  using Limits = std::numeric_limits<T>;
  switch (join) {
    case Join::least:
      return is_float ? Limits::infinity() : Limits::max();
    case Join::greatest:
      return is_float ? -Limits::infinity() : Limits::lowest();
    case Join::min_sum:
      return infinity<T>;
    case Join::greatest_sum:
      return static_cast<T>(-infinity<T>);
    case Join::bit_and:
      return static_cast<T>(-1);
    default:
      return 0;
  }
}

/// The table of one solve, divided in halves: solve the first half, accumulate the second from it, solve the second.
/// `Operation` works on the problem's own type P; the table may be wider.
template <Join join, class Operation, class T, class P>
class Blocks {
 public:
  Blocks(const Problem<P>& problem, Team& team, SolveMonitor& monitor, std::span<T> table)
      : problem_(problem),
        operation_(problem),
        team_(team),
        monitor_(monitor),
        table_(table),
        sweeps_(sweeps<T>(join)),
        terms_(problem, sweeps_.lanes),
        scratch_(static_cast<std::size_t>(team.size())) {
    if constexpr (is_split) {
      grow(low_, table.size(), T{0}, monitor);
      grow(high_, table.size(), T{0}, monitor);
    }
    if constexpr (!is_weighted) {
      for (const P weight : problem.weights()) total_weight_ += static_cast<Element>(weight);
    }
  }

  void solve(std::size_t from) {
    const std::size_t n = table_.size();
    if constexpr (!is_split) fill(table_.subspan(from), T{blank}, monitor_);
    accumulate(from, n, from - problem_.initial().size(), from);
    solve(from, n);
  }

 private:
  using Element = typename Operation::Element;
  static constexpr bool is_split = join == Join::split_sum;
  static constexpr bool is_weighted = join == Join::min_sum || join == Join::greatest_sum;
  static constexpr T blank = blank_of<T>(join);

  /// One thread's copies of the older values and of the accumulators of one tile.
  struct Scratch {
    static constexpr std::size_t padding = 512;  // outputs of a sweep at most
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

  /// Everything older than `first` has been joined. Joins the values in between, and finishes one value after another.
  void close(std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      Element element = joined(i);
      for (std::size_t j = 0; j < terms_.ascending.size(); ++j) {
        const auto offset = static_cast<std::size_t>(terms_.ascending[j]);
        if (offset > i - first) break;
        const P weight = is_weighted ? terms_.ascending_weights[j] : P{0};
        element = operation_.combine(element, operation_.lift(static_cast<P>(table_[i - offset]), weight, P{1}));
      }
      table_[i] = static_cast<T>(operation_.finish(element, i));
    }
  }

  Element joined(std::size_t i) const {
    if constexpr (is_split) {
      return (static_cast<Element>(high_[i]) << 32) + static_cast<Element>(static_cast<std::uint64_t>(low_[i])) +
             total_weight_;
    } else if constexpr (join == Join::sum) {
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
    const std::size_t group = sweeps_.group;
    const std::size_t share = in_parallel ? outputs / static_cast<std::size_t>(2 * team_.size()) : outputs;
    const std::size_t tile = std::clamp((share + group - 1) / group * group, group, std::max(group, most));
    const std::size_t tiles = (outputs + tile - 1) / tile;
    const auto take = [&](std::size_t t, int member) {
      monitor_.check();
      const std::size_t start = first + t * tile;
      accumulate_tile(start, std::min(tile, last - start), source, source_end,
                      scratch_[static_cast<std::size_t>(member)]);
    };
    if (in_parallel) {
      team_.parallel_for(tiles, take);
    } else {
      for (std::size_t t = 0; t < tiles; ++t) take(t, 0);
    }
    monitor_.advance(work);
  }

  void accumulate_tile(std::size_t start, std::size_t outputs, std::size_t source, std::size_t source_end,
                       Scratch& scratch) {
    const std::size_t lanes = sweeps_.lanes;
    const std::size_t group = sweeps_.group;
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
          sweep(sweeps_.unaligned, terms, scratch.window.get(), origin, padded, scratch);
        } else {
          copy_window(oldest - shift, size, source, source_end, scratch.shifted.get());
          sweep(sweeps_.aligned, terms, scratch.shifted.get(), origin + shift, padded, scratch);
        }
      }
      next = chunk_end;
    }
    store_parts(start, outputs, scratch);
  }

  void sweep(Sweep<T> run, const Terms<T>& terms, const T* window, std::ptrdiff_t origin, std::size_t outputs,
             Scratch& scratch) const {
    if (terms.count > 0) run(terms, window, origin, outputs, scratch.low.get(), scratch.high.get());
  }

  /// to[p] = the value at oldest + p, or blank if that is no source.
  void copy_window(std::ptrdiff_t oldest, std::size_t size, std::size_t source, std::size_t source_end, T* to) const {
    const auto clip = [&](std::size_t index) {
      return static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(index) - oldest, 0,
                                                                 static_cast<std::ptrdiff_t>(size)));
    };
    const std::size_t first = clip(source);
    const std::size_t last = clip(source_end);
    std::fill(to, to + first, blank);
    if (first < last) {
      std::memcpy(to + first, table_.data() + (oldest + static_cast<std::ptrdiff_t>(first)),
                  (last - first) * sizeof(T));
    }
    std::fill(to + last, to + size, blank);
  }

  T* part(int p) { return !is_split ? table_.data() : p == 0 ? low_.data() : high_.data(); }

  void load_parts(std::size_t start, std::size_t outputs, std::size_t padded, Scratch& scratch) {
    std::memcpy(scratch.low.get(), part(0) + start, outputs * sizeof(T));
    std::fill(scratch.low.get() + outputs, scratch.low.get() + padded, blank);
    if constexpr (is_split) {
      std::memcpy(scratch.high.get(), part(1) + start, outputs * sizeof(T));
      std::fill(scratch.high.get() + outputs, scratch.high.get() + padded, blank);
    }
  }

  void store_parts(std::size_t start, std::size_t outputs, const Scratch& scratch) {
    std::memcpy(part(0) + start, scratch.low.get(), outputs * sizeof(T));
    if constexpr (is_split) std::memcpy(part(1) + start, scratch.high.get(), outputs * sizeof(T));
  }

  const Problem<P>& problem_;
  const Operation operation_;
  Team& team_;
  SolveMonitor& monitor_;
  const std::span<T> table_;  // with one part, the outputs accumulate in the table itself
  const Sweeps<T> sweeps_;
  const TermTable<T, P> terms_;
  std::vector<Scratch> scratch_;
  std::vector<T> low_, high_;
  Element total_weight_{};
};

template <Join join, class Operation, class P, class T>
void run(const Problem<P>& problem, Team& team, std::size_t from, SolveMonitor& monitor, std::span<T> table) {
  Blocks<join, Operation, T, P>(problem, team, monitor, table).solve(from);
}

template <class T>
void blocks_of(const Problem<T>& problem, Team& team, std::size_t from, SolveMonitor& monitor, std::span<T> table) {
  if constexpr (std::is_integral_v<T>) {
    if (problem.op() == Op::bit_xor) return run<Join::bit_xor, BitXor<T>>(problem, team, from, monitor, table);
    if (problem.op() == Op::bit_or) return run<Join::bit_or, BitOr<T>>(problem, team, from, monitor, table);
    if (problem.op() == Op::bit_and) return run<Join::bit_and, BitAnd<T>>(problem, team, from, monitor, table);
    if (problem.op() == Op::sum || problem.op() == Op::sum_mod) {
      using Wide = std::conditional_t<std::is_same_v<T, std::uint64_t>, std::uint64_t, std::int64_t>;
      std::vector<Wide> wide;
      grow(wide, table.size(), Wide{0}, monitor);
      in_pieces<T>(from, monitor, [&](std::size_t first, std::size_t last) {
        std::copy(&table[first], table.data() + last, &wide[first]);
      });
      if (problem.op() == Op::sum) {
        run<Join::split_sum, Sum<T>>(problem, team, from, monitor, std::span<Wide>(wide));
      } else {
        run<Join::split_sum, SumModulo<T>>(problem, team, from, monitor, std::span<Wide>(wide));
      }
      in_pieces<T>(table.size(), monitor, [&](std::size_t first, std::size_t last) {
        std::transform(&wide[first], wide.data() + last, &table[first],
                       [](Wide value) { return static_cast<T>(value); });
      });
      return;
    }
  } else {
    if (problem.op() == Op::sum) return run<Join::sum, Sum<T>>(problem, team, from, monitor, table);
  }
  const bool is_min = problem.op() == Op::min;
  if constexpr (std::is_signed_v<T>) {
    if (problem.is_weighted() && is_min) return run<Join::min_sum, Minimum<T>>(problem, team, from, monitor, table);
    if (problem.is_weighted()) return run<Join::greatest_sum, Maximum<T>>(problem, team, from, monitor, table);
  }
  if (is_min) return run<Join::least, Minimum<T>>(problem, team, from, monitor, table);
  run<Join::greatest, Maximum<T>>(problem, team, from, monitor, table);
}

}  // namespace
}  // namespace cpu

template <class T>
void blocks(const Problem<T>& problem, Team& team, std::size_t from, SolveMonitor& monitor, std::span<T> table) {
  cpu::blocks_of(problem, team, from, monitor, table);
}

#define WARPFOLD_INSTANTIATE(T) \
  template void blocks(const Problem<T>&, Team&, std::size_t, SolveMonitor&, std::span<T>);
WARPFOLD_FOR_EACH_RECURRENCE_TYPE(WARPFOLD_INSTANTIATE)
#undef WARPFOLD_INSTANTIATE

}  // namespace warpfold::recurrence
