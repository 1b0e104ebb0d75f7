#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "warpfold/core/error.hpp"
#include "warpfold/interval/detail/ranked_search.hpp"
#include "warpfold/interval/grammar.hpp"

/// The derivations of a grammar in the order of their values, the best first: the k best, or all near the best.
///
/// For semirings whose plus is a minimum or a maximum and whose times adds or multiplies: MinPlus, MaxPlus, MaxTimes. A
/// grammar that derives a structure in several ways lists it several times.
///
/// Integers are exact. Fractions are in order up to rounding, and the value of all but the best is rounded.
///
/// Ties go to the derivation that differs last from the one before it, then to the order of `derivation`. Derivations
/// whose values leave the type's finite range are left out.
///
/// Cost: the terms of each interval that a derivation on the way visits, once: O(j - i) for each product. A queue of
/// partial derivations, some for each derivation that was visited, which is part of Options::max_memory.
namespace warpfold::interval {

/// A derivation with its value.
template <class T>
struct RankedDerivation {
  T value;
  std::vector<Step> steps;  ///< in the order of `derivation`
};

namespace detail {

/// How much worse a value is than the best one, as a number that adds over the parts of a derivation: a difference, or
/// the binary logarithm of a ratio.
template <class S>
struct Losses {
  using Traits = SemiringTraits<S>;
  using T = typename S::Value;
  static_assert(Traits::is_selective && (Traits::adds || Traits::multiplies),
                "derivations are ranked under MinPlus, MaxPlus and MaxTimes");
  using Loss = std::conditional_t<std::is_integral_v<T>, std::int64_t, double>;

  static Loss of(T value, T best) {
    if constexpr (Traits::multiplies) return std::log2(best) - std::log2(value);
    const Loss difference = static_cast<Loss>(value) - static_cast<Loss>(best);
    return Traits::is_min ? difference : -difference;
  }
  static T value(T best, Loss loss) {
    if constexpr (Traits::multiplies) return static_cast<T>(best * std::exp2(-loss));
    return static_cast<T>(static_cast<Loss>(best) + (Traits::is_min ? loss : -loss));
  }
  /// The loss of values that are `within` of the best. Raises Error{usage} for a value that is better than the best.
  static Loss within(T within) {
    constexpr T least = Traits::multiplies ? T{1} : T{0};
    if (!(within >= least)) {
      throw Error(ErrorKind::usage, "within is " + std::to_string(within) + ": " +
                                        (Traits::multiplies ? "a ratio of 1 or more" : "0 or more") + " is accepted");
    }
    return Traits::multiplies ? static_cast<Loss>(std::log2(within)) : static_cast<Loss>(within);
  }
  /// The largest loss with a finite value.
  static Loss most(T best) {
    if constexpr (!std::is_integral_v<T>) return infinity<double>;
    return static_cast<Loss>(infinity<T>) - 1 - (Traits::is_min ? static_cast<Loss>(best) : -static_cast<Loss>(best));
  }
};

/// The ways to derive an interval, for RankedSearch.
template <class G>
struct TermAlternatives {
  using Values = Losses<typename G::Semiring>;
  using Way = Alternative<OpenInterval, Step, typename Values::Loss>;
  const G& grammar;
  const GrammarTables<G>& tables;

  template <class Add>
  void operator()(const OpenInterval& at, const Add& add) const {
    const GrammarValue<G> best = stored_value(tables, at.table, at.i, at.j);
    const auto visit = [&](const GrammarValue<G>& value, const auto& found) {
      const auto [open, count] = found.open();
      add(Way{Values::of(value, best), found.step, open, count});
    };
    TermList<G, decltype(visit)>(grammar, tables, at.table, at.i, at.j, visit)();
  }
};

/// Calls visit(derivation) for derivations of T(table,i,j) until it returns false. At most `most` are wanted. Returns
/// whether all were visited.
template <class G, class Visit>
bool visit_ranked(const G& grammar, const GrammarTables<G>& tables, const OpenInterval& whole,
                  std::optional<GrammarValue<G>> within, std::size_t most, const Visit& visit, const Options& options) {
  using Values = Losses<typename G::Semiring>;
  using Loss = typename Values::Loss;
  check_has_derivation<G>(tables, whole.table, whole.i, whole.j);
  const GrammarValue<G> best = tables.value(whole.table, whole.i, whole.j);
  const Loss max_loss = within ? std::min(Values::within(*within), Values::most(best)) : Values::most(best);
  Budget budget(options);
  Budget::Reservation held = budget.reserve(0);
  const SolveMonitor monitor(options, 0);
  const TermAlternatives<G> ways{grammar, tables};
  RankedSearch<OpenInterval, Step, TermAlternatives<G>, Loss> search(ways, max_loss, most, held, monitor);
  bool is_complete = true;
  search.visit(whole, [&](Loss loss, const std::vector<Step>& last_first) {
    is_complete =
        visit(RankedDerivation<GrammarValue<G>>{Values::value(best, loss), {last_first.rbegin(), last_first.rend()}});
    return is_complete;
  });
  return is_complete;
}

template <class G>
OpenInterval whole_of(const GrammarTables<G>& tables) {
  return open_interval(start_of<G>(), 0, tables.points() - 1);
}

}  // namespace detail

/// Visits the derivations of the whole from the best on: calls visit(derivation) with a RankedDerivation, until it
/// returns false. `within`: only those whose values differ from the best by at most this much. Under MaxTimes it is the
/// largest ratio of the best to a value. Returns whether all were visited.
///
/// Raises Error{infeasible} if the whole has no value, Error{usage} for a `within` that is negative (below 1 under
/// MaxTimes), Error{time_limit}, Error{memory_limit} and Error{cancelled} as the options ask.
template <class G, class Visit>
bool visit_derivations(const G& grammar, const GrammarTables<G>& tables, std::optional<GrammarValue<G>> within,
                       const Visit& visit, const Options& options = {}) {
  constexpr std::size_t any = std::numeric_limits<std::size_t>::max();
  return detail::visit_ranked(grammar, tables, detail::whole_of(tables), within, any, visit, options);
}

/// The k best derivations of T(table,i,j), or all if there are fewer. Raises what visit_derivations raises.
template <class G>
[[nodiscard]] std::vector<RankedDerivation<GrammarValue<G>>> best_derivations(const G& grammar,
                                                                              const GrammarTables<G>& tables,
                                                                              unsigned table, std::size_t i,
                                                                              std::size_t j, std::size_t k,
                                                                              const Options& options = {}) {
  std::vector<RankedDerivation<GrammarValue<G>>> best;
  if (k == 0) return best;
  const auto keep = [&](RankedDerivation<GrammarValue<G>>&& one) {
    best.push_back(std::move(one));
    return best.size() < k;
  };
  detail::visit_ranked(grammar, tables, detail::open_interval(table, i, j), {}, k, keep, options);
  return best;
}

/// The k best derivations of the whole.
template <class G>
[[nodiscard]] std::vector<RankedDerivation<GrammarValue<G>>> best_derivations(const G& grammar,
                                                                              const GrammarTables<G>& tables,
                                                                              std::size_t k,
                                                                              const Options& options = {}) {
  return best_derivations(grammar, tables, detail::start_of<G>(), 0, tables.points() - 1, k, options);
}

}  // namespace warpfold::interval
