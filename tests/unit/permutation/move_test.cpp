#include "warpfold/permutation/move.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "drawn_permutation.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold::permutation {
namespace {

TEST(Moves, OfEveryAlgorithmAndWordSizeAreEqual) {
  const Permutation permutation = drawn_permutation(5000, 2);
  for (const std::size_t word_bytes : {1U, 2U, 4U, 8U, 16U}) {
    const std::size_t bytes = word_bytes * permutation.size();
    std::vector<std::byte> from(bytes), expected(bytes);
    for (std::size_t k = 0; k < bytes; ++k) from[k] = static_cast<std::byte>(k * 7919 >> 3);
    for (std::size_t i = 0; i < permutation.size(); ++i) {
      std::copy_n(&from[i * word_bytes], word_bytes, &expected[permutation[i] * word_bytes]);
    }
    for (const std::string& algorithm : move_algorithms(Device::Kind::cpu)) {
      std::vector<std::byte> to(bytes);
      Options options;
      options.algorithm = algorithm;
      const Moved moved = move_words(permutation, word_bytes, from.data(), to.data(), options);
      EXPECT_EQ(moved.algorithm, algorithm);
      EXPECT_GE(moved.bytes_moved, 2 * bytes);
      EXPECT_TRUE(to == expected) << algorithm << ", " << word_bytes;
    }
  }
}

std::string move_refusal(const std::string& algorithm, std::size_t word_bytes) {
  std::vector<std::byte> words(2 * word_bytes), to(words);
  Options options;
  options.algorithm = algorithm;
  try {
    move_words(Permutation{1, 0}, word_bytes, words.data(), to.data(), options);
  } catch (const Error& error) {
    return error.what();
  }
  return "moved";
}

TEST(Moves, RefuseOtherAlgorithmsAndWordSizes) {
  EXPECT_EQ(move_refusal("", 8), "moved");
  EXPECT_EQ(move_refusal("axes", 8), "algorithm is axes: scatter, two-passes, three-steps are accepted");
  EXPECT_EQ(move_refusal("", 3), "words of 3 bytes: 1, 2, 4, 8 and 16 are accepted");
}

TEST(GroupStages, AreThoseOfAddressGroups) {
  Permutation order(64);
  std::iota(order.begin(), order.end(), 0);
  EXPECT_EQ(group_stages(order, 32, 8), 8);
  EXPECT_EQ(group_stages(Permutation{0, 8, 16, 1, 9, 17}, 6, 8), 3);
  EXPECT_EQ(group_stages(Permutation{0, 8, 16, 1, 9, 17}, 2, 8), 6);
  EXPECT_EQ(group_stages({}, 32, 8), 0);
  EXPECT_THROW(static_cast<void>(group_stages(order, 0, 8)), Error);
}

}  // namespace
}  // namespace warpfold::permutation
