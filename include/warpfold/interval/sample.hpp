#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "warpfold/interval/grammar.hpp"

/// Draws derivations of sums (ScaledSum), each with the probability that its weight has in the sum.
namespace warpfold::interval {

/// Random numbers from a seed, the same on every machine (SplitMix64). The stream of each number of a seed is its own.
class SeededRandom {
 public:
  explicit SeededRandom(std::uint64_t seed, std::uint64_t stream = 0) : state_(mixed(mixed(seed) + stream)) {}

  /// A number from 0 to 1, without 1, in steps of 2^-53.
  double operator()() {
    state_ += 0x9e3779b97f4a7c15;
    return static_cast<double>(mixed(state_) >> 11) * 0x1p-53;
  }

 private:
  static std::uint64_t mixed(std::uint64_t bits) {
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111eb;
    return bits ^ (bits >> 31);
  }

  std::uint64_t state_;
};

namespace detail {

/// Draws a term of one table at one interval, with the probability of its value.
template <class G>
class TermDraw : public SoughtTerm<G> {
  using Base = SoughtTerm<G>;
  using Base::found_, Base::grammar_, Base::i_, Base::is_found_, Base::j_, Base::note, Base::table_, Base::tables_,
      Base::terms_;

 public:
  using typename Base::Found, typename Base::Kind;

  /// `share`: a number from 0 to 1, without 1.
  TermDraw(const G& grammar, const GrammarTables<G>& tables, unsigned table, std::size_t i, std::size_t j, double share)
      : Base(grammar, tables, table, i, j),
        exponent_(exponent_at(table, i, j)),
        left_(share * fraction_at(table, i, j)) {}

  [[nodiscard]] Found operator()() {
    this->each_term(*this);
    return found_;
  }

  template <class... Parts>
  void operator()(unsigned table, const Parts&... parts) {
    const unsigned term = terms_++;
    if (is_found_ || !this->is_of_table(table)) return;
    double weight = 1;
    Operand<double> operand{Kind::none, 0, i_, i_, 0};
    const auto take = [&](const auto& part) {
      if constexpr (is_operand<std::remove_cvref_t<decltype(part)>>) {
        operand = part;
      } else {
        weight *= static_cast<double>(part);
      }
    };
    (take(parts), ...);
    if (weight == 0) return;
    const auto look = [&](double read, std::int64_t of, std::size_t first, std::size_t last) {
      const double value = weight * read * power_of_two(of - exponent_);
      if (is_found_ || value == 0) return;
      left_ -= value;
      is_found_ = left_ < 0;
      note(term, first, last, operand);  // stays if rounding leaves none
    };
    if (operand.kind == Kind::product) return look_at_splits(operand.index, look);
    if (operand.kind == Kind::stencil) return look_at_loops(operand.index, look);
    if (operand.kind == Kind::none) return look(1, 0, i_, i_);
    if constexpr (has_prefixes<G>) {
      if (operand.kind == Kind::prefix) return look_at_joints(operand.index, look);
      if (operand.kind == Kind::before) return look_before(operand, look);
    }
    const double read = this->read(operand);
    look(read, read == 0 ? 0 : exponent(operand.i, operand.j), operand.i, operand.j);
  }

 private:
  [[nodiscard]] std::int64_t exponent(std::size_t i, std::size_t j) const {
    return tables_.exponents()[tiles::tile_number(i / tiles::tile_side, j / tiles::tile_side)];
  }
  /// The value T(table,i,j) is fraction_at * 2^exponent_at.
  [[nodiscard]] std::int64_t exponent_at(unsigned table, std::size_t i, std::size_t j) const {
    return table < table_count<G> ? exponent(i, j) : tables_.stored_prefix(table - table_count<G>, j).exponent();
  }
  [[nodiscard]] double fraction_at(unsigned table, std::size_t i, std::size_t j) const {
    if (table >= table_count<G>) return tables_.stored_prefix(table - table_count<G>, j).fraction();
    return *entry_of(tables_.table(table), i, j);
  }
  template <class Look>
  void look_at_splits(unsigned p, const Look& look) const {
    const auto [left, right] = products_of<G>()[p];
    for (std::size_t k = i_ + 1; k < j_ && !is_found_; ++k) {
      look(*entry_of(tables_.table(left), i_, k) * *entry_of(tables_.table(right), k, j_),
           exponent(i_, k) + exponent(k, j_), k, k);
    }
  }
  template <class Look>
  void look_at_loops(unsigned s, const Look& look) const {
    const unsigned of = stencils_of<G>()[s].of;
    this->each_of_stencil(s, [&](std::size_t a, std::size_t b, std::size_t i, std::size_t j) {
      const double inner = inner_times<G>(grammar_, s, i, j, *entry_of(tables_.table(of), i, j));
      look(static_cast<double>(loop_of(grammar_, s, a, b)) * inner, exponent(i, j), i, j);
      return is_found_;
    });
  }

  template <class Look>
  void look_at_joints(unsigned s, const Look& look) const {
    each_joint(grammar_, tables_, s, j_, [&](std::size_t i, const Scaled& read) {
      look(read.fraction(), read.exponent(), i, i);
      return is_found_;
    });
  }
  template <class Look>
  void look_before(const Operand<double>& operand, const Look& look) const {
    if (operand.i > operand.j) return;
    const Scaled& read = tables_.stored_prefix(operand.index, operand.j);
    look(read.fraction(), read.exponent(), operand.i, operand.j);
  }

  std::int64_t exponent_;
  double left_;
};

}  // namespace detail

/// Draws a derivation of T(table,i,j) > 0, with the probability of its weight. The steps are in the order of
/// `derivation`. `random` gives numbers from 0 to 1, without 1: one for each step.
///
/// Cost: at most j - i steps of O(j - i) for each product.
template <class G, class Random>
[[nodiscard]] std::vector<Step> sample_derivation(const G& grammar, const GrammarTables<G>& tables, unsigned table,
                                                  std::size_t i, std::size_t j, Random& random) {
  static_assert(is_scaled<typename G::Semiring>,
                "derivations are drawn from sums: using Semiring = ScaledSum<double>;");
  std::vector<Step> steps;
  detail::expand(detail::open_interval(table, i, j), [&](const detail::OpenInterval& at) {
    const auto found = detail::TermDraw<G>(grammar, tables, at.table, at.i, at.j, random())();
    steps.push_back(found.step);
    return found;
  });
  return steps;
}

/// The same for the whole, which is not 0.
template <class G, class Random>
[[nodiscard]] std::vector<Step> sample_derivation(const G& grammar, const GrammarTables<G>& tables, Random& random) {
  return sample_derivation(grammar, tables, detail::start_of<G>(), 0, tables.points() - 1, random);
}

}  // namespace warpfold::interval
