#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "equivalence/minplus/in_place.hpp"
#include "equivalence/minplus/products.hpp"
#include "minplus/tuning.hpp"
#include "tiles/cpu/tile_products.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/core/instruction_set.hpp"

namespace warpfold::minplus {
namespace {

using test::Drawn;
using test::Instance;
using test::Kind;
using test::random_matrix;

constexpr std::size_t tile = tiles::tile_side;

Options on_cpu(const std::string& algorithm, int threads = 0) {
  Options options;
  options.device.kind = Device::Kind::cpu;
  options.algorithm = algorithm;
  options.threads = threads;
  return options;
}

/// Every semiring of the type, every instruction set, one thread and two.
template <class T>
void expect_equivalent(std::size_t m, std::size_t p, std::size_t n, Kind kind) {
  for (const Semiring semiring : test::semirings<T>()) {
    Instance<T> instance(semiring, m, p, n, kind);
    for (const std::string& set : instruction_sets()) {
      force_instruction_set(set);
      for (const int threads : {1, 2}) instance.expect_equal(on_cpu("tiled", threads), set);
    }
    force_instruction_set("");
  }
}

template <class T>
class MultiplyAnything : public testing::Test {};
using AllTypes = testing::Types<std::uint8_t, std::int16_t, std::int32_t, std::int64_t, std::uint64_t, float, double>;
TYPED_TEST_SUITE(MultiplyAnything, AllTypes);

TYPED_TEST(MultiplyAnything, IsEquivalentToReferenceAtEveryTileBoundary) {
  for (const std::size_t n : {std::size_t{0}, std::size_t{1}, tile - 1, tile, tile + 1, 2 * tile + 3}) {
    expect_equivalent<TypeParam>(n, n, n, Kind::random);
  }
}

TYPED_TEST(MultiplyAnything, IsEquivalentToReferenceForRectangles) {
  expect_equivalent<TypeParam>(1, 2 * tile + 3, 5 * tile + 1, Kind::random);
  expect_equivalent<TypeParam>(5 * tile + 1, 3, 2, Kind::random);
  expect_equivalent<TypeParam>(7, 0, 9, Kind::random);
}

TYPED_TEST(MultiplyAnything, IsEquivalentToReferenceWithTiesInfinitiesAndTheLargestEntries) {
  for (const Kind kind : test::kinds) expect_equivalent<TypeParam>(70, 2 * tile + 3, 70, kind);
}

TYPED_TEST(MultiplyAnything, FindsTheFirstOfTheNotedTerms) {
  for (const std::size_t p : {notes_from_terms - 1, notes_from_terms, notes_from_terms + 33}) {
    expect_equivalent<TypeParam>(3, p, tile + 1, Kind::random);
  }
  for (const Kind kind : test::kinds) expect_equivalent<TypeParam>(tile + 1, notes_from_terms + tile, 3, kind);
}

template <class T>
class Multiply : public testing::Test {};
using MultiplyTypes = testing::Types<std::int16_t, std::int32_t, std::int64_t, float, double>;
TYPED_TEST_SUITE(Multiply, MultiplyTypes);

/// Checks the reference against the definition. Every other test relies on it.
TYPED_TEST(Multiply, GivesTheSmallestSumAndItsSmallestIndex) {
  const TypeParam none = infinity<TypeParam>;
  const std::vector<TypeParam> a = {1, 3, none, 2};  // 1 x 4
  const std::vector<TypeParam> b = {4, none, 2, none, -9, none, 3, none};
  for (const char* algorithm : {"reference", "tiled"}) {
    std::vector<TypeParam> c(2, none);
    std::vector<std::uint32_t> argmin(2);
    accumulate<TypeParam>({a.data(), 1, 4, 4}, {b.data(), 4, 2, 2}, {c.data(), 1, 2, 2}, on_cpu(algorithm),
                          {argmin.data(), 1, 2, 2});
    EXPECT_EQ(c, (std::vector<TypeParam>{5, none}));
    EXPECT_EQ(argmin, (std::vector<std::uint32_t>{0, unchanged}));
  }
}

TYPED_TEST(Multiply, KeepsFiniteWhatIsNextToInfinity) {
  // The largest and the smallest sum of two entries, with infinities. They must not be confused.
  const TypeParam most = largest_factor<TypeParam>;
  const TypeParam none = infinity<TypeParam>;
  for (const TypeParam sign : {TypeParam{1}, TypeParam{-1}}) {
    const std::vector<TypeParam> a = {static_cast<TypeParam>(sign * most), none};
    const std::vector<TypeParam> b = {static_cast<TypeParam>(sign * most), static_cast<TypeParam>(-most)};
    TypeParam c = none;
    accumulate<TypeParam>({a.data(), 1, 2, 2}, {b.data(), 2, 1, 1}, {&c, 1, 1, 1}, on_cpu("tiled"));
    EXPECT_EQ(c, static_cast<TypeParam>(sign * largest_result<TypeParam>));
    c = none;
    accumulate<TypeParam>({&none, 1, 1, 1}, {&b[1], 1, 1, 1}, {&c, 1, 1, 1}, on_cpu("tiled"));
    EXPECT_EQ(c, none);
  }
}

TYPED_TEST(Multiply, FindsTheFirstTermIfEveryTermImprovesOrTies) {
  for (const Semiring semiring : {Semiring::min_plus, Semiring::max_plus}) {
    Instance<TypeParam> instance(semiring, 2, notes_from_terms + 5, 3, Kind::few_values);
    for (const bool ties : {false, true}) {
      test::let_every_term_improve(instance.a, instance.b, semiring == Semiring::min_plus, ties);
      instance.expect_the_references();
      instance.expect_equal(on_cpu("tiled"), ties ? "ties" : "every term improves");
    }
  }
}

TYPED_TEST(Multiply, LeavesWhatLiesBetweenTheRowsAlone) {
  std::vector<TypeParam> c(4 * 7, TypeParam{77});
  const std::vector<TypeParam> a(4 * 2, TypeParam{1});
  const std::vector<TypeParam> b(2 * 5, TypeParam{2});
  accumulate<TypeParam>({a.data(), 4, 2, 2}, {b.data(), 2, 5, 5}, {c.data(), 4, 5, 7});
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 7; ++j) EXPECT_EQ(c[i * 7 + j], j < 5 ? TypeParam{3} : TypeParam{77});
  }
}

TYPED_TEST(Multiply, RefusesWhatItCannotAdd) {
  TypeParam c = 0;
  TypeParam one = 1;
  const TypeParam most = largest_factor<TypeParam>;
  const TypeParam beyond =
      std::is_integral_v<TypeParam> ? static_cast<TypeParam>(most + 1) : static_cast<TypeParam>(most * 2);
  for (const TypeParam bad : {beyond, static_cast<TypeParam>(-beyond), static_cast<TypeParam>(-infinity<TypeParam>)}) {
    EXPECT_THROW(accumulate<TypeParam>({&bad, 1, 1, 1}, {&one, 1, 1, 1}, {&c, 1, 1, 1}), Error);
    EXPECT_THROW(accumulate<TypeParam>({&one, 1, 1, 1}, {&bad, 1, 1, 1}, {&c, 1, 1, 1}), Error);
  }
  EXPECT_THROW(accumulate<TypeParam>({&one, 1, 1, 1}, {&one, 1, 1, 1}, {&c, 1, 0, 1}), Error);
  EXPECT_THROW(accumulate<TypeParam>({&one, 1, 1, 1}, {&one, 0, 1, 1}, {&c, 1, 1, 1}), Error);
}

TEST(MultiplyIntegers, NamesTheEntryTheRangeAndWhatStandsForNoValue) {
  const std::int64_t bad = std::numeric_limits<std::int64_t>::max();
  const std::int64_t one = 1;
  std::int64_t c = 0;
  try {
    accumulate<std::int64_t>({&bad, 1, 1, 1}, {&one, 1, 1, 1}, {&c, 1, 1, 1});
    FAIL() << "nothing was raised";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::overflow);
    EXPECT_EQ(error.what(), std::string("A(0, 0) is 9223372036854775807: i64 from -1152921504606846975 to "
                                        "1152921504606846975 are accepted, and 4611686018427387903 for no value"));
  }
}

TEST(MultiplyFloats, CountsMinusZeroAsZero) {
  const std::vector<float> zeros = {-0.0F, 0.0F};
  for (const char* algorithm : {"reference", "tiled"}) {
    for (const auto kind : {Semiring::min_plus, Semiring::max_plus, Semiring::min_max, Semiring::max_min}) {
      std::vector<float> c(1, Semiring(kind).zero<float>());
      std::uint32_t k = 7;
      accumulate<float>(kind, {zeros.data(), 1, 2, 2}, {zeros.data(), 2, 1, 1}, {c.data(), 1, 1, 1}, on_cpu(algorithm),
                        {&k, 1, 1, 1});
      EXPECT_FALSE(std::signbit(c[0])) << algorithm << " " << to_string(kind);
      EXPECT_EQ(k, 0U);
    }
  }
}

TEST(MultiplyOrAnd, RefusesWhatIsNeitherZeroNorOne) {
  const std::uint8_t two = 2;
  std::uint8_t c = 0;
  EXPECT_THROW(accumulate<std::uint8_t>(Semiring::or_and, {&two, 1, 1, 1}, {&two, 1, 1, 1}, {&c, 1, 1, 1}), Error);
}

TEST(MultiplyCount, ReportsWhatDoesNotFitAndNothingElse) {
  // (2^32 + x) (2^32 - x) = 2^64 - x^2: the rounded sum alone cannot distinguish these from 2^64.
  for (const char* algorithm : {"reference", "tiled"}) {
    for (const std::uint64_t x : {0, 1, 2, 1000}) {
      const std::uint64_t a = (std::uint64_t{1} << 32) + x, b = (std::uint64_t{1} << 32) - x;
      for (const std::uint64_t given : {std::uint64_t{0}, std::uint64_t{1}, x * x}) {
        std::uint64_t c = given;
        const auto run = [&] {
          accumulate<std::uint64_t>(Semiring::plus_times, {&a, 1, 1, 1}, {&b, 1, 1, 1}, {&c, 1, 1, 1},
                                    on_cpu(algorithm));
        };
        if (given >= x * x) {
          EXPECT_THROW(run(), Error) << x << " + " << given;
        } else {
          run();
          EXPECT_EQ(c, a * b + given);
        }
      }
    }
    const double half = 0x1p26;
    for (const double given : {0.0, 0x1p52 - 1, 0x1p52}) {
      double c = given;
      const double a = half * 1;
      const auto run = [&] {
        accumulate<double>(Semiring::plus_times, {&half, 1, 1, 1}, {&a, 1, 1, 1}, {&c, 1, 1, 1}, on_cpu(algorithm));
      };
      if (given == 0x1p52) {
        EXPECT_THROW(run(), Error);
      } else {
        run();
        EXPECT_EQ(c, 0x1p52 + given);
      }
    }
  }
  const double fraction = 0.5;
  double c = 0;
  EXPECT_THROW(accumulate<double>(Semiring::plus_times, {&fraction, 1, 1, 1}, {&fraction, 1, 1, 1}, {&c, 1, 1, 1}),
               Error);
}

TEST(MultiplySemirings, RefuseTypesModuliAndArgminThatTheyDoNotHave) {
  float f = 0;
  std::uint64_t u = 0;
  std::uint32_t k = 0;
  const auto floats = [&](Semiring semiring) {
    accumulate<float>(semiring, {&f, 1, 1, 1}, {&f, 1, 1, 1}, {&f, 1, 1, 1});
  };
  EXPECT_THROW(floats(Semiring::or_and), Error);
  EXPECT_THROW(floats(Semiring::plus_times), Error);
  EXPECT_THROW(floats({Semiring::min_plus, 7}), Error);
  const auto whole = [&](Semiring semiring, MatrixView<std::uint32_t> argmin) {
    accumulate<std::uint64_t>(semiring, {&u, 1, 1, 1}, {&u, 1, 1, 1}, {&u, 1, 1, 1}, {}, argmin);
  };
  EXPECT_THROW(whole(Semiring::min_plus, {}), Error);
  EXPECT_THROW(whole({Semiring::plus_times, 1}, {}), Error);
  EXPECT_THROW(whole({Semiring::plus_times, std::uint64_t{1} << 32}, {}), Error);
  EXPECT_THROW(whole(Semiring::plus_times, {&k, 1, 1, 1}), Error);
  EXPECT_THROW(static_cast<void>(parse_semiring("minplus")), Error);
  const std::vector<std::string_view> names = semiring_names();
  for (const std::string_view name : {"min-plus", "max-plus", "min-max", "max-min", "or-and", "plus-times"}) {
    EXPECT_NE(std::find(names.begin(), names.end(), name), names.end()) << name;
  }
  for (const std::string_view name : names) EXPECT_EQ(to_string(parse_semiring(std::string(name))), name);
  EXPECT_EQ(to_string(parse_semiring("count")), "plus-times");
}

TYPED_TEST(Multiply, TakesABatchAsSoManyProducts) {
  const std::size_t count = 7, m = 5, p = tile + 6, n = 9;
  for (const bool one_a : {false, true}) {
    for (const bool one_b : {false, true}) {
      auto a = random_matrix<TypeParam>({}, count * m, p, Kind::random, 4);
      auto b = random_matrix<TypeParam>({}, count * p, n, Kind::random, 5);
      auto c = random_matrix<TypeParam>({}, count * m, n, Kind::with_infinity, 6, true);
      Drawn<std::uint32_t> argmin{count * m, n, std::vector<std::uint32_t>(count * m * n)};
      auto expected = c;
      auto expected_argmin = argmin;
      for (std::size_t x = 0; x < count; ++x) {
        accumulate<TypeParam>({a.values.data() + (one_a ? 0 : x * m * p), m, p, p},
                              {b.values.data() + (one_b ? 0 : x * p * n), p, n, n},
                              {expected.values.data() + x * m * n, m, n, n}, on_cpu("reference"),
                              {expected_argmin.values.data() + x * m * n, m, n, n});
      }
      accumulate_batch<TypeParam>({}, {{a.values.data(), m, p, p}, one_a ? 1 : count, m * p},
                                  {{b.values.data(), p, n, n}, one_b ? 1 : count, p * n},
                                  {{c.values.data(), m, n, n}, count, m * n}, on_cpu("tiled", 2),
                                  {{argmin.values.data(), m, n, n}, count, m * n});
      EXPECT_EQ(c.values, expected.values);
      EXPECT_EQ(argmin.values, expected_argmin.values);
    }
  }
  TypeParam x = 0;
  const MatrixView<TypeParam> view{&x, 1, 1, 1};
  EXPECT_THROW(accumulate_batch<TypeParam>({}, {view, 2, 0}, {view, 3, 0}, {view, 3, 0}), Error);
}

TYPED_TEST(Multiply, TakesABatchWithoutArgminWhateverItsStep) {
  for (const char* algorithm : {"tiled", "reference"}) {
    std::vector<TypeParam> a = {1, 2}, c(2, infinity<TypeParam>);
    const BatchView<TypeParam> factors{{a.data(), 1, 1, 1}, 2, 1};
    accumulate_batch<TypeParam>({}, factors, factors, {{c.data(), 1, 1, 1}, 2, 1}, on_cpu(algorithm),
                                {{nullptr, 1, 1, 1}, 2, 1});
    EXPECT_EQ(c, (std::vector<TypeParam>{2, 4})) << algorithm;
  }
}

TEST(MultiplyFloats, RefusesNaNAndMinusInfinity) {
  for (const float bad : {std::numeric_limits<float>::quiet_NaN(), -infinity<float>}) {
    float c = 0;
    const float one = 1;
    EXPECT_THROW(accumulate<float>({&bad, 1, 1, 1}, {&one, 1, 1, 1}, {&c, 1, 1, 1}), Error);
    EXPECT_THROW(accumulate<float>({&one, 1, 1, 1}, {&bad, 1, 1, 1}, {&c, 1, 1, 1}), Error);
    c = bad;
    EXPECT_THROW(accumulate<float>({&one, 1, 1, 1}, {&one, 1, 1, 1}, {&c, 1, 1, 1}), Error);
  }
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const Semiring semiring : test::semirings<float>()) {
    float c = 0;
    EXPECT_THROW(accumulate<float>(semiring, {&nan, 1, 1, 1}, {&nan, 1, 1, 1}, {&c, 1, 1, 1}), Error);
  }
}

TEST(MultiplyFloats, StopsWhenItIsAskedTo) {
  std::vector<float> values(200 * 200, 1.0F);
  const MatrixView<float> view{values.data(), 200, 200, 200};
  std::vector<float> result(200 * 200, 5.0F);
  std::stop_source source;
  source.request_stop();
  Options options;
  options.stop = source.get_token();
  try {
    accumulate<float>(view, view, {result.data(), 200, 200, 200}, options);
    FAIL() << "nothing was raised";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::cancelled);
  }
}

}  // namespace
}  // namespace warpfold::minplus
