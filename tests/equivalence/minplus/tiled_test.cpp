#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "minplus/magnitude.hpp"
#include "minplus/tile_products.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/core/instruction_set.hpp"
#include "warpfold/minplus/multiply.hpp"

namespace warpfold::minplus {
namespace {

constexpr std::size_t tile = tile_side;

enum class Kind { random, few_values, with_infinity, extreme };

template <class T>
struct Matrix {
  std::size_t rows, columns;
  std::vector<T> values;

  MatrixView<T> view() { return {values.data(), rows, columns, columns}; }
};

template <class T>
Matrix<T> random_matrix(std::size_t rows, std::size_t columns, Kind kind, std::uint64_t seed) {
  std::mt19937_64 generator(seed);
  Matrix<T> matrix{rows, columns, std::vector<T>(rows * columns)};
  const T most = largest_accepted_total<T> / 2;
  for (T& x : matrix.values) {
    const auto random = static_cast<std::int32_t>(generator() % 30011) - 15000;
    if (kind == Kind::random) x = static_cast<T>(random) / (std::is_integral_v<T> ? T{1} : static_cast<T>(1.37));
    if (kind == Kind::few_values) x = static_cast<T>(random % 3);
    if (kind == Kind::with_infinity) x = random % 10 != 0 ? infinity<T> : static_cast<T>(random);
    if (kind == Kind::extreme) x = random % 3 == 0 ? infinity<T> : random % 2 == 0 ? most : static_cast<T>(-most);
  }
  return matrix;
}

template <class T>
void expect_equivalent(std::size_t m, std::size_t p, std::size_t n, Kind kind) {
  Matrix<T> a = random_matrix<T>(m, p, kind, 1);
  Matrix<T> b = random_matrix<T>(p, n, kind, 2);
  const Matrix<T> given = random_matrix<T>(m, n, Kind::with_infinity, 3);
  Matrix<T> expected = given;
  Matrix<std::uint32_t> expected_argmin{m, n, std::vector<std::uint32_t>(m * n)};
  Options options;
  options.algorithm = "reference";
  multiply(a.view(), b.view(), expected.view(), options, expected_argmin.view());
  options.algorithm = "tiled";
  for (const std::string& set : instruction_sets()) {
    force_instruction_set(set);
    for (const int threads : {1, 2}) {
      options.threads = threads;
      Matrix<T> c = given;
      EXPECT_EQ(multiply(a.view(), b.view(), c.view(), options).algorithm, "tiled");
      EXPECT_EQ(c.values, expected.values) << set << ", " << m << " x " << p << " x " << n;
      c = given;
      Matrix<std::uint32_t> argmin{m, n, std::vector<std::uint32_t>(m * n)};
      multiply(a.view(), b.view(), c.view(), options, argmin.view());
      EXPECT_EQ(c.values, expected.values) << set << ", " << m << " x " << p << " x " << n;
      EXPECT_EQ(argmin.values, expected_argmin.values) << set << ", " << m << " x " << p << " x " << n;
    }
  }
  force_instruction_set("");
}

template <class T>
class Multiply : public testing::Test {};
using Types = testing::Types<std::int32_t, std::int64_t, float, double>;
TYPED_TEST_SUITE(Multiply, Types);

TYPED_TEST(Multiply, IsEquivalentToReferenceAtEveryTileBoundary) {
  for (const std::size_t n : {std::size_t{0}, std::size_t{1}, tile - 1, tile, tile + 1, 2 * tile + 3}) {
    expect_equivalent<TypeParam>(n, n, n, Kind::random);
  }
}

TYPED_TEST(Multiply, IsEquivalentToReferenceForRectangles) {
  expect_equivalent<TypeParam>(1, 2 * tile + 3, 5 * tile + 1, Kind::random);
  expect_equivalent<TypeParam>(5 * tile + 1, 3, 2, Kind::random);
  expect_equivalent<TypeParam>(7, 0, 9, Kind::random);
}

TYPED_TEST(Multiply, IsEquivalentToReferenceWithTies) {
  expect_equivalent<TypeParam>(70, 2 * tile + 3, 70, Kind::few_values);
}

TYPED_TEST(Multiply, IsEquivalentToReferenceWithInfinities) {
  expect_equivalent<TypeParam>(70, 2 * tile + 3, 70, Kind::with_infinity);
}

TYPED_TEST(Multiply, IsEquivalentToReferenceWithTheLargestEntries) {
  expect_equivalent<TypeParam>(70, 2 * tile + 3, 70, Kind::extreme);
}

TYPED_TEST(Multiply, LeavesWhatLiesBetweenTheRowsAlone) {
  std::vector<TypeParam> c(4 * 7, TypeParam{77});
  const std::vector<TypeParam> a(4 * 2, TypeParam{1});
  const std::vector<TypeParam> b(2 * 5, TypeParam{2});
  multiply<TypeParam>({a.data(), 4, 2, 2}, {b.data(), 2, 5, 5}, {c.data(), 4, 5, 7});
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 7; ++j) EXPECT_EQ(c[i * 7 + j], j < 5 ? TypeParam{3} : TypeParam{77});
  }
}

TYPED_TEST(Multiply, RefusesWhatItCannotAdd) {
  TypeParam c = 0;
  TypeParam one = 1;
  for (const TypeParam bad : {static_cast<TypeParam>(largest_accepted_total<TypeParam>),
                              static_cast<TypeParam>(-largest_accepted_total<TypeParam>)}) {
    EXPECT_THROW(multiply<TypeParam>({&bad, 1, 1, 1}, {&one, 1, 1, 1}, {&c, 1, 1, 1}), Error);
    EXPECT_THROW(multiply<TypeParam>({&one, 1, 1, 1}, {&bad, 1, 1, 1}, {&c, 1, 1, 1}), Error);
  }
  EXPECT_THROW(multiply<TypeParam>({&one, 1, 1, 1}, {&one, 1, 1, 1}, {&c, 1, 0, 1}), Error);
  EXPECT_THROW(multiply<TypeParam>({&one, 1, 1, 1}, {&one, 0, 1, 1}, {&c, 1, 1, 1}), Error);
}

TEST(MultiplyFloats, RefusesNaNAndMinusInfinity) {
  for (const float bad : {std::numeric_limits<float>::quiet_NaN(), -infinity<float>}) {
    float c = 0;
    const float one = 1;
    EXPECT_THROW(multiply<float>({&bad, 1, 1, 1}, {&one, 1, 1, 1}, {&c, 1, 1, 1}), Error);
    EXPECT_THROW(multiply<float>({&one, 1, 1, 1}, {&bad, 1, 1, 1}, {&c, 1, 1, 1}), Error);
    c = bad;
    EXPECT_THROW(multiply<float>({&one, 1, 1, 1}, {&one, 1, 1, 1}, {&c, 1, 1, 1}), Error);
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
    multiply<float>(view, view, {result.data(), 200, 200, 200}, options);
    FAIL() << "nothing was raised";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::cancelled);
  }
}

}  // namespace
}  // namespace warpfold::minplus
