#include "sequence/diagonals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "sequence/tuning.hpp"
#include "sequence/walk.hpp"

namespace warpfold::sequence {

namespace {

using Index = std::int64_t;

/// F_e for the diagonals from `first` on. Left and right of them nothing is reached.
struct Frontier {
  Index first = 0;
  std::vector<Index> reached;

  [[nodiscard]] Index last() const { return first + static_cast<Index>(reached.size()) - 1; }
  [[nodiscard]] Index of(Index k) const {
    return k < first || k > last() ? -2 : reached[static_cast<std::size_t>(k - first)];
  }
  [[nodiscard]] std::size_t bytes() const { return reached.size() * sizeof(Index); }
};

/// The number of equal symbols at the beginning of two sequences of `length`.
Index common_prefix(const std::uint32_t* a, const std::uint32_t* b, Index length) {
  Index at = 0;
  for (; at + 8 <= length; at += 8) {
    std::uint64_t x[4], y[4];
    std::memcpy(x, a + at, sizeof x);
    std::memcpy(y, b + at, sizeof y);
    if (((x[0] ^ y[0]) | (x[1] ^ y[1]) | (x[2] ^ y[2]) | (x[3] ^ y[3])) != 0) break;
  }
  while (at < length && a[at] == b[at]) ++at;
  return at;
}

/// The frontiers of two sequences, one after the other.
class Frontiers {
 public:
  explicit Frontiers(const Query& query)
      : a_(query.pair.a()),
        b_(query.pair.b()),
        n_(static_cast<Index>(query.pair.n())),
        m_(static_cast<Index>(query.pair.m())),
        substitutes_(query.measure == Measure::edit),
        bound_(query.request.max_distance && *query.request.max_distance < query.pair.n() + query.pair.m()
                   ? static_cast<Index>(*query.request.max_distance)
                   : n_ + m_) {}

  [[nodiscard]] Index bound() const { return bound_; }
  [[nodiscard]] Frontier first() const { return {0, {slide(0, 0)}}; }

  /// Whether the end is reached.
  [[nodiscard]] bool is_done(const Frontier& frontier) const { return frontier.of(n_ - m_) >= n_; }

  /// F_e from F_e-1, on the diagonals from which the bound can be kept.
  void advance(const Frontier& before, Index e, Frontier& next) const {
    const Index first = std::max({-e, -m_, n_ - m_ - (bound_ - e)});
    const Index last = std::min({e, n_, n_ - m_ + (bound_ - e)});
    next.first = first;
    next.reached.assign(static_cast<std::size_t>(std::max<Index>(0, last - first + 1)), -2);
    // Insertions and deletions alone change the diagonal by one at a time.
    const Index step = substitutes_ ? 1 : 2;
    for (Index k = substitutes_ || (first - e) % 2 == 0 ? first : first + 1; k <= last; k += step) {
      const Index moved = std::max(before.of(k - 1) + 1, before.of(k + 1));
      const Index from = substitutes_ ? std::max(moved, before.of(k) + 1) : moved;
      next.reached[static_cast<std::size_t>(k - first)] = from < 0 ? -2 : slide(std::min({from, n_, m_ + k}), k);
    }
  }

  /// The part of both sequences that the frontier has come over.
  [[nodiscard]] double progress(const Frontier& frontier) const {
    Index furthest = 0;
    for (Index k = frontier.first; k <= frontier.last(); ++k) furthest = std::max(furthest, 2 * frontier.of(k) - k);
    return static_cast<double>(furthest) / static_cast<double>(n_ + m_);
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
  [[nodiscard]] Index slide(Index i, Index k) const {
    return i + common_prefix(a_.data() + i, b_.data() + (i - k), std::min(n_ - i, m_ + k - i));
  }

  std::span<const std::uint32_t> a_, b_;
  Index n_, m_;
  bool substitutes_;
  Index bound_;
};

/// Some frontiers, from which those between are computed again. Keeps every `interval`th, which doubles whenever there
/// are more of them than an interval has.
class KeptFrontiers {
 public:
  KeptFrontiers(const Frontiers& frontiers, Context& context)
      : frontiers_(frontiers), taken_(context.budget.reserve(0)) {}

  void keep(const Frontier& frontier, Index e) {
    if (e % interval_ != 0) return;
    kept_.push_back(frontier);
    bytes_ += frontier.bytes();
    if (static_cast<Index>(kept_.size()) > 2 * interval_) thin_out();
    taken_.resize(bytes_);
  }

  /// F_e. Frontiers are asked for in descending order.
  const Frontier& at(Index e) {
    if (part_.empty() || e < part_first_) fill(e);
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
  }

  void fill(Index e) {
    const auto part = static_cast<std::size_t>(e / interval_);
    part_first_ = static_cast<Index>(part) * interval_;
    part_.assign(static_cast<std::size_t>(e - part_first_ + 1), {});
    taken_.resize(bytes_ + part_.size() * sizeof(Index) * static_cast<std::size_t>(2 * e + 1));
    part_[0] = kept_[part];
    for (std::size_t at = 1; at < part_.size(); ++at) {
      frontiers_.advance(part_[at - 1], part_first_ + static_cast<Index>(at), part_[at]);
    }
  }

  const Frontiers& frontiers_;
  Budget::Reservation taken_;
  std::size_t bytes_ = 0;
  Index interval_ = 8;
  std::vector<Frontier> kept_;
  std::vector<Frontier> part_;
  Index part_first_ = 0;
};

/// Whether the search goes on, judged by what it has shown so far.
class Prospect {
 public:
  Prospect(const Context& context)
      : limit_(context.next ? context.next().seconds : std::numeric_limits<double>::infinity()) {}

  /// Gives up once 1 % of the next algorithm's time is spent and more than half of it is expected.
  void check(const Frontiers& frontiers, const Frontier& frontier, Index e, double points) const {
    const double spent = points * tuning::point_seconds;
    if (e % 64 != 0 || spent < tuning::free_part * limit_) return;
    const double part = std::max(frontiers.progress(frontier), 1e-9);
    const double expected = std::min(static_cast<double>(e) / part, static_cast<double>(frontiers.bound()));
    if (spent * std::pow(expected / static_cast<double>(e), 2) > tuning::worth_part * limit_) {
      Context::give_up(fmt::format("a distance of some {:.0f} is expected", expected));
    }
  }

 private:
  double limit_;
};

Script script_of(const Query& query, const Frontiers& frontiers, KeptFrontiers& kept, Index distance,
                 const SolveMonitor& monitor) {
  Walk walk{query.pair.n(), query.pair.m()};
  const Frontier nothing;
  PeriodicCheck check(monitor, 1 << 16);
  for (Index e = distance; walk.i > 0 && walk.j > 0;) {
    frontiers.step(walk, e, e > 0 ? kept.at(e - 1) : nothing);
    check.tick();
  }
  return walk.finished();
}

}  // namespace

Distance by_diagonals(const Query& query, Context& context) {
  const Frontiers frontiers(query);
  KeptFrontiers kept(frontiers, context);
  const Prospect prospect(context);
  SolveMonitor monitor(context.options, static_cast<double>(query.pair.n()) * static_cast<double>(query.pair.m()));
  Budget::Reservation taken = context.budget.reserve(0);
  Frontier frontier = frontiers.first();
  Frontier next;
  double points = 0;
  for (Index e = 0; e <= frontiers.bound(); ++e) {
    if (e > 0) {
      frontiers.advance(frontier, e, next);
      std::swap(frontier, next);
    }
    if (frontiers.is_done(frontier)) {
      return {e, query.request.script ? script_of(query, frontiers, kept, e, monitor) : Script()};
    }
    if (query.request.script) kept.keep(frontier, e);
    if (e % 64 == 0) taken.resize(2 * sizeof(Index) * static_cast<std::size_t>(2 * (e + 64)));
    monitor.check();
    points += static_cast<double>(frontier.reached.size());
    prospect.check(frontiers, frontier, e, points);
  }
  return {};
}

}  // namespace warpfold::sequence
