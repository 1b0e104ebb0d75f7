#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <thread>
#include <vector>

#include "delay.cuh"
#include "equivalence/interval/prefixed_grammars.hpp"
#include "needs_gpu.hpp"
#include "options.hpp"
#include "semiring_types.hpp"
#include "warpfold/interval/grammar.cuh"

namespace warpfold::interval {
namespace {

const Device gpu = parse_device("cuda");

Options on_gpu() {
  Options options;
  options.device = gpu;
  return options;
}

class CudaGrammar : public test::NeedsGpu {};

/// The GPU's tables equal the CPU's. `with(list)` makes the grammar with this list, which is on the host or the device.
template <class T, class With>
void expect_the_cpus_tables(const std::vector<T>& list, std::size_t n, const With& with) {
  const auto on_host = with(std::span<const T>(list));
  using G = std::remove_cvref_t<decltype(on_host)>;
  const cuda::Array<T> on_device(list);
  const detail::GrammarProblem<G> problem{on_host, n};
  const auto expected = solve_by(detail::grammar_backends<G>(), problem, problem, Options{}).solution;
  const auto device_problem = with(on_device.span());
  const cuda::detail::GrammarProblem<G> there{device_problem, n};
  const auto on_gpu_tables = solve_by(cuda::detail::grammar_backends<G>(), there, there, on_gpu()).solution;
  const auto got = on_gpu_tables.to_host();
  for (unsigned t = 0; t < table_count<G>; ++t) {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = i + 1; j < n; ++j) {
        ASSERT_EQ(got.value(t, i, j), expected.value(t, i, j))
            << n << " points, table " << t << " (" << i << "," << j << ")";
      }
    }
  }
  for (unsigned p = 0; p < prefix_count<G>; ++p) {
    for (std::size_t j = 0; j < n; ++j) {
      ASSERT_EQ(got.prefix_value(p, j), expected.prefix_value(p, j)) << n << " points, prefix " << p << " at " << j;
    }
  }
  EXPECT_EQ(on_gpu_tables.value(), expected.value());
}

template <class S>
using Drawn = test::DrawnGrammar<S, std::span<const typename S::Value>>;

constexpr std::size_t point_counts[] = {2, 3, 8, 31, 32, 33, 63, 64, 65, 95, 127, 128, 129, 200, 325, 500};

template <class S>
class CudaGrammarSemiring : public CudaGrammar {};
using Semirings = testing::Types<MinPlus<std::int32_t>, MinPlus<std::int64_t>, MinPlus<float>, MinPlus<double>,
                                 MaxPlus<std::int32_t>, MinMax<std::int32_t>, MaxMin<float>>;
TYPED_TEST_SUITE(CudaGrammarSemiring, Semirings);

TYPED_TEST(CudaGrammarSemiring, HasTheTablesOfTheCpu) {
  using T = typename TypeParam::Value;
  for (const std::size_t n : point_counts) {
    expect_the_cpus_tables(test::values_for<TypeParam>(test::drawn_costs<T>(n, 60), 60), n,
                           [](std::span<const T> costs) { return Drawn<TypeParam>{costs}; });
  }
}

template <class S>
using Prefixed = test::PrefixedGrammar<S, std::span<const typename S::Value>>;

TYPED_TEST(CudaGrammarSemiring, HasThePrefixTablesOfTheCpu) {
  using T = typename TypeParam::Value;
  for (const std::size_t n : point_counts) {
    expect_the_cpus_tables(test::values_for<TypeParam>(test::drawn_costs<T>(n, 60), 60), n,
                           [](std::span<const T> costs) { return Prefixed<TypeParam>{{costs}}; });
  }
}

TEST_F(CudaGrammar, ADerivationGoesThroughPrefixTables) {
  using S = MinPlus<std::int32_t>;
  for (const std::size_t n : {5, 64, 150}) {
    const auto costs = test::drawn_costs<std::int32_t>(n, 60);
    const cuda::Array<std::int32_t> on_device(costs);
    const Prefixed<S> on_host{{costs}};
    const auto expected = derivation(on_host, solve_grammar(on_host, n).solution);
    const auto tables = cuda::solve_grammar(Prefixed<S>{{on_device.span()}}, n, on_gpu()).solution;
    const auto steps = cuda::derivation(on_host, tables, table_count<Prefixed<S>> + 1, 0, n - 1);
    ASSERT_EQ(steps.size(), expected.size()) << n;
    for (std::size_t t = 0; t < steps.size(); ++t) {
      EXPECT_EQ(steps[t].table, expected[t].table) << n << " points, step " << t;
      EXPECT_EQ(steps[t].first, expected[t].first) << n << " points, step " << t;
    }
  }
}

/// Prefix tables with a value at point 70 that is not accepted.
struct Refused {
  using Semiring = MinPlus<std::int32_t>;
  enum Table : unsigned { only, tables };
  enum PrefixTable : unsigned { left, right, prefix_tables };
  static constexpr PrefixSum prefix_sums[1] = {{.left = left, .right = only}};
  enum Fault { order, part, total, weight } fault;

  [[nodiscard]] constexpr std::int32_t join(std::size_t i, std::size_t j) const {
    return fault == weight && i == 3 && j == 70 ? 500'000'000 : 1;
  }
  template <class Add>
  constexpr void terms(std::size_t, std::size_t, Add& add) const {
    add(only, 1);
  }
  template <class Add>
  constexpr void prefix_terms(std::size_t j, Add& add) const {
    const bool at_fault = j == 70;
    if (fault == order) add(right, 0);
    add(left, at_fault && fault == part ? 500'000'000 : 0);
    add(right, at_fault && fault == total ? 100'000'000 : 7, at_fault ? 100'000'000 : 0);
    add(right, at_fault ? Semiring::zero() : 1, add.prefix(0));
  }
};

TEST_F(CudaGrammar, PrefixTablesRejectWhatTheCpuRejects) {
  const auto message_of = [](const auto& solve) -> std::string {
    try {
      static_cast<void>(solve());
    } catch (const Error& error) {
      return error.what();
    }
    return "none";
  };
  for (const auto fault : {Refused::order, Refused::part, Refused::total, Refused::weight}) {
    const Refused grammar{fault};
    const std::string expected = message_of([&] { return solve_grammar(grammar, 100); });
    ASSERT_NE(expected, "none") << fault;
    EXPECT_EQ(message_of([&] { return cuda::solve_grammar(grammar, 100, on_gpu()); }), expected);
  }
}

/// A semiring that is not selective, without instructions of its own: numbers of ways modulo a prime.
struct Ways {
  using Semiring = CountingModulo<1000003>;
  using T = Semiring::Value;
  enum Table : unsigned { left, right, all, tables };
  static constexpr Product products[] = {{left, right}, {right, all}, {all, all}, {left, left}};
  static constexpr Stencil stencils[] = {{.of = all, .deep = 62}};
  std::span<const T> costs;

  [[nodiscard]] constexpr T loop(std::size_t a, std::size_t b) const { return costs[(a * 7 + b) % costs.size()]; }
  template <class Add>
  constexpr void terms(std::size_t i, std::size_t j, Add& add) const {
    add(left, j - i < 9 ? costs[(i + 5 * j) % costs.size()] : T{0});
    add(left, add.product(1));
    add(right, T{1}, add.inside(left, 1, 0));
    add(right, add.product(3));
    add(all, add.here(right));
    add(all, T{3}, add.stencil(0));
    add(all, add.product(0));
    add(all, add.product(2));
  }
};

TEST_F(CudaGrammar, CountsWithMoreProductsThanTables) {
  for (const std::size_t n : {2, 33, 64, 65, 129, 200, 259}) {
    expect_the_cpus_tables(test::drawn_costs<Ways::T>(n, 60), n,
                           [](std::span<const Ways::T> costs) { return Ways{costs}; });
  }
}

/// Three tables without a product: the longest run of stacked pairs.
struct Runs {
  using Semiring = MaxPlus<std::int32_t>;
  enum Table : unsigned { pairs, best, whole, tables };
  std::span<const std::int32_t> bases;

  template <class Add>
  constexpr void terms(std::size_t i, std::size_t j, Add& add) const {
    const bool may_pair = j - i > 4 && (bases[i] + bases[j - 1]) % 3 == 0;
    if (may_pair) add(pairs, 1);
    if (may_pair) add(pairs, 1, add.inside(pairs, 1, 1));
    add(best, add.here(pairs));
    add(best, add.inside(best, 1, 0));
    add(best, add.inside(best, 0, 1));
    add(whole, add.here(best));
    if (j - i > 130) add(whole, -1, add.inside(best, 100, 20));
  }
};

TEST_F(CudaGrammar, NeedsNoProduct) {
  for (const std::size_t n : {2, 64, 65, 129, 400}) {
    expect_the_cpus_tables(test::drawn_costs<std::int32_t>(n, 60), n,
                           [](std::span<const std::int32_t> bases) { return Runs{bases}; });
  }
}

/// A sparse table of pairs. Terms of another table read a stencil, unless the sparse terms are in parts.
template <bool in_parts>
struct SparsePairs {
  using Semiring = MinPlus<std::int32_t>;
  using T = std::int32_t;
  enum Table : unsigned { paired, branches, stems, tables };
  static constexpr unsigned sparse = 1;
  static constexpr Product products[1] = {{.left = stems, .right = stems}};
  static constexpr Stencil stencils[2] = {{.of = paired, .deep = 30}, {.of = stems, .deep = 9}};
  std::span<const T> costs;

  [[nodiscard]] constexpr T cost(std::size_t i, std::size_t j) const { return costs[(3 * i + 4 * j) % costs.size()]; }
  [[nodiscard]] constexpr T loop(std::size_t s, std::size_t a, std::size_t b) const {
    const bool is_left_out =
        s == 0 ? a % 16 != b % 16 : a > 0 && b > 0;  // chunks of weights, and weights that are alone
    return is_left_out ? Semiring::zero() : costs[(s * 31 + a * 7 + b) % costs.size()];
  }
  [[nodiscard]] constexpr bool may_have_value(std::size_t i, std::size_t j) const { return (i * i + 3 * j) % 5 < 2; }
  template <unsigned part, class Add>
  constexpr void sparse_part(std::size_t i, std::size_t j, Add& add) const {
    if (part == 0) add(paired, cost(i, j));
    if (part == 1) add(paired, cost(j, i), add.inside(paired, 1, 1));
    if (part == 2) add(paired, add.stencil(0));
    if (part == 2) add(paired, cost(i, 1), add.stencil(1));
    if (part == 3) add(paired, cost(i, i), add.inside(branches, 1, 1));
    if (part == 4) add(paired, cost(j, j), add.inside(stems, 70, 66));
  }
  template <class Add>
  constexpr void sparse_terms(std::size_t i, std::size_t j, Add& add) const {
    sparse_part<0>(i, j, add);
    sparse_part<1>(i, j, add);
    sparse_part<2>(i, j, add);
    sparse_part<3>(i, j, add);
    sparse_part<4>(i, j, add);
  }
  template <class Add>
  constexpr void dense_terms(std::size_t i, std::size_t j, Add& add) const {
    add(branches, add.product(0));
    if constexpr (!in_parts) add(branches, cost(1, j), add.stencil(0));
    add(stems, j == i + 1 ? cost(i, j) : Semiring::zero());
    add(stems, cost(i + 2, j), add.here(paired));
    add(stems, cost(i, 0), add.inside(stems, 1, 0));
    add(stems, cost(0, j), add.inside(stems, 0, 1));
    add(stems, add.here(branches));
  }
  template <class Add>
  constexpr void terms(std::size_t i, std::size_t j, Add& add) const {
    if (may_have_value(i, j)) sparse_terms(i, j, add);
    dense_terms(i, j, add);
  }
};
struct SparsePairsInParts : SparsePairs<true> {
  static constexpr unsigned sparse_parts = 5;
};

TEST_F(CudaGrammar, HasTheSparseTablesOfTheCpuWithTermsInPartsOrNot) {
  using T = std::int32_t;
  for (const std::size_t n : point_counts) {
    const auto costs = test::drawn_costs<T>(n, 60);
    expect_the_cpus_tables(costs, n, [](std::span<const T> list) { return SparsePairs<false>{list}; });
    expect_the_cpus_tables(costs, n, [](std::span<const T> list) { return SparsePairsInParts{list}; });
  }
}

TEST_F(CudaGrammar, DerivationIsTheOneOfTheCpu) {
  using S = MinPlus<std::int32_t>;
  constexpr std::size_t n = 300;
  const auto costs = test::drawn_costs<std::int32_t>(n, 4);  // many ties
  const cuda::Array<std::int32_t> on_device(costs);
  const Drawn<S> grammar{costs};
  const auto tables = cuda::solve_grammar(Drawn<S>{on_device.span()}, n, on_gpu()).solution.to_host();
  const auto got = derivation(grammar, tables), expected = derivation(grammar, solve_grammar(grammar, n).solution);
  ASSERT_EQ(got.size(), expected.size());
  for (std::size_t t = 0; t < got.size(); ++t) {
    EXPECT_EQ(got[t].term, expected[t].term);
    EXPECT_EQ(got[t].i, expected[t].i);
    EXPECT_EQ(got[t].first, expected[t].first);
    EXPECT_EQ(got[t].last, expected[t].last);
  }
}

/// Makes threads wait at random before they finish an interval, so that tiles become final in other orders.
struct Delayed : Drawn<MinPlus<std::int32_t>> {
  template <class Add>
  __host__ __device__ void terms(std::size_t i, std::size_t j, Add& add) const {
#ifdef __CUDA_ARCH__
    test::delay_one_of(256);
#endif
    Drawn<MinPlus<std::int32_t>>::terms(i, j, add);
  }
};

TEST_F(CudaGrammar, GivesOneTableInManySolvesWithDelaysAtEveryInterval) {
  constexpr std::size_t n = 300;
  const auto costs = test::drawn_costs<std::int32_t>(n, 30);
  const cuda::Array<std::int32_t> on_device(costs);
  const auto expected = solve_grammar(Delayed{{costs}}, n).solution;
  for (int solve = 0; solve < 500; ++solve) {
    const auto got = cuda::solve_grammar(Delayed{{on_device.span()}}, n, on_gpu()).solution.to_host();
    std::size_t different = 0;
    for (unsigned t = 0; t < 4; ++t) {
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = i; j < n; ++j) different += got.value(t, i, j) != expected.value(t, i, j);
      }
    }
    ASSERT_EQ(different, 0) << "solve " << solve;
  }
}

/// One part is too large.
struct TooLarge {
  using Semiring = MinPlus<std::int32_t>;
  enum Table : unsigned { one, two, tables };
  std::size_t at = 0;
  bool in_a_part = false, in_order = true;

  template <class Add>
  constexpr void terms(std::size_t i, std::size_t j, Add& add) const {
    const bool here = i == at && j == at + 2;
    add(one, here && in_a_part ? 500'000'000 : 1);
    add(two, 100'000'000, here && !in_a_part ? 100'000'000 : 0);
    if (!in_order) add(one, 1);
  }
};

std::string message_of(const TooLarge& grammar) {
  try {
    static_cast<void>(cuda::solve_grammar(grammar, 100, on_gpu()));
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

TEST_F(CudaGrammar, NamesTheValueThatItRefuses) {
  EXPECT_THAT(message_of({.at = 70}), testing::HasSubstr("table 1 at (70,72) is 200000000"));
  EXPECT_THAT(message_of({.at = 70, .in_a_part = true}),
              testing::HasSubstr("a value of table 0 at (70,72) is 500000000"));
  EXPECT_THAT(message_of({.in_order = false}), testing::HasSubstr("accepted in their order"));
}

TEST_F(CudaGrammar, RefusesTooFewPointsTheCpuAndTablesThatDoNotFit) {
  const std::vector<std::int32_t> bases(100);
  const auto kind_of = [&](std::size_t points, const Options& options) {
    try {
      static_cast<void>(cuda::solve_grammar(Runs{bases}, points, options));
    } catch (const Error& error) {
      return error.kind();
    }
    return ErrorKind::cancelled;
  };
  EXPECT_EQ(kind_of(1, on_gpu()), ErrorKind::input);
  Options cpu;
  cpu.device = parse_device("cpu");
  EXPECT_EQ(kind_of(10, cpu), ErrorKind::device);
  EXPECT_EQ(kind_of(3'000'000, on_gpu()), ErrorKind::memory_limit);
}

TEST_F(CudaGrammar, EstimatesItsMemory) {
  const std::vector<std::int32_t> bases(2000, 1);
  const cuda::Array<std::int32_t> on_device(bases);
  const Estimate expected = cuda::estimate_grammar(Runs{on_device.span()}, 2000, on_gpu());
  const auto outcome = cuda::detail::grammar_device_bytes<Runs>({Runs{on_device.span()}, 2000}, {});
  EXPECT_EQ(expected.device_bytes, outcome);
  EXPECT_GE(expected.device_bytes, 3 * 2000 * 2000 / 2 * sizeof(std::int32_t));
}

}  // namespace
}  // namespace warpfold::interval
