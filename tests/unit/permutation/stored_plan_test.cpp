#include "warpfold/permutation/stored_plan.hpp"

#include <gtest/gtest.h>
#define XXH_INLINE_ALL
#define XXH_NO_INLINE_HINTS 1  // GCC 14 does not inline all of it at -Og
#include <xxhash.h>

#include <cstring>
#include <numeric>
#include <sstream>

#include "drawn_permutation.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold::permutation {
namespace {

using Bytes = std::vector<std::byte>;

Permutation reversed(std::uint32_t n) {
  Permutation permutation(n);
  std::iota(permutation.rbegin(), permutation.rend(), 0);
  return permutation;
}

std::string file_of(const StoredPlan& plan) {
  std::ostringstream out;
  plan.write(out);
  return out.str();
}

/// The plan that another process reads.
StoredPlan reread(const StoredPlan& plan) { return StoredPlan::parse("p.plan", file_of(plan)); }

Bytes drawn_words(std::size_t bytes) {
  Bytes words(bytes);
  for (std::size_t k = 0; k < bytes; ++k) words[k] = static_cast<std::byte>(k * 2654435761U >> 13);
  return words;
}

/// The plan moves two arrays of words of every size to their places, and back.
void expect_moves(const StoredPlan& plan, const Permutation& permutation) {
  const std::size_t n = permutation.size();
  for (const std::size_t word_bytes : {1U, 2U, 4U, 8U, 16U}) {
    const Bytes from = drawn_words(2 * n * word_bytes);
    Bytes expected(from.size()), to(from.size()), back(from.size()), spare(plan.spare_bytes(word_bytes));
    for (std::size_t k = 0; k < 2 * n; ++k) {
      const std::size_t place = k / n * n + permutation[k % n];
      std::memcpy(&expected[place * word_bytes], &from[k * word_bytes], word_bytes);
    }
    plan.move(word_bytes, from.data(), to.data(), spare, 2, 2);
    plan.move_back(word_bytes, to.data(), back.data(), spare, 2, 2);
    EXPECT_TRUE(to == expected) << plan.algorithm() << ", " << n << " words of " << word_bytes << " bytes";
    EXPECT_TRUE(back == from) << plan.algorithm() << ", " << n << " words of " << word_bytes << " bytes";
  }
}

const std::vector<std::string> of_any_permutation = {"scatter", "gather", "two-passes", "three-steps"};

void expect_kept(const Permutation& permutation, const std::string& algorithm) {
  const StoredPlan plan = reread(plan_to_store(permutation, algorithm, 2));
  EXPECT_EQ(plan.algorithm(), algorithm);
  EXPECT_EQ(plan.size(), permutation.size());
  EXPECT_EQ(plan.permutation(), permutation) << algorithm << ", " << permutation.size();
  expect_moves(plan, permutation);
}

TEST(StoredPlans, OfEveryFormMoveEveryWordToItsPlaceAndBack) {
  for (const std::size_t n : {0U, 1U, 2U, 3U, 31U, 32U, 33U, 63U, 100U, 1024U, 5000U, 70000U}) {
    for (const std::string& algorithm : of_any_permutation) expect_kept(drawn_permutation(n, n + 1), algorithm);
  }
  for (const Permutation& permutation : {rotated(1, 0), rotated(100, 0), rotated(5001, 1234), rotated(70000, 69999)}) {
    expect_kept(permutation, "rotation");
  }
  for (const Permutation& permutation :
       {Permutation{}, transpose(64, 64), transpose(301, 77), reversed(4099), reversed(70000)}) {
    expect_kept(permutation, "axes");
  }
}

TEST(StoredPlans, TakeTheFormThatAPermutationHas) {
  EXPECT_EQ(plan_to_store(rotated(50, 7)).algorithm(), "rotation");
  EXPECT_EQ(plan_to_store(transpose(5, 8)).algorithm(), "axes");
  EXPECT_EQ(plan_to_store(drawn_permutation(50, 1)).algorithm(), "two-passes");
  EXPECT_EQ(file_of(plan_to_store(rotated(5000, 7))).size(), 64U);
}

TEST(StoredPlans, MoveTheOtherWayAsInverses) {
  const Permutation permutation = drawn_permutation(1000, 4);
  Permutation inverse(permutation.size());
  for (std::uint32_t i = 0; i < inverse.size(); ++i) inverse[permutation[i]] = i;
  for (const std::string& algorithm : of_any_permutation) {
    const StoredPlan plan = reread(plan_to_store(permutation, algorithm).inverse());
    EXPECT_EQ(plan.permutation(), inverse) << algorithm;
    expect_moves(plan, inverse);
  }
  const StoredPlan rotation = reread(plan_to_store(rotated(90, 20)).inverse());
  EXPECT_EQ(rotation.permutation(), rotated(90, 70));
  EXPECT_EQ(reread(plan_to_store(transpose(9, 20)).inverse()).permutation(), transpose(20, 9));
}

std::string refusal(std::string_view content) {
  try {
    static_cast<void>(StoredPlan::parse("p.plan", content));
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input) << error.what();
    const std::string message = error.what();
    EXPECT_TRUE(message.starts_with("p.plan: ") && message.find('\n') == message.npos) << message;
    return message.substr(8);
  }
  return "read";
}

std::vector<std::string> small_files() {
  std::vector<std::string> files = {file_of(plan_to_store(rotated(9, 2))), file_of(plan_to_store(transpose(3, 5)))};
  for (const std::string& algorithm : of_any_permutation) {
    files.push_back(file_of(plan_to_store(drawn_permutation(37, 3), algorithm)));
  }
  return files;
}

TEST(StoredPlans, WithAnyBitFlippedAreRefused) {
  for (const std::string& file : small_files()) {
    ASSERT_EQ(refusal(file), "read");
    for (std::size_t bit = 0; bit < 8 * file.size(); ++bit) {
      std::string damaged = file;
      damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ 1 << bit % 8);
      ASSERT_NE(refusal(damaged), "read") << bit;
    }
  }
}

TEST(StoredPlans, CutOffOrTooLongAreRefused) {
  for (const std::string& file : small_files()) {
    for (std::size_t bytes = 0; bytes < file.size(); ++bytes)
      ASSERT_NE(refusal(file.substr(0, bytes)), "read") << bytes;
    ASSERT_NE(refusal(file + '\0'), "read");
    ASSERT_NE(refusal(file + file), "read");
  }
}

/// A file with another integer in its header, and the checksum of that.
std::string with_header(std::string file, std::size_t integer, std::uint64_t value) {
  std::memcpy(&file[8 * integer], &value, sizeof value);
  const std::uint64_t checksum = XXH3_64bits(file.data(), file.size() - sizeof checksum);
  std::memcpy(&file[file.size() - sizeof checksum], &checksum, sizeof checksum);
  return file;
}

TEST(StoredPlans, OfAnotherVersionFormOrSizeAreRefusedByName) {
  const std::string other = "is no plan of a permutation, or one of a machine of another byte order";
  EXPECT_EQ(refusal(""), other);
  EXPECT_EQ(refusal("\x93NUMPY is another kind of file, which is longer than a plan of a permutation"), other);
  const std::string file = file_of(plan_to_store(drawn_permutation(37, 3)));
  EXPECT_EQ(refusal(file.substr(0, 40)), "the plan file is truncated: it has 40 bytes");
  EXPECT_EQ(refusal(with_header(file, 1, 2)), "the plan has version 2: 1 is accepted");
  EXPECT_EQ(refusal(with_header(file, 2, 5)), "the plan's form is 5: 0 .. 4 are accepted");
  for (const std::uint64_t n : {0, 36, 38}) EXPECT_NE(refusal(with_header(file, 4, n)), "read") << n;
  EXPECT_EQ(refusal(with_header(file, 4, 1000)), "the plan's arrays are too short");
  EXPECT_EQ(refusal(with_header(file, 5, 33)), "block is 33: multiples of 32 up to 65536 are accepted");
  EXPECT_EQ(refusal(with_header(file, 6, 8)), "the plan's arrays are too short or too long");
  EXPECT_EQ(refusal(file.substr(0, file.size() - 8)), "the plan file is truncated or damaged: its checksum differs");
}

TEST(StoredPlans, OfWhatIsNoPermutationAreRefused) {
  const auto rejection = [](std::size_t n, StoredPlan::Form form) {
    try {
      const StoredPlan plan(n, std::move(form));
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input);
      return std::string(error.what());
    }
    return std::string("taken");
  };
  EXPECT_EQ(rejection(5, RotationForm{5}), "the plan moves no permutation: it rotates 5 words by 5");
  EXPECT_EQ(rejection(3, ListForm{0, 2, 2}),
            "permutation[2] is 2, as an earlier entry is: each of 0 .. 2 once is accepted");
  EXPECT_EQ(rejection(3, ListForm{0, 1}), "the plan moves no permutation: it has 2 of 3 words");
  EXPECT_EQ(rejection(6, AxisForm{0, {{2, 3}, {3, 1}}}), "taken");
  EXPECT_EQ(rejection(6, AxisForm{2, {{2, 3}, {3, -1}}}), "taken");
  const std::string unfilled = "the plan moves no permutation: its axes do not fill the array";
  for (const AxisForm& form : {AxisForm{0, {{2, 2}, {3, 1}}}, AxisForm{1, {{2, 3}, {3, 1}}}, AxisForm{0, {{2, 3}}},
                               AxisForm{0, {{2, 3}, {3, -1}}}, AxisForm{0, {{6, 1}, {1, 6}}},
                               AxisForm{0, {{4294967295U, 1}, {4294967295U, 4294967295}}}}) {
    EXPECT_EQ(rejection(6, form), unfilled);
  }
  ThreeStepPlan steps = plan_three_steps(drawn_permutation(30, 2));
  EXPECT_EQ(rejection(31, steps), "the plan moves no permutation: it has 30 of 31 words");
  steps.third[4] = steps.third[5];
  EXPECT_NE(rejection(30, steps), "taken");
  steps.third[4] = 60000;
  EXPECT_NE(rejection(30, steps), "taken");
}

TEST(TwoPasses, AreRejectedWithArraysThatLoseWords) {
  const TwoPassPlan::Arrays arrays = TwoPassPlan(drawn_permutation(100, 6), 32).arrays();
  const auto is_taken = [&](const auto& change) {
    TwoPassPlan::Arrays changed = arrays;
    change(changed);
    try {
      const TwoPassPlan plan(std::move(changed));
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input);
      return false;
    }
    return true;
  };
  EXPECT_TRUE(is_taken([](auto&) {}));
  EXPECT_FALSE(is_taken([](auto& all) { all.first[3] = all.first[4]; }));
  EXPECT_FALSE(is_taken([](auto& all) { all.first[99] = 4; }));  // the last block has 4 words
  EXPECT_FALSE(is_taken([](auto& all) { all.second[40] = all.second[41]; }));
  EXPECT_FALSE(is_taken([](auto& all) { all.second.pop_back(); }));
  EXPECT_FALSE(is_taken([](auto& all) { all.run_starts[1] ^= 1; }));
  EXPECT_FALSE(is_taken([](auto& all) { all.run_starts[3] ^= 1U << 31; }));
  EXPECT_FALSE(is_taken([](auto& all) { all.run_starts.pop_back(); }));
  EXPECT_FALSE(is_taken([](auto& all) { all.shift[0] += 1; }));
  EXPECT_FALSE(is_taken([](auto& all) { all.shift.back() = 1U << 31; }));
  EXPECT_FALSE(is_taken([](auto& all) { all.block = 0; }));
}

TEST(StoredPlans, RefuseOtherAlgorithmsWordSizesAndTooLittleMemory) {
  const auto rejection = [](const Permutation& permutation, const char* algorithm) {
    try {
      static_cast<void>(plan_to_store(permutation, algorithm));
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::usage);
      return std::string(error.what());
    }
    return std::string("planned");
  };
  const Permutation permutation = drawn_permutation(50, 2);
  EXPECT_EQ(rejection(permutation, "rotation"), "algorithm rotation does not move this permutation: it is no rotation");
  EXPECT_EQ(rejection(permutation, "axes"), "algorithm axes does not move this permutation: it is no order of axes");
  EXPECT_EQ(rejection(permutation, "five-steps"),
            "algorithm is five-steps: rotation, axes, scatter, gather, two-passes, three-steps are accepted");
  const StoredPlan plan = plan_to_store(permutation);
  Bytes words(400), spare(plan.spare_bytes(8));
  EXPECT_THROW(plan.move(3, words.data(), words.data(), spare), Error);
  EXPECT_THROW(plan.move(8, words.data(), words.data(), std::span(spare).first(100)), Error);
}

}  // namespace
}  // namespace warpfold::permutation
