#pragma once

#include <cstddef>
#include <vector>

#include "rna/circular.hpp"
#include "rna/exterior_sums.hpp"
#include "warpfold/interval/detail/derivation_search.hpp"

namespace warpfold::rna {

/// The sum over the loops through the ends of a circular sequence of n bases, each with all that is inside its pairs:
/// of a multiloop
///
///     sum over k of multi_ends branches(0,k) last(k,n)
///
/// G: a SumGrammar.
template <class G>
class CircularSums {
 public:
  using Item = interval::detail::OpenInterval;

  CircularSums(const LoopThroughEnds<LoopWeights>& loops, const interval::GrammarTables<G>& tables)
      : loops_(loops), tables_(tables), n_(tables.points() - 1) {
    ScaledTotal total;
    each([&](const std::vector<Item>& open, double weight) { total.add(product_of(open, weight)); });
    whole_ = total.total();
    if (whole_.is_zero()) reject_constraint();
  }

  [[nodiscard]] const Scaled& whole() const { return whole_; }

  /// Computes what seed() needs of loops with several parts.
  void look_back() {
    of_branches_.assign(n_ + 1, ScaledTotal());
    of_last_ = of_branches_;
    of_first_.assign((max_loop + 1) * (n_ + 1), ScaledTotal());
    of_second_ = of_first_;
    each([&](const std::vector<Item>& open, double weight) {
      if (open.size() < 2) return;
      const auto &left = open[0], &right = open[1];
      const Scaled of_left = product_of({right}, weight), of_right = product_of({left}, weight);
      if (left.table == G::branches) {
        of_branches_[left.j].add(of_left);
        of_last_[right.i].add(of_right);
      } else {
        of_first_[left.i * (n_ + 1) + left.j].add(of_left);
        of_second_[(n_ - right.j) * (n_ + 1) + right.i].add(of_right);
      }
    });
  }

  /// The derivative of ln Z by T(table,i,j), apart from pairs around it.
  [[nodiscard]] Scaled seed(unsigned table, std::size_t i, std::size_t j) const {
    ScaledTotal total;
    if (table == G::branches && i == 0) total = of_branches_[j];
    if (table == G::last && j == n_) total = of_last_[i];
    if (table == G::helix) {
      if (i <= max_loop) total.add(of_first_[i * (n_ + 1) + j].total());
      if (n_ - j <= max_loop) total.add(of_second_[(n_ - j) * (n_ + 1) + i].total());
      if (loops_.may_close_hairpin(i, j)) total.add(Scaled(loops_.hairpin(i, j - 1)));
    }
    return total.total() / whole_;
  }

  /// Draws the parts of a loop.
  template <class Random>
  [[nodiscard]] std::vector<Item> sample(Random& random) const {
    double left = random();
    std::vector<Item> drawn;
    each([&](const std::vector<Item>& open, double weight) {
      if (left < 0) return;
      const Scaled part = product_of(open, weight);
      if (part.is_zero()) return;
      left -= (part / whole_).times_power_of_two(0);
      drawn = open;  // stays if rounding leaves none
    });
    return drawn;
  }

 private:
  /// Calls visit(the parts of a loop, its weight) for each loop.
  template <class Visit>
  void each(const Visit& visit) const {
    std::vector<Item> open;
    loops_.each([&](const EndsLoop& loop, double weight) {
      open.clear();
      for (std::size_t t = 0; t < loop.count; ++t) {
        open.push_back(interval::detail::open_interval(G::helix, loop.pairs[t].i, loop.pairs[t].j));
      }
      if (loop.split > 0) {
        open.push_back(interval::detail::open_interval(G::branches, 0, loop.split));
        open.push_back(interval::detail::open_interval(G::last, loop.split, n_));
      }
      visit(open, weight);
    });
  }
  [[nodiscard]] Scaled product_of(const std::vector<Item>& open, double weight) const {
    Scaled product(weight);
    for (const auto& [table, i, j] : open) product = product * tables_.value(table, i, j);
    return product;
  }

  const LoopThroughEnds<LoopWeights>& loops_;
  const interval::GrammarTables<G>& tables_;
  std::size_t n_;
  Scaled whole_;
  std::vector<ScaledTotal> of_branches_, of_last_;  ///< by the k of a multiloop
  std::vector<ScaledTotal> of_first_, of_second_;   ///< by the bases before the first pair, or after the second one
};

}  // namespace warpfold::rna
