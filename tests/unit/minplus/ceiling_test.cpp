#include "warpfold/minplus/ceiling.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <set>

#include "minplus/ceiling_loop.hpp"
#include "warpfold/core/instruction_set.hpp"

namespace warpfold::minplus {
namespace {

template <class T>
class Ceiling : public testing::Test {
 protected:
  void TearDown() override { force_instruction_set(""); }
};
using CeilingTypes = testing::Types<std::int16_t, std::int32_t, std::int64_t, float, double>;
TYPED_TEST_SUITE(Ceiling, CeilingTypes);

/// The sum as in the loop: i16 saturates.
template <class T>
T sum(T x, T y) {
  if constexpr (sizeof(T) > 2) {
    return x + y;
  } else {
    return static_cast<T>(std::min<int>(x + y, std::numeric_limits<T>::max()));
  }
}

TYPED_TEST(Ceiling, TimesMinPlusResultsOnTheInstructionSetThatIsForced) {
  using T = TypeParam;
  for (const std::string& name : instruction_sets()) {
    force_instruction_set(name);
    std::vector<T> memory(ceiling_values);
    for (std::size_t at = 0; at < memory.size(); ++at) memory[at] = static_cast<T>(at * 7919 % 32749);
    const std::vector<T> first = memory;
    const CeilingLoop loop = run_ceiling_loop(memory.data(), 3);
    EXPECT_EQ(loop.instruction_set, name);
    ASSERT_GT(loop.results(), 0);
    ASSERT_LE(loop.results(), ceiling_values);
    for (std::size_t at = 0; at < loop.results(); ++at) {
      const std::size_t row = at / (loop.vectors * loop.lanes),
                        column = at / loop.lanes % loop.vectors + at % loop.lanes;
      ASSERT_EQ(memory[at], std::min(first[at], sum(first[row], first[column]))) << name << ", result " << at;
    }
    EXPECT_TRUE(std::equal(memory.begin() + static_cast<std::ptrdiff_t>(loop.results()), memory.end(),
                           first.begin() + static_cast<std::ptrdiff_t>(loop.results())))
        << name << " wrote behind its results";
  }
}

TYPED_TEST(Ceiling, AddsUpWhatAsManyThreadsAsAreAskedForReachAtOnce) {
  for (const int threads : {1, 3}) {
    const std::vector<CeilingShare> shares = measure_ceiling_shares<TypeParam>(threads);
    std::set<std::thread::id> ran;
    for (const CeilingShare& share : shares) {
      EXPECT_GT(share.results_per_second, 0);
      ran.insert(share.thread);
    }
    EXPECT_EQ(ran.size(), static_cast<std::size_t>(threads));
    EXPECT_EQ(shares.size(), static_cast<std::size_t>(threads));
  }
}

}  // namespace
}  // namespace warpfold::minplus
