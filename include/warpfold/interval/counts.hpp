#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "warpfold/core/semiring.hpp"
#include "warpfold/interval/ranked.hpp"

/// Tells an ambiguous grammar from others by brute force: lists all derivations of a small problem, and compares what
/// they report.
namespace warpfold::interval {

/// How many derivations the whole has, and how many structures they are. Derivations that report the same intervals are
/// one structure.
struct Counts {
  std::uint64_t derivations = 0, structures = 0;

  /// Whether some structure has several derivations: a sum counts it several times.
  [[nodiscard]] bool is_ambiguous() const { return derivations > structures; }
};

namespace detail {

/// A grammar with the terms of G whose values are all 0, so that no derivation is better than another: without those of
/// prefix tables.
template <class G>
struct UnweightedTables : G {
  using Semiring = MinPlus<std::int32_t>;
  using Given = typename G::Semiring;
  static constexpr unsigned sparse = 0;

  explicit UnweightedTables(const G& grammar) : G(grammar) {}

  /// 0 for a value of G; no value for its zero().
  template <class Part>
  static auto without_value(const Part& part) {
    if constexpr (is_operand<Part>) {
      return part;
    } else {
      return Given::is_zero(static_cast<typename Given::Value>(part)) ? Semiring::zero() : Semiring::one();
    }
  }

  /// Hands terms on without their values.
  template <class Add>
  struct Terms {
    Add& add;

    template <class... Parts>
    void operator()(unsigned table, const Parts&... parts) {
      add(table, without_value(parts)...);
    }
    auto inside(unsigned table, std::size_t a, std::size_t b) { return add.inside(table, a, b); }
    auto here(unsigned table) { return add.here(table); }
    auto product(unsigned p) { return add.product(p); }
    auto stencil(unsigned s) { return add.stencil(s); }
    auto before(unsigned prefix, std::size_t distance) { return add.before(prefix, distance); }
    auto prefix(unsigned s) { return add.prefix(s); }
  };

  template <class Add>
  void terms(std::size_t i, std::size_t j, Add& add) const {
    Terms<Add> without{add};
    G::terms(i, j, without);
  }
  [[nodiscard]] std::int32_t loop(std::size_t s, std::size_t a, std::size_t b) const {
    return without_value(loop_of(static_cast<const G&>(*this), s, a, b));
  }
  [[nodiscard]] std::int32_t inner(std::size_t s, std::size_t i, std::size_t j) const {
    if constexpr (weights_inner<G>) return without_value(inner_of(static_cast<const G&>(*this), s, i, j));
    return Semiring::one();
  }
  [[nodiscard]] std::int32_t join(std::size_t s, std::size_t i, std::size_t j) const {
    if constexpr (joins<G>) return without_value(join_of(static_cast<const G&>(*this), s, i, j));
    return Semiring::one();
  }
  void close_row() const = delete;  // vector code knows G's values
  void inner_row() const = delete;
};

/// The whole of it.
template <class G>
struct Unweighted : UnweightedTables<G> {
  using UnweightedTables<G>::UnweightedTables;
};
template <class G>
requires names_prefix_terms<G>
struct Unweighted<G> : UnweightedTables<G> {
  using UnweightedTables<G>::UnweightedTables;

  template <class Add>
  void prefix_terms(std::size_t j, Add& add) const {
    typename UnweightedTables<G>::template Terms<Add> without{add};
    G::prefix_terms(j, without);
  }
};

}  // namespace detail

/// The intervals that a derivation reports, in ascending order: those of its steps in the tables that the grammar
/// names:
///
///     static constexpr unsigned reports[] = {pairs};
template <class G>
[[nodiscard]] std::vector<std::pair<std::size_t, std::size_t>> reported_intervals(const G&,
                                                                                  const std::vector<Step>& steps) {
  static_assert(
      requires { G::reports; },
      "a grammar names the tables whose intervals it reports: static constexpr unsigned reports[] = {pairs};");
  std::vector<std::pair<std::size_t, std::size_t>> intervals;
  for (const Step& step : steps) {
    if (std::ranges::find(G::reports, step.table) != std::end(G::reports)) intervals.emplace_back(step.i, step.j);
  }
  std::ranges::sort(intervals);
  return intervals;
}

/// Counts the derivations and the structures of a grammar for n points. The grammar names the tables that it reports,
/// see reported_intervals; its values do not matter, except that a term with zero() is absent. Their number grows
/// exponentially: for problems of up to some 20 points.
/// Raises what solve_grammar raises, Error{infeasible} where there is no derivation, and Error{memory_limit}.
template <class G>
[[nodiscard]] Counts counts(const G& grammar, std::size_t points, const Options& options = {}) {
  const detail::Unweighted<G> unweighted(grammar);
  const auto tables = solve_grammar(unweighted, points, options).solution;
  Counts found;
  std::set<std::vector<std::pair<std::size_t, std::size_t>>> structures;
  visit_derivations(
      unweighted, tables, {},
      [&](const auto& derivation) {
        ++found.derivations;
        structures.insert(reported_intervals(grammar, derivation.steps));
        return true;
      },
      options);
  found.structures = structures.size();
  return found;
}

}  // namespace warpfold::interval
