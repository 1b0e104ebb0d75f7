#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "warpfold/interval/detail/prefix_terms.hpp"

/// The outside values of prefix tables, for sums: the derivatives of ln Z by their values, from the last point on.
///
///     out(q,j)    = the seed of the whole, plus out(its table, its point) * its other values for each term that
///                   reads F(q,j)
///     of_sum(s,j) = the sum of out(its table, j) * its other values over the terms at j that read prefix sum s
namespace warpfold::interval::detail {

/// One term of a prefix table that reads something, with its other values.
struct PrefixRead {
  bool is_sum;  ///< it reads prefix sum `index`, else F(index, j - distance)
  unsigned table, index;
  std::size_t distance;
  Scaled weight;
};

/// Collects the terms of one point.
template <class G>
class PrefixReads {
 public:
  using Kind = Operand<Scaled>::Kind;

  PrefixReads(std::vector<PrefixRead>& list, std::size_t j) : list_(list), j_(j) { list.clear(); }

  template <class... Parts>
  void operator()(unsigned table, const Parts&... parts) {
    PrefixRead read{false, table, 0, j_ + 1, prefix_term_value<G>(table_count<G> + table, j_, parts...)};
    const auto look = [&](const auto& part) {
      if constexpr (is_operand<std::remove_cvref_t<decltype(part)>>) {
        read.is_sum = part.kind == Kind::prefix;
        read.index = part.index;
        read.distance = part.i <= part.j ? j_ - part.j : j_ + 1;
      }
    };
    (look(parts), ...);
    if ((read.is_sum || read.distance <= j_) && !read.weight.is_zero()) list_.push_back(read);
  }
  [[nodiscard]] Operand<Scaled> before(unsigned table, std::size_t distance) const {
    if (distance > j_) return {Kind::before, table, 1, 0, Scaled(1)};
    return {Kind::before, table, 0, j_ - distance, Scaled(1)};
  }
  [[nodiscard]] Operand<Scaled> prefix(unsigned s) const { return {Kind::prefix, s, 0, j_, Scaled(1)}; }

 private:
  std::vector<PrefixRead>& list_;
  std::size_t j_;
};

template <class G>
class PrefixOutside {
 public:
  static constexpr std::size_t side = tiles::tile_side;
  static constexpr auto sums = prefix_sums_of<G>();

  PrefixOutside(const G& grammar, const GrammarTables<G>& tables)
      : grammar_(grammar),
        tables_(tables),
        totals_(prefix_count<G> * tables.points()),
        outside_(totals_.size()),
        of_sums_(sums.size() * tables.points()) {}

  static std::size_t bytes(std::size_t points) {
    return points * (prefix_count<G> * (sizeof(ScaledTotal) + sizeof(Scaled)) + sums.size() * sizeof(Scaled));
  }

  /// `seed`: the derivative of ln Z by the value of the whole, which is that of the last prefix table.
  void solve(const Scaled& seed, Team& team, const SolveMonitor& monitor) {
    const std::size_t n = tables_.points();
    if constexpr (start_of<G>() >= table_count<G>) total(start_of<G>() - table_count<G>, n - 1).add(seed);
    for (std::size_t block = (n + side - 1) / side; block-- > 0;) {
      monitor.check();
      for (std::size_t j = std::min(n, (block + 1) * side); j-- > block * side;) {
        finish(j);
        for (std::size_t s = 0; s < sums.size(); ++s) give(s, j, block);
      }
      team.parallel_for(block, [&](std::size_t earlier, int) {
        monitor.check();
        for (std::size_t j = std::min(n, (block + 1) * side); j-- > block * side;) {
          for (std::size_t s = 0; s < sums.size(); ++s) give(s, j, earlier);
        }
      });
    }
  }

  /// The derivative of ln Z by F(prefix,j).
  [[nodiscard]] const Scaled& by_prefix(unsigned prefix, std::size_t j) const {
    return outside_[prefix * tables_.points() + j];
  }
  /// The derivative by a prefix sum at j.
  [[nodiscard]] const Scaled& by_sum(std::size_t s, std::size_t j) const { return of_sums_[s * tables_.points() + j]; }
  /// The derivative by T(table,i,j), as far as prefix sums read it.
  [[nodiscard]] Scaled by_table([[maybe_unused]] unsigned table, [[maybe_unused]] std::size_t i,
                                [[maybe_unused]] std::size_t j) const {
    Scaled all;
    for (std::size_t s = 0; s < sums.size(); ++s) {
      if (sums[s].right != table) continue;
      const Scaled outside = by_sum(s, j) * tables_.stored_prefix(sums[s].left, i);
      if (!outside.is_zero()) all = all + outside * Scaled(stored_join(grammar_, s, i, j));
    }
    return all;
  }

 private:
  [[nodiscard]] ScaledTotal& total(unsigned prefix, std::size_t j) { return totals_[prefix * tables_.points() + j]; }

  /// Gives the outside values of point j to what its terms read, the last term first.
  void finish(std::size_t j) {
    std::array<ScaledTotal, sums.size()> of_sums;
    PrefixReads<G> reads(reads_, j);
    grammar_.prefix_terms(j, reads);
    for (std::size_t t = reads_.size(); t-- > 0;) {
      const PrefixRead& read = reads_[t];
      const Scaled part = total(read.table, j).total() * read.weight;
      (read.is_sum ? of_sums[read.index] : total(read.index, j - read.distance)).add(part);
    }
    for (unsigned p = 0; p < prefix_count<G>; ++p) outside_[p * tables_.points() + j] = total(p, j).total();
    for (std::size_t s = 0; s < sums.size(); ++s) of_sums_[s * tables_.points() + j] = of_sums[s].total();
  }

  /// Gives the part of sum s at j to the points before it of a block.
  void give(std::size_t s, std::size_t j, std::size_t block) {
    const auto [left, right] = sums[s];
    const Scaled& outside = by_sum(s, j);
    if (outside.is_zero()) return;
    const std::int64_t exponent = outside.exponent() + tile_exponent<G>(tables_, block * side, j);
    const double* column = tables_.table(right).tile(block, j / side) + j % side;
    for (std::size_t i = std::min(j, (block + 1) * side); i-- > block * side;) {
      const double inside = column[i % side * side];
      if (inside == 0) continue;
      total(left, i).add(outside.fraction() * inside * stored_join(grammar_, s, i, j), exponent);
    }
  }

  const G& grammar_;
  const GrammarTables<G>& tables_;
  std::vector<ScaledTotal> totals_;
  std::vector<Scaled> outside_, of_sums_;
  std::vector<PrefixRead> reads_;
};

}  // namespace warpfold::interval::detail
