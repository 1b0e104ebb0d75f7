#include "warpfold/sequence/script.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <numeric>
#include <utility>

#include "warpfold/core/error.hpp"

namespace warpfold::sequence {

namespace {

std::span<const char> symbols(std::string_view text) { return {text.data(), text.size()}; }
std::string text_of(const std::vector<char>& symbols) { return {symbols.begin(), symbols.end()}; }

std::int64_t cost_of(Edit edit, const Costs& costs) {
  const std::array<std::int64_t, 7> all = {
      0, costs.substitution, costs.deletion, costs.insertion, costs.transposition, costs.transposition, 0};
  return all[static_cast<std::size_t>(edit)];
}

Edit inverted(Edit edit) {
  if (edit == Edit::deletion) return Edit::insertion;
  return edit == Edit::insertion ? Edit::deletion : edit;
}

Edit reversed(Edit edit) {
  if (edit == Edit::transposition_begin) return Edit::transposition_end;
  return edit == Edit::transposition_end ? Edit::transposition_begin : edit;
}

/// A run in the letters M, D and I.
Run aligned(Run run) {
  if (run.edit == Edit::transposition) return {Edit::match, 2 * run.length};
  return run.edit == Edit::deletion || run.edit == Edit::insertion ? run : Run{Edit::match, run.length};
}

/// The symbols of B that a script goes over, run by run.
class MiddleSymbols {
 public:
  explicit MiddleSymbols(const Script& script) : runs_(script.runs()) {}

  [[nodiscard]] bool is_done() const { return run_ == runs_.size(); }
  [[nodiscard]] bool is(Edit edit) const { return !is_done() && this->edit() == edit; }
  [[nodiscard]] Edit edit() const { return runs_[run_].edit; }
  /// The symbols that are left of the run.
  [[nodiscard]] std::uint64_t left() const { return runs_[run_].length * symbols_of_step() - taken_; }
  /// Whether the next symbol is the first one of a step.
  [[nodiscard]] bool begins_step() const { return taken_ % symbols_of_step() == 0; }
  void take(std::uint64_t symbols) {
    taken_ += symbols;
    if (left() > 0) return;
    ++run_;
    taken_ = 0;
  }

 private:
  [[nodiscard]] std::uint64_t symbols_of_step() const { return edit() == Edit::transposition ? 2 : 1; }

  const std::vector<Run>& runs_;
  std::size_t run_ = 0;
  std::uint64_t taken_ = 0;
};

/// Makes one script of two, with the symbols of gaps collected up to the next pair.
class Composition {
 public:
  using IsMatch = std::function<bool(std::uint64_t, std::uint64_t)>;

  Composition(const Script& first, const Script& next, const IsMatch& is_match)
      : first_(first), next_(next), is_match_(is_match), i_(first.begin_a), k_(next.begin_b) {
    script_.begin_a = i_;
    script_.begin_b = k_;
  }

  [[nodiscard]] Script composed() {
    while (!first_.is_done() || !next_.is_done()) {
      if (first_.is(Edit::deletion)) {
        take_alone(first_, deleted_);
      } else if (next_.is(Edit::insertion)) {
        take_alone(next_, inserted_);
      } else {
        take_middle_symbols();
      }
    }
    end_gaps();
    return std::move(script_);
  }

 private:
  static void take_alone(MiddleSymbols& side, std::uint64_t& gap) {
    gap += side.left();
    side.take(side.left());
  }

  /// Symbols of B that both scripts treat in the same way.
  void take_middle_symbols() {
    const bool is_inserted = first_.is(Edit::insertion), is_deleted = next_.is(Edit::deletion);
    std::uint64_t symbols = std::min(first_.left(), next_.left());
    if (is_inserted || is_deleted) {
      inserted_ += is_deleted ? 0 : symbols;
      deleted_ += is_inserted ? 0 : symbols;
    } else {
      end_gaps();
      symbols = pair(symbols);
      i_ += symbols;
      k_ += symbols;
    }
    first_.take(symbols);
    next_.take(symbols);
  }

  /// Pairs symbols of A and C. Returns how many.
  std::uint64_t pair(std::uint64_t symbols) {
    const Edit one = first_.edit(), other = next_.edit();
    if (one == Edit::match && other == Edit::match) {
      script_.push(Edit::match, symbols);
    } else if (const bool swaps = is_swap(first_, next_) || is_swap(next_, first_); swaps && symbols > 1) {
      symbols -= symbols % 2;
      script_.push(Edit::transposition, symbols / 2);
    } else {
      const bool is_certain =
          (one == Edit::match && other == Edit::substitution) || (one == Edit::substitution && other == Edit::match);
      for (std::uint64_t s = 0; s < symbols; ++s) {
        script_.push(!is_certain && is_match_(i_ + s, k_ + s) ? Edit::match : Edit::substitution);
      }
    }
    return symbols;
  }
  /// Whether one script swaps the next two symbols, and the other one leaves what it has of them.
  static bool is_swap(const MiddleSymbols& one, const MiddleSymbols& other) {
    return one.is(Edit::transposition) && one.begins_step() && other.is(Edit::match);
  }

  void end_gaps() {
    const std::uint64_t inserted = std::exchange(inserted_, 0), deleted = std::exchange(deleted_, 0);
    script_.push(Edit::insertion, inserted);
    script_.push(Edit::deletion, deleted);
    k_ += inserted;
    i_ += deleted;
  }

  MiddleSymbols first_, next_;
  const IsMatch& is_match_;
  std::uint64_t i_, k_;
  std::uint64_t inserted_ = 0, deleted_ = 0;
  Script script_;
};

std::string written(const std::vector<Run>& runs, std::string_view letters) {
  std::string text;
  for (const Run& run : runs) {
    fmt::format_to(std::back_inserter(text), "{}{}", run.length, letters[static_cast<std::size_t>(run.edit)]);
  }
  return text;
}

/// sum + steps * symbols, or 2^64 - 1 if that is more.
std::uint64_t saturated_sum(std::uint64_t sum, std::uint64_t steps, std::uint64_t symbols) {
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  return symbols > 0 && steps > (most - sum) / symbols ? most : sum + steps * symbols;
}

}  // namespace

std::uint64_t Script::symbols_of_a() const {
  return std::accumulate(runs_.begin(), runs_.end(), std::uint64_t{0}, [](std::uint64_t sum, const Run& run) {
    return saturated_sum(sum, run.length, symbols_of_a(run.edit));
  });
}

std::uint64_t Script::symbols_of_b() const {
  return std::accumulate(runs_.begin(), runs_.end(), std::uint64_t{0}, [](std::uint64_t sum, const Run& run) {
    return saturated_sum(sum, run.length, symbols_of_b(run.edit));
  });
}

std::uint64_t Script::end_a() const { return saturated_sum(begin_a, symbols_of_a(), 1); }
std::uint64_t Script::end_b() const { return saturated_sum(begin_b, symbols_of_b(), 1); }

std::uint64_t Script::count(Edit edit) const {
  std::uint64_t count = 0;
  for (const Run& run : runs_) count += run.edit == edit ? run.length : 0;
  return count;
}

std::int64_t Script::cost(const Costs& costs) const {
  std::int64_t cost = 0;
  for (const Run& run : runs_) cost += static_cast<std::int64_t>(run.length) * cost_of(run.edit, costs);
  return cost;
}

std::string Script::cigar(bool extended) const {
  if (extended) return written(runs_, "=XDIT()");
  Script joined;
  for (const Run& run : runs_) joined.push(aligned(run).edit, aligned(run).length);
  return written(joined.runs_, "M?DI");
}

std::vector<std::pair<std::uint64_t, std::uint64_t>> Script::matched_pairs() const {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> pairs;
  pairs.reserve(count(Edit::match));
  walk(end_a(), end_b(), [&](Edit edit, std::uint64_t i, std::uint64_t j) {
    if (edit == Edit::match) pairs.emplace_back(i, j);
  });
  return pairs;
}

Script Script::inverse() const {
  Script inverse;
  for (const Run& run : runs_) inverse.push(inverted(run.edit), run.length);
  inverse.begin_a = begin_b;
  inverse.begin_b = begin_a;
  return inverse;
}

Script Script::reversed() const& { return Script(*this).reversed(); }

Script Script::reversed() && {
  std::ranges::reverse(runs_);
  for (Run& run : runs_) run.edit = sequence::reversed(run.edit);
  begin_a = begin_b = 0;
  return std::move(*this);
}

Script Script::compose(const Script& next, std::string_view a, std::string_view c) const {
  return compose<char>(next, symbols(a), symbols(c));
}

Script Script::compose(const Script& next, std::uint64_t n, std::uint64_t m,
                       const std::function<bool(std::uint64_t, std::uint64_t)>& is_match) const {
  const std::uint64_t end = end_b(), next_end = next.end_a();
  if (begin_b != next.begin_a || end != next_end) {
    throw Error(ErrorKind::input, fmt::format("the scripts go over symbols {} to {} and {} to {} of the sequence "
                                              "between: the same are accepted",
                                              begin_b, end, next.begin_a, next_end));
  }
  check_lengths(end_a(), next.end_b(), n, m);
  return Composition(*this, next, is_match).composed();
}

std::string Script::apply(std::string_view a, std::string_view b) const {
  return text_of(apply<char>(symbols(a), symbols(b)));
}

std::pair<std::string, std::string> Script::rows(std::string_view a, std::string_view b, char gap) const {
  const auto both = rows<char>(symbols(a), symbols(b), gap);
  return {text_of(both.first), text_of(both.second)};
}

void Script::check_lengths(std::uint64_t a, std::uint64_t b, std::uint64_t n, std::uint64_t m) {
  if (a <= n && b <= m) return;
  throw Error(ErrorKind::input, fmt::format("the script goes over {} and {} symbols: at most {} and {} are accepted, "
                                            "the lengths of the sequences",
                                            a, b, n, m));
}

}  // namespace warpfold::sequence
