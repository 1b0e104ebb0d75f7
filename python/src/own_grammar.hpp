#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "own.hpp"
#include "warpfold/interval/derivatives.hpp"
#include "warpfold/interval/marginals.hpp"
#include "warpfold/interval/ranked.hpp"
#include "warpfold/interval/sample.hpp"
#include "warpfold/interval/verify_grammar.hpp"

/// Grammars that users of Python write as structs: what the module asks of one, and how its library answers. The
/// package ships this file for the user's compiler. It contains nothing of Python.
namespace warpfold::python {

template <class T>
using One = T;
/// A value of one of the types.
using GrammarNumber = OfValue<One>;

/// The finished tables of a user's struct. The struct borrows the arrays of its members. Values of sums (ScaledSum) are
/// natural logarithms. Functions raise Error{usage} if the semiring has no such result.
class SolvedGrammar {
 public:
  using Steps = std::vector<interval::Step>;
  using Visit = std::function<bool(GrammarNumber, Steps)>;

  SolvedGrammar() = default;
  SolvedGrammar(const SolvedGrammar&) = delete;
  SolvedGrammar& operator=(const SolvedGrammar&) = delete;
  virtual ~SolvedGrammar() = default;

  [[nodiscard]] virtual std::size_t points() const = 0;
  [[nodiscard]] virtual unsigned tables() const = 0;    ///< prefix tables included: the last ones
  [[nodiscard]] virtual unsigned prefixes() const = 0;  ///< prefix tables
  [[nodiscard]] virtual const Report& report() const = 0;
  [[nodiscard]] virtual GrammarNumber value() const = 0;
  /// All values of a table, n x n: zero() for i >= j. Of a prefix table n values.
  [[nodiscard]] virtual OfValue<VectorOf> values(unsigned table) const = 0;
  [[nodiscard]] virtual Verdict verify(const Options& options) const = 0;
  [[nodiscard]] virtual Steps derivation(const Options& options) const = 0;
  /// As visit_derivations, or best_derivations if `most` is given.
  virtual void visit(std::optional<double> within, std::optional<std::size_t> most, const Visit& visit,
                     const Options& options) const = 0;
  [[nodiscard]] virtual Steps sample(std::uint64_t seed, std::uint64_t number) const = 0;
  [[nodiscard]] virtual std::vector<double> marginals(unsigned table, const Options& options) const = 0;
  /// The derivatives of the logarithm of the sum by the numbers of each member: none if it has no doubles.
  [[nodiscard]] virtual std::vector<std::vector<double>> derivatives(const Options& options) const = 0;
};

/// The doubles of a member. A matrix may have gaps between its rows.
struct MemberNumbers {
  std::span<const double> all;
  std::size_t columns = 1, stride = 1;
};
template <class Member>
MemberNumbers numbers_of(const Member& member) {
  if constexpr (std::is_same_v<Member, double>) {
    return {{&member, 1}};
  } else if constexpr (std::is_same_v<Member, MatrixView<const double>>) {
    const std::size_t count = member.rows == 0 ? 0 : (member.rows - 1) * member.stride + member.columns;
    return {{member.data, count}, member.columns, member.stride};
  } else if constexpr (std::is_convertible_v<const Member&, std::span<const double>>) {
    return {member};
  } else {
    return {};
  }
}

[[noreturn]] inline void reject_semiring(const char* what, const char* accepted) {
  throw Error(ErrorKind::usage, std::string(what) + " need another semiring: " + accepted + " are accepted");
}

template <class G>
class UserGrammar final : public SolvedGrammar {
 public:
  using S = typename G::Semiring;
  using Value = typename S::Value;
  static constexpr bool is_ranked =
      SemiringTraits<S>::is_selective && (SemiringTraits<S>::adds || SemiringTraits<S>::multiplies);

  /// Lists the doubles of the members that the user set.
  using Members = std::vector<MemberNumbers> (*)(const G& grammar);

  UserGrammar(const G& grammar, Outcome<interval::GrammarTables<G>> outcome, Members members)
      : grammar_(grammar),
        tables_(std::move(outcome.solution)),
        report_(std::move(outcome.report)),
        members_(members) {}

  [[nodiscard]] std::size_t points() const override { return tables_.points(); }
  [[nodiscard]] unsigned tables() const override { return interval::table_count<G> + prefixes(); }
  [[nodiscard]] unsigned prefixes() const override { return interval::prefix_count<G>; }
  [[nodiscard]] const Report& report() const override { return report_; }
  [[nodiscard]] GrammarNumber value() const override { return number(tables_.value()); }
  [[nodiscard]] OfValue<VectorOf> values(unsigned table) const override {
    const std::size_t n = points();
    if (table >= interval::table_count<G>) {
      std::vector<Value> of_points;
      for (std::size_t j = 0; j < n; ++j) of_points.push_back(number(tables_.value(table, 0, j)));
      return of_points;
    }
    std::vector<Value> all(n * n, number(typename interval::GrammarTables<G>::Value(S::zero())));
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = i + 1; j < n; ++j) all[i * n + j] = number(tables_.value(table, i, j));
    }
    return all;
  }
  [[nodiscard]] Verdict verify(const Options& options) const override {
    return guarded([&] { return interval::verify_grammar(grammar_, tables_, options); });
  }
  [[nodiscard]] Steps derivation(const Options& options) const override {
    if constexpr (SemiringTraits<S>::is_selective) {
      return guarded([&] { return interval::derivation(grammar_, tables_, options); });
    } else {
      reject_semiring("derivations", "semirings that choose");
    }
  }
  void visit(std::optional<double> within, std::optional<std::size_t> most, const Visit& visit,
             const Options& options) const override {
    if constexpr (is_ranked) {
      guarded([&] {
        if (most) {
          for (auto& [value, steps] : interval::best_derivations(grammar_, tables_, *most, options)) {
            visit(value, std::move(steps));
          }
          return;
        }
        std::optional<Value> near;
        if (within) near = limit(*within);
        interval::visit_derivations(
            grammar_, tables_, near, [&](auto&& one) { return visit(one.value, std::move(one.steps)); }, options);
      });
    } else {
      reject_semiring("ranked derivations", "MinPlus, MaxPlus and MaxTimes");
    }
  }
  [[nodiscard]] Steps sample(std::uint64_t seed, std::uint64_t number) const override {
    if constexpr (is_scaled<S>) {
      return guarded([&] {
        interval::SeededRandom random(seed, number);
        return interval::sample_derivation(grammar_, tables_, random);
      });
    } else {
      reject_semiring("samples", "sums by ScaledSum<double>");
    }
  }
  [[nodiscard]] std::vector<double> marginals(unsigned table, const Options& options) const override {
    if constexpr (is_scaled<S>) {
      return guarded([&] {
        if (table >= interval::table_count<G>) return of_prefix(table - interval::table_count<G>, options);
        const auto found = interval::marginals(grammar_, tables_, table, options).solution;
        const std::size_t n = points();
        std::vector<double> all(n * n);
        for (std::size_t i = 0; i < n; ++i) {
          for (std::size_t j = i + 1; j < n; ++j) all[i * n + j] = found.value(i, j);
        }
        return all;
      });
    } else {
      reject_semiring("marginals", "sums by ScaledSum<double>");
    }
  }
  [[nodiscard]] std::vector<std::vector<double>> derivatives(const Options& options) const override {
    if constexpr (is_scaled<S>) {
      return guarded([&] {
        const std::vector<MemberNumbers> members = members_(grammar_);
        std::vector<std::span<const double>> lists;
        for (const MemberNumbers& member : members) lists.push_back(member.all);
        auto found = interval::weight_derivatives<G>(grammar_, tables_, lists, options).solution;
        for (std::size_t t = 0; t < members.size(); ++t) remove_gaps(members[t], found[t]);
        return found;
      });
    } else {
      reject_semiring("derivatives", "sums by ScaledSum<double>");
    }
  }

 private:
  std::vector<double> of_prefix([[maybe_unused]] unsigned prefix, [[maybe_unused]] const Options& options) const {
    if constexpr (interval::has_prefixes<G>) {
      return interval::prefix_marginals(grammar_, tables_, prefix, options).solution;
    } else {
      return {};
    }
  }
  static void remove_gaps(const MemberNumbers& member, std::vector<double>& values) {
    if (member.columns == member.stride) return;
    std::size_t kept = 0;
    for (std::size_t at = 0; at < values.size(); ++at) {
      if (at % member.stride < member.columns) values[kept++] = values[at];
    }
    values.resize(kept);
  }
  /// A value as Python sees it.
  template <class T>
  static Value number(const T& value) {
    if constexpr (is_scaled<S>) {
      return value.ln();
    } else {
      return value;
    }
  }
  /// A limit in the type of the values: of integers the integer below.
  static Value limit(double within) {
    if constexpr (std::is_integral_v<Value>) {
      return static_cast<Value>(std::clamp(within, -1.0, static_cast<double>(infinity<Value> / 2)));
    } else {
      return static_cast<Value>(within);
    }
  }
  /// What call() returns, with whatever the struct throws as an Error.
  template <class Call>
  static auto guarded(const Call& call) {
    if constexpr (std::is_void_v<decltype(call())>) {
      call_user(call);
    } else {
      std::optional<decltype(call())> result;
      call_user([&] { result.emplace(call()); });
      return std::move(*result);
    }
  }

  G grammar_;
  interval::GrammarTables<G> tables_;
  Report report_;
  Members members_;
};

template <class G>
std::unique_ptr<SolvedGrammar> solve_user_grammar(const G& grammar, std::size_t points, const Options& options,
                                                  typename UserGrammar<G>::Members members) {
  check_value<typename G::Semiring::Value>();
  return std::make_unique<UserGrammar<G>>(grammar, interval::solve_grammar(grammar, points, options), members);
}

}  // namespace warpfold::python
