#include "knapsack/core.hpp"

#include <hwy/contrib/sort/vqsort.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <type_traits>

#include "knapsack/cells.hpp"
#include "knapsack/tuning.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold::knapsack {

namespace {

/// A piece with its weight in the surrogate constraint, weight + S.
struct Entry {
  std::int64_t value = 0;
  std::int64_t weight = 0;
  std::int64_t load = 0;
  std::uint32_t index = 0;
};

/// A surrogate constraint, sum (weight + multiplier) <= capacity + multiplier * count. The capacity and a bound on the
/// number of pieces imply it. Multiplier 0 is the capacity itself.
struct Surrogate {
  std::int64_t multiplier = 0;
  std::int64_t count = 0;

  [[nodiscard]] std::int64_t load_limit(std::int64_t capacity) const { return capacity + multiplier * count; }
};

constexpr std::int64_t beyond = std::int64_t{1} << 62;

struct State {
  std::int64_t weight;
  std::int64_t value;
  std::int64_t load;
  std::uint64_t decisions;  ///< bit (step mod 64): whether that step's change was made
};

/// States by ascending weight. After them comes one beyond every weight.
class StateList {
 public:
  static constexpr std::size_t min_bytes = 1024 * sizeof(State);

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t bytes() const { return capacity_ * sizeof(State); }
  [[nodiscard]] const State* data() const { return states_.get(); }
  [[nodiscard]] State* begin() { return states_.get(); }
  /// Makes room for `count` states from `end` on, and returns their new place.
  [[nodiscard]] State* room_for(std::size_t count, State* end) {
    const auto used = static_cast<std::size_t>(end - states_.get());
    if (used + count + 1 <= capacity_) return end;
    capacity_ = std::max<std::size_t>({used + count + 1, capacity_ + capacity_ / 4, min_bytes / sizeof(State)});
    Cells<State> larger = allocate_cells<State>(capacity_);
    std::copy_n(states_.get(), used, larger.get());
    states_ = std::move(larger);
    return states_.get() + used;
  }
  void close(State* end) {
    size_ = static_cast<std::size_t>(end - states_.get());
    *end = {beyond, 0, 0, 0};
  }
  void swap(StateList& other) noexcept {
    states_.swap(other.states_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }

 private:
  Cells<State> states_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

/// One more piece that is tried both ways: packed although it is after the break, or left out although it is before.
struct Step {
  std::uint32_t at;  ///< in the order
  std::int64_t value;
  std::int64_t weight;
  std::int64_t load;
};

/// The best rate at which the untried pieces can turn load into value, and back.
struct Rates {
  std::int64_t gain_value = 0;
  std::int64_t gain_load = 1;
  std::int64_t loss_value = 1;
  std::int64_t loss_load = 0;
};

/// The aim of a search: more than `beat`, within the limits.
struct Aim {
  std::int64_t capacity;
  std::int64_t load_limit;
  std::int64_t beat;
};

bool better_ratio(const Entry& a, const Entry& b) {
  const __int128 left = static_cast<__int128>(a.value) * b.load;
  const __int128 right = static_cast<__int128>(b.value) * a.load;
  return left != right ? left > right : a.index < b.index;
}

bool same_ratio(const Entry& a, const Entry& b) {
  return static_cast<__int128>(a.value) * b.load == static_cast<__int128>(b.value) * a.load;
}

/// One search for a better packing with one surrogate.
class Search {
 public:
  Search(std::span<const Piece> pieces, std::int64_t capacity, Surrogate surrogate)
      : capacity_(capacity), surrogate_(surrogate), load_limit_(surrogate.load_limit(capacity)) {
    order(pieces);
    find_break();
  }

  /// The upper bound on every packing's value.
  [[nodiscard]] std::int64_t upper_bound() const {
    if (break_ == order_.size()) return break_value_;
    const Entry& next = order_[break_];
    return break_value_ +
           static_cast<std::int64_t>(static_cast<__int128>(load_limit_ - break_load_) * next.value / next.load);
  }

  [[nodiscard]] std::size_t break_count() const { return break_; }
  [[nodiscard]] std::int64_t multiplier() const { return surrogate_.multiplier; }
  [[nodiscard]] const std::vector<Step>& steps() const { return steps_; }
  [[nodiscard]] std::size_t max_states() const { return max_states_; }
  /// The bytes of both lists, which never shrink.
  [[nodiscard]] std::size_t list_bytes() const { return states_.bytes() + merged_.bytes(); }
  [[nodiscard]] double visited() const { return visited_; }

  /// The greedy packing, improved by one more or one fewer piece. If its value is above `best`, sets both and returns
  /// true.
  bool greedy(std::int64_t& best, std::vector<char>& taken) const {
    if (break_weight_ > capacity_) return false;
    std::size_t changed = order_.size();
    std::int64_t value = break_value_;
    const std::int64_t room = capacity_ - break_weight_;
    for (std::size_t i = break_; i < order_.size(); ++i) {
      if (order_[i].weight <= room && break_value_ + order_[i].value > value) {
        value = break_value_ + order_[i].value;
        changed = i;
      }
    }
    const bool exchange = break_ < order_.size();
    for (std::size_t i = 0; exchange && i < break_; ++i) {
      const std::int64_t exchanged = break_value_ + order_[break_].value - order_[i].value;
      if (order_[break_].weight - order_[i].weight <= room && exchanged > value) {
        value = exchanged;
        changed = i;
      }
    }
    if (value <= best) return false;
    best = value;
    taken = break_packing();
    if (changed < order_.size()) {
      taken[order_[changed].index] = changed >= break_;
      if (changed < break_) taken[order_[break_].index] = 1;
    }
    return true;
  }

  enum class End { exhausted, bound_met, long_list, out_of_budget };

  /// Grows the core until no state can beat `best`. Stops early at a list of `longest` states.
  End run(std::int64_t& best, std::size_t longest, const CoreBudget& budget, const SolveMonitor& monitor) {
    if (budget.bytes < StateList::min_bytes) return End::out_of_budget;
    const bool wide = products_overflow();
    const std::int64_t bound = upper_bound();
    Aim aim{capacity_, load_limit_, best};
    if (steps_.empty()) begin();
    while (states_.size() > 0 && (low_ > 0 || high_ < order_.size())) {
      if (best >= bound) return End::bound_met;
      if (states_.size() > longest) return End::long_list;
      if (!next_step(best)) break;
      if (visited_ > budget.states || step_bytes() > budget.bytes) return End::out_of_budget;
      if (states_.size() > tuning::core_watched_states) monitor.check();
      aim.beat = best;
      const bool improved = wide ? merge<true>(steps_.back(), aim, rates()) : merge<false>(steps_.back(), aim, rates());
      if (improved) {
        best = found_.value;
        found_step_ = steps_.size() - 1;
        found_any_ = true;
      }
    }
    return End::exhausted;
  }

  [[nodiscard]] bool found() const { return found_any_; }

  /// Returns the packing of the best state that `run` found.
  std::vector<char> packing(const SolveMonitor& monitor) {
    std::vector<char> taken = break_packing();
    State state = found_;
    std::size_t count = found_step_ + 1;
    while (true) {
      const std::size_t known = count > 64 ? count - 64 : 0;
      for (std::size_t step = known; step < count; ++step) {
        if ((state.decisions >> (step % 64) & 1) == 0) continue;
        taken[order_[steps_[step].at].index] = steps_[step].value > 0;
        state.value -= steps_[step].value;
        state.weight -= steps_[step].weight;
        state.load -= steps_[step].load;
      }
      if (known == 0) return taken;
      count = search_again(known, state, monitor);
    }
  }

 private:
  void order(std::span<const Piece> pieces) {
    const std::int64_t add = surrogate_.multiplier;
    std::vector<std::uint64_t> keys(pieces.size());
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      const auto ratio =
          static_cast<float>(static_cast<double>(pieces[i].value) / static_cast<double>(pieces[i].weight + add));
      keys[i] = static_cast<std::uint64_t>(~std::bit_cast<std::uint32_t>(ratio)) << 32 | i;
    }
    static const hwy::Sorter sorter;
    sorter(keys.data(), keys.size(), hwy::SortAscending());
    order_.resize(pieces.size());
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const auto index = static_cast<std::uint32_t>(keys[i]);
      order_[i] = {pieces[index].value, pieces[index].weight, pieces[index].weight + add, index};
    }
    // Puts ratios that round to the same float into their exact order.
    for (std::size_t first = 0; first < keys.size();) {
      std::size_t last = first + 1;
      while (last < keys.size() && keys[last] >> 32 == keys[first] >> 32) ++last;
      const auto begin = order_.begin() + static_cast<std::ptrdiff_t>(first);
      const auto end = order_.begin() + static_cast<std::ptrdiff_t>(last);
      if (last - first > 1 && !std::is_sorted(begin, end, better_ratio)) std::sort(begin, end, better_ratio);
      first = last;
    }
  }

  void find_break() {
    pack_prefix();
    if (surrogate_.multiplier == 0 || break_ == order_.size()) return;
    arrange_ties();
    pack_prefix();
  }

  void pack_prefix() {
    break_ = 0;
    break_value_ = break_weight_ = break_load_ = 0;
    while (break_ < order_.size() && break_load_ + order_[break_].load <= load_limit_) {
      break_value_ += order_[break_].value;
      break_weight_ += order_[break_].weight;
      break_load_ += order_[break_++].load;
    }
    low_ = high_ = break_;
  }

  /// Orders pieces of one ratio, which may be in any order. First come as many as the bound on their number says, with
  /// about the weight that is left. Next to the break, on both sides, come those of similar weights. So a few exchanges
  /// among them reach every small change of weight.
  void arrange_ties() {
    std::size_t first = break_;
    std::size_t last = break_ + 1;
    while (first > 0 && same_ratio(order_[first - 1], order_[break_])) --first;
    while (last < order_.size() && same_ratio(order_[last], order_[break_])) ++last;
    const auto count = static_cast<std::size_t>(surrogate_.count);
    if (last - first < tuning::core_ties || count <= first || count >= last) return;
    std::int64_t room = capacity_;
    for (std::size_t i = 0; i < first; ++i) room -= order_[i].weight;
    const std::span<Entry> ties(order_.data() + first, last - first);
    std::sort(ties.begin(), ties.end(), [](const Entry& a, const Entry& b) { return a.weight < b.weight; });

    // The heaviest run of `packed` neighbors by weight that fits.
    const std::size_t packed = count - first;
    std::size_t shift = 0;
    for (std::size_t i = 0; i < packed; ++i) room -= ties[i].weight;
    while (packed + shift < ties.size() && ties[packed + shift].weight - ties[shift].weight <= room) {
      room -= ties[packed + shift].weight - ties[shift].weight;
      ++shift;
    }
    std::vector<Entry> in(ties.begin() + shift, ties.begin() + shift + packed);
    std::vector<Entry> lighter(ties.begin(), ties.begin() + shift);
    std::vector<Entry> heavier(ties.begin() + shift + packed, ties.end());
    std::vector<Entry> fixed_in;  // exchanged to fill the room; far from the break, so that they stay
    std::vector<Entry> fixed_out;
    // Exchanges next to the break only add weight, or only remove some. So leave, or exceed by, about as much as half a
    // dozen of them change.
    const bool below = heavier.size() < lighter.size();
    constexpr std::size_t near = 12;
    if (in.size() > near && !below && heavier.size() > near) {
      room -= 3 * (heavier[near].weight - in[in.size() - near].weight);
    } else if (in.size() > near && below && lighter.size() > near) {
      room += 3 * (in[near].weight - lighter[lighter.size() - near].weight);
    }
    while (room > 0 && fixed_in.size() < 3 && fill_room(room, in, heavier, fixed_in, fixed_out)) continue;
    std::reverse(lighter.begin(), lighter.end());
    if (below) {
      std::reverse(in.begin(), in.end());
      std::swap(lighter, heavier);
    }
    auto to = ties.begin();
    for (const auto* part : {&fixed_in, &in, &heavier, &lighter, &fixed_out}) {
      to = std::copy(part->begin(), part->end(), to);
    }
  }

  /// Exchanges the pair, one of `in` for one of `heavier` (both by ascending weight), that fills the room best.
  static bool fill_room(std::int64_t& room, std::vector<Entry>& in, std::vector<Entry>& heavier,
                        std::vector<Entry>& fixed_in, std::vector<Entry>& fixed_out) {
    std::int64_t best = 0;
    std::size_t best_in = 0;
    std::size_t best_heavier = 0;
    std::size_t j = 0;
    for (std::size_t i = 0; i < in.size(); ++i) {
      while (j < heavier.size() && heavier[j].weight - in[i].weight <= room) ++j;
      if (j == 0 || heavier[j - 1].weight - in[i].weight <= best) continue;
      best = heavier[j - 1].weight - in[i].weight;
      best_in = i;
      best_heavier = j - 1;
    }
    if (best == 0) return false;
    room -= best;
    fixed_in.push_back(heavier[best_heavier]);
    fixed_out.push_back(in[best_in]);
    heavier.erase(heavier.begin() + static_cast<std::ptrdiff_t>(best_heavier));
    in.erase(in.begin() + static_cast<std::ptrdiff_t>(best_in));
    return true;
  }

  [[nodiscard]] std::vector<char> break_packing() const {
    std::vector<char> taken(order_.size(), 0);
    for (std::size_t i = 0; i < break_; ++i) taken[order_[i].index] = 1;
    return taken;
  }

  [[nodiscard]] bool products_overflow() const {
    std::int64_t most = 1;
    __int128 total = 1;
    for (const Entry& entry : order_) {
      most = std::max({most, entry.value, entry.load});
      total += std::max(entry.value, entry.load);
    }
    total += std::max<std::int64_t>(load_limit_ < 0 ? -load_limit_ : load_limit_, 0);
    return total * most * 2 > std::numeric_limits<std::int64_t>::max();
  }

  /// The largest number of bytes that the next step may take: for twice as many states as now, and for as many again
  /// while they move.
  [[nodiscard]] std::size_t step_bytes() const {
    return states_.bytes() + std::max({merged_.bytes(), 5 * states_.size() * sizeof(State), StateList::min_bytes});
  }

  void begin() {
    State* first = states_.room_for(1, states_.begin());
    *first = {break_weight_, break_value_, break_load_, 0};
    states_.close(first + 1);
    turn_ = false;
  }

  /// Whether trying the piece at `i` both ways can beat `best`: the break packing's linear bound with that piece
  /// forced.
  [[nodiscard]] bool worthwhile(std::size_t i, std::int64_t best) const {
    if (break_ == order_.size()) return true;
    const Entry& next = order_[break_];
    const std::int64_t sign = i >= break_ ? 1 : -1;
    const __int128 room = static_cast<__int128>(load_limit_ - break_load_ - sign * order_[i].load) * next.value;
    return room >= static_cast<__int128>(best + 1 - break_value_ - sign * order_[i].value) * next.load;
  }

  void skip_hopeless(std::int64_t best) {
    while (high_ < order_.size() && !worthwhile(high_, best)) ++high_;
    while (low_ > 0 && !worthwhile(low_ - 1, best)) --low_;
  }

  /// Chooses the next piece, alternately from after and from before the break. Returns false if none is left.
  bool next_step(std::int64_t best) {
    skip_hopeless(best);
    if (low_ == 0 && high_ == order_.size()) return false;
    turn_ = low_ == 0 || (high_ < order_.size() && !turn_);
    const std::size_t at = turn_ ? high_++ : --low_;
    const std::int64_t sign = turn_ ? 1 : -1;
    const Entry& entry = order_[at];
    steps_.push_back({static_cast<std::uint32_t>(at), sign * entry.value, sign * entry.weight, sign * entry.load});
    skip_hopeless(best);
    return true;
  }

  [[nodiscard]] Rates rates() const {
    Rates rates;
    if (high_ < order_.size()) {
      rates.gain_value = order_[high_].value;
      rates.gain_load = order_[high_].load;
    }
    if (low_ > 0) {
      rates.loss_value = order_[low_ - 1].value;
      rates.loss_load = order_[low_ - 1].load;
    }
    return rates;
  }

  /// Merges the states with themselves after `step`, both sorted by weight. Drops dominated states, and those whose
  /// bound does not beat the best. Returns whether a state that fits beats the aim; found_ has the best of them. Apart
  /// from that it is branch-free: 2 comparisons, 2 products and 32 bytes written per state visited.
  template <bool wide>
  bool merge(const Step& step, Aim aim, const Rates& rates) {
    using Product = std::conditional_t<wide, __int128, std::int64_t>;
    const std::size_t size = states_.size();
    const std::uint64_t bit = std::uint64_t{1} << ((steps_done_++) % 64);
    const State* without = states_.data();
    const State* with = states_.data();
    State* out = merged_.begin();
    std::int64_t highest = -1;
    bool improved = false;
    for (std::size_t first = 0; first < 2 * size; first += tuning::core_visits_a_time) {
      const std::size_t visits = std::min(tuning::core_visits_a_time, 2 * size - first);
      out = merged_.room_for(visits, out);
      for (std::size_t visit = 0; visit < visits; ++visit) {
        const std::int64_t weight_with = with->weight + step.weight;
        const std::int64_t value_with = with->value + step.value;
        const bool change =
            weight_with < without->weight || (weight_with == without->weight && value_with > without->value);
        const State* from = change ? with : without;
        State state = *from;
        state.weight += change ? step.weight : 0;
        state.value += change ? step.value : 0;
        state.load += change ? step.load : 0;
        state.decisions = (state.decisions & ~bit) | (change ? bit : 0);
        with += change;
        without += !change;
        const std::int64_t room = aim.load_limit - state.load;
        const std::int64_t rate_value = room >= 0 ? rates.gain_value : rates.loss_value;
        const std::int64_t rate_load = room >= 0 ? rates.gain_load : rates.loss_load;
        if (state.weight <= aim.capacity && state.value > aim.beat) {
          aim.beat = state.value;
          found_ = state;
          improved = true;
        }
        const bool hopeful =
            static_cast<Product>(room) * rate_value >= static_cast<Product>(aim.beat + 1 - state.value) * rate_load;
        *out = state;
        out += (state.value > highest) & hopeful;
        highest = std::max(highest, state.value);
      }
    }
    merged_.close(out);
    states_.swap(merged_);
    visited_ += 2.0 * static_cast<double>(size);
    max_states_ = std::max(max_states_, states_.size());
    return improved;
  }

  /// Finds the decisions of `state`, which the first `count` steps reach. Returns the number of steps after which it
  /// was met. state.decisions has the last 64 of these decisions.
  std::size_t search_again(std::size_t count, State& state, const SolveMonitor& monitor) {
    // Any packing completed by the known decisions satisfies the surrogate, so its slack belongs to this search too.
    const Aim aim{state.weight, state.load + (load_limit_ - found_.load), state.value - 1};
    const std::vector<Rates> rates = rates_within(count);
    begin();
    steps_done_ = 0;
    for (std::size_t step = 0; step < count; ++step) {
      if (states_.size() > tuning::core_watched_states) monitor.check();
      const State target = found_;
      if (merge<true>(steps_[step], aim, rates[step])) {
        state = found_;
        found_ = target;
        return step + 1;
      }
      found_ = target;
    }
    throw Error(ErrorKind::internal, "core: a state's older decisions were not found again");
  }

  [[nodiscard]] std::vector<Rates> rates_within(std::size_t count) const {
    std::vector<Rates> rates(count);
    Rates later;
    for (std::size_t step = count; step-- > 0;) {
      rates[step] = later;
      const Step& s = steps_[step];
      if (s.value > 0) {
        later.gain_value = s.value;
        later.gain_load = s.load;
      } else {
        later.loss_value = -s.value;
        later.loss_load = -s.load;
      }
    }
    return rates;
  }

  std::int64_t capacity_;
  Surrogate surrogate_;
  std::int64_t load_limit_;
  std::vector<Entry> order_;
  std::size_t break_ = 0;
  std::int64_t break_value_ = 0;
  std::int64_t break_weight_ = 0;
  std::int64_t break_load_ = 0;
  std::size_t low_ = 0;   ///< pieces before it stand untried, and packed
  std::size_t high_ = 0;  ///< pieces from it on stand untried, and left out
  bool turn_ = false;
  StateList states_;
  StateList merged_;
  std::vector<Step> steps_;
  std::size_t steps_done_ = 0;
  State found_{};
  std::size_t found_step_ = 0;
  bool found_any_ = false;
  std::size_t max_states_ = 0;
  double visited_ = 0;
};

/// Bisects [low, high] to the last multiplier for which `holds`, which is true at low and monotone.
template <class Predicate>
std::int64_t last_that(std::int64_t low, std::int64_t high, const Predicate& holds) {
  while (low < high) {
    const std::int64_t middle = low + (high - low + 1) / 2;
    if (holds(middle)) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

/// Returns the surrogate with the lowest bound. This needs a greedy packing with as many pieces as any packing can
/// have, or with fewer than any better one must have. Otherwise the number of pieces gives no bound.
std::optional<Surrogate> cardinality_surrogate(std::span<const Piece> pieces, std::int64_t capacity,
                                               const Search& plain, std::int64_t best) {
  std::vector<std::int64_t> weights;
  std::vector<std::int64_t> values;
  for (const Piece& piece : pieces) {
    weights.push_back(piece.weight);
    values.push_back(piece.value);
  }
  std::sort(weights.begin(), weights.end());
  std::sort(values.begin(), values.end(), std::greater<>());
  std::int64_t most = 0;
  for (std::int64_t room = capacity; most < std::ssize(weights) && weights[most] <= room;) room -= weights[most++];
  std::int64_t fewest = 0;
  for (std::int64_t need = best + 1; fewest < std::ssize(values) && need > 0;) need -= values[fewest++];

  const auto packed = static_cast<std::int64_t>(plain.break_count());
  std::vector<Surrogate> candidates;
  if (packed >= most) {
    const std::int64_t last = last_that(0, values.front(), [&](std::int64_t multiplier) {
      return static_cast<std::int64_t>(Search(pieces, capacity, {multiplier, most}).break_count()) >= most;
    });
    candidates = {{last, most}, {last + 1, most}};
  } else if (packed < fewest) {
    const std::int64_t limit = std::min(weights.front() - 1, capacity / fewest);
    const std::int64_t last = last_that(0, limit, [&](std::int64_t multiplier) {
      return static_cast<std::int64_t>(Search(pieces, capacity, {-multiplier, fewest}).break_count()) < fewest;
    });
    candidates = {{-last, fewest}};
    if (last < limit) candidates.push_back({-last - 1, fewest});
  }
  std::optional<Surrogate> lowest;
  std::int64_t bound = plain.upper_bound();
  for (const Surrogate& candidate : candidates) {
    const std::int64_t candidate_bound = Search(pieces, capacity, candidate).upper_bound();
    if (candidate_bound >= bound) continue;
    bound = candidate_bound;
    lowest = candidate;
  }
  return lowest;
}

CoreResult take_all(std::span<const Piece> pieces) {
  CoreResult result;
  result.finished = true;
  result.taken.assign(pieces.size(), 1);
  for (const Piece& piece : pieces) result.value += piece.value;
  return result;
}

/// The bytes of a search without its lists.
std::size_t core_bytes(std::size_t pieces) {
  return pieces * (sizeof(Entry) + sizeof(Piece) + 2 * sizeof(std::uint64_t));
}

CoreResult search(std::span<const Piece> pieces, std::int64_t capacity, const CoreBudget& budget,
                  const SolveMonitor& monitor) {
  CoreResult result;
  result.value = -1;
  const std::size_t own_bytes = core_bytes(pieces.size()), bounded_bytes = pieces.size() * sizeof(Entry);
  if (own_bytes > budget.bytes) return result;
  Search plain(pieces, capacity, {});
  std::optional<Search> bounded;
  Search* winner = nullptr;
  const auto run = [&](Search& which, std::size_t longest, double states, std::size_t beside = 0) {
    const std::int64_t before = result.value;
    const std::size_t for_lists = budget.bytes - std::min(budget.bytes, own_bytes + beside);
    const auto end = which.run(result.value, longest, {states, for_lists}, monitor);
    if (result.value > before) winner = &which;
    return end;
  };
  plain.greedy(result.value, result.taken);
  auto end = run(plain, tuning::core_long_list, budget.states);
  if (end == Search::End::long_list) {
    const auto surrogate = cardinality_surrogate(pieces, capacity, plain, result.value);
    if (surrogate) {
      bounded.emplace(pieces, capacity, *surrogate);
      result.cardinality_bound = true;
      if (bounded->greedy(result.value, result.taken)) winner = nullptr;
      end = run(*bounded, SIZE_MAX, std::min(budget.states, tuning::core_surrogate_states),
                bounded_bytes + plain.list_bytes());
    }
    if (!surrogate || end == Search::End::out_of_budget) {
      end = run(plain, SIZE_MAX, budget.states, bounded ? bounded_bytes + bounded->list_bytes() : 0);
    }
  }
  result.finished = end != Search::End::out_of_budget;
  const auto account = [&result](const Search& part) {
    result.enumerated = std::max(result.enumerated, part.steps().size());
    result.max_states = std::max(result.max_states, part.max_states());
    result.states += part.visited();
    result.peak_bytes += part.list_bytes();
  };
  result.peak_bytes = own_bytes;
  account(plain);
  if (bounded) {
    account(*bounded);
    result.peak_bytes += bounded_bytes;
  }
  if (result.finished && winner) result.taken = winner->packing(monitor);
  return result;
}

}  // namespace

std::size_t min_core_bytes(std::size_t pieces) { return pieces * sizeof(Piece) + core_bytes(pieces); }

double min_core_seconds(std::size_t pieces) { return tuning::core_piece_seconds * static_cast<double>(pieces); }

ResourceEstimate worst_case_of_core(std::size_t pieces, const CoreBudget& budget) {
  constexpr double searches = 3;  // a plain one, a bounded one, and the plain one again
  constexpr double lists = 2;     // of the plain one and of the bounded one
  constexpr double largest = 0x1p62;
  // A step visits two states for each one of its list, and may leave as many. The previous list exists beside the
  // current one.
  const double list_bytes = std::min(static_cast<double>(budget.bytes), 2.5 * budget.states * sizeof(State));
  return {"core", min_core_seconds(pieces) + searches * budget.states / tuning::core_states_per_second,
          min_core_bytes(pieces) + pieces * sizeof(Entry) +
              static_cast<std::size_t>(std::min(lists * list_bytes, largest))};
}

CoreResult core(std::span<const Piece> pieces, std::int64_t capacity, const CoreBudget& budget,
                const SolveMonitor& monitor) {
  std::int64_t divisor = 0;
  std::int64_t total = 0;
  for (const Piece& piece : pieces) {
    divisor = std::gcd(divisor, piece.weight);
    total += piece.weight;
  }
  if (total <= capacity) return take_all(pieces);
  if (divisor == 1) return search(pieces, capacity, budget, monitor);
  std::vector<Piece> divided(pieces.begin(), pieces.end());
  for (Piece& piece : divided) piece.weight /= divisor;
  return search(divided, capacity / divisor, budget, monitor);
}

}  // namespace warpfold::knapsack
