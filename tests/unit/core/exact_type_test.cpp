#include "core/exact_type.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

namespace warpfold {
namespace {

using Wide = __int128;

/// Whether T holds the problem of this W, by the definition.
template <class T>
bool holds(Wide largest) {
  return 4 * largest < Wide{std::numeric_limits<T>::max()};
}

template <class T>
class ExactTypeTest : public testing::Test {};
using Integers = testing::Types<std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(ExactTypeTest, Integers);

TYPED_TEST(ExactTypeTest, LargestAcceptedTotalIsTheLastThatItsTypeHolds) {
  constexpr TypeParam largest = largest_accepted_total<TypeParam>;
  EXPECT_TRUE(holds<TypeParam>(largest));
  EXPECT_FALSE(holds<TypeParam>(Wide{largest} + 1));
}

TYPED_TEST(ExactTypeTest, InfinityWithTotalsAddedStaysAboveEveryTotal) {
  constexpr Wide largest = largest_accepted_total<TypeParam>, infinite = infinity<TypeParam>;
  EXPECT_GT(infinite - largest, largest);
  EXPECT_LE(infinite + infinite, Wide{std::numeric_limits<TypeParam>::max()});
}

TYPED_TEST(ExactTypeTest, ChosenTypeHoldsTotalsThatDoublesRounded) {
  constexpr double rounding = 1 + 0x1p-12;  // of 2^40 steps
  for (const double share : {0.1, 0.24, 0.2499, 0.24994, 0.25, 0.2501, 0.3, 1.0}) {
    const double computed = share * static_cast<double>(std::numeric_limits<TypeParam>::max());
    if (smallest_exact_type(computed) != dtype_name<TypeParam>()) continue;
    EXPECT_TRUE(holds<TypeParam>(static_cast<Wide>(std::ceil(computed * rounding)))) << share;
  }
}

TEST(ExactTypeTest, SmallestTypeThatHoldsTheTotalIsChosen) {
  EXPECT_EQ(smallest_exact_type(0), "i32");
  EXPECT_EQ(smallest_exact_type(536'000'000), "i32");
  EXPECT_EQ(smallest_exact_type(536'870'911), "i64");
  EXPECT_EQ(smallest_exact_type(0x1.ffp60), "i64");
  EXPECT_EQ(smallest_exact_type(0x1p61), "f64");
}

TEST(ExactTypeTest, IntegersUpToTheLimitAreFloats) {
  EXPECT_EQ(integer_limit<float>, 0x1p24F);
  EXPECT_EQ(static_cast<std::int64_t>(static_cast<float>((1 << 24) - 1)), (1 << 24) - 1);
  EXPECT_NE(static_cast<std::int64_t>(static_cast<float>((1 << 24) + 1)), (1 << 24) + 1);
  EXPECT_EQ(integer_limit<double>, 0x1p53);
  EXPECT_EQ(static_cast<std::int64_t>(static_cast<double>((std::int64_t{1} << 53) - 1)), (std::int64_t{1} << 53) - 1);
  EXPECT_NE(static_cast<std::int64_t>(static_cast<double>((std::int64_t{1} << 53) + 1)), (std::int64_t{1} << 53) + 1);
}

TEST(ExactTypeTest, FloatsAddExactlyBelowTheirLimit) {
  EXPECT_TRUE(adds_exactly<float>(0x1p24 - 1));
  EXPECT_FALSE(adds_exactly<float>(0x1p24));
  EXPECT_TRUE(adds_exactly<double>((Wide{1} << 53) - 1));
  EXPECT_FALSE(adds_exactly<double>(Wide{1} << 53));
  EXPECT_TRUE(adds_exactly<std::int32_t>(0x1p60));
}

TEST(NumberTypesTest, TypeOfANameIsVisited) {
  const auto name_of = [](std::string_view name) {
    return with_type_named(
        name, RecurrenceTypes(), []<class T>(T) { return std::string(dtype_name<T>()); },
        [] { throw std::string("rejected"); });
  };
  EXPECT_EQ(names_of(RecurrenceTypes()), (std::vector<std::string_view>{"i32", "i64", "u64", "f32", "f64"}));
  for (const std::string_view name : names_of(RecurrenceTypes())) EXPECT_EQ(name_of(name), name);
  EXPECT_THROW(name_of("u8"), std::string);
}

TEST(NumberTypesTest, FirstAcceptedTypeIsNamedAndTheLastWhereNoneIs) {
  EXPECT_EQ(first_type(TableTypes(), []<class T>(T) { return sizeof(T) == 8; }), "i64");
  EXPECT_EQ(first_type(TableTypes(), []<class T>(T) { return std::is_floating_point_v<T>; }), "f32");
  EXPECT_EQ(first_type(TableTypes(), [](auto) { return false; }), "f64");
}

}  // namespace
}  // namespace warpfold
