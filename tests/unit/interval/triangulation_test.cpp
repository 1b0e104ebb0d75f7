#include "warpfold/interval/triangulation.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "warpfold/core/error.hpp"

namespace warpfold::interval {
namespace {

/// A matrix that one thread checks, and one that several threads check.
constexpr std::size_t sizes[] = {5, 1800};

template <class T>
class StatedTriangulation : public testing::Test {
 protected:
  /// A polygon whose chords weigh 1, except for entry (i,j).
  Triangulation<T> with(std::size_t n, std::size_t i, std::size_t j, T weight, int threads = 3) {
    weights.assign(n * n, 1);
    weights[i * n + j] = weight;
    return Triangulation<T>({weights.data(), n, n, n}, threads);
  }

  std::vector<T> weights;
};
using StatedTriangulationTypes = testing::Types<std::int32_t, std::int64_t, float, double>;
TYPED_TEST_SUITE(StatedTriangulation, StatedTriangulationTypes);

TYPED_TEST(StatedTriangulation, KnowsWhetherAChordWeighsLessThanNothing) {
  for (const std::size_t n : sizes) {
    for (const int threads : {1, 2, 3, 64}) {
      EXPECT_FALSE(this->with(n, 0, 2, -1, threads).nonnegative());
      EXPECT_FALSE(this->with(n, 1, n - 1, -1, threads).nonnegative());
      EXPECT_FALSE(this->with(n, n - 3, n - 1, -1, threads).nonnegative());
      EXPECT_TRUE(this->with(n, 0, n - 1, -1, threads).nonnegative()) << "an edge";
      EXPECT_TRUE(this->with(n, 1, 2, -1, threads).nonnegative()) << "an edge";
      EXPECT_TRUE(this->with(n, n - 1, 0, -1, threads).nonnegative()) << "the lower half";
      EXPECT_TRUE(this->with(n, 0, 2, static_cast<TypeParam>(-0.0), threads).nonnegative());
      EXPECT_TRUE(this->with(n, 0, 2, infinity<TypeParam>, threads).nonnegative());
    }
  }
}

TYPED_TEST(StatedTriangulation, KnowsItsLargestTotalWhicheverThreadReadsTheWeight) {
  for (const std::size_t n : sizes) {
    for (std::size_t i = 0; i + 2 < n - 1; i += 1 + n / 12) {
      for (const TypeParam weight : {TypeParam{7}, TypeParam{-7}}) {
        EXPECT_EQ(this->with(n, i, n - 2, weight).largest_total(), static_cast<TypeParam>(7 * (n - 3)));
      }
    }
  }
}

TYPED_TEST(StatedTriangulation, NamesTheFirstWeightThatItRefuses) {
  for (const std::size_t n : sizes) {
    for (std::size_t i = 0; i + 3 < n; i += 1 + n / 9) {
      try {
        static_cast<void>(this->with(n, i, i + 2, std::numeric_limits<TypeParam>::lowest()));
        FAIL() << "the least number was taken for a weight";
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::overflow);
        const std::string place = "weight (" + std::to_string(i) + ", " + std::to_string(i + 2) + ")";
        EXPECT_EQ(std::string(error.what()).rfind(place, 0), 0U) << error.what();
      }
    }
  }
}

}  // namespace
}  // namespace warpfold::interval
