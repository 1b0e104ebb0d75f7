#include "sequence/align/diagonals.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "sequence/align/column_term.hpp"
#include "sequence/align/penalties.hpp"
#include "sequence/align/strips/strips.hpp"
#include "sequence/furthest_reaching.hpp"
#include "sequence/gpu/scores.hpp"
#include "sequence/walk.hpp"

// With costs of which a match is free (penalties.hpp), let D(i,j) be the least cost of the first i symbols of A and the
// first j of B. D never decreases along a diagonal k = i - j: an alignment of i + 1 and j + 1 symbols becomes one of i
// and j symbols at no cost. So the cells of a diagonal with D <= s end at one row, B_s(k), the furthest one, and
//
//     E_s(k) = max(B_{s-open-extend}(k-1), E_{s-extend}(k-1)) + 1      the same, of alignments that end with a deletion
//     I_s(k) = max(B_{s-open-extend}(k+1), I_{s-extend}(k+1))          with an insertion
//     B_s(k) = max(B_{s-1}(k), B_{s-substitution}(k) + 1, E_s(k), I_s(k)), and then as far as symbols are equal
//
// (Myers 1986; for affine costs Marco-Sola and others, Fast gap-affine pairwise alignment using the wavefront
// algorithm, 2021). The walk for a script asks for D <= s alone, which B answers.

namespace warpfold::sequence::alignment {

namespace {

using RowIndex = std::int32_t;
constexpr RowIndex unreached = std::numeric_limits<RowIndex>::min() / 2;

/// A row for each diagonal from `first` to `last`.
struct Front {
  RowIndex first = 0, last = -1;
  std::vector<RowIndex> rows = {};

  void reset(RowIndex from, RowIndex to) {
    first = from;
    last = to;
    rows.assign(static_cast<std::size_t>(to - from + 1), unreached);
  }
  [[nodiscard]] RowIndex of(std::int64_t k) const {
    return k < first || k > last ? unreached : rows[static_cast<std::size_t>(k - first)];
  }
  /// Takes the rows of another front that are further, moved by so many diagonals and rows.
  void take(const Front& other, RowIndex diagonals, RowIndex down) {
    const RowIndex from = std::max(first, other.first + diagonals), to = std::min(last, other.last + diagonals);
    if (from > to) return;
    RowIndex* const mine = rows.data() + (from - first);
    const RowIndex* const theirs = other.rows.data() + (from - diagonals - other.first);
    for (RowIndex at = 0; at <= to - from; ++at) mine[at] = std::max(mine[at], theirs[at] + down);
  }
  [[nodiscard]] std::size_t bytes() const { return rows.size() * sizeof(RowIndex); }
};

/// The furthest front that the next one is made of is so many costs before it.
std::int64_t max_step(const Penalties& penalties) { return std::max(penalties.substitution, penalties.of_gap(1)); }

/// The fronts of all costs, one after the other. Those that are no longer needed are overwritten, unless a script needs
/// all B_s.
class Fronts {
 public:
  Fronts(const Query& query, const Penalties& penalties)
      : a_(query.pair.a()),
        b_(query.pair.b()),
        bytes_of_a_(bytes_if_few(query.pair.codes(), a_)),
        bytes_of_b_(bytes_if_few(query.pair.codes(), b_)),
        n_(static_cast<RowIndex>(query.n())),
        m_(static_cast<RowIndex>(query.m())),
        penalties_(penalties),
        keeps_all_(query.request.script),
        best_(keeps_all_ ? 1 : static_cast<std::size_t>(max_step(penalties)) + 1),
        deleted_(static_cast<std::size_t>(penalties.extend)),
        inserted_(deleted_.size()) {
    best_[0].reset(0, 0);
    best_[0].rows[0] = 0;
    extend(best_[0], nothing_);
  }

  [[nodiscard]] std::int64_t cost() const { return cost_; }
  [[nodiscard]] bool is_done() const { return is_reached(cost_, n_, m_); }
  /// Whether D(i,j) <= cost.
  [[nodiscard]] bool is_reached(std::int64_t cost, std::int64_t i, std::int64_t j) const {
    return best(cost).of(i - j) >= i;
  }
  /// The diagonals of the current cost.
  [[nodiscard]] std::size_t width() const { return best(cost_).rows.size(); }
  /// The part of both sequences that the front has come over.
  [[nodiscard]] double progress() const {
    const Front& front = best(cost_);
    std::int64_t furthest = 0;
    for (RowIndex k = front.first; k <= front.last; ++k) {
      furthest = std::max(furthest, 2 * std::int64_t{front.of(k)} - k);
    }
    return static_cast<double>(furthest) / (static_cast<double>(n_) + static_cast<double>(m_));
  }
  /// The bytes of all fronts if those that are overwritten are as wide as the current one.
  [[nodiscard]] std::size_t bytes() const {
    const std::size_t overwritten = 2 * deleted_.size() + (keeps_all_ ? 0 : best_.size()) + 3;
    return kept_bytes_ + overwritten * width() * sizeof(RowIndex);
  }

  /// Goes on to the next cost.
  void advance() {
    ++cost_;
    const std::int64_t opened = cost_ - penalties_.of_gap(1), extended = cost_ - penalties_.extend;
    const std::int64_t reach = opened < 0 ? 0 : opened / penalties_.extend + 1;
    const auto first = static_cast<RowIndex>(std::max<std::int64_t>(-reach, -m_));
    const auto last = static_cast<RowIndex>(std::min<std::int64_t>(reach, n_));
    Front next, deleted, inserted;
    for (Front* const front : {&next, &deleted, &inserted}) front->reset(first, last);
    deleted.take(best(opened), 1, 1);
    deleted.take(of_ring(deleted_, extended), 1, 1);
    inserted.take(best(opened), -1, 0);
    inserted.take(of_ring(inserted_, extended), -1, 0);
    next.take(best(cost_ - 1), 0, 0);
    next.take(best(cost_ - penalties_.substitution), 0, 1);
    next.take(deleted, 0, 0);
    next.take(inserted, 0, 0);
    extend(next, best(cost_ - 1));
    in_ring(deleted_) = std::move(deleted);
    in_ring(inserted_) = std::move(inserted);
    if (!keeps_all_) {
      in_ring(best_) = std::move(next);
      return;
    }
    kept_bytes_ += next.bytes();
    best_.push_back(std::move(next));
  }

 private:
  [[nodiscard]] const Front& best(std::int64_t cost) const {
    if (cost < 0) return nothing_;
    return best_[static_cast<std::size_t>(cost) % best_.size()];
  }
  [[nodiscard]] const Front& of_ring(const std::vector<Front>& ring, std::int64_t cost) const {
    if (cost <= 0) return nothing_;
    return ring[static_cast<std::size_t>(cost) % ring.size()];
  }
  [[nodiscard]] Front& in_ring(std::vector<Front>& ring) const {
    return ring[static_cast<std::size_t>(cost_) % ring.size()];
  }

  void extend(Front& front, const Front& before) const {
    if (bytes_of_a_.empty()) return extend(a_.data(), b_.data(), front, before);
    extend(bytes_of_a_.data(), bytes_of_b_.data(), front, before);
  }
  /// Goes on over equal symbols, where the front is further than the one before. A row beyond the table's end means the
  /// end: D does not decrease.
  template <class Symbol>
  void extend(const Symbol* a, const Symbol* b, Front& front, const Front& before) const {
    for (RowIndex k = front.first; k <= front.last; ++k) {
      RowIndex& row = front.rows[static_cast<std::size_t>(k - front.first)];
      if (row < 0 || row == before.of(k)) continue;
      const auto end = static_cast<RowIndex>(std::min<std::int64_t>(n_, std::int64_t{m_} + k));
      row = std::min(row, end);
      row += static_cast<RowIndex>(common_prefix(a + row, b + (row - k), end - row));
    }
  }

  std::span<const std::uint32_t> a_, b_;
  std::vector<std::uint8_t> bytes_of_a_, bytes_of_b_;
  RowIndex n_, m_;
  Penalties penalties_;
  bool keeps_all_;
  std::int64_t cost_ = 0;
  std::size_t kept_bytes_ = sizeof(RowIndex);
  std::vector<Front> best_, deleted_, inserted_;
  Front nothing_;
};

/// The walk from the end, as Ties::left has it.
class PenaltyWalk {
 public:
  PenaltyWalk(const Query& query, const Penalties& penalties, const Fronts& fronts)
      : query_(query), penalties_(penalties), fronts_(fronts), walk_{query.n(), query.m()}, cost_(fronts.cost()) {}

  [[nodiscard]] Script walked(const SolveMonitor& monitor) {
    PeriodicCheck check(monitor, 1 << 16);
    while (walk_.i > 0 && walk_.j > 0) {
      step();
      check.tick();
    }
    return walk_.finished();
  }

 private:
  void step() {
    if (query_.pair.a()[walk_.i - 1] == query_.pair.b()[walk_.j - 1]) return walk_.take(Edit::match);
    if (is_reached(penalties_.substitution, 1, 1)) {
      cost_ -= penalties_.substitution;
      return walk_.take(Edit::substitution);
    }
    const std::size_t deleted = gap_length(1, 0), length = deleted > 0 ? deleted : gap_length(0, 1);
    for (std::size_t symbol = 0; symbol < length; ++symbol) {
      walk_.take(deleted > 0 ? Edit::deletion : Edit::insertion);
    }
    cost_ -= penalties_.of_gap(static_cast<std::int64_t>(length));
  }

  /// Whether the cell so far above and to the left costs so much less, or still less.
  [[nodiscard]] bool is_reached(std::int64_t less, std::int64_t up, std::int64_t left) const {
    return fronts_.is_reached(cost_ - less, static_cast<std::int64_t>(walk_.i) - up,
                              static_cast<std::int64_t>(walk_.j) - left);
  }

  /// The length of the shortest gap of one kind that ends here, or 0. A cell that costs more than a gap that goes on
  /// through it ends the search.
  [[nodiscard]] std::size_t gap_length(std::int64_t up, std::int64_t left) const {
    const auto most = static_cast<std::int64_t>(up > 0 ? walk_.i : walk_.j);
    for (std::int64_t length = 1; length <= most; ++length) {
      if (is_reached(penalties_.of_gap(length), up * length, left * length)) return static_cast<std::size_t>(length);
      if (!is_reached(penalties_.extend * length, up * length, left * length)) return 0;
    }
    return 0;
  }

  const Query& query_;
  const Penalties& penalties_;
  const Fronts& fronts_;
  Walk walk_;
  std::int64_t cost_;
};

/// The bytes of the fronts up to which a search goes on that may give up.
std::size_t worth_bytes(std::size_t bytes_left) { return std::min(tuning::max_front_bytes, bytes_left / 2); }

/// Whether fronts take more bytes, or are expected to, once 1 % of them are taken.
bool takes_more(const Fronts& fronts, std::size_t max_bytes) {
  const auto bytes = static_cast<double>(fronts.bytes()), most = static_cast<double>(max_bytes);
  if (bytes > most) return true;
  return fronts.cost() % 64 == 0 && bytes > tuning::free_part * most && bytes > most * std::pow(fronts.progress(), 2);
}

/// The points of the fronts up to a cost.
double points_up_to(double cost, const Penalties& penalties) {
  return cost * (1 + cost / static_cast<double>(penalties.extend));
}

/// The largest cost that fronts of so many bytes have.
double cost_in_bytes(double bytes, const Penalties& penalties) {
  return std::sqrt(bytes / sizeof(RowIndex) * static_cast<double>(penalties.extend));
}

}  // namespace

Alignment by_diagonals(const Query& query, Context& context) {
  const Penalties penalties = *penalties_of(size_of(query.pair, query.request));
  const auto taken_for_bytes = context.budget.reserve(query.pair.codes() > 256 ? 0 : query.n() + query.m());
  const std::size_t max_bytes = worth_bytes(context.budget.left());
  Fronts fronts(query, penalties);
  const bool is_before_band = context.next && context.next().algorithm == "band";
  const Prospect prospect(context, is_before_band ? tuning::worth_before_band : tuning::worth_scored_part,
                          tuning::point_seconds);
  SolveMonitor monitor(context.options, query.cells());
  Budget::Reservation taken = context.budget.reserve(0);
  const double bound = static_cast<double>(penalties.of_gap(static_cast<std::int64_t>(query.n()))) +
                       static_cast<double>(penalties.of_gap(static_cast<std::int64_t>(query.m())));
  for (double points = 0; !fronts.is_done(); points += static_cast<double>(fronts.width())) {
    monitor.check();
    if (context.next && query.request.script && takes_more(fronts, max_bytes)) {
      Context::give_up("a script is expected to take too much memory");
    }
    taken.resize(fronts.bytes());
    fronts.advance();
    prospect.check(fronts.cost(), bound, points, [&] { return fronts.progress(); });
  }
  const auto symbols = static_cast<std::int64_t>(query.n() + query.m());
  Alignment solution{.score = penalties.score_of(fronts.cost(), symbols), .end_a = query.n(), .end_b = query.m()};
  if (query.request.script) solution.script = PenaltyWalk(query, penalties, fronts).walked(monitor);
  return solution;
}

namespace {

/// A first try before an algorithm that takes `next` seconds, unless it cannot end: the sequences are too short for it
/// to gain, or their lengths alone differ by more than it would go.
double cost_of_first_try(const Size& size, double next) {
  const double not_worth = 4 * tuning::scored_row_cell_seconds * size.cells();
  const auto penalties = penalties_of(size);
  if (!penalties || size.cells() < tuning::worth_penalties || next == 0) return not_worth;
  const double least = static_cast<double>(penalties->extend) * std::abs(size.n - size.m);
  const double seconds = tuning::point_seconds * points_up_to(least, *penalties);
  if (seconds > tuning::worth_scored_part * next) return not_worth;
  return std::max(seconds, tuning::free_part * next + tuning::symbol_seconds * (size.n + size.m));
}

}  // namespace

double cost_of_diagonals(const Size& size, const Options& options) {
  return cost_of_first_try(size, unsupported_by_strips(size).empty() ? seconds_of_strips(size, options) : 0);
}
double cost_of_diagonals_before_gpu(const Size& size, const Options& options) {
  return cost_of_first_try(size, cuda::seconds_of_alignment(size, options));
}

/// Of a first try.
std::size_t bytes_of_diagonals(const Size& size, const Options&) {
  return static_cast<std::size_t>(size.n + size.m) + (std::size_t{1} << 16);
}

/// The search gives up.
ResourceEstimate worst_case_of_diagonals(const ResourceEstimate& expected, const Size& size, const Options& options,
                                         const std::optional<ResourceEstimate>& next) {
  const auto penalties = penalties_of(size);
  if (!penalties) return expected;
  const double bytes = static_cast<double>(worth_bytes(Budget(options).left()));
  double cost = static_cast<double>(penalties->extend) * (size.n + size.m) + 2 * static_cast<double>(penalties->open);
  if (next) cost = std::min({cost, std::sqrt(next->seconds / tuning::point_seconds), cost_in_bytes(bytes, *penalties)});
  const double points = points_up_to(cost, *penalties);
  const double width = std::min(2 * cost / static_cast<double>(penalties->extend), size.n + size.m) + 1;
  const double overwritten = static_cast<double>(2 * penalties->extend + max_step(*penalties) + 4) * width;
  return {
      expected.algorithm, expected.seconds + tuning::point_seconds * points,
      expected.bytes + static_cast<std::size_t>(sizeof(RowIndex) * (overwritten + (size.request.script ? points : 0)))};
}

std::string unsupported_by_diagonals_before_gpu(const Size& size) {
  const std::string reason = cuda::alignment_unsupported_on_gpu(size);
  return reason.empty() ? unsupported_by_diagonals(size) : reason;
}

std::string unsupported_by_diagonals(const Size& size) {
  if (has_column_term(size.request)) {
    return "has a front for each unit of a cost, too many for shortest and longest alignments: ties left and right are "
           "accepted";
  }
  const auto penalties = penalties_of(size);
  if (!penalties) {
    return "aligns from end to end, by scores of a match and a mismatch and gaps of one piece, only where a mismatch "
           "is less than a match and 2 EXTEND + match is above 0";
  }
  if (std::max({penalties->substitution, penalties->open, penalties->extend}) > tuning::max_penalty) {
    return fmt::format("keeps a front for each unit of a cost: costs up to {} units are accepted", tuning::max_penalty);
  }
  return std::max(size.n, size.m) < std::numeric_limits<RowIndex>::max() / 2
             ? ""
             : "aligns up to 1,073,741,823 symbols only";
}

}  // namespace warpfold::sequence::alignment
