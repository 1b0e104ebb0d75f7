#include <fmt/format.h>

#include "equivalence/interval/naive_grammar.hpp"
#include "fuzz/alike.hpp"
#include "fuzz/drawn.hpp"
#include "warpfold/interval/grammar.hpp"
#include "warpfold/interval/marginals.hpp"
#include "warpfold/interval/sample.hpp"
#include "warpfold/interval/verify_grammar.hpp"

namespace warpfold::fuzz {
namespace {

using interval::GrammarTables;

/// What a term reads besides its weight.
enum class Reads { nothing, inside, here, product, stencil };

/// A term of a table. Some intervals do not have it.
struct Rule {
  unsigned table;
  Reads reads;
  unsigned of;       ///< the table, product or stencil
  std::size_t a, b;  ///< of `inside`
  std::uint64_t one_in;
  std::uint64_t seed;
};

/// A grammar of four tables with drawn terms.
template <class S>
struct DrawnGrammar {
  using Semiring = S;
  using T = typename S::Value;
  enum Table : unsigned { first, second, third, last, tables };
  static constexpr interval::Product products[] = {
      {.left = last, .right = last}, {.left = third, .right = first}, {.left = second, .right = last}};
  static constexpr interval::Stencil stencils[] = {{.of = first, .deep = 30}, {.of = last, .deep = 3}};
  std::vector<Rule> rules;
  std::vector<T> weights;
  std::uint64_t seed = 0;

  [[nodiscard]] T weight(std::uint64_t at) const { return weights[(at * 0x9e3779b97f4a7c15U >> 40) % weights.size()]; }
  [[nodiscard]] T loop(std::size_t s, std::size_t a, std::size_t b) const {
    return (a + 2 * b + seed) % 7 == 0 ? S::zero() : weight(seed + 900 * s + 30 * a + b);
  }
  [[nodiscard]] T inner(std::size_t s, std::size_t i, std::size_t j) const {
    return (i + j + s + seed) % 3 == 0 ? S::one() : weight(seed + s + 31 * i + 57 * j);
  }
  template <class Add>
  void terms(std::size_t i, std::size_t j, Add& add) const {
    for (const Rule& rule : rules) {
      const std::uint64_t place = rule.seed + 1009 * i + 7919 * j;
      const T value = place % rule.one_in == 0 ? weight(place) : S::zero();
      if (rule.reads == Reads::nothing) add(rule.table, value);
      if (rule.reads == Reads::inside) add(rule.table, value, add.inside(rule.of, rule.a, rule.b));
      if (rule.reads == Reads::here) add(rule.table, value, add.here(rule.of));
      if (rule.reads == Reads::product) add(rule.table, value, add.product(rule.of));
      if (rule.reads == Reads::stencil) add(rule.table, value, add.stencil(rule.of));
    }
  }
};

/// The same with two prefix tables.
template <class S>
struct DrawnPrefixes : DrawnGrammar<S> {
  using Base = DrawnGrammar<S>;
  using Base::seed, Base::weight;
  enum PrefixTable : unsigned { open, closed, prefix_tables };
  static constexpr interval::PrefixSum prefix_sums[] = {{.left = open, .right = Base::last},
                                                        {.left = closed, .right = Base::first}};

  [[nodiscard]] typename Base::T join(std::size_t s, std::size_t i, std::size_t j) const {
    return (i + j + s + seed) % 5 == 0 ? S::zero() : weight(seed + s + 13 * i + 71 * j);
  }
  template <class Add>
  void prefix_terms(std::size_t j, Add& add) const {
    add(open, j == 0 ? S::one() : S::zero());
    add(open, weight(seed + j), add.before(open, 1 + seed % 3));
    add(open, add.prefix(0));
    add(closed, add.before(open, 0));
    add(closed, weight(seed + 3 * j), add.prefix(1));
    add(closed, weight(seed + 5 * j), add.before(closed, 1));
  }
};

Rule drawn_rule(Bytes& bytes, unsigned table) {
  Rule rule{.table = table,
            .reads = bytes.pick({Reads::inside, Reads::inside, Reads::product, Reads::stencil, Reads::here}),
            .of = 0,
            .a = 0,
            .b = 0,
            .one_in = bytes.pick<std::uint64_t>({1, 1, 2, 5}),
            .seed = bytes.below(1'000'000)};
  if (rule.reads == Reads::here && table == 0) rule.reads = Reads::nothing;
  if (rule.reads == Reads::inside) {
    rule.of = static_cast<unsigned>(bytes.below(4));
    rule.a = bytes.below(bytes.pick({2, 4, 70}));
    rule.b = bytes.below(bytes.pick({2, 4, 70})) + (rule.a == 0 ? 1 : 0);
  }
  if (rule.reads == Reads::here) rule.of = static_cast<unsigned>(bytes.below(table));
  if (rule.reads == Reads::product) rule.of = static_cast<unsigned>(bytes.below(3));
  if (rule.reads == Reads::stencil) rule.of = static_cast<unsigned>(bytes.below(2));
  return rule;
}

/// Every table has a term that reads nothing, so that most intervals have values. `weight_of` makes a weight from a
/// number below 100.
template <class G, class WeightOf>
G drawn_grammar(Bytes& bytes, const WeightOf& weight_of) {
  G grammar;
  for (unsigned table = 0; table < 4; ++table) {
    const auto one_in = bytes.pick<std::uint64_t>({1, 3, 40});
    grammar.rules.push_back({table, Reads::nothing, 0, 0, 0, one_in, bytes.below(1'000'000)});
    for (std::uint64_t more = bytes.below(5); more > 0; --more) grammar.rules.push_back(drawn_rule(bytes, table));
  }
  const auto different = bytes.pick<std::uint64_t>({2, 10, 100});
  for (std::size_t k = 0; k < 500; ++k) grammar.weights.push_back(weight_of(bytes.below(different)));
  grammar.seed = bytes.below(1'000'000);
  return grammar;
}

/// Visits all intervals of all tables.
template <class Visit>
void each_interval(std::size_t points, const Visit& visit) {
  for (unsigned table = 0; table < 4; ++table) {
    for (std::size_t i = 0; i < points; ++i) {
      for (std::size_t j = i + 1; j < points; ++j) visit(table, i, j);
    }
  }
}

template <class Tables>
std::string bits_of(const Tables& tables, std::size_t points) {
  std::string text;
  each_interval(points, [&](unsigned table, std::size_t i, std::size_t j) {
    const auto value = tables.value(table, i, j);
    if constexpr (std::is_arithmetic_v<decltype(value)>) {
      text += bits(value);
    } else {
      text += bits(value.fraction()) + bits(value.exponent());
    }
  });
  return text;
}

/// All values against the naive loops, and a derivation of the whole.
template <class S>
void solve_drawn(Bytes& bytes) {
  using T = typename S::Value;
  using G = DrawnGrammar<S>;
  const std::size_t points = 2 + bytes.size(200);
  const int lowest = std::is_signed_v<T> && bytes.one_in(2) ? -30 : 0;
  const auto weight_of = [&](std::uint64_t number) { return static_cast<T>(static_cast<int>(number) + lowest); };
  const G grammar = drawn_grammar<G>(bytes, weight_of);
  const std::string text = fmt::format("{} rules over {} points", grammar.rules.size(), points);
  const interval::detail::GrammarProblem<G> problem{grammar, points};
  const auto solved = [&](const Options& options) {
    return bits_of(solve_by(interval::detail::grammar_backends<G>(), problem, problem, options).solution, points);
  };
  test::NaiveGrammar<G> naive(grammar, points);
  std::string expected;
  each_interval(points, [&](unsigned table, std::size_t i, std::size_t j) { expected += bits(naive.at(table, i, j)); });
  expect_alike(text, expected, {"", "tiled"}, solved);
  if constexpr (SemiringTraits<S>::is_selective) {
    if (S::is_zero(naive.at(3, 0, points - 1))) return;
    const GrammarTables<G> tables = interval::solve_grammar(grammar, points).solution;
    expect(!interval::derivation(grammar, tables).empty(), text + " have no derivation");
    expect(interval::verify_grammar(grammar, tables), text);
  }
}

/// The probability of each interval in a table.
template <class G>
std::string marginals_of(const G& grammar, const GrammarTables<G>& tables, unsigned table, const Options& options) {
  const auto found = interval::marginals(grammar, tables, table, options).solution;
  std::string text;
  for (std::size_t i = 0; i < tables.points(); ++i) {
    for (std::size_t j = i + 1; j < tables.points(); ++j) {
      const double marginal = found.value(i, j);
      expect(marginal >= 0 && marginal <= 1 + 1e-9, fmt::format("a marginal is {}", marginal));
      text += bits(marginal);
    }
  }
  return text;
}

/// A derivation that is drawn from the sum.
template <class G>
std::string sample_of(const G& grammar, const GrammarTables<G>& tables, std::uint64_t seed) {
  interval::SeededRandom random(seed);
  std::string text;
  for (const auto& step : interval::sample_derivation(grammar, tables, G::last, 0, tables.points() - 1, random)) {
    text += fmt::format("{} {} {} {};", step.table, step.term, step.first, step.last);
  }
  return text;
}

/// Sums, marginals and samples: the same bits in every way, and sums that are verified.
void sum_drawn(Bytes& bytes) {
  using G = DrawnGrammar<ScaledSum<double>>;
  const std::size_t points = 2 + bytes.size(150);
  const double unit = bytes.pick({0.01, 1.0, 1e4});
  const auto weight_of = [&](std::uint64_t number) { return unit * static_cast<double>(1 + number) / 7; };
  const G grammar = drawn_grammar<G>(bytes, weight_of);
  const auto table = static_cast<unsigned>(bytes.below(4));
  const std::string text = fmt::format("sums of {} rules over {} points", grammar.rules.size(), points);
  const auto solved = [&](const Options& options) {
    const GrammarTables<G> tables = interval::solve_grammar(grammar, points, options).solution;
    if (tables.value().is_zero()) return bits_of(tables, points);
    return bits_of(tables, points) + marginals_of(grammar, tables, table, options) + sample_of(grammar, tables, points);
  };
  const std::string expected = answer([&] {
    expect(interval::verify_grammar(grammar, interval::solve_grammar(grammar, points).solution), text);
    return solved(by(""));
  });
  expect_alike(text, expected, {"", "tiled"}, solved);
}

/// Prefix tables: values that are verified, the same bits in every way, and what the semiring has of a derivation.
template <class S>
void prefixes_drawn(Bytes& bytes) {
  using T = typename S::Value;
  using G = DrawnPrefixes<S>;
  const std::size_t points = 2 + bytes.size(150);
  const auto weight_of = [&](std::uint64_t number) { return static_cast<T>(1 + number) / (is_scaled<S> ? 7 : 1); };
  const G grammar = drawn_grammar<G>(bytes, weight_of);
  const std::string text = fmt::format("prefixes of {} rules over {} points", grammar.rules.size(), points);
  const auto solved = [&](const Options& options) {
    const GrammarTables<G> tables = interval::solve_grammar(grammar, points, options).solution;
    expect(interval::verify_grammar(grammar, tables), text);
    std::string found;
    for (std::size_t j = 0; j < points; ++j) {
      const auto value = tables.prefix_value(G::closed, j);
      if constexpr (is_scaled<S>) {
        found += bits(value.fraction()) + bits(value.exponent());
      } else {
        found += bits(value);
      }
    }
    if constexpr (is_scaled<S>) {
      for (const double marginal : interval::prefix_marginals(grammar, tables, G::open, options).solution) {
        expect(marginal >= 0 && marginal <= 1 + 1e-9, fmt::format("a marginal of a prefix is {}", marginal));
        found += bits(marginal);
      }
      found += marginals_of(grammar, tables, G::last, options);
    } else {
      expect(!interval::derivation(grammar, tables).empty(), text + " have no derivation");
    }
    return found;
  };
  expect_alike(text, answer([&] { return solved(by("")); }), {"", "tiled"}, solved);
}

void run(Bytes& bytes) {
  switch (bytes.below(9)) {
    case 7:
      return prefixes_drawn<MinPlus<std::int32_t>>(bytes);
    case 8:
      return prefixes_drawn<ScaledSum<double>>(bytes);
    case 0:
      return solve_drawn<MinPlus<std::int32_t>>(bytes);
    case 1:
      return solve_drawn<MinPlus<double>>(bytes);
    case 2:
      return solve_drawn<MaxPlus<std::int64_t>>(bytes);
    case 3:
      return solve_drawn<MaxPlus<float>>(bytes);
    case 4:
      return solve_drawn<MinMax<std::int32_t>>(bytes);
    case 5:
      return solve_drawn<CountingModulo<1000003>>(bytes);
    default:
      return sum_drawn(bytes);
  }
}

}  // namespace
}  // namespace warpfold::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return warpfold::fuzz::run_input(data, size, [](warpfold::fuzz::Bytes& bytes) { warpfold::fuzz::run(bytes); });
}
