#include "warpfold/minplus/verify.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "warpfold/core/arithmetic.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/minplus/power.hpp"

namespace warpfold::minplus {
namespace {

using testing::HasSubstr;

std::string words(const Verdict& verdict) { return verdict.violation.value_or("none"); }

template <class T>
Matrix<T> matrix(std::size_t rows, std::size_t columns, const std::vector<T>& values) {
  Matrix<T> filled(rows, columns);
  for (std::size_t at = 0; at < values.size(); ++at) filled(at / columns, at % columns) = values[at];
  return filled;
}

/// Small numbers, some of which are "no value".
template <class T>
Matrix<T> drawn(Semiring semiring, std::size_t rows, std::size_t columns, std::mt19937_64& random) {
  Matrix<T> filled(rows, columns);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      const auto value = static_cast<T>(random() % (semiring.kind == Semiring::or_and ? 2 : 10));
      filled(i, j) = random() % 4 == 0 ? semiring.zero<T>() : value;
    }
  }
  return filled;
}

template <class T>
void expect_every_change_seen(Semiring semiring, std::mt19937_64& random) {
  const Matrix<T> a = drawn<T>(semiring, 3, 4, random), b = drawn<T>(semiring, 4, 5, random);
  const Product<T> right = multiply(semiring, a, b, {}, semiring.is_selective()).solution;
  const Verdict verdict = verify(semiring, a, b, right);
  ASSERT_EQ(verdict.violation, std::nullopt) << to_string(semiring) << dtype_name<T>();
  EXPECT_TRUE(verdict.is_optimal);
  EXPECT_EQ(verdict.rows_checked, 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 5; ++j) {
      const std::string place = "entry (" + std::to_string(i) + ", " + std::to_string(j) + ") is";
      Product<T> wrong = right;
      wrong.values(i, j) = static_cast<T>(right.values(i, j) == semiring.zero<T>() ? 1 : semiring.zero<T>());
      EXPECT_THAT(words(verify(semiring, a, b, wrong)), HasSubstr(place)) << to_string(semiring);
      if (!semiring.is_selective()) continue;
      wrong = right;
      wrong.argmin(i, j) = right.argmin(i, j) == 1 ? 2 : 1;
      EXPECT_THAT(words(verify(semiring, a, b, wrong)), HasSubstr("the argmin of " + place));
    }
  }
}

TEST(VerifyProduct, SeesEveryChangedEntryAndArgminOverEverySemiring) {
  std::mt19937_64 random(5);
  for (const auto kind : {Semiring::min_plus, Semiring::max_plus, Semiring::min_max, Semiring::max_min}) {
    expect_every_change_seen<std::int16_t>(kind, random);
    expect_every_change_seen<std::int32_t>(kind, random);
    expect_every_change_seen<std::int64_t>(kind, random);
    expect_every_change_seen<float>(kind, random);
    expect_every_change_seen<double>(kind, random);
  }
  expect_every_change_seen<std::uint8_t>(Semiring::or_and, random);
  expect_every_change_seen<std::uint64_t>(Semiring::plus_times, random);
  expect_every_change_seen<std::uint64_t>({Semiring::plus_times, 5}, random);
  expect_every_change_seen<double>(Semiring::plus_times, random);
}

TEST(VerifyProduct, HasNothingToSayOfNoEntries) {
  EXPECT_TRUE(
      verify(Semiring::min_plus, Matrix<float>(0, 3), Matrix<float>(3, 2), Product<float>{Matrix<float>(0, 2), {}}));
  const Product<float> none{Matrix<float>(2, 2, infinity<float>), {}};
  EXPECT_TRUE(verify(Semiring::min_plus, Matrix<float>(2, 0), Matrix<float>(0, 2), none));
  const Product<float> wrong{Matrix<float>(2, 2, 0), {}};
  EXPECT_FALSE(verify(Semiring::min_plus, Matrix<float>(2, 0), Matrix<float>(0, 2), wrong));
}

TEST(VerifyProduct, RefusesNumbersThatPassTheType) {
  using T = std::int32_t;
  const T most = std::numeric_limits<T>::max();
  const Matrix<T> a(1, 1, most - 7), b(1, 1, 6);
  EXPECT_THAT(words(verify(Semiring::min_plus, a, b, Product<T>{Matrix<T>(1, 1, infinity<T>), {}})),
              HasSubstr("row 0 passes i32"));
  EXPECT_THAT(words(verify(Semiring::min_plus, a, a, Product<T>{Matrix<T>(1, 1, -16), {}})),
              HasSubstr("row 0 passes i32"));
  const Matrix<float> huge(1, 1, std::numeric_limits<float>::max());
  EXPECT_THAT(words(verify(Semiring::min_plus, huge, huge, Product<float>{Matrix<float>(1, 1, infinity<float>), {}})),
              HasSubstr("row 0 passes f32"));
  const Matrix<std::uint64_t> large(1, 1, std::uint64_t{1} << 32);
  EXPECT_THAT(
      words(verify(Semiring::plus_times, large, large, Product<std::uint64_t>{Matrix<std::uint64_t>(1, 1), {}})),
      HasSubstr("row 0 passes u64"));
  const Matrix<double> real(1, 1, 0x1p30);
  EXPECT_THAT(words(verify(Semiring::plus_times, real, real, Product<double>{Matrix<double>(1, 1, 0x1p60), {}})),
              HasSubstr("row 0 passes f64"));
}

TEST(VerifyProduct, TellsShapesThatAreNotTheProducts) {
  const Matrix<double> a(2, 3), b(3, 4);
  EXPECT_THAT(words(verify(Semiring::min_plus, a, b, Product<double>{Matrix<double>(2, 3), {}})),
              HasSubstr("the product is 2 x 3, not 2 x 4"));
  EXPECT_THAT(
      words(verify(Semiring::min_plus, a, b, Product<double>{Matrix<double>(2, 4), Matrix<std::uint32_t>(4, 2)})),
      HasSubstr("the argmin is 4 x 2, not 2 x 4"));
  const Product<double> counted{Matrix<double>(2, 4), Matrix<std::uint32_t>(2, 4)};
  EXPECT_THAT(words(verify(Semiring::plus_times, a, b, counted)), HasSubstr("plus-times has no argmin"));
  EXPECT_THROW(static_cast<void>(verify(Semiring::min_plus, a, a, Product<double>{})), Error);
  EXPECT_THROW(static_cast<void>(verify(Semiring::or_and, a, b, Product<double>{})), Error);
}

TEST(VerifyProduct, NamesTheProductOfABatch) {
  const std::vector<double> a = {1, 2}, b = {3, 4, 8, 9}, right = {4, 5, 5, 6};
  const auto check = [&](const std::vector<double>& product) {
    return verify_batch<double>(Semiring::min_plus, {{a.data(), 1, 1, 1}, 2, 1}, {{b.data(), 1, 2, 2}, 1, 2},
                                {{product.data(), 1, 2, 2}, 2, 2});
  };
  EXPECT_EQ(words(check(right)), "none");
  EXPECT_THAT(words(check({4, 5, 5, 7})), HasSubstr("entry (0, 1) of product 1 is 7, it has to be 6"));
  EXPECT_THROW(static_cast<void>(verify_batch<double>(Semiring::min_plus, {{a.data(), 1, 1, 1}, 2, 1},
                                                      {{b.data(), 1, 2, 2}}, {{right.data(), 1, 2, 2}, 3, 0})),
               Error);
}

TEST(VerifyProduct, RefusesOneRowThatTakesTooLong) {
  const Matrix<float> a(1, 1, 0);
  EXPECT_THROW(static_cast<void>(verify_power(Semiring::min_plus, a.view(), 5'000'000'000, a.view())), Error);
}

TEST(VerifyProduct, ChecksAsManyRowsAsItsTermsAllow) {
  const Matrix<std::uint8_t> a(2, 2, 1);  // each row takes 4 terms, but only 2 in the first step
  const Verdict verdict = verify_power(Semiring::or_and, a.view(), 100, a.view(), {}, 600);
  EXPECT_TRUE(verdict);
  EXPECT_FALSE(verdict.is_optimal);
  EXPECT_EQ(verdict.rows_checked, 1U);
  EXPECT_EQ(verdict.unchecked, "1 of 2 rows");
}

TEST(VerifyProduct, StopsWhereTheOptionsAskForIt) {
  const Matrix<float> a(1, 1, infinity<float>);  // a product without a finite term
  Options options;
  options.deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(20);
  EXPECT_THROW(static_cast<void>(verify_power(Semiring::min_plus, a.view(), 3'900'000'000, a.view(), options)), Error);
}

template <class T>
void expect_powers_and_closures_seen(Semiring semiring, std::mt19937_64& random) {
  const Matrix<T> a = drawn<T>(semiring, 5, 5, random);
  for (const std::uint64_t k : {0, 1, 2, 5}) {
    Matrix<T> result = power(semiring, a, k).solution;
    EXPECT_EQ(words(verify_power(semiring, a.view(), k, std::as_const(result).view())), "none") << k;
    result(3, 2) = static_cast<T>(result(3, 2) == semiring.zero<T>() ? 1 : semiring.zero<T>());
    EXPECT_THAT(words(verify_power(semiring, a.view(), k, std::as_const(result).view())), HasSubstr("entry (3, 2)"));
  }
  if (semiring.kind == Semiring::max_plus || semiring.kind == Semiring::plus_times) return;
  Matrix<T> result = a;  // of nonnegative lengths: n powers of 1 + A
  for (std::size_t i = 0; i < 5; ++i) result(i, i) = semiring.one<T>();
  result = power(semiring, result, 5).solution;
  EXPECT_EQ(words(verify_closure(semiring, a.view(), std::as_const(result).view())), "none");
  result(3, 2) = static_cast<T>(result(3, 2) == semiring.zero<T>() ? 1 : semiring.zero<T>());
  EXPECT_THAT(words(verify_closure(semiring, a.view(), std::as_const(result).view())), HasSubstr("entry (3, 2)"));
}

TEST(VerifyPower, SeesAChangedEntryOverEverySemiringAndOfClosuresToo) {
  std::mt19937_64 random(6);
  for (const auto kind : {Semiring::min_plus, Semiring::max_plus, Semiring::min_max, Semiring::max_min}) {
    expect_powers_and_closures_seen<std::int32_t>(kind, random);
    expect_powers_and_closures_seen<float>(kind, random);
    expect_powers_and_closures_seen<double>(kind, random);
  }
  expect_powers_and_closures_seen<std::uint8_t>(Semiring::or_and, random);
  expect_powers_and_closures_seen<std::uint64_t>(Semiring::plus_times, random);
}

TEST(VerifyClosure, RefusesOneThatACycleLeavesWithout) {
  const double inf = infinity<double>;
  // 0 leads to 1 and 2, which are on a cycle of length -1. The rows after n rounds are no closure.
  const Matrix<double> a = matrix<double>(3, 3, {inf, 4, inf, inf, inf, -2, inf, 1, inf});
  const Matrix<double> walks = matrix<double>(3, 3, {0, 3, 2, inf, -1, -3, inf, 0, -1});
  EXPECT_THAT(words(verify_closure(Semiring::min_plus, a.view(), walks.view())), HasSubstr("improve without end"));
}

TEST(VerifyClosure, CountsTheMatricesThatSixteenBitsAreWidenedTo) {
  constexpr std::size_t n = 100;
  Matrix<std::int16_t> a(n, n, infinity<std::int16_t>);
  for (std::size_t i = 0; i < n; ++i) a(i, i) = 0;
  Options options;
  options.max_memory = 2 * n * n * sizeof(std::int32_t) + (std::size_t{1} << 14);
  EXPECT_EQ(words(verify_closure(Semiring::min_plus, std::as_const(a).view(), std::as_const(a).view(), options)),
            "none");
  options.max_memory = 2 * n * n * sizeof(std::int32_t);
  EXPECT_THROW(
      static_cast<void>(verify_closure(Semiring::min_plus, std::as_const(a).view(), std::as_const(a).view(), options)),
      Error);
}

TEST(VerifyClosure, RefusesWhatHasNone) {
  const Matrix<double> a(2, 2);
  EXPECT_THROW(static_cast<void>(verify_closure(Semiring::plus_times, a.view(), a.view())), Error);
  const Matrix<double> oblong(2, 3);
  EXPECT_THROW(static_cast<void>(verify_closure(Semiring::min_plus, oblong.view(), oblong.view())), Error);
  EXPECT_THAT(words(verify_closure(Semiring::min_plus, a.view(), oblong.view())), HasSubstr("is 2 x 3, not 2 x 2"));
}

}  // namespace
}  // namespace warpfold::minplus
