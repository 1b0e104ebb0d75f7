#include "warpfold/knapsack/subset_sum.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <optional>

#include "core/decimal.hpp"
#include "core/size_text.hpp"
#include "knapsack/core.hpp"
#include "knapsack/items.hpp"
#include "knapsack/kernels.hpp"
#include "knapsack/tuning.hpp"
#include "run/large_vector.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/run/backend.hpp"
#include "warpfold/run/team.hpp"

namespace warpfold::knapsack {

namespace {

using List = std::vector<std::uint32_t>;  ///< numbers by ascending size

/// The reachable sums. Bit s tells whether some of the numbers sum to s, s = 0 .. limit.
class Sums {
 public:
  Sums(std::int64_t limit, Budget& budget, const SolveMonitor& monitor)
      : limit_(limit),
        taken_(budget.reserve(word_count(limit), sizeof(std::uint64_t))),
        words_(allocate_cells<std::uint64_t>(word_count(limit))) {
    fill(std::span(words_.get(), word_count(limit)), std::uint64_t{0}, monitor);
    words_[0] = 1;
  }

  [[nodiscard]] Sums copy(Budget& budget, const SolveMonitor& monitor) const {
    Sums other(limit_, budget, monitor);
    std::copy_n(words_.get(), word_count(limit_), other.words_.get());
    other.reached_ = reached_;
    return other;
  }

  [[nodiscard]] static std::size_t word_count(std::int64_t limit) { return static_cast<std::size_t>(limit / 64) + 1; }
  [[nodiscard]] std::uint64_t* words() { return words_.get(); }
  [[nodiscard]] bool has(std::int64_t s) const { return words_[s / 64] >> (s % 64) & 1; }

  /// Returns bits s .. s+63, as far as 0 <= bit <= limit.
  [[nodiscard]] std::uint64_t window(std::int64_t s) const {
    const std::int64_t word = s >= 0 ? s / 64 : -((63 - s) / 64);
    const int shift = static_cast<int>(s - word * 64);
    const std::uint64_t low = word_at(word);
    return shift == 0 ? low : low >> shift | word_at(word + 1) << (64 - shift);
  }

  /// Returns the largest sum of at most s, s >= 0.
  [[nodiscard]] std::int64_t at_most(std::int64_t s) const {
    std::int64_t word = s / 64;
    std::uint64_t bits = words_[word] & (~std::uint64_t{0} >> (63 - s % 64));
    while (bits == 0) bits = words_[--word];
    return word * 64 + 63 - std::countl_zero(bits);
  }

  /// Adds numbers. Several light ones pass together over strips of words that stay in cache: the skewed strips of
  /// cpu.cpp.
  void add(const std::vector<std::int64_t>& numbers, const List& list, const SolveMonitor& monitor) {
    const auto or_shifted = cpu::or_shifted();
    const auto words = static_cast<std::int64_t>(word_count(limit_));
    constexpr std::int64_t cached = tuning::bitset_strip_bytes / 8;
    for (std::size_t first = 0; first < list.size() && !monitor.stopped();) {
      std::size_t last = first;
      std::int64_t reach = 0;
      while (last < list.size() && (last == first || reach + numbers[list[last]] / 64 + 2 <= cached / 2)) {
        reach += numbers[list[last]] / 64 + 2;
        reached_ = std::min(reached_ + numbers[list[last++]], limit_);
      }
      const std::int64_t high = std::min(words, reached_ / 64 + 1);
      const std::int64_t strip = std::max(cached - reach, cached / 2);
      std::int64_t above = std::int64_t{1} << 60;
      for (std::int64_t base = high - strip; !monitor.stopped(); base -= strip) {
        std::int64_t skew = reach;
        for (std::size_t i = first; i < last; ++i) {
          const std::int64_t number = numbers[list[i]];
          skew -= number / 64 + 2;
          or_words(or_shifted, std::max(base - skew, number / 64), std::min(high, above - skew), number);
        }
        if (base <= 0) break;
        above = base;
      }
      first = last;
    }
    words_[words - 1] &= ~std::uint64_t{0} >> (63 - limit_ % 64);
  }

 private:
  [[nodiscard]] std::uint64_t word_at(std::int64_t word) const {
    return word < 0 || word > limit_ / 64 ? 0 : words_[word];
  }

  /// Updates words from .. to-1. The word that holds bit `number` has no word before its source.
  void or_words(cpu::OrShifted or_shifted, std::int64_t from, std::int64_t to, std::int64_t number) {
    const std::int64_t edge = number / 64;
    const std::int64_t first = std::max(from, edge + 1);
    if (first < to) {
      or_shifted(words_.get(), static_cast<std::size_t>(first), static_cast<std::size_t>(to),
                 static_cast<std::uint64_t>(number));
    }
    if (from <= edge && edge < to) words_[edge] |= words_[0] << (number % 64);
  }

  std::int64_t limit_;
  std::int64_t reached_ = 0;  ///< no sum is larger
  Budget::Reservation taken_;
  Cells<std::uint64_t> words_;
};

std::uint64_t reversed(std::uint64_t x) {
  x = (x >> 1 & 0x5555555555555555U) | (x & 0x5555555555555555U) << 1;
  x = (x >> 2 & 0x3333333333333333U) | (x & 0x3333333333333333U) << 2;
  x = (x >> 4 & 0x0f0f0f0f0f0f0f0fU) | (x & 0x0f0f0f0f0f0f0f0fU) << 4;
  return __builtin_bswap64(x);
}

constexpr std::size_t words_between_checks = 1 << 16;

/// Returns a sum s of `a` such that target - s is a sum of `b`, or nothing if there is none.
std::optional<std::int64_t> split_of(const Sums& a, const Sums& b, std::int64_t target, const SolveMonitor& monitor) {
  PeriodicCheck ticker(monitor, words_between_checks);
  for (std::int64_t s = 0; s <= target; s += 64) {
    ticker.tick();
    const std::uint64_t both = a.window(s) & reversed(b.window(target - s - 63));
    if (both != 0) return s + std::countr_zero(both);
  }
  return std::nullopt;
}

/// Returns the largest sum of at most `target` that both make together.
std::int64_t best_total(Sums& a, const Sums& b, std::int64_t target, const SolveMonitor& monitor) {
  constexpr std::int64_t tries = 32;  // most often the target itself is met, and a try ends early
  for (std::int64_t t = target; t >= 0 && t > target - tries; --t) {
    if (split_of(a, b, t, monitor)) return t;
  }
  std::int64_t best = 0;
  std::int64_t rest = target;
  PeriodicCheck ticker(monitor, words_between_checks);
  for (std::int64_t word = 0; word <= target / 64; ++word) {
    ticker.tick();
    for (std::uint64_t bits = a.words()[word]; bits != 0; bits &= bits - 1) {
      const std::int64_t s = word * 64 + std::countr_zero(bits);
      if (s > target) break;
      rest = b.at_most(std::min(rest, target - s));
      best = std::max(best, s + rest);
    }
  }
  return best;
}

class BitsetSolve {
 public:
  BitsetSolve(const std::vector<std::int64_t>& numbers, Context& context)
      : numbers_(numbers),
        budget_(context.budget),
        threads_(std::min(thread_count(context.options.threads), 2)),
        monitor_(context.options, 0),
        taken_(numbers.size(), 0) {}

  /// Takes numbers whose sum is the largest reachable one of at most `target`.
  std::int64_t run(std::int64_t target) {
    List list;
    for (std::uint32_t i = 0; i < numbers_.size(); ++i) {
      if (numbers_[i] > 0) list.push_back(i);
    }
    std::sort(list.begin(), list.end(), [&](std::uint32_t a, std::uint32_t b) { return numbers_[a] < numbers_[b]; });
    return pack(std::move(list), target, false);
  }

  [[nodiscard]] const std::vector<char>& taken() const { return taken_; }
  [[nodiscard]] int threads() const { return ran_; }

 private:
  std::int64_t pack(List list, std::int64_t target, bool reachable) {
    std::erase_if(list, [&](std::uint32_t i) { return numbers_[i] > target; });
    std::int64_t total = 0;
    for (const std::uint32_t i : list) total += numbers_[i];
    if (total <= target) {
      for (const std::uint32_t i : list) taken_[i] = 1;
      return total;
    }
    if (list.size() == 2) {  // two numbers that do not fit together
      taken_[list[1]] = 1;
      return numbers_[list[1]];
    }
    const std::size_t bytes = Sums::word_count(target) * sizeof(std::uint64_t);
    if ((list.size() + 1) * bytes <= std::min(tuning::decision_bytes, budget_.left())) {
      return pack_by_rows(list, target);
    }
    List halves[2];
    for (std::size_t i = 0; i < list.size(); ++i) halves[i % 2].push_back(list[i]);
    std::int64_t first = 0;
    {
      Sums a(target, budget_, monitor_);
      Sums b(target, budget_, monitor_);
      Sums* sums[2] = {&a, &b};
      Team team(threads_);
      ran_ = std::max(ran_, team.size());
      team.parallel_for(2, [&](std::size_t half, int) { sums[half]->add(numbers_, halves[half], monitor_); });
      monitor_.check();
      if (!reachable) target = best_total(a, b, target, monitor_);
      first = split_of(a, b, target, monitor_).value();
    }
    pack(std::move(halves[0]), first, true);
    pack(std::move(halves[1]), target - first, true);
    return target;
  }

  /// Keeps the sums after every number, for few numbers or small targets.
  std::int64_t pack_by_rows(const List& list, std::int64_t target) {
    std::vector<Sums> rows;
    rows.emplace_back(target, budget_, monitor_);
    for (const std::uint32_t i : list) {
      Sums next = rows.back().copy(budget_, monitor_);
      next.add(numbers_, {i}, monitor_);
      rows.push_back(std::move(next));
    }
    monitor_.check();
    const std::int64_t best = rows.back().at_most(target);
    std::int64_t sum = best;
    for (std::size_t i = list.size(); i-- > 0;) {
      if (rows[i].has(sum)) continue;
      taken_[list[i]] = 1;
      sum -= numbers_[list[i]];
    }
    return best;
  }

  const std::vector<std::int64_t>& numbers_;
  Budget& budget_;
  int threads_;
  int ran_ = 1;
  SolveMonitor monitor_;
  std::vector<char> taken_;
};

/// Returns the numbers that may be a part of the sum.
std::size_t count_usable(const SubsetSum& problem) {
  return static_cast<std::size_t>(std::count_if(problem.numbers().begin(), problem.numbers().end(),
                                                [&](auto x) { return x > 0 && x <= problem.target(); }));
}

using SumBackend = Backend<SubsetSum, SubsetSum, SubsetSumSolution>;

/// Whether `pack` takes them all without any sums.
bool is_trivial(const SubsetSum& problem) { return problem.total() <= problem.target() || count_usable(problem) <= 2; }

/// The first step of `pack`: rows if there are few numbers, else halving.
std::size_t bytes_of_bitset(const SubsetSum& problem, const Options&) {
  if (is_trivial(problem)) return 0;
  const std::size_t bytes = Sums::word_count(problem.target()) * sizeof(std::uint64_t);
  const std::size_t rows = (count_usable(problem) + 1) * bytes;
  return rows <= tuning::decision_bytes ? rows : 2 * bytes;
}

double seconds_of_bitset(const SumBackend&, const SubsetSum& problem, const Options& options) {
  if (is_trivial(problem)) return 0;
  constexpr std::int64_t heavy_from = tuning::bitset_strip_bytes * 8 / 2;
  const auto heavy = static_cast<double>(std::count_if(problem.numbers().begin(), problem.numbers().end(), [&](auto x) {
    return x > heavy_from && x <= problem.target();
  }));
  const double seconds_a_word = (static_cast<double>(count_usable(problem)) - heavy) / tuning::bitset_words_per_second +
                                heavy / tuning::heavy_bitset_words_per_second;
  const auto words = static_cast<double>(Sums::word_count(problem.target()));
  return words * seconds_a_word / std::min(thread_count(options.threads), 2);
}

SubsetSumSolution by_bitset(const SubsetSum& problem, Context& context) {
  BitsetSolve solve(problem.numbers(), context);
  SubsetSumSolution solution{solve.run(problem.target()), {}, context.gave_up.empty() ? "asked for" : context.gave_up};
  for (std::size_t i = 0; i < problem.numbers().size(); ++i) {
    if (solve.taken()[i]) solution.items.push_back(i);
  }
  context.report.threads = solve.threads();
  return solution;
}

bool is_bitset_possible(const SubsetSum& problem, std::size_t left) {
  return problem.target() / 4 < static_cast<std::int64_t>(std::min<std::size_t>(left, std::size_t{8} << 30));
}

/// The limits of the core: no more than the bits would take, if it may hand on to them.
CoreBudget core_budget(const SubsetSum& problem, std::size_t pieces, bool may_hand_on, std::size_t bytes) {
  const double words = static_cast<double>(problem.target()) / 64 * static_cast<double>(pieces);
  return {may_hand_on ? std::max(tuning::core_least_states_before_bits, words / tuning::bitset_words_a_state)
                      : std::numeric_limits<double>::infinity(),
          bytes};
}

SubsetSumSolution by_core(const SubsetSum& problem, Context& context) {
  std::vector<Piece> pieces;
  for (std::uint32_t i = 0; i < problem.numbers().size(); ++i) {
    const std::int64_t number = problem.numbers()[i];
    if (number > 0 && number <= problem.target()) pieces.push_back({number, number, i, 1});
  }
  const Budget::Reservation taken = context.budget.reserve(pieces.size(), sizeof(Piece));
  const bool may_hand_on = context.next != nullptr;
  const SolveMonitor monitor(context.options, 0);
  const CoreResult result =
      core(pieces, problem.target(), core_budget(problem, pieces.size(), may_hand_on, context.budget.left()), monitor);
  context.report.peak_bytes = taken.bytes() + result.peak_bytes;
  if (!result.finished && may_hand_on) {
    Context::give_up(fmt::format("the core's list reached {} states, more than the bits cost", result.max_states));
  }
  if (!result.finished) {
    throw Error(ErrorKind::memory_limit,
                fmt::format("the core needs more than the {} that there are",
                            bytes_text(static_cast<double>(taken.bytes() + context.budget.left()))));
  }
  SubsetSumSolution solution{
      result.value, {}, fmt::format("{} of {} numbers tried both ways settle it", result.enumerated, pieces.size())};
  for (std::size_t p = 0; p < pieces.size(); ++p) {
    if (result.taken[p]) solution.items.push_back(pieces[p].source);
  }
  return solution;
}

ResourceEstimate worst_case_of_core(const ResourceEstimate&, const SubsetSum& problem, const Options& options,
                                    const std::optional<ResourceEstimate>& next) {
  const std::size_t count = count_usable(problem);
  return worst_case_of_core(count, core_budget(problem, count, next.has_value(), Budget(options).left()));
}

const std::vector<SumBackend>& backends() {
  static const std::vector<SumBackend> list = {
      {.info = {"core", "cpu", "the knapsack's core algorithm, each value equal to its weight", "as the numbers ask"},
       .bytes = [](const SubsetSum& problem, const Options&) { return min_core_bytes(count_usable(problem)); },
       .run = by_core,
       .seconds = [](const SumBackend&, const SubsetSum& problem,
                     const Options&) { return min_core_seconds(count_usable(problem)); },
       .worst_case = worst_case_of_core,
       .hands_on_to = "bitset",
       .may_hand_on = is_bitset_possible},
      {.info = {"bitset", "cpu", "one bit a sum; the numbers found by halving", "n t/64 word operations, t/4 bytes"},
       .cost = [](const SubsetSum&, const Options&) { return 1.0; },
       .bytes = bytes_of_bitset,
       .run = by_bitset,
       .seconds = seconds_of_bitset}};
  return list;
}

/// One integer of `limbs` words per sum.
class Counts {
 public:
  Counts(std::int64_t target, std::size_t limbs, const SolveMonitor& monitor) : limbs_(limbs) {
    grow(words_, (static_cast<std::size_t>(target) + 1) * limbs, mp_limb_t{0}, monitor);
  }

  mp_limb_t* at(std::int64_t s) { return words_.data() + static_cast<std::size_t>(s) * limbs_; }

  void add(std::int64_t to, std::int64_t from) { mpn_add_n(at(to), at(to), at(from), static_cast<mp_size_t>(limbs_)); }

 private:
  std::size_t limbs_;
  std::vector<mp_limb_t> words_;
};

}  // namespace

SubsetSum::SubsetSum(std::vector<std::int64_t> numbers, std::int64_t target)
    : numbers_(std::move(numbers)), target_(target) {
  if (numbers_.size() > std::numeric_limits<std::uint32_t>::max()) {
    throw Error(ErrorKind::input, fmt::format("{} numbers: at most 2^32 - 1 are accepted", numbers_.size()));
  }
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max() / 4;
  for (std::size_t i = 0; i < numbers_.size(); ++i) {
    const std::int64_t number = numbers_[i];
    if (number > most - total_ || number < total_ - most) {
      throw Error(ErrorKind::overflow, fmt::format("number {}: the sum no longer fits: below 2^61 is accepted", i));
    }
    total_ += std::abs(number);
    if (number < 0) deficit_ -= number;
  }
  if (target < -deficit_) {
    throw Error(ErrorKind::infeasible,
                fmt::format("target {}: every subset's sum is larger: {} or more is accepted", target, -deficit_));
  }
}

SubsetSum SubsetSum::of_magnitudes() const {
  std::vector<std::int64_t> magnitudes = numbers_;
  for (std::int64_t& number : magnitudes) number = std::abs(number);
  return {std::move(magnitudes), target_ > total_ ? target_ : target_ + deficit_};  // beyond all sums it stays there
}

namespace {

/// The solution of a problem, from that of its magnitudes.
SubsetSumSolution without_shift(const SubsetSum& problem, SubsetSumSolution solution) {
  std::vector<char> taken(problem.numbers().size(), 0);
  for (const std::size_t item : solution.items) taken[item] = 1;
  solution.items.clear();
  for (std::size_t i = 0; i < taken.size(); ++i) {
    const bool is_left_out = problem.numbers()[i] < 0;
    if ((taken[i] == 1) != is_left_out) solution.items.push_back(i);
  }
  solution.sum -= problem.deficit();
  return solution;
}

}  // namespace

std::vector<AlgorithmInfo> subset_sum_algorithms() { return infos(backends()); }

Outcome<SubsetSumSolution> solve(const SubsetSum& problem, const Options& options) {
  if (problem.deficit() == 0) return solve_by(std::span(backends()), problem, problem, options);
  const SubsetSum magnitudes = problem.of_magnitudes();
  auto outcome = solve_by(std::span(backends()), magnitudes, magnitudes, options);
  outcome.solution = without_shift(problem, std::move(outcome.solution));
  return outcome;
}

Estimate estimate(const SubsetSum& problem, const Options& options) {
  return estimate_by(std::span(backends()), problem.of_magnitudes(), options);
}

namespace {

/// A count to make.
struct Count {
  const SubsetSum& problem;
  std::uint64_t modulus;

  /// The largest sum that is counted: of the numbers in it, or of those left out.
  [[nodiscard]] std::int64_t target() const { return std::min(problem.target(), problem.total() - problem.target()); }
  [[nodiscard]] std::size_t limbs() const { return modulus > 0 ? 1 : problem.numbers().size() / 64 + 1; }
};

SubsetCount count(const Count& asked, Context& context) {
  const auto& [problem, modulus] = asked;
  if (problem.target() > problem.total()) return {"0"};
  const std::int64_t target = asked.target();
  const std::size_t limbs = asked.limbs();
  const Budget::Reservation taken =
      context.budget.reserve(static_cast<std::size_t>(target) + 1, limbs * sizeof(mp_limb_t));
  SolveMonitor monitor(context.options, static_cast<double>(problem.numbers().size()) * static_cast<double>(target));
  Counts counts(target, limbs, monitor);
  PeriodicCheck ticker(monitor, 1 << 20);
  counts.at(0)[0] = modulus == 1 ? 0 : 1;
  std::int64_t reached = 0;
  for (const std::int64_t number : problem.numbers()) {
    reached = std::min(reached + number, target);
    for (std::int64_t s = reached; s >= number; --s) {
      ticker.tick();
      if (modulus == 0) {
        counts.add(s, s - number);
      } else {
        *counts.at(s) = (*counts.at(s) + *counts.at(s - number)) % modulus;
      }
    }
    monitor.advance(static_cast<double>(target));
  }
  return {decimal(counts.at(target), limbs)};
}

using Counter = Backend<Count, Count, SubsetCount>;

/// The only backend: there is no choice.
std::span<const Counter> counters() {
  static const Counter only = {
      .info = {"count", "cpu", "a number at a time", "n target additions of as many words as the count has"},
      .run = count};
  return {&only, 1};
}

}  // namespace

Estimate estimate_count(const SubsetSum& signed_problem, std::uint64_t modulus) {
  const SubsetSum problem = signed_problem.of_magnitudes();
  if (problem.target() > problem.total()) return {};
  const Count asked{problem, modulus};
  const std::size_t size = static_cast<std::size_t>(asked.target()) + 1;
  const std::size_t limbs = asked.limbs();
  const double steps = static_cast<double>(size) * static_cast<double>(problem.numbers().size());
  return {{"count", steps * static_cast<double>(limbs) * tuning::count_seconds, size * limbs * sizeof(mp_limb_t)}};
}

Outcome<SubsetCount> count_subsets(const SubsetSum& problem, std::uint64_t modulus, const Options& options) {
  if (modulus > std::uint64_t{1} << 62) {
    throw Error(ErrorKind::usage, fmt::format("modulus {}: at most 2^62 is accepted", modulus));
  }
  const SubsetSum magnitudes = problem.of_magnitudes();  // which have as many subsets
  const Count asked{magnitudes, modulus};
  return solve_by(counters(), asked, asked, without_those_of(subset_sum_algorithms(), options));
}

}  // namespace warpfold::knapsack
