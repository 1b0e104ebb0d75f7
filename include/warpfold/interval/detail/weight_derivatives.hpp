#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "warpfold/interval/detail/outside_solver.hpp"
#include "warpfold/interval/detail/prefix_outside.hpp"
#include "warpfold/interval/detail/stencils.hpp"

/// The derivatives of ln Z by the numbers that a grammar marks as a Weight, from its inside and outside values:
///
///     a part of a term           out(the term's table, its interval) * the term's other parts
///     loop(s,a,b)                sum over intervals of out(stencil s, i, j) * what loop(s,a,b) meets there
///     inner(s,i,j)               T(of,i,j) * sum over a, b of loop(s,a,b) * out(stencil s, i-1-a, j+1+b)
///     join(s,i,j)                out(prefix sum s, j) * F(left,i) * T(right,i,j)
///
/// Sums of products and stencils are computed again, tile by tile, where a weight needs them.
namespace warpfold::interval::detail {

/// Parts of derivatives in their order, each with the place of its number.
class DerivativeParts {
 public:
  struct Part {
    const double* number;
    double value;
  };

  void add(const interval::Weight& weight, double value) {
    if (weight.number() != nullptr && value != 0) parts_.push_back({weight.number(), value});
  }
  /// Adds up the parts of each number, so that one is left.
  void combine() {
    std::ranges::stable_sort(parts_, std::less<>(), &Part::number);
    std::size_t kept = 0;
    for (const Part& part : parts_) {
      if (kept > 0 && parts_[kept - 1].number == part.number) {
        parts_[kept - 1].value += part.value;
      } else {
        parts_[kept++] = part;
      }
    }
    parts_.resize(kept);
    parts_.shrink_to_fit();
  }
  [[nodiscard]] const std::vector<Part>& list() const { return parts_; }

 private:
  std::vector<Part> parts_;
};

/// Lists of numbers, and the derivatives by them.
class Derivatives {
 public:
  explicit Derivatives(std::span<const std::span<const double>> numbers) : numbers_(numbers) {
    for (const auto& list : numbers) sums_.emplace_back(list.size());
  }
  /// Parts for numbers that are in no list are left out.
  void add(const DerivativeParts& parts) {
    for (const auto& [number, value] : parts.list()) {
      for (std::size_t t = 0; t < numbers_.size(); ++t) {
        const double* const first = numbers_[t].data();
        const bool is_in_list = !std::less<>()(number, first) && std::less<>()(number, first + numbers_[t].size());
        if (is_in_list) sums_[t][static_cast<std::size_t>(number - first)] += value;
      }
    }
  }
  /// The derivatives. Raises Error{overflow} if one leaves the range.
  [[nodiscard]] std::vector<std::vector<double>> take() {
    for (std::size_t t = 0; t < sums_.size(); ++t) {
      for (std::size_t at = 0; at < sums_[t].size(); ++at) {
        if (std::isfinite(sums_[t][at])) continue;
        throw Error(ErrorKind::overflow, "the derivative by weight " + std::to_string(at) + " of list " +
                                             std::to_string(t) + ", which is " + number_text(numbers_[t][at]) +
                                             ", leaves the range of double");
      }
    }
    return std::move(sums_);
  }

 private:
  std::span<const std::span<const double>> numbers_;
  std::vector<std::vector<double>> sums_;
};

/// The sums of the products and stencils of one tile, which a grammar's terms read.
template <class G>
class TileSums {
 public:
  using S = typename G::Semiring;
  static constexpr std::size_t side = tiles::tile_side, size = side * side;
  static constexpr auto products = products_of<G>();
  static constexpr auto stencils = stencils_of<G>();

  TileSums(const G& grammar, const GrammarTables<G>& tables, const std::vector<StencilWeights<G>>& weights)
      : tables_(tables),
        operations_(tiles::sum_operations()),
        windows_(grammar, weights),
        products_(products.size() * size),
        stencils_(stencils.size() * size) {}

  void begin(std::size_t tile_i, std::size_t tile_j) {
    i_ = tile_i;
    j_ = tile_j;
    has_product_.fill(false);
    has_stencils_ = false;
  }
  [[nodiscard]] std::int64_t exponent() const { return tables_.exponents()[tiles::tile_number(i_, j_)]; }
  /// The sum of product p for interval (i,j) of the tile, over its splits.
  [[nodiscard]] Scaled product(unsigned p, std::size_t i, std::size_t j) {
    if (!has_product_[p]) add_product(p);
    return Scaled(products_.data()[p * size + i % side * side + j % side], exponents_[p]);
  }
  /// The sum of stencil s for interval (i,j) of the tile.
  [[nodiscard]] Scaled stencil(unsigned s, std::size_t i, std::size_t j) {
    return Scaled(stencil_row(s, i % side)[j % side], exponent());
  }
  /// What loop(a,b) of stencil s meets for a row of the tile, in the tile's unit.
  [[nodiscard]] const double* met(std::size_t s, std::size_t row, std::size_t a, std::size_t b) {
    if (!has_stencils_) add_stencils();
    return windows_.source(s, row) + a * stencil_stride<G>(s) - b;
  }

 private:
  [[nodiscard]] double* stencil_row(std::size_t s, std::size_t row) {
    if (!has_stencils_) add_stencils();
    return stencils_.data() + s * size + row * side;
  }

  /// Its tiles are final, so those on the diagonal are operands like all others.
  void add_product(unsigned p) {
    const auto [left, right] = products[p];
    double* const c = products_.data() + p * size;
    std::fill_n(c, size, 0.0);
    has_product_[p] = true;
    std::vector<std::pair<Extent, Extent>> extents;
    bool is_set = false;
    for (std::size_t k = i_; k <= j_; ++k) {
      extents.emplace_back(extent_of(operations_, tables_.table(left).tile(i_, k)),
                           extent_of(operations_, tables_.table(right).tile(k, j_)));
      if (extents.back().first.is_zero() || extents.back().second.is_zero()) continue;
      exponents_[p] = is_set ? std::max(exponents_[p], exponent_of_pair(k)) : exponent_of_pair(k);
      is_set = true;
    }
    for (std::size_t k = i_; k <= j_; ++k) {
      const auto& [of_a, of_b] = extents[k - i_];
      if (of_a.is_zero() || of_b.is_zero()) continue;
      const double *a = tables_.table(left).tile(i_, k), *b = tables_.table(right).tile(k, j_);
      add_scaled(operations_, c, a, b, exponent_of_pair(k) - exponents_[p], of_a, of_b, a, b);
    }
  }
  [[nodiscard]] std::int64_t exponent_of_pair(std::size_t k) const {
    return std::int64_t{tables_.exponents()[tiles::tile_number(i_, k)]} +
           tables_.exponents()[tiles::tile_number(k, j_)];
  }

  /// Row by row from below, as the tile was filled.
  void add_stencils() {
    has_stencils_ = true;
    const UnitOf<S> unit{tables_.exponents(), i_, j_, exponent()};
    windows_.begin(tables_, unit, i_, j_);
    for (std::size_t row = side; row-- > 0;) {
      TileRow<double> sums;
      for (std::size_t s = 0; s < stencils.size(); ++s) {
        sums.fill(0);
        windows_.add_row(operations_, s, row, {0, side}, sums);
        std::copy(sums.begin(), sums.end(), stencil_row(s, row));
        const double* values = tables_.table(stencils[s].of).tile(i_, j_) + row * side;
        for (std::size_t column = 0; column < side; ++column) {
          if (values[column] > 0) windows_.put(s, i_ * side + row, j_ * side + column, values[column]);
        }
      }
    }
  }

  const GrammarTables<G>& tables_;
  tiles::SumOperations operations_;
  StencilWindows<G> windows_;
  TileStorage<double> products_, stencils_;
  std::array<std::int64_t, products.size()> exponents_{};
  std::array<bool, products.size()> has_product_{};
  bool has_stencils_ = false;
  std::size_t i_ = 0, j_ = 0;
};

/// Adds the derivatives by the parts of a term: of a term out * (its parts) the product without each Weight.
template <class Read, class... Parts>
void add_term_derivatives(DerivativeParts& found, const Scaled& outside, const Read& read, const Parts&... parts) {
  constexpr std::size_t count = sizeof...(Parts);
  std::array<interval::Weight, count> weights;
  std::array<Scaled, count> values;
  std::size_t at = 0;
  Scaled constant = outside;
  const auto take = [&](const auto& part) {
    using Part = std::remove_cvref_t<decltype(part)>;
    if constexpr (is_operand<Part>) {
      constant = constant * read(part);
    } else if constexpr (is_weight<Part>) {
      weights[at] = part;
      values[at++] = Scaled(static_cast<double>(part));
    } else {
      constant = constant * Scaled(static_cast<double>(part));
    }
  };
  (take(parts), ...);
  if (constant.is_zero()) return;
  for (std::size_t t = 0; t < at; ++t) {
    Scaled others = constant;
    for (std::size_t other = 0; other < at; ++other) {
      if (other != t) others = others * values[other];
    }
    found.add(weights[t], others.times_power_of_two(0));
  }
}

/// The terms of one interval, for the derivatives by their parts.
template <class G>
class TermDerivatives {
 public:
  using Kind = Operand<double>::Kind;
  static constexpr auto stencils = stencils_of<G>();
  using OfStencils = std::array<double, stencils.size()>;

  /// `outside`: of each table the values of the tile, as they are stored.
  TermDerivatives(const GrammarTables<G>& tables, TileSums<G>& sums,
                  const std::array<const double*, table_count<G>>& outside, std::size_t i, std::size_t j,
                  DerivativeParts& found)
      : tables_(tables), sums_(sums), i_(i), j_(j), found_(found) {
    const std::size_t place = i % tiles::tile_side * tiles::tile_side + j % tiles::tile_side;
    for (unsigned t = 0; t < table_count<G>; ++t) outside_[t] = outside[t][place];
  }

  template <class... Parts>
  void operator()(unsigned table, const Parts&... parts) {
    const double outside = outside_[table];
    if (outside == 0) return;
    if constexpr ((is_weight<Parts> || ...)) {
      add_term_derivatives(
          found_, Scaled(outside, -sums_.exponent()), [&](const auto& operand) { return read(operand); }, parts...);
    }
    if constexpr (stencils.size() > 0 && (is_operand<Parts> || ...)) add_to_stencil(outside, parts...);
  }
  [[nodiscard]] Operand<double> inside(unsigned table, std::size_t a, std::size_t b) const {
    const bool has_length = a < j_ - i_ && b < j_ - i_ - a;
    return {Kind::inside, table, has_length ? i_ + a : i_, has_length ? j_ - b : i_, 0};
  }
  [[nodiscard]] Operand<double> here(unsigned table) const { return {Kind::here, table, i_, j_, 0}; }
  [[nodiscard]] Operand<double> product(unsigned p) const { return {Kind::product, p, i_, j_, 0}; }
  [[nodiscard]] Operand<double> stencil(unsigned s) const { return {Kind::stencil, s, i_, j_, 0}; }

  /// The outside values of the stencils, in the tile's unit.
  [[nodiscard]] const OfStencils& of_stencils() const { return of_stencils_; }

 private:
  [[nodiscard]] Scaled read(const Operand<double>& operand) const {
    if (operand.kind == Kind::product) return sums_.product(operand.index, i_, j_);
    if (operand.kind == Kind::stencil) return sums_.stencil(operand.index, i_, j_);
    return operand.i < operand.j ? tables_.value(operand.index, operand.i, operand.j) : Scaled();
  }
  template <class... Parts>
  void add_to_stencil(double outside, const Parts&... parts) {
    std::optional<unsigned> read;
    const auto take = [&](const auto& part) {
      if constexpr (is_operand<std::remove_cvref_t<decltype(part)>>) {
        if (part.kind == Kind::stencil) read = part.index;
      } else {
        outside *= static_cast<double>(part);
      }
    };
    (take(parts), ...);
    if (read) of_stencils_[*read] += outside;
  }

  const GrammarTables<G>& tables_;
  TileSums<G>& sums_;
  std::size_t i_, j_;
  DerivativeParts& found_;
  std::array<double, table_count<G>> outside_;
  OfStencils of_stencils_{};
};

/// The derivatives by the weights of one tile after the other. One for each thread.
template <class G>
class TileDerivatives {
 public:
  static constexpr std::size_t side = tiles::tile_side, size = side * side;
  static constexpr auto stencils = stencils_of<G>();

  TileDerivatives(const G& grammar, const GrammarTables<G>& tables, const std::vector<StencilWeights<G>>& weights,
                  std::span<const IntervalTable<double>> outside)
      : grammar_(grammar),
        tables_(tables),
        outside_(outside),
        sums_(grammar, tables, weights),
        of_stencils_(stencils.size() * size) {}

  [[nodiscard]] DerivativeParts of_tile(std::size_t tile_i, std::size_t tile_j) {
    DerivativeParts found;
    sums_.begin(tile_i, tile_j);
    std::fill(of_stencils_.begin(), of_stencils_.end(), 0.0);
    std::array<const double*, table_count<G>> outside;
    for (unsigned t = 0; t < table_count<G>; ++t) outside[t] = outside_[t].tile(tile_i, tile_j);
    const std::size_t n = tables_.points(), first_j = tile_j * side;
    for (std::size_t i = tile_i * side; i < std::min(n, (tile_i + 1) * side); ++i) {
      for (std::size_t j = std::max(i + 1, first_j); j < std::min(n, first_j + side); ++j) {
        TermDerivatives<G> terms(tables_, sums_, outside, i, j, found);
        grammar_.terms(i, j, terms);
        for (std::size_t s = 0; s < stencils.size(); ++s) of_stencil(s, i)[j - first_j] = terms.of_stencils()[s];
      }
    }
    for (std::size_t s = 0; s < stencils.size(); ++s) {
      if constexpr (stencils.size() > 0 && is_weight<decltype(given_loop(grammar_, s, s, s))>) add_loops(s, found);
      if constexpr (weighs_inner) add_inner(s, tile_i, tile_j, found);
    }
    found.combine();
    return found;
  }

 private:
  static constexpr bool weighs_inner = [] {
    if constexpr (weights_inner<G>) return is_weight<decltype(given_inner(std::declval<const G&>(), 0, 0, 0))>;
    return false;
  }();

  [[nodiscard]] double* of_stencil(std::size_t s, std::size_t row) {
    return of_stencils_.data() + s * size + row % side * side;
  }
  template <class Visit>
  static void each_loop(std::size_t s, const Visit& visit) {
    for (std::size_t a = 0; a <= stencils[s].deep; ++a) {
      for (std::size_t b = 0; a + b <= stencils[s].deep; ++b) visit(a, b);
    }
  }

  /// Adds the derivatives by the weights of stencil s. A sum has eight parts, by columns.
  void add_loops(std::size_t s, DerivativeParts& found) {
    each_loop(s, [&](std::size_t a, std::size_t b) {
      std::array<double, 8> parts{};
      for (std::size_t row = 0; row < side; ++row) {
        const double *outside = of_stencil(s, row), *met = sums_.met(s, row, a, b);
        for (std::size_t column = 0; column < side; column += parts.size()) {
          for (std::size_t t = 0; t < parts.size(); ++t) parts[t] += outside[column + t] * met[column + t];
        }
      }
      double sum = 0;
      for (const double part : parts) sum += part;
      found.add(given_loop(grammar_, s, a, b), sum);
    });
  }

  /// Adds the derivatives by the weights of the intervals that stencil s reads.
  void add_inner(std::size_t s, std::size_t tile_i, std::size_t tile_j, DerivativeParts& found) {
    const std::size_t around = stencils[s].deep + 1, stride = around + side;
    std::vector<double> given(stride * stride);
    each_loop(s, [&](std::size_t a, std::size_t b) {
      const double weight = loop_of(grammar_, s, a, b);
      if (weight == 0) return;
      for (std::size_t row = 0; row < side; ++row) {
        const double* outside = of_stencil(s, row);
        double* to = given.data() + (row + 1 + a) * stride + around - 1 - b;
        for (std::size_t column = 0; column < side; ++column) to[column] += outside[column] * weight;
      }
    });
    for (std::size_t row = 0; row < stride; ++row) {
      for (std::size_t column = 0; column < stride; ++column) {
        const double outside = given[row * stride + column];
        const std::size_t i = tile_i * side + row, j = tile_j * side + column - around;
        if (outside == 0 || tile_j * side + column <= around + i) continue;  // it has no length
        const Scaled value = tables_.value(stencils[s].of, i, j);
        const Scaled derivative = Scaled(outside, -sums_.exponent()) * value;
        if (!value.is_zero()) found.add(given_inner(grammar_, s, i, j), derivative.times_power_of_two(0));
      }
    }
  }

  const G& grammar_;
  const GrammarTables<G>& tables_;
  std::span<const IntervalTable<double>> outside_;
  TileSums<G> sums_;
  std::vector<double> of_stencils_;
};

/// The terms of the prefix tables at one point, for the derivatives by their parts.
template <class G>
class PrefixDerivatives {
 public:
  using Kind = Operand<double>::Kind;

  PrefixDerivatives(const G& grammar, const GrammarTables<G>& tables, const PrefixOutside<G>& outside, std::size_t j,
                    DerivativeParts& found)
      : grammar_(grammar), tables_(tables), outside_(outside), j_(j), found_(found) {}

  template <class... Parts>
  void operator()(unsigned table, const Parts&... parts) {
    if constexpr ((is_weight<Parts> || ...)) {
      const Scaled& outside = outside_.by_prefix(table, j_);
      if (outside.is_zero()) return;
      add_term_derivatives(
          found_, outside, [&](const auto& operand) { return read(operand); }, parts...);
    }
  }
  [[nodiscard]] Operand<double> before(unsigned table, std::size_t distance) const {
    if (distance > j_) return {Kind::before, table, 1, 0, 0};
    return {Kind::before, table, 0, j_ - distance, 0};
  }
  [[nodiscard]] Operand<double> prefix(unsigned s) const { return {Kind::prefix, s, 0, j_, 0}; }

  /// The derivatives by the weights of the intervals that prefix sums read.
  void add_joins() {
    if constexpr (joins<G>) {
      if constexpr (is_weight<decltype(given_join(grammar_, 0, 0, 0))>) {
        for (std::size_t s = 0; s < prefix_sums_of<G>().size(); ++s) add_joins(s);
      }
    }
  }

 private:
  void add_joins(std::size_t s) {
    const auto [left, right] = prefix_sums_of<G>()[s];
    const Scaled& outside = outside_.by_sum(s, j_);
    if (outside.is_zero()) return;
    for (std::size_t i = 0; i < j_; ++i) {
      const Scaled part = tables_.prefix_value(left, i) * tables_.value(right, i, j_);
      if (!part.is_zero()) found_.add(given_join(grammar_, s, i, j_), (outside * part).times_power_of_two(0));
    }
  }
  [[nodiscard]] Scaled read(const Operand<double>& operand) const {
    if (operand.kind == Kind::before) {
      return operand.i <= operand.j ? tables_.prefix_value(operand.index, operand.j) : Scaled();
    }
    ScaledTotal sum;
    each_joint(grammar_, tables_, operand.index, j_, [&](std::size_t, const Scaled& value) {
      sum.add(value);
      return false;
    });
    return sum.total();
  }

  const G& grammar_;
  const GrammarTables<G>& tables_;
  const PrefixOutside<G>& outside_;
  std::size_t j_;
  DerivativeParts& found_;
};

}  // namespace warpfold::interval::detail
