#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "rna/exterior_sums.hpp"
#include "rna/sum_grammar.hpp"
#include "warpfold/interval/grammar_model.hpp"
#include "warpfold/run/team.hpp"

namespace warpfold::rna {

/// The probabilities that all bases of a window (a,b) are unpaired. The window is in one loop, so they are the sum over
///
///     the exterior loop        before(a) after(b) / Z
///     hairpins                 over the pairs around the window, of the probability of their hairpin
///     interior loops           over the sides of loops that contain the window, of the probability of the loop
///     multiloops, after a branch that begins at i         over i < a, of out(last,i,b) multi_base^(b-a) last(i,a)
///     multiloops, before the first branch                 over j > b, of out(single,a,j) multi_base^(b-a) single(b,j)
///
/// out(t,i,j) is the derivative of ln Z by T(t,i,j): the marginal divided by the value. Cost: the interior loops of
/// each pair once, and O(n) for each window.
template <class G>
class UnpairedWindows {
 public:
  using Marginals = interval::IntervalTable<double>;

  /// With the marginals of the tables `paired`, `last` and `single`.
  UnpairedWindows(const G& grammar, const interval::GrammarTables<G>& tables, const Marginals& of_paired,
                  const Marginals& of_last, const Marginals& of_single)
      : loops_(grammar.loops),
        tables_(tables),
        of_paired_(of_paired),
        of_last_(of_last),
        of_single_(of_single),
        n_(tables.points() - 1) {}

  static std::size_t bytes(std::size_t bases, std::size_t longest) {
    if (longest == 0) return 0;
    return (blocks * bases * sides + bases * longest) * sizeof(double);
  }

  /// For each base t and u = 1 .. longest at t * longest + u - 1 the probability that base t and the u - 1 bases before
  /// it are unpaired; NaN if there are fewer. `exterior(a, b)`: what the exterior loop adds to a window.
  template <class Exterior>
  [[nodiscard]] std::vector<double> probabilities(std::size_t longest, const Exterior& exterior, Team& team,
                                                  const SolveMonitor& monitor) const {
    std::vector<double> found(n_ * longest, std::numeric_limits<double>::quiet_NaN());
    const auto add = [&](std::size_t a, std::size_t b, double part) {
      double& sum = found[(b - 1) * longest + b - a - 1];
      sum = part + (std::isnan(sum) ? 0 : sum);
    };
    const std::vector<double> of_sides = sides_of_interior_loops(team, monitor);
    add_loops(longest, of_sides, add);
    std::vector<Scaled> bases(1, Scaled(1));  // the weights of unpaired bases in a multiloop
    while (bases.size() <= longest) bases.push_back(bases.back() * Scaled(loops_.multi_base()));
    team.parallel_for(n_, [&](std::size_t last, int) {
      monitor.check();
      add_after_branches(last + 1, bases, add);
    });
    team.parallel_for(n_, [&](std::size_t a, int) {
      monitor.check();
      add_before_branches(a, bases, add);
      for (std::size_t b = a + 1; b <= std::min(n_, a + longest) && loops_.is_free(a, b); ++b)
        add(a, b, exterior(a, b));
    });
    for (double& sum : found) sum = sum > 1 ? 1 : sum;  // rounded; a NaN stays
    return found;
  }

 private:
  static constexpr std::size_t blocks = 32, sides = max_loop + 1;

  /// out(table,i,j).
  [[nodiscard]] Scaled outside(const Marginals& marginals, unsigned table, std::size_t i, std::size_t j) const {
    const double marginal = marginals.value(i, j);
    return marginal == 0 ? Scaled() : Scaled(marginal) / tables_.value(table, i, j);
  }
  static double number(const Scaled& value) { return value.times_power_of_two(0); }

  /// At first * sides + length the probability that an interior loop has a side of these unpaired bases. Rows are added
  /// in blocks, whose order does not depend on the threads.
  [[nodiscard]] std::vector<double> sides_of_interior_loops(Team& team, const SolveMonitor& monitor) const {
    std::array<std::vector<double>, blocks> parts;
    team.parallel_for(blocks, [&](std::size_t block, int) {
      parts[block].assign(n_ * sides, 0.0);
      for (std::size_t i = block; i < n_; i += blocks) {
        monitor.check();
        for (std::size_t j = i + 1; j <= n_; ++j) add_sides(i, j, parts[block]);
      }
    });
    std::vector<double> sum(n_ * sides);
    for (const auto& part : parts) {
      for (std::size_t t = 0; t < sum.size(); ++t) sum[t] += part[t];
    }
    return sum;
  }
  void add_sides(std::size_t i, std::size_t j, std::vector<double>& to) const {
    if (loops_.kind(i, j - 1) == pair_kinds) return;
    const Scaled out = outside(of_paired_, G::paired, i, j);
    if (out.is_zero()) return;
    for (std::size_t left = 0; left <= max_loop && i + 1 + left < j && loops_.is_free(i + 1, i + 1 + left); ++left) {
      for (std::size_t right = 0; left + right <= max_loop && i + left + right + 3 < j; ++right) {
        const std::size_t p = i + 1 + left, q = j - 1 - right;
        if (!loops_.is_free(q, j - 1)) break;
        if (left + right == 0 || loops_.kind(p, q - 1) == pair_kinds) continue;
        if (tables_.table(G::helix).value(p, q) == 0) continue;
        const double weight = loops_.interior(i, j - 1, p, q - 1);
        const double part = with_value(out.fraction() * weight, out.exponent(), G::helix, p, q);
        if (left > 0) to[(i + 1) * sides + left] += part;
        if (right > 0) to[q * sides + right] += part;
      }
    }
  }

  /// Adds the hairpins and the sides of interior loops around each window.
  template <class Add>
  void add_loops(std::size_t longest, const std::vector<double>& of_sides, const Add& add) const {
    std::vector<double> ends(n_ + 1, 0.0);  // of the stretches that begin at a or before, by where they end
    for (std::size_t a = 0; a < n_; ++a) {
      for (std::size_t length = 1; length < sides && a + length <= n_; ++length) {
        ends[a + length] += of_sides[a * sides + length];
      }
      for (std::size_t j = a + 1; a > 0 && j <= n_; ++j) ends[j - 1] += hairpin(a - 1, j);
      double around = 0;
      for (std::size_t b = n_; b > a; --b) {
        around += ends[b];
        if (b - a <= longest) add(a, b, around);
      }
    }
  }
  /// The probability of the hairpin of a pair.
  [[nodiscard]] double hairpin(std::size_t i, std::size_t j) const {
    if (loops_.kind(i, j - 1) == pair_kinds || !loops_.is_free(i + 1, j - 1)) return 0;
    return number(outside(of_paired_, G::paired, i, j) * Scaled(loops_.hairpin(i, j - 1)));
  }

  /// fraction * 2^exponent * T(table,i,j): a probability, so it does not overflow.
  [[nodiscard]] double with_value(double fraction, std::int64_t exponent, unsigned table, std::size_t i,
                                  std::size_t j) const {
    constexpr std::size_t side = interval::IntervalTable<double>::side;
    const double value = tables_.table(table).value(i, j);
    if (value == 0) return 0;
    const std::int64_t of_tile = tables_.exponents()[tiles::tile_number(i / side, j / side)];
    return fraction * value * power_of_two(exponent + of_tile);
  }
  [[nodiscard]] double with_value(const Scaled& out, const Scaled& bases, unsigned table, std::size_t i,
                                  std::size_t j) const {
    return with_value(out.fraction() * bases.fraction(), out.exponent() + bases.exponent(), table, i, j);
  }
  template <class Add>
  void add_after_branches(std::size_t b, const std::vector<Scaled>& bases, const Add& add) const {
    for (std::size_t i = 0; i + 1 < b; ++i) {
      const Scaled out = outside(of_last_, G::last, i, b);
      if (out.is_zero()) continue;
      for (std::size_t a = b - 1; a > i && b - a < bases.size() && loops_.is_free(a, a + 1); --a) {
        add(a, b, with_value(out, bases[b - a], G::last, i, a));
      }
    }
  }
  template <class Add>
  void add_before_branches(std::size_t a, const std::vector<Scaled>& bases, const Add& add) const {
    std::vector<Scaled> out(n_ + 1);
    for (std::size_t j = a + 1; j <= n_; ++j) out[j] = outside(of_single_, G::single, a, j);
    for (std::size_t b = a + 1; b < n_ && b - a < bases.size() && loops_.is_free(a, b); ++b) {
      double sum = 0;
      for (std::size_t j = b + 1; j <= n_; ++j) {
        if (!out[j].is_zero()) sum += with_value(out[j], bases[b - a], G::single, b, j);
      }
      add(a, b, sum);
    }
  }

  const LoopWeights& loops_;
  const interval::GrammarTables<G>& tables_;
  const Marginals& of_paired_;
  const Marginals& of_last_;
  const Marginals& of_single_;
  std::size_t n_;
};

}  // namespace warpfold::rna
