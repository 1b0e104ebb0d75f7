#include <algorithm>
#include <cstdlib>
#include <memory>

#include "knapsack/kernels.hpp"
#include "knapsack/table.hpp"
#include "knapsack/tuning.hpp"
#include "warpfold/run/team.hpp"

namespace warpfold::knapsack {

namespace {

constexpr std::int64_t round_down(std::int64_t x) { return x / tuning::granule * tuning::granule; }
constexpr std::int64_t round_up(std::int64_t x) { return round_down(x + tuning::granule - 1); }

/// Rows that pass over a strip of capacities together, while it is in a cache.
struct Group {
  std::size_t first = 0;
  std::size_t last = 0;
  std::int64_t reach = 0;  ///< the sum of their weights, each rounded up: how far below a cell they look in all
  std::int64_t strip = 0;
};

/// As many rows as a cache takes besides a strip of capacities; at least one.
template <class T>
Group next_group(std::span<const Row<T>> rows, std::size_t first, std::int64_t most_reach) {
  const auto gather = [&](std::int64_t cells) {
    Group group{first, first, 0, 0};
    while (group.last < rows.size()) {
      const std::int64_t reach = group.reach + round_up(rows[group.last].weight);
      if (reach > std::min(cells / 2, most_reach)) break;
      group.reach = reach;
      ++group.last;
    }
    group.strip = round_down(cells - group.reach);
    return group;
  };
  const Group small = gather(tuning::l1_bytes / static_cast<std::int64_t>(sizeof(T)));
  if (small.last - first >= tuning::l1_group) return small;
  const Group large = gather(tuning::l2_bytes / static_cast<std::int64_t>(sizeof(T)));
  if (large.last > first) return large;
  return {first, first + 1, round_up(rows[first].weight), std::int64_t{1} << 61};
}

/// A thread's share of one group: it owns capacities low .. high-1 and keeps its own copy of the cells below `low` that
/// the group's rows look at, raising those again by itself where a later row of the group needs them raised.
template <class T>
struct Share {
  std::int64_t low = 0;
  std::int64_t high = 0;
  std::int64_t halo_low = 0;  ///< halo[0] is this capacity's cell
  std::unique_ptr<T[]> halo;
  std::int64_t halo_cells = 0;
};

/// Rows in groups, each group by as many threads as get a share that is worth a meeting: copy the halos, meet, raise
/// the shares, meet. The groups of one thread need no meeting.
///
/// Within a share the cells are visited in strips from high to low, skewed: a row works as far below the row after it
/// as that one will look, so every row finds what it reads final for the row before and untouched by itself.
template <class T>
class Sweep {
 public:
  Sweep(const Table<T>& table, T* best, const Decisions& decisions, Watch& watch)
      : table_(table),
        best_(best),
        decisions_(decisions),
        watch_(watch),
        kernels_(cpu::kernels<T>()),
        team_(table.threads) {
    for (const Row<T>& row : table.rows) weight_after_ += row.weight;
  }

  /// Returns how many threads ran.
  int run() {
    std::fill(best_, best_ + tuning::granule, T{0});
    team_.run([this](int rank) { work(rank); });
    return team_.size();
  }

 private:
  void work(int rank) {
    Share<T> share;
    std::int64_t weight_before = 0;
    std::int64_t weight_after = weight_after_;
    T value_before = 0;
    bool alone = false;  // the last group was rank 0's alone
    const auto cells = static_cast<std::int64_t>(padded_cells(table_.capacity));
    for (std::size_t first = 0; first < table_.rows.size();) {
      const std::int64_t filled = std::min(cells, round_up(weight_before + 1));
      const int members = members_for(filled - lowest(weight_after, 0, filled));
      const Group group = next_group(table_.rows, first, most_reach(filled, members));
      const T value = value_before;
      for (std::size_t i = group.first; i < group.last; ++i) {
        weight_before += table_.rows[i].weight;
        weight_after -= table_.rows[i].weight;
        value_before = static_cast<T>(value_before + table_.rows[i].value);
      }
      const std::int64_t high = std::min(cells, round_up(weight_before + 1));
      const std::int64_t reach = decisions_.words ? group.reach : 0;
      divide(share, rank, members, lowest(weight_after, reach, high), high);
      if (alone && members > 1) team_.meet();
      alone = members == 1;
      if (rank < members) {
        // Capacities that the rows so far could not fill hold all of their items.
        std::fill(best_ + std::clamp(filled, rank == 0 ? 0 : share.low, share.high), best_ + share.high, value);
        copy_halo(share, group, filled, value);
      }
      if (rank == 0) watch_.check();  // what it raises ends the others where they meet
      if (!alone) team_.meet();
      if (rank < members) raise(share, group);
      if (!alone) team_.meet();
      if (rank == 0) watch_.advance(static_cast<double>(group.last - group.first) * static_cast<double>(cells));
      first = group.last;
    }
    // What lies beyond the sum of all weights.
    if (rank == 0) std::fill(best_ + std::min(cells, round_up(weight_before + 1)), best_ + cells, value_before);
  }

  [[nodiscard]] int members_for(std::int64_t span) const {
    return static_cast<int>(std::clamp<std::int64_t>(span / table_.least_share, 1, team_.size()));
  }

  /// Halos are raised again by their reader: keep that below a quarter of the work.
  [[nodiscard]] std::int64_t most_reach(std::int64_t filled, int members) const {
    if (members == 1 && !table_.one_capacity) return std::int64_t{1} << 61;
    return std::max<std::int64_t>(filled / members / 4, 4 * tuning::granule);
  }

  /// The lowest capacity that matters before rows of weight_after: what they can fill is not looked at again. A group
  /// whose own decisions will be traced adds its reach.
  [[nodiscard]] std::int64_t lowest(std::int64_t weight_after, std::int64_t reach, std::int64_t high) const {
    if (!table_.one_capacity) return 0;
    return std::clamp<std::int64_t>(round_down(table_.capacity - weight_after - reach), 0, high);
  }

  static void divide(Share<T>& share, int rank, int members, std::int64_t low, std::int64_t high) {
    const std::int64_t granules = (high - low) / tuning::granule;
    share.low = low + granules * rank / members * tuning::granule;
    share.high = low + granules * (rank + 1) / members * tuning::granule;
  }

  /// Cells from `filled` on hold `value`; their owner writes it there meanwhile.
  void copy_halo(Share<T>& share, const Group& group, std::int64_t filled, T value) {
    share.halo_low = std::max<std::int64_t>(share.low - group.reach, 0);
    std::int64_t end = share.low;
    if (group.last - group.first == 1) {
      end = std::clamp(share.high - table_.rows[group.first].weight, share.halo_low, share.low);
    }
    const std::int64_t count = end - share.halo_low;
    if (count > share.halo_cells) {
      share.halo_cells = count + count / 4;
      share.halo.reset();  // before the larger one is there
      share.halo = std::make_unique_for_overwrite<T[]>(static_cast<std::size_t>(share.halo_cells));
    }
    const std::int64_t stored = std::clamp(filled, share.halo_low, end);
    T* const rest = std::copy(best_ + share.halo_low, best_ + stored, share.halo.get());
    std::fill_n(rest, end - stored, value);
  }

  void raise(const Share<T>& share, const Group& group) {
    std::int64_t above = std::int64_t{1} << 62;
    for (std::int64_t base = share.high - group.strip;; base -= group.strip) {
      std::int64_t skew = group.reach;
      for (std::size_t i = group.first; i < group.last; ++i) {
        const std::int64_t weight = table_.rows[i].weight;
        skew -= round_up(weight);
        const std::int64_t from = std::max({weight, share.low - skew, base - skew});
        const std::int64_t to = std::min(share.high, above - skew);
        if (from < to) raise_row(share, i, from, to);
      }
      if (base <= share.low) return;
      above = base;
    }
  }

  /// Cells from .. to-1 of row i, high ones first: both ends in the share, then reading the halo, then in the halo.
  void raise_row(const Share<T>& share, std::size_t i, std::int64_t from, std::int64_t to) {
    const auto [weight, value] = table_.rows[i];
    const std::int64_t own = std::max(share.low, from);
    const std::int64_t near = std::min(share.low + weight, to);
    const T* halo = share.halo.get();
    if (const std::int64_t start = std::max(own, near); start < to) {
      raise_cells(i, start, to, best_ + start - weight, value);
    }
    if (own < near) raise_cells(i, own, near, halo + (own - weight - share.halo_low), value);
    if (const std::int64_t end = std::min(share.low, to); from < end) {
      T* below = share.halo.get() + (from - share.halo_low);
      kernels_.raise_down(below, below - weight, static_cast<std::size_t>(end - from), value);
    }
  }

  void raise_cells(std::size_t row, std::int64_t from, std::int64_t to, const T* source, T value) {
    if (!decisions_.words) {
      kernels_.raise_down(best_ + from, source, static_cast<std::size_t>(to - from), value);
      return;
    }
    std::uint64_t* words = decisions_.words + row * decisions_.words_per_row;
    const std::int64_t first = std::min(round_up(from), to);
    const std::int64_t last = std::max(round_down(to), first);
    raise_marked(words, last, to, source + (last - from), value);
    kernels_.raise_down_marked(best_ + first, source + (first - from), static_cast<std::size_t>(last - first), value,
                               words + first / 64);
    raise_marked(words, from, first, source, value);
  }

  /// Less than a word's cells, one by one.
  void raise_marked(std::uint64_t* words, std::int64_t from, std::int64_t to, const T* source, T value) {
    for (std::int64_t c = to; c-- > from;) {
      const T raised = static_cast<T>(source[c - from] + value);
      if (raised <= best_[c]) continue;
      best_[c] = raised;
      words[c / 64] |= std::uint64_t{1} << (c % 64);
    }
  }

  const Table<T>& table_;
  T* best_;
  const Decisions decisions_;
  Watch& watch_;
  const cpu::Kernels<T> kernels_;
  Team team_;
  std::int64_t weight_after_ = 0;
};

}  // namespace

std::size_t padded_cells(std::int64_t capacity) { return static_cast<std::size_t>(round_up(capacity + 1)); }

namespace cpu {

template <class T>
std::size_t halo_bytes(std::int64_t heaviest, std::int64_t capacity, int threads) {
  if (threads == 1) return 0;
  const std::int64_t share = capacity / threads + 1;
  const std::int64_t of_groups = tuning::l2_bytes / 2 / static_cast<std::int64_t>(sizeof(T));
  const std::int64_t reach = std::min(std::max(heaviest, of_groups), share) * 5 / 4;
  return static_cast<std::size_t>(threads) * static_cast<std::size_t>(reach) * sizeof(T);
}

template <class T>
int zero_one_rows(const Table<T>& table, T* best, const Decisions& decisions, Watch& watch) {
  return Sweep<T>(table, best, decisions, watch).run();
}

template <class T>
void unbounded_rows(const Table<T>& table, T* best, Watch& watch) {
  const Kernels<T> kernels = cpu::kernels<T>();
  const auto cells = static_cast<std::int64_t>(padded_cells(table.capacity));
  constexpr std::int64_t strip = tuning::l1_bytes / 2 / sizeof(T);
  for (std::int64_t low = 0; low < cells; low += strip) {
    watch.check();
    const std::int64_t high = std::min(cells, low + strip);
    std::fill(best + low, best + high, T{0});
    for (const auto& [weight, value] : table.rows) {
      const std::int64_t from = std::max(low, weight);
      if (from < high) {
        kernels.raise_up(best + from, best + from - weight, static_cast<std::size_t>(high - from), value);
      }
    }
    watch.advance(static_cast<double>(table.rows.size()) * static_cast<double>(high - low));
  }
}

template int zero_one_rows(const Table<std::int32_t>&, std::int32_t*, const Decisions&, Watch&);
template int zero_one_rows(const Table<std::int64_t>&, std::int64_t*, const Decisions&, Watch&);
template std::size_t halo_bytes<std::int32_t>(std::int64_t, std::int64_t, int);
template std::size_t halo_bytes<std::int64_t>(std::int64_t, std::int64_t, int);
template void unbounded_rows(const Table<std::int32_t>&, std::int32_t*, Watch&);
template void unbounded_rows(const Table<std::int64_t>&, std::int64_t*, Watch&);

}  // namespace cpu
}  // namespace warpfold::knapsack
