#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "warpfold/core/scaled.hpp"
#include "warpfold/interval/detail/grammar_terms.hpp"
#include "warpfold/run/run.hpp"
#include "warpfold/run/team.hpp"

/// The prefix tables of a grammar (grammar_model.hpp), from its finished tables. Under ScaledSum their values are of
/// type Scaled.
namespace warpfold::interval::detail {

/// A value of a prefix table as it is stored.
template <class G>
using PrefixValue = typename GrammarTables<G>::Value;

template <class G>
constexpr PrefixValue<G> zero_prefix() {
  if constexpr (is_scaled<typename G::Semiring>) {
    return Scaled();
  } else {
    return Stored<typename G::Semiring>::zero();
  }
}

template <class S, class T>
[[noreturn, gnu::noinline]] void reject_join(std::size_t i, std::size_t j, const T weight) {
  reject_value<S>("join" + interval_text(i, j), weight);
}

/// The weight of interval (i,j) for prefix sum s as it is stored: one() if the grammar has no `join`.
template <class G>
GrammarValue<G> stored_join([[maybe_unused]] const G& grammar, [[maybe_unused]] std::size_t s,
                            [[maybe_unused]] std::size_t i, [[maybe_unused]] std::size_t j) {
  using Values = Stored<typename G::Semiring>;
  if constexpr (joins<G>) {
    const GrammarValue<G> weight = join_of(grammar, s, i, j);
    if (!Values::accepts(weight)) reject_join<typename G::Semiring>(i, j, weight);
    return Values::of(weight);
  } else {
    return Values::of(G::Semiring::one());
  }
}

/// The exponent of the tile that has interval (i,j): 0 if values have none.
template <class G, class Tables>
std::int64_t tile_exponent([[maybe_unused]] const Tables& tables, [[maybe_unused]] std::size_t i,
                           [[maybe_unused]] std::size_t j) {
  if constexpr (is_scaled<typename G::Semiring>) {
    return tables.exponents()[tiles::tile_number(i / tiles::tile_side, j / tiles::tile_side)];
  } else {
    return 0;
  }
}

/// The sum of a prefix sum at one point, from the smallest i upwards.
template <class G>
class PrefixTotal {
 public:
  using S = typename G::Semiring;
  using T = GrammarValue<G>;
  using Values = Stored<S>;

  /// Adds what it reads at i: the prefix and a value of a tile with this exponent, which are not zero(), and the weight
  /// of the interval.
  constexpr void add(const PrefixValue<G>& prefix, const T& inside, std::int64_t exponent, const T& weight) {
    if constexpr (is_scaled<S>) {
      total_.add(prefix.fraction() * inside * weight, prefix.exponent() + exponent);
    } else if (!Values::is_zero(weight)) {
      total_ = S::plus(total_, Values::times(Values::times(prefix, inside), weight));
    }
  }
  [[nodiscard]] constexpr PrefixValue<G> total() const {
    if constexpr (is_scaled<S>) {
      return total_.total();
    } else {
      return total_;
    }
  }

 private:
  static constexpr auto none() {
    if constexpr (is_scaled<S>) {
      return ScaledTotal();
    } else {
      return Values::zero();
    }
  }
  decltype(none()) total_ = none();
};

template <class G>
constexpr bool is_zero_prefix(const PrefixValue<G>& value) {
  if constexpr (is_scaled<typename G::Semiring>) {
    return value.is_zero();
  } else {
    return Stored<typename G::Semiring>::is_zero(value);
  }
}

/// Calls look(i, value) for what a prefix sum reads at each i < j that has a value, from the smallest i, until it
/// returns true. `Tables` has a `stored_prefix` and a `stored_value`.
template <class G, class Tables, class Look>
void each_joint(const G& grammar, const Tables& tables, unsigned s, std::size_t j, const Look& look) {
  const auto [left, right] = prefix_sums_of<G>()[s];
  for (std::size_t i = 0; i < j; ++i) {
    const auto& prefix = tables.stored_prefix(left, i);
    if (is_zero_prefix<G>(prefix)) continue;
    const auto inside = stored_value(tables, right, i, j);
    if (Stored<typename G::Semiring>::is_zero(inside)) continue;
    PrefixTotal<G> one;
    one.add(prefix, inside, tile_exponent<G>(tables, i, j), stored_join(grammar, s, i, j));
    const auto value = one.total();
    if (!is_zero_prefix<G>(value) && look(i, value)) return;
  }
}

/// The value of a term of a prefix table.
template <class G, class... Parts>
PrefixValue<G> prefix_term_value(unsigned table, std::size_t j, const Parts&... parts) {
  if constexpr (is_scaled<typename G::Semiring>) {
    check_parts<Parts...>();
    const auto value = [&](const auto& part) {
      if constexpr (is_operand<std::remove_cvref_t<decltype(part)>>) {
        return part.stored;
      } else {
        return Scaled(stored_part<G>(table, 0, j, part));
      }
    };
    return (Scaled(1) * ... * value(parts));
  } else {
    return term_value<G>(table, 0, j, parts...);
  }
}

/// Computes the values of the prefix tables at one point from their terms. All points before it are final.
template <class G>
class PrefixTerms {
 public:
  using S = typename G::Semiring;
  using Value = PrefixValue<G>;
  using Kind = typename Operand<Value>::Kind;
  static constexpr std::size_t sums = prefix_sums_of<G>().size();

  /// `totals`: those of the prefix sums at this point.
  PrefixTerms(GrammarTables<G>& tables, std::size_t j, const std::array<PrefixTotal<G>, sums>& totals)
      : tables_(tables), j_(j), totals_(totals) {
    values_.fill(zero_prefix<G>());
  }

  template <class... Parts>
  void operator()(unsigned table, const Parts&... parts) {
    order_.add(number(table));
    Value& value = values_[table];
    const Value term = prefix_term_value<G>(number(table), j_, parts...);
    if constexpr (is_scaled<S>) {
      value = value + term;
    } else {
      value = S::plus(value, term);
    }
  }
  [[nodiscard]] Operand<Value> before(unsigned table, std::size_t distance) {
    check_number("prefix table", table, prefix_count<G>);
    if (distance == 0) {
      order_.read(number(table));
      return {Kind::before, table, 0, j_, final_value(table)};
    }
    if (distance > j_) return {Kind::before, table, 1, 0, zero_prefix<G>()};
    return {Kind::before, table, 0, j_ - distance, tables_.stored_prefix(table, j_ - distance)};
  }
  [[nodiscard]] Operand<Value> prefix(unsigned s) const {
    check_number("prefix sum", s, sums);
    return {Kind::prefix, s, 0, j_, totals_[s].total()};
  }

  /// Puts the values into the prefix tables. Raises what `reject_value` raises.
  void finish() {
    for (unsigned t = 0; t < prefix_count<G>; ++t) tables_.stored_prefix(t, j_) = final_value(t);
  }

 private:
  static constexpr unsigned number(unsigned table) { return table_count<G> + table; }
  [[nodiscard]] Value final_value(unsigned table) const {
    if constexpr (is_scaled<S>) {
      return values_[table];
    } else {
      return stored_total<S>(number(table), 0, j_, values_[table]);
    }
  }

  GrammarTables<G>& tables_;
  std::size_t j_;
  const std::array<PrefixTotal<G>, sums>& totals_;
  std::array<Value, prefix_count<G>> values_;
  TableOrder order_{table_count<G>, table_count<G> + prefix_count<G>};
};

/// Fills the prefix tables, by blocks of a tile side. Once a block is final, it gives its part to the sums of all later
/// points. So every sum takes its terms from the smallest i upwards.
template <class G>
class PrefixSolver {
 public:
  static constexpr std::size_t side = tiles::tile_side;
  static constexpr auto sums = prefix_sums_of<G>();

  PrefixSolver(const G& grammar, GrammarTables<G>& tables)
      : grammar_(grammar), tables_(tables), totals_(tables.points()) {}

  static std::size_t bytes(std::size_t points) {
    return prefix_count<G> == 0 ? 0 : points * sizeof(std::array<PrefixTotal<G>, sums.size()>);
  }

  /// By the threads of a team.
  void solve(Team& team, const SolveMonitor& monitor) {
    const std::size_t n = tables_.points(), along = (n + side - 1) / side;
    for (std::size_t block = 0; block < along; ++block) {
      monitor.check();
      for (std::size_t j = block * side; j < std::min(n, (block + 1) * side); ++j) {
        PrefixTerms<G> terms(tables_, j, totals_[j]);
        grammar_.prefix_terms(j, terms);
        terms.finish();
        for (std::size_t s = 0; s < sums.size(); ++s) give(s, j, block);
      }
      if (block + 1 == along) return;
      team.parallel_for(along - block - 1, [&](std::size_t later, int) {
        monitor.check();
        for (std::size_t i = block * side; i < (block + 1) * side; ++i) {
          for (std::size_t s = 0; s < sums.size(); ++s) give(s, i, block + 1 + later);
        }
      });
    }
  }

 private:
  /// Gives what sum s reads at i to the points after it of a block.
  void give(std::size_t s, std::size_t i, std::size_t block) {
    const auto [left, right] = sums[s];
    const PrefixValue<G> prefix = tables_.stored_prefix(left, i);
    if (is_zero_prefix<G>(prefix)) return;
    const std::int64_t exponent = tile_exponent<G>(tables_, i, block * side);
    const auto* row = tables_.table(right).tile(i / side, block) + i % side * side;
    for (std::size_t j = std::max(i + 1, block * side); j < std::min(tables_.points(), (block + 1) * side); ++j) {
      if (Stored<typename G::Semiring>::is_zero(row[j % side])) continue;
      totals_[j][s].add(prefix, row[j % side], exponent, stored_join(grammar_, s, i, j));
    }
  }

  const G& grammar_;
  GrammarTables<G>& tables_;
  std::vector<std::array<PrefixTotal<G>, sums.size()>> totals_;
};

}  // namespace warpfold::interval::detail
