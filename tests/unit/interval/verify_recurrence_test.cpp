#include "warpfold/interval/verify_recurrence.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <vector>

/// Verification of the table of a user-defined recurrence.
namespace warpfold::interval {
namespace {

/// All kinds of split and close, with numbers that depend on the place.
template <class S>
struct Weighted {
  using Semiring = S;
  using T = typename S::Value;
  T leaf(std::size_t i) const { return static_cast<T>(i % 3); }
  T weight(std::size_t i, std::size_t j) const { return static_cast<T>((i * 7 + j * 5) % 11); }
  T split(std::size_t i, std::size_t k, std::size_t j) const { return static_cast<T>((i + 3 * k + 2 * j) % 5); }
};

struct Chain {
  using Semiring = MinPlus<std::int64_t>;
  std::vector<std::int64_t> p;
  std::int64_t leaf(std::size_t) const { return 0; }
  std::int64_t weight(std::size_t, std::size_t) const { return 0; }
  ProductSplit<std::int64_t> product_split() const { return {p.data(), p.data(), p.data(), false}; }
};

struct Ways {
  using Semiring = Counting<double>;
  double leaf(std::size_t) const { return 1; }
  double close(std::size_t, std::size_t, double best) const { return best; }
};

/// The maximum number of nested pairs of equal letters.
struct Pairs {
  using Semiring = MaxPlus<std::int32_t>;
  std::int32_t leaf(std::size_t) const { return 0; }
  std::int32_t close(std::size_t i, std::size_t j, std::int32_t best, std::int32_t inner) const {
    return std::max(best, i % 4 == j % 4 ? inner + 1 : inner);
  }
};

/// Intervals longer than two leaves have no value.
struct Short {
  using Semiring = MinPlus<double>;
  double leaf(std::size_t) const { return 1; }
  double weight(std::size_t i, std::size_t j) const { return j - i > 2 ? infinity<double> : 1; }
};

/// Numbers beyond the infinities, which are treated as these.
template <class S>
struct Beyond {
  using Semiring = S;
  using T = typename S::Value;
  static constexpr T least = std::numeric_limits<T>::min(), most = std::numeric_limits<T>::max();
  T leaf(std::size_t i) const { return i % 3 == 0 ? least : i % 3 == 1 ? most : static_cast<T>(i); }
  T split(std::size_t i, std::size_t k, std::size_t) const { return (i + k) % 2 == 0 ? least : most; }
  T close(std::size_t i, std::size_t j, T best, T inner) const {
    return (i + j) % 5 == 0 ? least : (i + j) % 7 == 0 ? most : S::plus(best, inner);
  }
};

template <class R>
IntervalTable<ValueOf<R>> table_of(const R& recurrence, std::size_t points) {
  Report report;
  Context context({}, report);
  return detail::fill_table(recurrence, points, context);
}

template <class T>
T& entry(const IntervalTable<T>& table, std::size_t i, std::size_t j) {
  return table.tile(0, 0)[tiles::entry_offset(i, j, IntervalTable<T>::side)];
}

template <class R>
void expect_table_is_right(const R& recurrence) {
  for (const std::size_t points : {2, 3, 64, 65, 130}) {
    const Verdict verdict = verify_recurrence(recurrence, table_of(recurrence, points));
    EXPECT_FALSE(verdict.violation) << points << ": " << *verdict.violation;
    EXPECT_TRUE(verdict.is_optimal);
  }
}

TEST(VerifyRecurrence, FindsEveryTableOfTheSolverRight) {
  expect_table_is_right(Weighted<MinPlus<float>>());
  expect_table_is_right(Weighted<MaxPlus<std::int64_t>>());
  expect_table_is_right(Weighted<MinMax<double>>());
  expect_table_is_right(Weighted<MaxMin<std::int32_t>>());
  expect_table_is_right(Chain{std::vector<std::int64_t>(130, 3)});
  expect_table_is_right(Ways());
  expect_table_is_right(Pairs());
  expect_table_is_right(Short());
}

TEST(VerifyRecurrence, TakesIntegersBeyondTheInfinitiesOfAChoiceForThem) {
  expect_table_is_right(Beyond<MinMax<std::int32_t>>());
  expect_table_is_right(Beyond<MaxMin<std::int32_t>>());
  expect_table_is_right(Beyond<MinMax<std::int8_t>>());
  expect_table_is_right(Beyond<MaxMin<std::int64_t>>());
}

TEST(VerifyRecurrence, NamesAnyValueThatIsAnother) {
  const Weighted<MinPlus<std::int32_t>> recurrence;
  for (const auto& [i, j] :
       std::vector<std::pair<std::size_t, std::size_t>>{{0, 1}, {0, 69}, {3, 5}, {63, 64}, {5, 68}}) {
    const auto table = table_of(recurrence, 70);
    const std::int32_t right = entry(table, i, j)++;
    const Verdict verdict = verify_recurrence(recurrence, table);
    ASSERT_TRUE(verdict.violation) << i << ' ' << j;
    EXPECT_FALSE(verdict.is_optimal);
    EXPECT_TRUE(verdict.is_feasible);
    // The first violation is in the last row that has one, at the smallest interval there.
    EXPECT_EQ(*verdict.violation, "value(" + std::to_string(i) + ',' + std::to_string(j) + ") is " +
                                      std::to_string(right + 1) + ", not " + std::to_string(right));
  }
}

TEST(VerifyRecurrence, WritesNumbersByWhatTellsThemApart) {
  const auto table = table_of(Short(), 3);
  entry(table, 0, 1) = 1e-9;
  EXPECT_EQ(*verify_recurrence(Short(), table).violation, "value(0,1) is 1e-09, not 1");
}

TEST(VerifyRecurrence, TellsNoValueFromAValue) {
  const auto table = table_of(Short(), 5);
  EXPECT_EQ(table.value(), infinity<double>);
  entry(table, 0, 4) = 7;
  EXPECT_EQ(verify_recurrence(Short(), table).violation, "value(0,4) is 7, not inf");
}

TEST(VerifyRecurrence, EndsWhenItIsAskedTo) {
  const auto table = table_of(Ways(), 5);
  Options options;
  options.deadline = std::chrono::steady_clock::now();
  EXPECT_THROW(static_cast<void>(verify_recurrence(Ways(), table, options)), Error);
}

}  // namespace
}  // namespace warpfold::interval
