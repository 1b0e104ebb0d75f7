#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <vector>

#include "core/number_types.hpp"
#include "knapsack/kernels.hpp"
#include "knapsack/table.hpp"
#include "knapsack/tuning.hpp"
#include "warpfold/run/clock.hpp"
#include "warpfold/run/team.hpp"

namespace warpfold::knapsack {

namespace {

/// The largest distance that a group of several rows reads downwards.
template <class T>
constexpr std::int64_t shared_reach = tuning::l2_bytes / 2 / static_cast<std::int64_t>(sizeof(T));

/// A group of rows that pass over a strip of capacities together, while it is in a cache.
struct Group {
  std::size_t first = 0;
  std::size_t last = 0;
  std::int64_t reach = 0;  ///< the sum of their weights, each rounded up: how far below a cell they look in all
  std::int64_t strip = 0;
};

/// The number of rows that fit a cache besides a strip of capacities; at least one.
template <class T>
Group next_group(std::span<const Row<T>> rows, std::size_t first, std::int64_t max_reach) {
  const auto gather = [&](std::int64_t cells) {
    Group group{first, first, 0, 0};
    while (group.last < rows.size()) {
      const std::int64_t reach = group.reach + round_up(rows[group.last].weight);
      if (reach > std::min(cells / 2, max_reach)) break;
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

/// A round: groups that a thread processes before it checks the progress of the others.
struct Round {
  std::size_t first = 0;
  std::size_t last = 0;
  std::int64_t reach = 0;      ///< of all its groups together
  std::int64_t max_reach = 0;  ///< of the group with the largest reach
};

/// As many groups as `max_reach` allows, at least one. Exactly one for a single thread, which waits for nobody.
template <class T>
Round next_round(std::span<const Row<T>> rows, std::size_t first, std::int64_t max_reach, int members) {
  Round round{first, first, 0, max_reach};
  do {
    const Group group = next_group(rows, round.last, max_reach);
    if (round.last > first && round.reach + group.reach > max_reach) break;
    round.last = group.last;
    round.reach += group.reach;
  } while (members > 1 && round.last < rows.size());
  return round;
}

/// The capacities of one round, divided among the first members of the team.
struct Division {
  std::int64_t low = 0;
  std::int64_t high = 0;
  std::span<const double> ends = {};  ///< where each member's share ends: the last one's at 1

  [[nodiscard]] int members() const { return static_cast<int>(ends.size()); }
  [[nodiscard]] std::int64_t high_of(int rank) const {
    const auto granules = static_cast<double>((high - low) / tuning::granule);
    return low + static_cast<std::int64_t>(granules * ends[static_cast<std::size_t>(rank)]) * tuning::granule;
  }
  [[nodiscard]] std::int64_t low_of(int rank) const { return rank == 0 ? low : high_of(rank - 1); }
};

/// Equal shares of `members`.
std::vector<double> equal_ends(int members) {
  std::vector<double> ends(static_cast<std::size_t>(members), 1.0);
  for (std::size_t r = 0; r + 1 < ends.size(); ++r) ends[r] = static_cast<double>(r + 1) / members;
  return ends;
}

/// A thread's share of one round. It owns capacities low .. high-1. It keeps its own copy of the cells below `low` that
/// the round's rows read (the halo). If a later row of the round needs these raised, it raises them itself.
template <class T>
struct Share {
  std::int64_t low = 0;
  std::int64_t high = 0;
  std::int64_t halo_low = 0;  ///< halo[0] is this capacity's cell
  std::unique_ptr<T[]> halo;
  std::int64_t halo_cells = 0;
};

/// Rows in rounds, each by as many threads as get a share that is large enough. A thread copies its halo and raises its
/// share. It first waits for the owners of the cells that it copies, and in between for those who copy its cells.
/// Processors differ in speed, and a round ends with the slowest. So from time to time the shares are adapted to the
/// measured times.
///
/// A share's groups are raised one after another, the cells of each in strips from high to low, skewed. A row works as
/// far below the next row as that one will read. So every row reads cells that are final for the row before and
/// unchanged by itself.
template <class T>
class Sweep {
 public:
  Sweep(const Table<T>& table, T* best, const Decisions& decisions, SolveMonitor& monitor)
      : table_(table),
        best_(best),
        decisions_(decisions),
        monitor_(monitor),
        cells_(static_cast<std::int64_t>(padded_cells(table.capacity))),
        kernels_(cpu::kernels<T>()),
        team_(table.threads),
        progress_(static_cast<std::size_t>(team_.size())),
        ends_(equal_ends(team_.size())) {
    for (int members = 1; members < team_.size(); ++members) fewer_ends_.push_back(equal_ends(members));
    for (const Row<T>& row : table.rows) weight_after_ += row.weight;
  }

  /// Returns the number of threads that ran.
  int run() {
    const std::int64_t filled = filled_by(table_.weight_before);
    std::fill(best_ + std::min(table_.weight_before, filled), best_ + filled, table_.value_before);
    team_.run([this](int rank) { work(rank); });
    return team_.size();
  }

 private:
  /// A member's progress: twice the rounds that it has ended, and one more once it has copied the next halo.
  struct alignas(64) Progress {
    std::atomic<std::size_t> value = 0;
    double seconds = 0;  ///< of raising shares of whole teams since they were last balanced
  };

  /// The rows' position before a round. It is the same on every thread.
  struct Position {
    std::int64_t weight_after;       ///< the weight of the rows from `row` on
    std::int64_t weight_before = 0;  ///< the weight of the rows before `row`
    T value_before = 0;
    std::size_t row = 0;
    std::size_t ended = 0;   ///< the number of rounds that have ended
    Division division = {};  ///< the division of the last round
  };

  /// The plan of a round.
  struct RoundPlan {
    Round round;
    int members;
    std::int64_t filled;  ///< cells that rows before it fill
    T value;              ///< the value of all rows before it
    Division division;
  };

  void work(int rank) {
    Share<T> share;
    Position at{weight_after_, table_.weight_before, table_.value_before};
    std::atomic<std::size_t>& progress = progress_[static_cast<std::size_t>(rank)].value;
    while (at.row < table_.rows.size()) {
      if (at.ended % tuning::balanced_rounds == 0 && at.ended > 0 && team_.size() > 1) rebalance(rank, at);
      const RoundPlan plan = next_plan(at);
      if (rank == 0) monitor_.check();  // an error ends the other threads at their next wait
      if (rank < plan.members) raise_share(share, rank, plan, at);
      progress.store(2 * (at.ended + 1), std::memory_order_release);
      if (rank == 0) {
        monitor_.advance(static_cast<double>(plan.round.last - plan.round.first) * static_cast<double>(cells_));
      }
      at.division = plan.division;
      ++at.ended;
    }
    // The cells beyond the sum of all weights.
    if (rank == 0) std::fill(best_ + filled_by(at.weight_before), best_ + cells_, at.value_before);
  }

  /// The number of cells that rows of this weight fill.
  [[nodiscard]] std::int64_t filled_by(std::int64_t weight) const { return std::min(cells_, round_up(weight + 1)); }

  void rebalance(int rank, Position& at) {
    team_.barrier();
    if (rank == 0) balance();
    team_.barrier();
    at.division = {};
  }

  /// Chooses the rows of the next round, and moves `at` behind them.
  RoundPlan next_plan(Position& at) const {
    const std::int64_t filled = filled_by(at.weight_before);
    const int members = members_for(filled - lowest(at.weight_after, 0, filled));
    const Round round = next_round(table_.rows, at.row, max_reach(filled, members), members);
    const T value = at.value_before;
    for (; at.row < round.last; ++at.row) {
      at.weight_before += table_.rows[at.row].weight;
      at.weight_after -= table_.rows[at.row].weight;
      at.value_before = static_cast<T>(at.value_before + table_.rows[at.row].value);
    }
    const std::int64_t high = filled_by(at.weight_before), reach = decisions_.words ? round.reach : 0;
    return {round, members, filled, value, {lowest(at.weight_after, reach, high), high, ends_of(members)}};
  }

  void raise_share(Share<T>& share, int rank, const RoundPlan& plan, const Position& at) {
    share.low = plan.division.low_of(rank);
    share.high = plan.division.high_of(rank);
    share.halo_low = std::max<std::int64_t>(share.low - plan.round.reach, 0);
    wait_for_owners(share, at.division, at.ended);
    // Capacities that the rows so far could not fill hold all of their items.
    std::fill(best_ + std::clamp(plan.filled, rank == 0 ? 0 : share.low, share.high), best_ + share.high, plan.value);
    copy_halo(share, plan.round, plan.filled, plan.value);
    Progress& progress = progress_[static_cast<std::size_t>(rank)];
    progress.value.store(2 * at.ended + 1, std::memory_order_release);
    wait_for_readers(share, plan.division, rank, plan.round.reach, at.ended);
    const auto start = std::chrono::steady_clock::now();
    raise(share, plan.round);
    if (plan.members == team_.size()) progress.seconds += seconds_since(start);
  }

  [[nodiscard]] std::span<const double> ends_of(int members) const {
    return members == team_.size() ? ends_ : fewer_ends_[static_cast<std::size_t>(members) - 1];
  }

  /// Adapts shares half way to the speeds of the last rounds, so that one slow round does not mark a slow processor.
  void balance() {
    double all = 0, end = 0;
    std::vector<double> wanted(ends_.size());
    for (std::size_t r = 0; r < ends_.size(); ++r) {
      if (progress_[r].seconds == 0) return;
      const double had = ends_[r] - (r == 0 ? 0 : ends_[r - 1]);
      wanted[r] = had / progress_[r].seconds;
      all += wanted[r];
      progress_[r].seconds = 0;
    }
    for (std::size_t r = 0; r + 1 < ends_.size(); ++r) {
      end += wanted[r] / all;
      ends_[r] = (ends_[r] + end) / 2;
    }
  }

  /// Waits until the cells of the halo and of the share have been raised in all earlier rounds. In the last round their
  /// owners raise them, and in those before it all members.
  void wait_for_owners(const Share<T>& share, const Division& before, std::size_t ended) {
    for (int other = 0; other < team_.size(); ++other) {
      const bool owned =
          other < before.members() && before.low_of(other) < share.high && before.high_of(other) > share.halo_low;
      const std::size_t rounds = owned ? ended : ended - std::min<std::size_t>(ended, 1);
      team_.wait(progress_[static_cast<std::size_t>(other)].value, 2 * rounds);
    }
  }

  /// Waits until those who copy cells of the share in this round have done so.
  void wait_for_readers(const Share<T>& share, const Division& now, int rank, std::int64_t reach, std::size_t ended) {
    for (int other = rank + 1; other < now.members() && now.low_of(other) - reach < share.high; ++other) {
      team_.wait(progress_[static_cast<std::size_t>(other)].value, 2 * ended + 1);
    }
  }

  [[nodiscard]] int members_for(std::int64_t span) const {
    return static_cast<int>(std::clamp<std::int64_t>(span / table_.min_share, 1, team_.size()));
  }

  /// Halos are raised again by their reader. This keeps that below a quarter of the work.
  [[nodiscard]] std::int64_t max_reach(std::int64_t filled, int members) const {
    if (members == 1 && table_.lowest == 0) return std::int64_t{1} << 61;
    return std::clamp<std::int64_t>(filled / members / 4, 4 * tuning::granule, shared_reach<T>);
  }

  /// The lowest capacity that matters before rows of weight_after: lower ones are not read again. A round whose own
  /// decisions will be traced adds its reach.
  [[nodiscard]] std::int64_t lowest(std::int64_t weight_after, std::int64_t reach, std::int64_t high) const {
    return std::clamp<std::int64_t>(round_down(table_.lowest - weight_after - reach), 0, high);
  }

  /// Cells from `filled` on have `value`. Meanwhile their owner writes it there.
  void copy_halo(Share<T>& share, const Round& round, std::int64_t filled, T value) {
    std::int64_t end = share.low;
    if (round.last - round.first == 1) {
      end = std::clamp(share.high - table_.rows[round.first].weight, share.halo_low, share.low);
    }
    const std::int64_t count = end - share.halo_low;
    if (count > share.halo_cells) {
      share.halo_cells = count + count / 4;
      share.halo.reset();  // before the larger one is allocated
      share.halo = std::make_unique_for_overwrite<T[]>(static_cast<std::size_t>(share.halo_cells));
    }
    const std::int64_t stored = std::clamp(filled, share.halo_low, end);
    T* const rest = std::copy(best_ + share.halo_low, best_ + stored, share.halo.get());
    std::fill_n(rest, end - stored, value);
  }

  void raise(const Share<T>& share, const Round& round) {
    std::int64_t after = round.reach;
    for (std::size_t first = round.first; first < round.last;) {
      const Group group = next_group(table_.rows, first, round.max_reach);
      after -= group.reach;
      raise(share, group, share.low - after);
      first = group.last;
    }
  }

  /// The cells of the share, and those of the halo from `low` on, that later groups read.
  void raise(const Share<T>& share, const Group& group, std::int64_t low) {
    std::int64_t above = std::int64_t{1} << 62;
    for (std::int64_t base = share.high - group.strip;; base -= group.strip) {
      std::int64_t skew = group.reach;
      for (std::size_t i = group.first; i < group.last; ++i) {
        const std::int64_t weight = table_.rows[i].weight;
        skew -= round_up(weight);
        const std::int64_t from = std::max({weight, low - skew, base - skew});
        const std::int64_t to = std::min(share.high, above - skew);
        if (from < to) raise_row(share, i, from, to);
      }
      if (base <= low) return;
      above = base;
    }
  }

  /// Raises cells from .. to-1 of row i, high ones first: first those with both cells in the share, then those that
  /// read the halo, then those in the halo.
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

  /// Fewer cells than a word has bits, one by one.
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
  SolveMonitor& monitor_;
  const std::int64_t cells_;
  const cpu::Kernels<T> kernels_;
  Team team_;
  std::vector<Progress> progress_;               ///< the progress of every member
  std::vector<double> ends_;                     ///< where the members' shares end
  std::vector<std::vector<double>> fewer_ends_;  ///< the shares for 1, 2, .. members
  std::int64_t weight_after_ = 0;
};

}  // namespace

std::size_t padded_cells(std::int64_t capacity) { return static_cast<std::size_t>(round_up(capacity + 1)); }

namespace cpu {

template <class T>
std::size_t halo_bytes(std::int64_t heaviest, std::int64_t capacity, int threads) {
  if (threads == 1) return 0;
  const std::int64_t share = capacity / threads + 1;
  const std::int64_t reach = std::min(std::max(heaviest, shared_reach<T>), share) * 5 / 4;
  return static_cast<std::size_t>(threads) * static_cast<std::size_t>(reach) * sizeof(T);
}

template <class T>
int zero_one_rows(const Table<T>& table, T* best, const Decisions& decisions, SolveMonitor& monitor) {
  return Sweep<T>(table, best, decisions, monitor).run();
}

template <class T>
void unbounded_rows(const Table<T>& table, T* best, SolveMonitor& monitor) {
  const Kernels<T> kernels = cpu::kernels<T>();
  const auto cells = static_cast<std::int64_t>(padded_cells(table.capacity));
  constexpr std::int64_t strip = tuning::l1_bytes / 2 / sizeof(T);
  for (std::int64_t low = 0; low < cells; low += strip) {
    monitor.check();
    const std::int64_t high = std::min(cells, low + strip);
    std::fill(best + low, best + high, T{0});
    for (const auto& [weight, value] : table.rows) {
      const std::int64_t from = std::max(low, weight);
      if (from < high) {
        kernels.raise_up(best + from, best + from - weight, static_cast<std::size_t>(high - from), value);
      }
    }
    monitor.advance(static_cast<double>(table.rows.size()) * static_cast<double>(high - low));
  }
}

#define WARPFOLD_INSTANTIATE(T)                                                     \
  template int zero_one_rows(const Table<T>&, T*, const Decisions&, SolveMonitor&); \
  template std::size_t halo_bytes<T>(std::int64_t, std::int64_t, int);              \
  template void unbounded_rows(const Table<T>&, T*, SolveMonitor&);
WARPFOLD_FOR_EACH_INTEGER_TYPE(WARPFOLD_INSTANTIATE)
#undef WARPFOLD_INSTANTIATE

}  // namespace cpu
}  // namespace warpfold::knapsack
