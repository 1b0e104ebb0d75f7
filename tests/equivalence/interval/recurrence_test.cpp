#include "warpfold/interval/recurrence.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "semiring_types.hpp"
#include "warpfold/core/instruction_set.hpp"
#include "warpfold/interval/matrix_chain.hpp"

namespace warpfold::interval {
namespace {

/// The recurrence as written in recurrence.hpp, the oracle.
template <class R>
class Naive {
 public:
  using Semiring = typename R::Semiring;
  using T = typename Semiring::Value;

  Naive(const R& r, std::size_t n) : n_(n), values_(n * n, Semiring::one()) {
    for (std::size_t length = 1; length < n; ++length) {
      for (std::size_t i = 0; i + length < n; ++i) at(i, i + length) = entry(r, i, i + length);
    }
  }

  T& at(std::size_t i, std::size_t j) { return values_[i * n_ + j]; }

 private:
  T entry(const R& r, std::size_t i, std::size_t j) {
    if (j == i + 1) return r.leaf(i);
    T best = Semiring::zero();
    for (std::size_t k = i + 1; k < j; ++k) {
      T candidate = Semiring::times(at(i, k), at(k, j));
      if constexpr (splits_by_product<R>) candidate = Semiring::times(candidate, r.product_split()(i, k, j));
      if constexpr (splits_freely<R>) candidate = Semiring::times(candidate, r.split(i, k, j));
      best = Semiring::plus(best, candidate);
    }
    if (Semiring::is_zero(best)) best = Semiring::zero();
    T value;
    if constexpr (closes_by_weight<R>) {
      value = Semiring::times(best, r.weight(i, j));
    } else if constexpr (closes_with_inner<R>) {
      value = r.close(i, j, best, at(i + 1, j - 1));
    } else {
      value = r.close(i, j, best);
    }
    return Semiring::is_zero(value) ? Semiring::zero() : value;
  }

  std::size_t n_;
  std::vector<T> values_;
};

constexpr std::size_t sizes[] = {2, 3, 7, 8, 9, 17, 63, 64, 65, 131, 200, 325};

/// In every instruction set, if the library's vector code closes the tiles.
template <class R>
std::vector<std::string> sets_for() {
  return closes_by_weight<R> ? instruction_sets() : std::vector<std::string>{""};
}

template <class R>
ErrorKind kind_of_failure(const R& recurrence, std::size_t points, const Options& options = {}) {
  try {
    static_cast<void>(solve_recurrence(recurrence, points, options));
  } catch (const Error& error) {
    return error.kind();
  }
  return ErrorKind::internal;
}

/// Also if the whole has no value. Then there are no parts.
template <class R>
void expect_equal_to_naive(const std::function<R(std::size_t)>& make) {
  for (std::size_t n : sizes) {
    const R recurrence = make(n);
    Naive<R> naive(recurrence, n);
    for (const std::string& set : sets_for<R>()) {
      force_instruction_set(set);
      Options options;
      options.threads = n % 2 == 0 ? 1 : 3;
      if (SemiringTraits<typename R::Semiring>::has_infinite_zero && R::Semiring::is_zero(naive.at(0, n - 1))) {
        ASSERT_EQ(kind_of_failure(recurrence, n, options), ErrorKind::infeasible) << n << " points, " << set;
        continue;
      }
      const auto result = solve_recurrence(recurrence, n, options);
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = i; j < n; ++j) {
          ASSERT_EQ(result.solution.value(i, j), naive.at(i, j)) << n << " points, (" << i << "," << j << ") " << set;
        }
      }
    }
    force_instruction_set("");
  }
}

template <class T>
std::vector<T> random_values(std::size_t count, int largest, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<T> values(count);
  for (T& value : values)
    value = static_cast<T>(static_cast<int>(random() % static_cast<unsigned>(largest)) - largest / 3);
  return values;
}

/// Weights of the intervals, some of them forbidden.
template <class S>
struct Weighted {
  using Semiring = S;
  using T = typename S::Value;
  std::size_t n;
  std::vector<T> weights;

  explicit Weighted(std::size_t points)
      : n(points), weights(test::values_for<S>(random_values<T>(points * points, 60, 5), 60)) {}
  T leaf(std::size_t i) const { return weights[i]; }
  T close(std::size_t i, std::size_t j, T best) const {
    const T weight = weights[i * n + j];
    return weight == T{7} ? S::zero() : S::times(best, weight);
  }
};

template <class S>
class EverySemiring : public testing::Test {};
using Semirings =
    test::FloatSemiringsAnd<MinPlus<double>, MinPlus<std::int32_t>, MinPlus<std::int64_t>, MaxPlus<double>,
                            MaxPlus<std::int32_t>, MaxPlus<std::int64_t>, MinMax<std::int32_t>, MaxMin<double>,
                            MaxMin<std::int64_t>, MinPlus<std::int16_t>, MinPlus<long double>>;
TYPED_TEST_SUITE(EverySemiring, Semirings);

TYPED_TEST(EverySemiring, TableEqualsTheNaiveOneBitForBit) {
  expect_equal_to_naive<Weighted<TypeParam>>([](std::size_t n) { return Weighted<TypeParam>(n); });
}

/// The same, expressed by weights only.
template <class S>
struct ByWeight {
  using Semiring = S;
  using T = typename S::Value;
  Weighted<S> given;

  explicit ByWeight(std::size_t points) : given(points) {}
  T leaf(std::size_t i) const { return given.leaf(i); }
  T weight(std::size_t i, std::size_t j) const {
    const T weight = given.weights[i * given.n + j];
    return weight == T{7} ? S::zero() : weight;
  }
};

TYPED_TEST(EverySemiring, WeightsGiveTheNaiveTableBitForBit) {
  expect_equal_to_naive<ByWeight<TypeParam>>([](std::size_t n) { return ByWeight<TypeParam>(n); });
}

struct Reachable {
  using Semiring = OrAnd;
  std::uint8_t leaf(std::size_t i) const { return i % 5 != 0; }
  std::uint8_t close(std::size_t i, std::size_t j, std::uint8_t best, std::uint8_t inner) const {
    return best | (inner & ((i + 2 * j) % 3 == 0));
  }
};

TEST(Recurrence, OrAndWithInnerValuesEqualsTheNaiveTable) {
  expect_equal_to_naive<Reachable>([](std::size_t) { return Reachable(); });
}

template <class T>
struct Pairs {
  using Semiring = MaxPlus<T>;
  std::vector<int> bases;
  explicit Pairs(std::size_t points) : bases(random_values<int>(points, 4, 9)) {}
  T leaf(std::size_t) const { return 0; }
  T close(std::size_t i, std::size_t j, T best, T inner) const {
    return bases[i] + bases[j - 1] == 1 ? std::max<T>(best, inner + 1) : best;
  }
};

TEST(Recurrence, InnerValuesCrossTileBoundaries) {
  expect_equal_to_naive<Pairs<std::int32_t>>([](std::size_t n) { return Pairs<std::int32_t>(n); });
}

template <class T>
struct Chain {
  using Semiring = MinPlus<T>;
  std::vector<T> p;
  bool fused = false;
  T leaf(std::size_t) const { return 0; }
  T close(std::size_t, std::size_t, T best) const { return best; }
  ProductSplit<T> product_split() const { return {p.data(), p.data(), p.data(), fused}; }
};

template <class T>
Chain<T> make_chain(std::size_t points, bool fused) {
  Chain<T> chain{{}, fused};
  for (T value : random_values<T>(points, 30, 3)) chain.p.push_back(static_cast<T>(value + 12));
  return chain;
}

TEST(Recurrence, ProductSplitsAreTheMatrixChain) {
  for (std::size_t n : {2u, 9u, 65u, 150u}) {
    const auto chain = make_chain<std::int64_t>(n, false);
    EXPECT_TRUE(solve(MatrixChain(chain.p)).solution.cost == solve_recurrence(chain, n).solution.value());
  }
}

TEST(Recurrence, ProductSplitsEqualTheNaiveTableInEveryType) {
  expect_equal_to_naive<Chain<std::int32_t>>([](std::size_t n) { return make_chain<std::int32_t>(n, false); });
  expect_equal_to_naive<Chain<std::int64_t>>([](std::size_t n) { return make_chain<std::int64_t>(n, true); });
  expect_equal_to_naive<Chain<double>>([](std::size_t n) { return make_chain<double>(n, true); });
  const auto with_fractions = [](std::size_t n) {
    auto chain = make_chain<float>(n, false);
    for (float& p : chain.p) p = p / 7 + 0.1f;
    return chain;
  };
  expect_equal_to_naive<Chain<float>>(with_fractions);
}

/// A chain with a weight for every product. Some dimensions are 0, some weights infinite.
template <class T>
struct WeightedChain {
  using Semiring = MinPlus<T>;
  std::vector<T> p, weights;
  bool fused;
  WeightedChain(std::size_t points, bool may_fuse)
      : p(random_values<T>(points, 30, 8)), weights(random_values<T>(points * points, 300, 5)), fused(may_fuse) {}
  T leaf(std::size_t i) const { return static_cast<T>(i % 3); }
  T weight(std::size_t i, std::size_t j) const {
    const T weight = weights[i * p.size() + j];
    return weight > T{180} ? Semiring::zero() : weight;
  }
  ProductSplit<T> product_split() const { return {p.data(), p.data(), p.data(), fused}; }
};

template <class T>
class WeightedChains : public testing::Test {};
using Numbers = testing::Types<std::int32_t, std::int64_t, float, double>;
TYPED_TEST_SUITE(WeightedChains, Numbers);

TYPED_TEST(WeightedChains, ClosedInVectorsEqualTheNaiveTable) {
  for (const bool fused : {false, true}) {
    expect_equal_to_naive<WeightedChain<TypeParam>>([&](std::size_t n) { return WeightedChain<TypeParam>(n, fused); });
  }
}

struct FreeSplit {
  using Semiring = MinPlus<double>;
  double leaf(std::size_t i) const { return static_cast<double>(i % 3); }
  double close(std::size_t, std::size_t, double best) const { return best; }
  double split(std::size_t i, std::size_t k, std::size_t j) const {
    return std::sqrt(static_cast<double>(i + 2 * k + 3 * j)) * static_cast<double>((k - i) * (j - k) % 7);
  }
};

TEST(Recurrence, AnySplitIsCompiledStraight) {
  expect_equal_to_naive<FreeSplit>([](std::size_t) { return FreeSplit(); });
}

/// A counting semiring must get every product once, otherwise the numbers are too large.
struct Triangulations {
  using Semiring = CountingModulo<1'000'000'007>;
  std::uint64_t leaf(std::size_t) const { return 1; }
  std::uint64_t close(std::size_t, std::size_t, std::uint64_t best) const { return best; }
};

TEST(Recurrence, CountingSeesEverySplitOnce) {
  std::uint64_t catalan = 1;  // modulo 2^64 it stays exact up to 35 vertices
  for (std::size_t n = 3; n < 36; ++n) {
    const std::uint64_t m = n - 2;
    catalan = static_cast<std::uint64_t>(static_cast<unsigned __int128>(catalan) * (4 * m - 2) / (m + 1));
    EXPECT_EQ(solve_recurrence(Triangulations(), n).solution.value(), catalan % 1'000'000'007);
  }
  expect_equal_to_naive<Triangulations>([](std::size_t) { return Triangulations(); });
}

TEST(Recurrence, StructureAddsUpToTheValue) {
  for (std::size_t n : {2u, 3u, 40u, 130u}) {
    const Pairs<std::int32_t> pairs(n);
    const auto result = solve_recurrence(pairs, n);
    std::int32_t inner_nodes = 0;
    for (const Split& node : structure(pairs, result.solution)) inner_nodes += node.k == node.i;
    EXPECT_EQ(inner_nodes, result.solution.value());
  }
}

TEST(Recurrence, ASplitWinsOverTheInnerValueAndTheSmallestSplitOverOthers) {
  struct Ties {
    using Semiring = MaxPlus<std::int32_t>;
    std::int32_t leaf(std::size_t) const { return 0; }
    std::int32_t close(std::size_t, std::size_t, std::int32_t best, std::int32_t inner) const {
      return std::max(best, inner);
    }
  };
  const auto nodes = structure(Ties(), solve_recurrence(Ties(), 4).solution);
  EXPECT_EQ(nodes, (std::vector<Split>{{0, 1, 3}, {1, 2, 3}}));
}

TEST(Recurrence, ABatchGivesEachOnesValueAndZeroWhereThereIsNone) {
  std::vector<Weighted<MinPlus<double>>> recurrences;
  std::vector<std::size_t> points;
  for (std::size_t n = 2; n < 40; ++n) {
    recurrences.emplace_back(n);
    points.push_back(n);
  }
  Progress last;
  Options options;
  options.threads = 3;
  options.progress = [&](const Progress& progress) { last = progress; };
  const auto values = solve_recurrences<Weighted<MinPlus<double>>>(recurrences, points, options).solution;
  EXPECT_GT(last.total, 0);
  EXPECT_EQ(last.done, last.total);
  for (std::size_t t = 0; t < points.size(); ++t) {
    EXPECT_EQ(values[t], Naive<Weighted<MinPlus<double>>>(recurrences[t], points[t]).at(0, points[t] - 1));
  }
}

TEST(Recurrence, WhatDoesNotFitIsRefused) {
  struct Large {
    using Semiring = MinPlus<std::int32_t>;
    std::int32_t leaf(std::size_t) const { return 100'000'000; }
    std::int32_t close(std::size_t, std::size_t, std::int32_t best) const { return best; }
  };
  EXPECT_THROW(static_cast<void>(solve_recurrence(Large(), 10)), Error);
  EXPECT_THROW(static_cast<void>(solve_recurrence(Large(), 1)), Error);
  EXPECT_EQ(solve_recurrence(Large(), 2).solution.value(), 100'000'000);
  const Chain<std::int32_t> chain{{2000, 2000, 2000}};
  EXPECT_THROW(static_cast<void>(solve_recurrence(chain, 3)), Error);
}

/// The largest accepted integers do not become infinity, with any signs.
template <class T>
struct Extreme {
  using Semiring = MinPlus<T>;
  static constexpr T max_weight = detail::Stored<Semiring>::largest / 4;
  static constexpr T max_value = detail::Stored<Semiring>::largest / 4;  // three of them and two weights still fit
  T sign;
  T leaf(std::size_t i) const { return i % 2 == 0 ? max_value : static_cast<T>(-max_value); }
  T weight(std::size_t i, std::size_t j) const {
    if ((i + j) % 5 == 0) return Semiring::zero();
    return (j - i) % 2 == 0 ? static_cast<T>(sign * max_weight) : T{0};
  }
};

TEST(Recurrence, TheLargestIntegersAreNoInfinities) {
  for (std::size_t n : {3u, 4u}) {
    for (std::int32_t sign : {1, -1}) {
      const Extreme<std::int32_t> extreme{sign};
      Naive<Extreme<std::int32_t>> naive(extreme, n);
      const auto result = solve_recurrence(extreme, n);
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = i; j < n; ++j) EXPECT_EQ(result.solution.value(i, j), naive.at(i, j)) << i << "," << j;
      }
    }
  }
}

TEST(Recurrence, WeightsThatDoNotFitAreRefusedByTheirPlace) {
  struct Heavy {
    using Semiring = MinPlus<double>;
    double heavy;
    double leaf(std::size_t) const { return 0; }
    double weight(std::size_t i, std::size_t j) const { return i == 3 && j == 70 ? heavy : 1; }
  };
  for (const double heavy : {std::nan(""), -std::numeric_limits<double>::infinity()}) {
    try {
      static_cast<void>(solve_recurrence(Heavy{heavy}, 80));
      FAIL() << heavy;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("weight(3,70) is"), std::string::npos) << error.what();
    }
  }
  EXPECT_EQ(solve_recurrence(Heavy{std::numeric_limits<double>::infinity()}, 80).solution.value(3, 70),
            std::numeric_limits<double>::infinity());
}

/// Neither is closed in vectors.
struct Ways {
  using Semiring = Counting<double>;
  double odd;
  double leaf(std::size_t) const { return 1; }
  double weight(std::size_t i, std::size_t j) const { return i == 3 && j == 70 ? odd : 0.25; }
};

struct FreeSplitWithWeight {
  using Semiring = MinPlus<std::int32_t>;
  std::int32_t odd;
  std::int32_t leaf(std::size_t) const { return 0; }
  std::int32_t split(std::size_t, std::size_t, std::size_t) const { return 1; }
  std::int32_t weight(std::size_t i, std::size_t j) const { return i == 3 && j == 70 ? odd : 1; }
};

template <class R>
void expect_refused_weight(const R& recurrence) {
  try {
    static_cast<void>(solve_recurrence(recurrence, 80));
    FAIL() << recurrence.odd;
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("weight(3,70) is"), std::string::npos) << error.what();
  }
}

TEST(Recurrence, ClosedByTheUsersCompilerWeightsThatDoNotFitAreRefusedToo) {
  expect_refused_weight(Ways{std::nan("")});
  for (const std::int32_t odd :
       {-std::numeric_limits<std::int32_t>::max(), detail::Stored<MinPlus<std::int32_t>>::largest + 1}) {
    expect_refused_weight(FreeSplitWithWeight{odd});
  }
  const std::int32_t forbidden = MinPlus<std::int32_t>::zero();
  EXPECT_EQ(solve_recurrence(FreeSplitWithWeight{forbidden}, 80).solution.value(3, 70), forbidden);
}

TEST(Recurrence, OptionsAreObeyed) {
  Options options;
  options.deadline = std::chrono::steady_clock::now();
  EXPECT_THROW(static_cast<void>(solve_recurrence(Triangulations(), 300, options)), Error);
  options = {};
  options.max_memory = 1000;
  EXPECT_THROW(static_cast<void>(solve_recurrence(Triangulations(), 300, options)), Error);
}

}  // namespace
}  // namespace warpfold::interval
