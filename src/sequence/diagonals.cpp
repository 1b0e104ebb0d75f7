#include "sequence/diagonals.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "sequence/advance_points.hpp"
#include "sequence/furthest_reaching.hpp"
#include "sequence/seeds.hpp"
#include "sequence/walk.hpp"

namespace warpfold::sequence {

namespace {

using Index = std::int64_t;

/// F_e for the diagonals from `first` to `last`, or for each second one without substitutions. Those on both sides are
/// not reached.
class Frontier {
 public:
  /// Takes diagonals, whose values are set next. `step`: 1 or 2.
  void reset(Index first, Index last, Index step) {
    shift_ = static_cast<int>(step - 1);
    first_ = first;
    count_ = std::max<Index>(0, steps(last - first) + 1);
    begin_ = before;
    values_.resize(std::max(values_.size(), static_cast<std::size_t>(before + count_ + behind)));
  }
  /// Ends the diagonals on both sides. Call it when the values are set.
  void close() {
    std::fill_n(values_.data() + begin_ - before, before, unreached);
    std::fill_n(values_.data() + begin_ + count_, behind, unreached);
  }
  /// Leaves out the diagonals before `from` and after `to`.
  void narrow(Index from, Index to) {
    const Index end = std::min(count_, steps(to - first_) + 1);
    const Index left_out = std::clamp<Index>(-steps(first_ - from), 0, count_);
    begin_ += left_out;
    first_ += left_out << shift_;
    count_ = std::max<Index>(0, end - left_out);
    close();
  }
  /// A copy of the diagonals between.
  [[nodiscard]] Frontier part(Index from, Index to) const {
    const Index left_out = std::max<Index>(0, -steps(first_ - from));
    Frontier copy;
    copy.reset(first_ + (left_out << shift_), std::min(to, last()), step());
    std::copy_n(values_.data() + begin_ + left_out, copy.count_, copy.values_.data() + before);
    copy.close();
    return copy;
  }
  [[nodiscard]] Frontier copy() const { return part(first_, last()); }

  [[nodiscard]] Index first() const { return first_; }
  [[nodiscard]] Index last() const { return first_ + ((count_ - 1) << shift_); }
  [[nodiscard]] Index step() const { return shift_ + 1; }
  [[nodiscard]] Index count() const { return count_; }
  [[nodiscard]] bool is_empty() const { return count_ == 0; }
  [[nodiscard]] std::size_t bytes() const { return values_.size() * sizeof(Index); }
  [[nodiscard]] const Index* at(Index k) const { return values_.data() + begin_ + steps(k - first_); }
  [[nodiscard]] Index* at(Index k) { return values_.data() + begin_ + steps(k - first_); }
  [[nodiscard]] Index of(Index k) const {
    return k < first_ || k > last() || first_ + (steps(k - first_) << shift_) != k ? unreached : *at(k);
  }

 private:
  static constexpr Index before = 2, behind = 2 + points_of_vector;  ///< values that are not reached

  /// Rounded down.
  [[nodiscard]] Index steps(Index diagonals) const { return diagonals >> shift_; }

  int shift_ = 0;
  Index first_ = 0, count_ = 0, begin_ = before;
  std::vector<Index> values_ = std::vector<Index>(before + behind, unreached);
};

/// The frontiers of two sequences, one after the other.
class Frontiers {
 public:
  explicit Frontiers(const Query& query)
      : a_(query.pair.a()),
        b_(query.pair.b()),
        bytes_of_a_(bytes_if_few(query.pair.codes(), a_, symbols_compared)),
        bytes_of_b_(bytes_if_few(query.pair.codes(), b_, symbols_compared)),
        n_(static_cast<Index>(query.pair.n())),
        m_(static_cast<Index>(query.pair.m())),
        substitutes_(query.measure == Measure::edit),
        step_(substitutes_ ? 1 : 2),
        bound_(query.request.max_distance && *query.request.max_distance < query.pair.n() + query.pair.m()
                   ? static_cast<Index>(*query.request.max_distance)
                   : n_ + m_) {}

  [[nodiscard]] Index bound() const { return bound_; }
  [[nodiscard]] Frontier first() const {
    Frontier frontier;
    frontier.reset(0, 0, step_);
    *frontier.at(0) = common_prefix(a_.data(), b_.data(), std::min(n_, m_));
    frontier.close();
    return frontier;
  }

  /// Whether the end is reached.
  [[nodiscard]] bool is_done(const Frontier& frontier) const { return frontier.of(n_ - m_) >= n_; }

  /// From here on, `advance` leaves out what no script of at most `bound` edits reaches.
  void limit(Index bound, Seeds seeds, Budget::Reservation taken) {
    bound_ = bound;
    seeds_ = std::move(seeds);
    taken_for_seeds_ = std::move(taken);
  }
  [[nodiscard]] bool is_limited() const { return seeds_.has_value(); }

  /// F_e from F_e-1, on the diagonals from which the bound can be kept.
  void advance(const Frontier& before, Index e, Frontier& next) const {
    const Index first = std::max({before.first() - 1, -m_, n_ - m_ - (bound_ - e)});
    const Index last = std::min({before.last() + 1, n_, n_ - m_ + (bound_ - e)});
    next.reset(first + ((first - e) & (step_ - 1)), last, step_);
    if (bytes_of_a_.empty()) {
      advance_each(before, next);
    } else if (!next.is_empty()) {
      const Index k = next.first();
      advance_points_({bytes_of_a_.data(), bytes_of_b_.data(), n_, m_, k, step_, next.count(), before.at(k - 1),
                       substitutes_ ? before.at(k) : nullptr, before.at(k + 1), next.at(k)});
    }
    next.close();
    if (seeds_) leave_out(e, next);
  }

  /// The diagonal that has come furthest in both sequences together.
  [[nodiscard]] Index furthest(const Frontier& frontier) const {
    Index best = frontier.first();
    for (Index k = frontier.first(); k <= frontier.last(); k += step_) {
      if (2 * *frontier.at(k) - k > 2 * *frontier.at(best) - best) best = k;
    }
    return best;
  }

  /// The part of both sequences that the frontier has come over.
  [[nodiscard]] double progress(const Frontier& frontier) const {
    const Index k = furthest(frontier);
    return static_cast<double>(2 * frontier.of(k) - k) / static_cast<double>(n_ + m_);
  }

  /// The symbols before the walk's position that are equal one by one.
  [[nodiscard]] std::size_t matches_before(const Walk& walk) const {
    const std::uint32_t* const a = a_.data() + walk.i;
    const std::uint32_t* const b = b_.data() + walk.j;
    const auto most = static_cast<Index>(std::min(walk.i, walk.j));
    Index count = 0;
    while (count < most && a[-1 - count] == b[-1 - count]) ++count;
    return static_cast<std::size_t>(count);
  }

  /// Takes the last step of a script of cost e that ends at the walk's position.
  void step(Walk& walk, Index& e, const Frontier& before) const {
    const auto i = static_cast<Index>(walk.i);
    const Index k = i - static_cast<Index>(walk.j);
    const Edit edit = step_to(
        a_, b_, walk.i, walk.j, [&](std::size_t, std::size_t) { return substitutes_ && before.of(k) >= i - 1; },
        [&](std::size_t, std::size_t) { return before.of(k - 1) >= i - 1; });
    e -= edit != Edit::match ? 1 : 0;
    walk.take(edit);
  }

 private:
  /// The same as advance_points(), where symbols need more than a byte.
  void advance_each(const Frontier& before, Frontier& next) const {
    for (Index k = next.first(); k <= next.last(); k += step_) {
      const Index moved = std::max(*before.at(k - 1) + 1, *before.at(k + 1));
      const Index from = std::min({substitutes_ ? std::max(moved, *before.at(k) + 1) : moved, n_, m_ + k});
      const Index length = std::min(n_ - from, m_ + k - from);
      *next.at(k) = from + common_prefix(a_.data() + from, b_.data() + (from - k), length);
    }
  }

  /// A point F of cost e is on no script within the bound if e and the edits that seeds miss from F on are more. The
  /// same holds for all points before it on its diagonal, which seeds miss as many edits from, so that no tie is lost.
  void leave_out(Index e, Frontier& frontier) const {
    const auto is_left_out = [&](Index k) { return e + seeds_->cost_from(*frontier.at(k)) > bound_; };
    Index first = frontier.first(), last = frontier.last();
    while (first <= last && is_left_out(first)) first += step_;
    while (first <= last && is_left_out(last)) last -= step_;
    frontier.narrow(first, last);
  }

  std::span<const std::uint32_t> a_, b_;
  std::vector<std::uint8_t> bytes_of_a_, bytes_of_b_;
  Index n_, m_;
  bool substitutes_;
  Index step_;  ///< insertions and deletions alone change the diagonal by one at a time
  Index bound_;
  AdvancePoints advance_points_ = advance_points();
  std::optional<Seeds> seeds_;
  Budget::Reservation taken_for_seeds_;
};

/// Some frontiers, from which those between are computed again, on the diagonals that a walk can come to. Keeps every
/// `interval`th. This doubles whenever there are more of them than an interval has, if they also take more bytes than
/// `free_bytes`.
class KeptFrontiers {
 public:
  KeptFrontiers(const Frontiers& frontiers, Context& context)
      : frontiers_(frontiers),
        taken_(context.budget.reserve(0)),
        free_bytes_(std::min(tuning::script_bytes, context.budget.left() / 4)) {}

  void keep(const Frontier& frontier, Index e) {
    if (e % interval_ != 0) return;
    kept_.push_back(frontier.copy());
    bytes_ += kept_.back().bytes();
    taken_.resize(bytes_);
    if (bytes_ > free_bytes_ && static_cast<Index>(kept_.size()) > 2 * interval_) thin_out();
  }

  /// F_e for a walk's diagonal k and those beside it. A walk asks in descending order, and changes its diagonal by at
  /// most one a frontier.
  const Frontier& at(Index e, Index k) {
    if (e % interval_ == 0) return kept_[static_cast<std::size_t>(e / interval_)];
    if (part_.empty() || e < part_first_) fill(e, k);
    return part_[static_cast<std::size_t>(e - part_first_)];
  }

 private:
  void thin_out() {
    interval_ *= 2;
    bytes_ = 0;
    for (std::size_t at = 0; 2 * at < kept_.size(); ++at) {
      if (at > 0) kept_[at] = std::move(kept_[2 * at]);
      bytes_ += kept_[at].bytes();
    }
    kept_.resize((kept_.size() + 1) / 2);
    taken_.resize(bytes_);
  }

  void fill(Index e, Index k) {
    const auto part = static_cast<std::size_t>(e / interval_);
    part_first_ = static_cast<Index>(part) * interval_;
    const Index steps = e - part_first_;
    part_.assign(static_cast<std::size_t>(steps + 1), {});
    taken_.resize(bytes_ + part_.size() * sizeof(Index) * static_cast<std::size_t>(4 * (steps + 2)));
    part_[0] = kept_[part].part(k - steps - 1, k + steps + 1);
    for (std::size_t at = 1; at < part_.size(); ++at) {
      frontiers_.advance(part_[at - 1], part_first_ + static_cast<Index>(at), part_[at]);
    }
  }

  const Frontiers& frontiers_;
  Budget::Reservation taken_;
  std::size_t free_bytes_, bytes_ = 0;
  Index interval_ = tuning::min_kept_interval;
  std::vector<Frontier> kept_;
  std::vector<Frontier> part_;
  Index part_first_ = 0;
};

Script script_of(const Query& query, const Frontiers& frontiers, KeptFrontiers& kept, Index distance,
                 const SolveMonitor& monitor) {
  Walk walk{query.pair.n(), query.pair.m()};
  const Frontier nothing;
  PeriodicCheck check(monitor, 1 << 16);
  for (Index e = distance; walk.i > 0 && walk.j > 0;) {
    if (const std::size_t matches = frontiers.matches_before(walk); matches > 0) {
      walk.take_matches(matches);
    } else {
      const Index diagonal = static_cast<Index>(walk.i) - static_cast<Index>(walk.j);
      frontiers.step(walk, e, e > 0 ? kept.at(e - 1, diagonal) : nothing);
    }
    check.tick();
  }
  return walk.finished();
}

/// The points of a search for a distance `bound` with `seeds`: a triangle from the first corner to the last. A frontier
/// widens by one diagonal a side until paths that leave the best one have come to the bound.
double expected_points(double bound, double missing) {
  const double slack = std::max(bound - missing, 1.0);
  const double slope = std::min(1.0, slack / std::max(missing, 1.0));
  return bound * bound * slope / (1 + slope);
}

double likely_points(double distance) { return tuning::seeded_part * distance * distance; }

/// The cost of a script that is sought near the diagonal that has come furthest, from the frontier of cost e on.
Index bound_near(const Frontiers& frontiers, Frontier frontier, Index e, const Prospect& prospect,
                 const SolveMonitor& monitor) {
  Frontier next;
  double points = 0;
  while (!frontiers.is_done(frontier)) {
    if (frontier.is_empty() || e == frontiers.bound()) return frontiers.bound();
    if (e % tuning::near_costs == 0) {
      const Index k = frontiers.furthest(frontier);
      frontier.narrow(k - tuning::near_diagonals, k + tuning::near_diagonals);
    }
    frontiers.advance(frontier, ++e, next);
    std::swap(frontier, next);
    points += static_cast<double>(frontier.count());
    if (e % 64 != 0 || frontier.is_empty()) continue;
    monitor.check();
    if (!prospect.is_try_over(points)) continue;
    const double distance = static_cast<double>(e) / std::max(frontiers.progress(frontier), 1e-9);
    prospect.check_points(likely_points(distance), distance);
  }
  return e;
}

/// Finds a bound and seeds, by which most diagonals are left out.
void limit(const Query& query, Frontiers& frontiers, const Frontier& frontier, Index e, const Prospect& prospect,
           const SolveMonitor& monitor, Context& context) {
  const Index bound = bound_near(frontiers, frontier, e, prospect, monitor);
  const auto distance = static_cast<double>(bound);
  prospect.check_points(likely_points(distance), distance);
  const std::size_t bytes = Seeds::bytes(query.pair.n(), static_cast<std::size_t>(bound));
  if (bytes > context.budget.left() / 4) return;
  auto taken = context.budget.reserve(bytes);
  Seeds seeds(query.pair, bound);
  prospect.check_points(expected_points(distance, static_cast<double>(seeds.cost_from(0))), distance);
  frontiers.limit(bound, std::move(seeds), std::move(taken));
}

}  // namespace

double seconds_of_point(std::uint32_t codes) {
  return codes > 256 ? tuning::point_seconds : tuning::vector_point_seconds;
}

Distance by_diagonals(const Query& query, Context& context) {
  const auto taken_for_bytes = context.budget.reserve(query.pair.codes() > 256 ? 0 : query.pair.n() + query.pair.m());
  Frontiers frontiers(query);
  KeptFrontiers kept(frontiers, context);
  const Prospect prospect(context, tuning::worth_part, seconds_of_point(query.pair.codes()));
  SolveMonitor monitor(context.options, query.cells());
  Budget::Reservation taken = context.budget.reserve(0);
  Frontier frontier = frontiers.first();
  Frontier next;
  double points = 0;
  for (Index e = 0; e <= frontiers.bound(); ++e) {
    if (e > 0) {
      frontiers.advance(frontier, e, next);
      std::swap(frontier, next);
    }
    if (frontier.is_empty()) break;
    if (frontiers.is_done(frontier)) {
      return {e, query.request.script ? script_of(query, frontiers, kept, e, monitor) : Script()};
    }
    if (query.request.script) kept.keep(frontier, e);
    if (e % 64 == 0) taken.resize(2 * sizeof(Index) * static_cast<std::size_t>(2 * (e + 64)));
    monitor.check();
    points += static_cast<double>(frontier.count());
    if (e == tuning::costs_before_seeds) limit(query, frontiers, frontier, e, prospect, monitor, context);
    if (!frontiers.is_limited()) {
      prospect.check(e, static_cast<double>(frontiers.bound()), points, [&] { return frontiers.progress(frontier); });
    }
  }
  return {};
}

}  // namespace warpfold::sequence
