#include "warpfold/interval/derivatives.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "warpfold/core/instruction_set.hpp"

namespace warpfold::interval {
namespace {

/// A grammar of sums with weights in every place: parts of terms, some with two weights, loops, intervals of stencils,
/// intervals of prefix sums.
struct Learned {
  using Semiring = ScaledSum<double>;
  enum Table : unsigned { paired, branches, stems, tables };
  enum PrefixTable : unsigned { free, exterior, prefix_tables };
  static constexpr Product products[] = {{.left = stems, .right = paired}, {.left = paired, .right = stems}};
  static constexpr Stencil stencils[] = {{.of = paired, .deep = 4}, {.of = stems, .deep = 2}};
  static constexpr PrefixSum prefix_sums[] = {{.left = free, .right = stems}, {.left = exterior, .right = paired}};
  static constexpr std::size_t period = 13;

  std::vector<double> of_pairs, of_loops, of_inner, of_joints, others;
  double stack = 1.3;

  explicit Learned(unsigned seed) {
    std::mt19937 random(seed);
    for (auto* list : {&of_pairs, &of_loops, &of_inner, &of_joints, &others}) {
      for (std::size_t t = 0; t < period * period; ++t) {
        const double weight = static_cast<double>(1 + random() % 100) / 60;
        list->push_back(random() % 8 == 0 ? 0 : weight);
      }
    }
    others[0] = 0.8;  // the first term of all
  }
  [[nodiscard]] std::vector<std::span<const double>> numbers() const {
    return {of_pairs, of_loops, of_inner, of_joints, others, {&stack, 1}};
  }

  [[nodiscard]] static std::size_t place(std::size_t i, std::size_t j) { return i % period * period + j % period; }
  [[nodiscard]] Weight loop(std::size_t s, std::size_t a, std::size_t b) const {
    return a + b == 1 ? Weight() : Weight(of_loops[s * 40 + a * 7 + b]);
  }
  [[nodiscard]] Weight inner(std::size_t s, std::size_t i, std::size_t j) const {
    return Weight(of_inner[place(i + s, j)]);
  }
  [[nodiscard]] Weight join(std::size_t s, std::size_t i, std::size_t j) const {
    return Weight(of_joints[place(j, i + s)]);
  }
  template <class Add>
  void terms(std::size_t i, std::size_t j, Add& add) const {
    const bool pairs = (i * i + 3 * j) % 5 < 2;
    add(paired, pairs ? Weight(of_pairs[place(i, j)]) : Weight());
    add(paired, pairs ? Weight(of_pairs[place(j, i)]) : Weight(), Weight(stack), add.inside(paired, 1, 1));
    add(paired, pairs ? 0.2 : 0.0, Weight(of_pairs[place(i, i)]), add.stencil(0));
    add(paired, Weight(of_pairs[place(i, i)]), Weight(of_pairs[place(i, i)]), add.inside(branches, 2, 3));
    add(branches, Weight(others[place(0, i)]), add.product(0));
    add(branches, add.product(1));
    add(branches, Weight(others[place(2, i)]), add.stencil(1));
    add(stems, Weight(others[place(1, j)]), add.here(paired));
    add(stems, 0.5, add.inside(stems, 0, 1));
    add(stems, add.here(branches));
  }
  template <class Add>
  void prefix_terms(std::size_t j, Add& add) const {
    add(free, j == 0 ? Weight(others[0]) : Weight());
    add(free, Weight(others[place(3, j)]), add.before(free, 1));
    add(free, 0.1, Weight(others[place(5, j)]), add.prefix(1));
    add(exterior, Weight(stack), add.before(free, 0));
    add(exterior, add.before(exterior, 2));
    add(exterior, Weight(others[place(4, j)]), add.prefix(0));
  }
};

double ln_of(const Learned& grammar, std::size_t n) { return solve_grammar(grammar, n).solution.value().ln(); }

/// The derivative by a number, by differences: on both sides, or on one side of 0.
double difference(Learned& grammar, double& number, std::size_t n) {
  const double kept = number, step = 1e-5 * (kept == 0 ? 1e-3 : kept), below = kept == 0 ? 0 : kept - step;
  number = kept + step;
  const double more = ln_of(grammar, n);
  number = below;
  const double less = ln_of(grammar, n);
  number = kept;
  return (more - less) / (kept + step - below);
}

TEST(Derivatives, AreThoseOfFiniteDifferences) {
  std::mt19937 random(1);
  for (const std::size_t n : {9, 64, 65, 130, 200}) {
    Learned grammar(static_cast<unsigned>(n));
    const auto tables = solve_grammar(grammar, n).solution;
    const auto found = weight_derivatives(grammar, tables, grammar.numbers()).solution;
    std::vector<double>* lists[] = {&grammar.of_pairs, &grammar.of_loops, &grammar.of_inner, &grammar.of_joints,
                                    &grammar.others};
    std::size_t used = 0;
    for (std::size_t list = 0; list < std::size(lists); ++list) {
      for (int t = 0; t < 12; ++t) {
        const std::size_t at = random() % (list == 1 ? 60 : lists[list]->size());
        const double expected = difference(grammar, (*lists[list])[at], n);
        used += expected != 0 ? 1 : 0;
        ASSERT_NEAR(found[list][at], expected, 1e-5 * (1 + std::abs(expected)))
            << n << ": " << list << '[' << at << "], which is " << (*lists[list])[at];
      }
    }
    ASSERT_NEAR(found[5][0], difference(grammar, grammar.stack, n), 1e-5 * (1 + found[5][0])) << n;
    EXPECT_GT(used, 5U) << n;
  }
}

TEST(Derivatives, HaveEqualBitsForEveryInstructionSetAndNumberOfThreads) {
  const std::size_t n = 200;
  const Learned grammar(3);
  const auto tables = solve_grammar(grammar, n).solution;
  const auto expected = weight_derivatives(grammar, tables, grammar.numbers()).solution;
  for (const std::string& set : instruction_sets()) {
    force_instruction_set(set);
    for (const int threads : {1, 3}) {
      Options options;
      options.threads = threads;
      EXPECT_EQ(weight_derivatives(grammar, tables, grammar.numbers(), options).solution, expected) << set;
    }
  }
  force_instruction_set("");
}

TEST(Derivatives, LeaveOutWeightsOfNoList) {
  const Learned grammar(5);
  const auto tables = solve_grammar(grammar, 70).solution;
  const auto all = weight_derivatives(grammar, tables, grammar.numbers()).solution;
  EXPECT_EQ(weight_derivatives(grammar, tables, grammar.of_inner).solution, all[2]);
}

/// One pair around nothing or around another, with weights far beyond the range of double as a whole.
struct Tower {
  using Semiring = ScaledSum<double>;
  enum Table : unsigned { only, tables };
  double innermost = 2, outer = 40;
  template <class Add>
  void terms(std::size_t i, std::size_t j, Add& add) const {
    add(only, j == i + 1 ? Weight(innermost) : Weight());
    add(only, Weight(outer), add.inside(only, 1, 1));
  }
};

TEST(Derivatives, OfSumsBeyondTheRangeOfDoubleCountTheUsesOfAWeight) {
  const Tower grammar;
  const std::size_t pairs = 500;
  const auto tables = solve_grammar(grammar, 2 * pairs + 2).solution;
  EXPECT_GT(tables.value().ln(), 1800);
  const std::span<const double> lists[] = {{&grammar.innermost, 1}, {&grammar.outer, 1}};
  const auto found = weight_derivatives(grammar, tables, lists).solution;
  EXPECT_NEAR(found[0][0] * grammar.innermost, 1, 1e-12);
  EXPECT_NEAR(found[1][0] * grammar.outer / static_cast<double>(pairs), 1, 1e-12);
}

TEST(Derivatives, OfASumOfNothingAreRejected) {
  Tower grammar;
  grammar.innermost = 0;
  const auto tables = solve_grammar(grammar, 5).solution;
  try {
    static_cast<void>(weight_derivatives(grammar, tables, std::vector<double>{}));
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::infeasible);
    EXPECT_THAT(error.what(), testing::HasSubstr("the sum over all derivations is 0"));
  }
}

}  // namespace
}  // namespace warpfold::interval
