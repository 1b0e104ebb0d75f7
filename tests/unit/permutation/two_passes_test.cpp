#include "warpfold/permutation/two_passes.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <numeric>

#include "drawn_permutation.hpp"
#include "permutation/block_of.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold::permutation {
namespace {

template <class T>
T word(std::size_t i) {
  if constexpr (std::is_same_v<T, Wide>) return {i, ~i};
  return static_cast<T>(i + 1);
}

template <class T>
void expect_moved(const Permutation& permutation, std::uint32_t block, int threads) {
  const std::size_t n = permutation.size();
  std::vector<T> from(n), moved(n), expected(n), back(n), middle(n);
  for (std::size_t i = 0; i < n; ++i) from[i] = expected[permutation[i]] = word<T>(i);
  const TwoPassPlan plan(permutation, block, threads);
  plan.move<T>(from, moved, middle, threads);
  EXPECT_TRUE(moved == expected) << n << " words in blocks of " << block;
  plan.move_back<T>(moved, back, middle, threads);
  EXPECT_TRUE(back == from) << n << " words in blocks of " << block;
}

TEST(TwoPasses, MoveEveryWordToItsPlaceAndBackAtEverySmallSize) {
  for (std::size_t n = 0; n <= 300; ++n) {
    for (const std::uint32_t block : {32U, 64U, 96U, 320U})
      expect_moved<std::uint32_t>(drawn_permutation(n, n), block, 1);
  }
}

TEST(TwoPasses, MoveWordsOfEverySizeWithThreads) {
  for (const std::size_t n : {1000U, 1024U, 5001U, 65536U, 100003U}) {
    const Permutation permutation = drawn_permutation(n, n);
    expect_moved<std::uint8_t>(permutation, 0, 3);
    expect_moved<std::uint16_t>(permutation, 1024, 2);
    expect_moved<std::uint64_t>(permutation, 992, 3);
    expect_moved<float>(permutation, 65536, 2);
    expect_moved<double>(permutation, 4096, 1);
    expect_moved<Wide>(permutation, 32, 2);
  }
}

TEST(TwoPasses, HavePlacesInTheMiddleArrayThatTheFirstPassWrites) {
  const Permutation permutation = drawn_permutation(1000, 5);
  const TwoPassPlan plan(permutation, 64);
  std::vector<std::uint32_t> to(1000), middle(1000);
  plan.move<std::uint32_t>(permutation, to, middle);
  const std::vector<std::uint32_t> places = plan.middle_places();
  for (std::size_t k = 0; k < 1000; ++k) {
    EXPECT_EQ(middle[places[k]], permutation[k / 64 * 64 + plan.arrays().first[k]]) << k;
  }
}

TEST(TwoPasses, MoveInPlace) {
  const Permutation permutation = drawn_permutation(10000, 7);
  std::vector<std::uint32_t> words(permutation.size()), middle(words.size());
  std::iota(words.begin(), words.end(), 0);
  TwoPassPlan(permutation, 256).move<std::uint32_t>(words, words, middle);
  for (std::size_t i = 0; i < words.size(); ++i) ASSERT_EQ(words[permutation[i]], i);
}

TEST(TwoPasses, HaveAtMostOneRunForEachPairOfBlocks) {
  const Permutation random = drawn_permutation(10000, 3);
  EXPECT_LE(TwoPassPlan(random, 512).runs(), 20 * 20);
  Permutation identity(10000);
  std::iota(identity.begin(), identity.end(), 0);
  EXPECT_EQ(TwoPassPlan(identity, 512).runs(), 20);
  EXPECT_EQ(TwoPassPlan(identity, 512).bytes(), 4 * 10000 + 8 * 313 + 4 * 20);
}

RC_GTEST_PROP(TwoPasses, AgreeWithTheScatterForDrawnBlocks, ()) {
  const auto n = *rc::gen::inRange<std::size_t>(0, 3000);
  const auto block = 32 * *rc::gen::inRange<std::uint32_t>(1, 40);
  expect_moved<std::uint16_t>(drawn_permutation(n, *rc::gen::arbitrary<std::uint64_t>()), block, 2);
}

std::string refusal(const Permutation& permutation, std::uint32_t block) {
  try {
    const TwoPassPlan plan(permutation, block);
  } catch (const Error& error) {
    return error.what();
  }
  return "planned";
}

TEST(TwoPasses, RefuseOtherBlocksAndWhatIsNoPermutation) {
  EXPECT_EQ(refusal({0, 1}, 33), "block is 33: multiples of 32 up to 65536 are accepted");
  EXPECT_EQ(refusal({0, 1}, 65568), "block is 65568: multiples of 32 up to 65536 are accepted");
  EXPECT_EQ(refusal({0, 2}, 32), "permutation[1] is 2: 0 .. 1 are accepted");
  EXPECT_EQ(refusal({1, 0}, 65536), "planned");
}

TEST(TwoPasses, RefuseArraysOfOtherLengths) {
  const TwoPassPlan plan(drawn_permutation(100, 1));
  std::vector<float> words(100), short_list(99);
  EXPECT_THROW(plan.move<float>(short_list, words, words), Error);
  EXPECT_THROW(plan.move<float>(words, short_list, words), Error);
  EXPECT_THROW(plan.move_back<float>(words, words, short_list), Error);
}

TEST(BlockOf, IsTheQuotientAtTheEdgesOfEveryBlock) {
  for (std::uint32_t block = 32; block <= 65536; block += 32) {
    const BlockOf block_of(block);
    const std::uint32_t last = (std::uint32_t{1} << 31) / block;
    for (const std::uint32_t b : {1U, 2U, 3U, last / 2, last}) {
      ASSERT_EQ(block_of(b * block - 1), b - 1) << block;
      if (b * block < std::uint32_t{1} << 31) {
        ASSERT_EQ(block_of(b * block), b) << block;
      }
    }
    ASSERT_EQ(block_of((std::uint32_t{1} << 31) - 1), ((std::uint32_t{1} << 31) - 1) / block);
  }
}

}  // namespace
}  // namespace warpfold::permutation
