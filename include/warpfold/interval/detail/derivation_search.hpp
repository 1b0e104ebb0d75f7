#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "warpfold/core/error.hpp"
#include "warpfold/interval/detail/grammar_terms.hpp"
#include "warpfold/interval/detail/prefix_terms.hpp"

/// Finds the term that gave a table its value, by computing the terms of the interval again.
namespace warpfold::interval::detail {

/// An interval of a derivation that has no term yet.
struct OpenInterval {
  std::uint32_t table, i, j;
  auto operator<=>(const OpenInterval&) const = default;
};
inline OpenInterval open_interval(unsigned table, std::size_t i, std::size_t j) {
  return {table, static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j)};
}

/// Up to two such intervals, the left one first.
struct OpenIntervals {
  std::array<OpenInterval, 2> list{};
  std::uint8_t count = 0;
};

/// The term of one table at one interval that is looked for among the grammar's terms. All tables are final. `Tables`
/// has a `stored_value`.
template <class G, class Tables = GrammarTables<G>>
class SoughtTerm {
 public:
  using T = GrammarValue<G>;
  using Kind = typename Operand<T>::Kind;

  /// The step, and what its term reads.
  struct Found {
    Step step;
    Kind kind = Kind::none;
    unsigned index = 0;  ///< as in Operand

    /// The intervals that the term reads.
    [[nodiscard]] OpenIntervals open() const {
      if (kind == Kind::none) return {};
      if (kind == Kind::product) {
        const auto [left, right] = products_of<G>()[index];
        return {{OpenInterval{left, step.i, step.first}, OpenInterval{right, step.last, step.j}}, 2};
      }
      if (kind == Kind::prefix) {
        const auto [left, right] = prefix_sums_of<G>()[index];
        return {{OpenInterval{table_count<G> + left, 0, step.first}, OpenInterval{right, step.last, step.j}}, 2};
      }
      const unsigned table = kind == Kind::stencil  ? stencils_of<G>()[index].of
                             : kind == Kind::before ? table_count<G> + index
                                                    : index;
      return {{OpenInterval{table, step.first, step.last}}, 1};
    }
  };

  [[nodiscard]] Operand<T> inside(unsigned table, std::size_t a, std::size_t b) const {
    if (a + b == 0) reject_inside_of_nothing();
    const bool has_length = a < j_ - i_ && b < j_ - i_ - a;
    if (!has_length) return {Kind::inside, table, i_, i_, {}};
    return {Kind::inside, table, i_ + a, j_ - b, {}};
  }
  [[nodiscard]] Operand<T> here(unsigned table) const { return {Kind::here, table, i_, j_, {}}; }
  [[nodiscard]] Operand<T> product(unsigned p) const { return {Kind::product, p, i_, j_, {}}; }
  [[nodiscard]] Operand<T> stencil(unsigned s) const { return {Kind::stencil, s, i_, j_, {}}; }
  [[nodiscard]] Operand<T> before(unsigned prefix, std::size_t distance) const {
    if (distance > j_) return {Kind::before, prefix, 1, 0, {}};
    return {Kind::before, prefix, 0, j_ - distance, {}};
  }
  [[nodiscard]] Operand<T> prefix(unsigned s) const { return {Kind::prefix, s, i_, j_, {}}; }

 protected:
  SoughtTerm(const G& grammar, const Tables& tables, unsigned table, std::size_t i, std::size_t j)
      : grammar_(grammar), tables_(tables), table_(table), i_(i), j_(j) {}

  /// Calls `visit` with the terms of the table's interval, and with those of other tables there.
  template <class Visit>
  void each_term(Visit& visit) const {
    if constexpr (has_prefixes<G>) {
      if (table_ >= table_count<G>) return grammar_.prefix_terms(j_, visit);
    }
    grammar_.terms(i_, j_, visit);
  }
  /// Whether a term is one of the table's. `table`: as in the term.
  [[nodiscard]] bool is_of_table(unsigned table) const {
    return table_ == (table_ < table_count<G> ? table : table_count<G> + table);
  }

  /// The value that a term of the table reads. Terms of other tables are not read: that may take O(j - i).
  [[nodiscard]] T read(const Operand<T>& operand) const {
    if (operand.kind == Kind::none) return operand.stored;
    if constexpr (has_prefixes<G> && !is_scaled<typename G::Semiring>) {
      if (operand.kind == Kind::before && operand.i == 0) return tables_.stored_prefix(operand.index, operand.j);
    }
    const bool has_length = operand.i < operand.j;
    return has_length ? stored_value(tables_, operand.index, operand.i, operand.j)
                      : Stored<typename G::Semiring>::zero();
  }

  /// Calls look(a, b, i, j) for each interval (i,j) that a stencil reads, by a and then by b, until it returns true.
  template <class Look>
  void each_of_stencil(unsigned s, const Look& look) const {
    const std::size_t deep = stencils_of<G>()[s].deep;
    for (std::size_t a = 0; a <= deep && i_ + 1 + a < j_; ++a) {
      for (std::size_t b = 0; a + b <= deep && i_ + 2 + a + b < j_; ++b) {
        if (look(a, b, i_ + 1 + a, j_ - 1 - b)) return;
      }
    }
  }

  void note(unsigned term, std::size_t first, std::size_t last, const Operand<T>& operand) {
    const auto point = [](std::size_t at) { return static_cast<std::uint32_t>(at); };
    found_ = {{table_, point(i_), point(j_), term, point(first), point(last)}, operand.kind, operand.index};
  }

  /// The value of a term whose operand has the value `read`, as it is stored.
  template <class... Parts>
  [[nodiscard]] T value_with(const T& read, const Parts&... parts) const {
    const auto with_read = [&](const auto& part) {
      auto changed = part;
      if constexpr (is_operand<std::remove_cvref_t<decltype(part)>>) changed.stored = read;
      return changed;
    };
    return term_value<G>(table_, i_, j_, with_read(parts)...);
  }

  const G& grammar_;
  const Tables& tables_;
  unsigned table_;
  std::size_t i_, j_;
  unsigned terms_ = 0;  ///< seen so far
  Found found_{};
  bool is_found_ = false;
};

/// Expands a derivation from one interval inwards, the left before the right. `term_of(interval)` finds the term of an
/// interval.
template <class TermOf>
void expand(const OpenInterval& whole, const TermOf& term_of) {
  std::vector<OpenInterval> open = {whole};
  while (!open.empty()) {
    const OpenInterval at = open.back();
    open.pop_back();
    const OpenIntervals inner = term_of(at).open();
    for (std::size_t t = inner.count; t-- > 0;) open.push_back(inner.list[t]);
  }
}

/// Finds the first term of one table that has the table's value at one interval.
template <class G, class Tables = GrammarTables<G>>
class TermSearch : public SoughtTerm<G, Tables> {
  using Base = SoughtTerm<G, Tables>;
  using Base::found_, Base::grammar_, Base::i_, Base::is_found_, Base::j_, Base::note, Base::table_, Base::tables_,
      Base::terms_;

 public:
  using typename Base::Found, typename Base::Kind, typename Base::T;
  using Values = Stored<typename G::Semiring>;

  TermSearch(const G& grammar, const Tables& tables, unsigned table, std::size_t i, std::size_t j)
      : Base(grammar, tables, table, i, j), value_(stored_value(tables, table, i, j)) {}

  /// Raises Error{usage} if no term has the value.
  [[nodiscard]] Found operator()() {
    this->each_term(*this);
    if (is_found_) return found_;
    throw Error(ErrorKind::usage, "no term gives " + place_in_table(table_, i_, j_) +
                                      " its value: a semiring that chooses and terms that do not change are accepted");
  }

  template <class... Parts>
  void operator()(unsigned table, const Parts&... parts) {
    const unsigned term = terms_++;
    if (is_found_ || !this->is_of_table(table)) return;
    const Operand<T> none{Kind::none, 0, i_, i_, {}};
    const Operand<T>* operand = &none;
    const auto look = [&](const auto& part) {
      if constexpr (is_operand<std::remove_cvref_t<decltype(part)>>) operand = &part;
    };
    (look(parts), ...);
    const auto has_value = [&](const T& read) { return this->value_with(read, parts...) == value_; };
    find_inside(*operand, term, has_value);
  }

 private:
  template <class HasValue>
  void find_inside(const Operand<T>& operand, unsigned term, const HasValue& has_value) {
    if (operand.kind == Kind::product) return find_split(operand, term, has_value);
    if (operand.kind == Kind::stencil) return find_loop(operand, term, has_value);
    if (operand.kind == Kind::prefix) return find_joint(operand, term, has_value);
    if (has_value(this->read(operand))) found(term, operand.i, operand.j, operand);
  }
  template <class HasValue>
  void find_split(const Operand<T>& operand, unsigned term, const HasValue& has_value) {
    const Product product = products_of<G>()[operand.index];
    const unsigned left = product.left, right = product.right;
    if constexpr (requires { best_split(tables_, left, right, i_, j_); }) {  // where only the best can have the value
      const auto [k, read] = best_split(tables_, left, right, i_, j_);
      if (has_value(read)) found(term, k, k, operand);
    } else {
      for (std::size_t k = i_ + 1; k < j_; ++k) {
        const T read = Values::times(stored_value(tables_, left, i_, k), stored_value(tables_, right, k, j_));
        if (has_value(read)) return found(term, k, k, operand);
      }
    }
  }
  template <class HasValue>
  void find_loop(const Operand<T>& operand, unsigned term, const HasValue& has_value) {
    const unsigned of = stencils_of<G>()[operand.index].of;
    this->each_of_stencil(operand.index, [&](std::size_t a, std::size_t b, std::size_t i, std::size_t j) {
      const T weight = Values::of(loop_of(grammar_, operand.index, a, b));
      const T inner = inner_times<G>(grammar_, operand.index, i, j, stored_value(tables_, of, i, j));
      const bool has = has_value(Values::times(weight, inner));
      if (has) found(term, i, j, operand);
      return has;
    });
  }
  template <class HasValue>
  void find_joint(const Operand<T>& operand, unsigned term, const HasValue& has_value) {
    if constexpr (has_prefixes<G>) {
      each_joint(grammar_, tables_, operand.index, j_, [&](std::size_t i, const T& read) {
        const bool has = has_value(read);
        if (has) found(term, i, i, operand);
        return has;
      });
    }
  }
  void found(unsigned term, std::size_t first, std::size_t last, const Operand<T>& operand) {
    note(term, first, last, operand);
    is_found_ = true;
  }

  T value_;
};

}  // namespace warpfold::interval::detail
