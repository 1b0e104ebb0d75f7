#include <gtest/gtest.h>

#include <cstring>
#include <numeric>
#include <sstream>

#include "drawn_permutation.hpp"
#include "needs_gpu.hpp"
#include "run/cuda.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/permutation/cuda.hpp"
#include "warpfold/permutation/move.hpp"

namespace warpfold::permutation {
namespace {

using cuda::Algorithm;

struct PlansOnAGpu : test::NeedsGpu {};

using Bytes = std::vector<unsigned char>;
using DeviceBytes = warpfold::cuda::Buffer<unsigned char>;

DeviceBytes to_device(const Bytes& bytes) { return DeviceBytes(std::span<const unsigned char>(bytes)); }

Bytes to_host(const DeviceBytes& device) {
  Bytes bytes(device.size());
  warpfold::cuda::check(cudaMemcpy(bytes.data(), device.data(), bytes.size(), cudaMemcpyDeviceToHost), "send bytes");
  return bytes;
}

/// Moves `arrays` arrays there and back. Words are lists of bytes, so every size is compared in one way.
void expect_moved(const Permutation& permutation, std::size_t word_bytes, const cuda::PlanOptions& options) {
  const std::size_t n = permutation.size(), bytes = n * word_bytes * options.arrays;
  Bytes from(bytes), expected(bytes);
  for (std::size_t k = 0; k < bytes; ++k) from[k] = static_cast<unsigned char>(k * 2654435761U >> 13);
  for (std::size_t k = 0; k < n * options.arrays; ++k) {
    const std::size_t to = k / n * n + permutation[k % n];
    std::memcpy(&expected[to * word_bytes], &from[k * word_bytes], word_bytes);
  }
  cuda::Plan plan(permutation, word_bytes, options);
  const DeviceBytes source = to_device(from), target(bytes), back(bytes);
  plan.move(source.data(), target.data());
  plan.move_back(target.data(), back.data());
  EXPECT_TRUE(to_host(target) == expected)
      << n << " words of " << word_bytes << " bytes, " << name_of(plan.algorithm());
  EXPECT_TRUE(to_host(back) == from) << n << " words of " << word_bytes << " bytes, " << name_of(plan.algorithm());
}

TEST_F(PlansOnAGpu, MoveEveryWordToItsPlaceAndBackAtEverySmallSize) {
  for (std::size_t n = 0; n <= 300; ++n) {
    const Permutation permutation = drawn_permutation(n, n);
    for (const auto algorithm : {Algorithm::two_passes, Algorithm::gather, Algorithm::scatter}) {
      if (n > 3) expect_moved(permutation, 4, {.algorithm = algorithm, .block = 64});
    }
    expect_moved(permutation, 4, {});
  }
}

TEST_F(PlansOnAGpu, MoveWordsOfEverySizeInBatches) {
  for (const std::size_t n : {1023U, 1024U, 70001U, 300000U}) {
    const Permutation permutation = drawn_permutation(n, n);
    for (const std::size_t word_bytes : {1U, 2U, 4U, 8U, 16U}) {
      for (const std::uint32_t block : {0U, 4096U, 8224U}) {
        expect_moved(permutation, word_bytes, {.algorithm = Algorithm::two_passes, .arrays = 3, .block = block});
      }
      expect_moved(permutation, word_bytes, {.algorithm = Algorithm::gather, .arrays = 2});
      expect_moved(permutation, word_bytes, {.algorithm = Algorithm::scatter, .arrays = 2});
    }
  }
}

TEST_F(PlansOnAGpu, MoveALargeArrayInTwoPasses) {
  const Permutation permutation = drawn_permutation(std::size_t{1} << 23, 5);
  EXPECT_EQ(cuda::Plan(permutation, 4).algorithm(), Algorithm::two_passes);
  expect_moved(permutation, 4, {});
}

TEST_F(PlansOnAGpu, TakeOnePassForTransposesAndRotations) {
  for (const std::size_t word_bytes : {1U, 2U, 4U, 8U, 16U}) {
    for (const Permutation& permutation :
         {transpose(64, 64), transpose(301, 77), transpose(1, 5000), transpose(1000, 130), transpose(3, 7)}) {
      expect_moved(permutation, word_bytes, {.arrays = 2});
      expect_moved(permutation, word_bytes, {.algorithm = Algorithm::axes});
    }
    expect_moved(rotated(5001, 1234), word_bytes, {.arrays = 2});
    Permutation reversed(4099);
    std::iota(reversed.rbegin(), reversed.rend(), 0);
    expect_moved(reversed, word_bytes, {.arrays = 2});
  }
  EXPECT_EQ(cuda::Plan(transpose(64, 65), 4).algorithm(), Algorithm::axes);
  EXPECT_EQ(cuda::Plan(rotated(100, 3), 4).algorithm(), Algorithm::rotation);
}

TEST_F(PlansOnAGpu, MoveInPlaceInTwoPasses) {
  const Permutation permutation = drawn_permutation(100000, 9);
  Bytes from(400000), expected(400000);
  for (std::size_t k = 0; k < from.size(); ++k) from[k] = static_cast<unsigned char>(k * 7919 >> 3);
  for (std::size_t i = 0; i < permutation.size(); ++i) std::memcpy(&expected[4 * permutation[i]], &from[4 * i], 4);
  cuda::Plan plan(permutation, 4, {.algorithm = Algorithm::two_passes});
  EXPECT_TRUE(plan.works_in_place());
  const DeviceBytes words = to_device(from);
  plan.move(words.data(), words.data());
  EXPECT_TRUE(to_host(words) == expected);
  plan.move_back(words.data(), words.data());
  EXPECT_TRUE(to_host(words) == from);
}

TEST_F(PlansOnAGpu, MoveArraysThatNoVectorIsAlignedTo) {
  const Permutation permutation = drawn_permutation(100001, 4);
  for (const auto algorithm : {Algorithm::two_passes, Algorithm::gather}) {
    cuda::Plan plan(permutation, 4, {.algorithm = algorithm});
    Bytes from(4 * permutation.size() + 4);
    for (std::size_t k = 0; k < from.size(); ++k) from[k] = static_cast<unsigned char>(k * 7919 >> 3);
    const DeviceBytes source = to_device(from), target = to_device(from);
    plan.move(source.data() + 4, target.data() + 4);
    const Bytes result = to_host(target);
    for (std::size_t i = 0; i < permutation.size(); ++i) {
      ASSERT_EQ(std::memcmp(&result[4 * permutation[i] + 4], &from[4 * i + 4], 4), 0) << i;
    }
  }
}

/// A plan goes through a file, moves on the GPU and on the CPU, and keeps its algorithm on both.
void expect_kept(const Permutation& permutation, const StoredPlan& made, std::string_view algorithm) {
  std::ostringstream out;
  made.write(out);
  const StoredPlan plan = StoredPlan::parse("p.plan", out.str());
  EXPECT_EQ(plan.permutation(), permutation) << algorithm;
  EXPECT_EQ(plan.algorithm(), algorithm);
  for (const std::size_t word_bytes : {1U, 4U, 16U}) {
    const std::size_t bytes = permutation.size() * word_bytes;
    Bytes from(2 * bytes), expected(bytes);
    for (std::size_t k = 0; k < from.size(); ++k) from[k] = static_cast<unsigned char>(k * 2654435761U >> 13);
    for (std::size_t i = 0; i < permutation.size(); ++i) {
      std::memcpy(&expected[permutation[i] * word_bytes], &from[bytes + i * word_bytes], word_bytes);
    }
    cuda::Plan on_gpu(plan, word_bytes, 2);
    const DeviceBytes source = to_device(from), target(2 * bytes), back(2 * bytes);
    on_gpu.move(source.data(), target.data());
    on_gpu.move_back(target.data(), back.data());
    const Bytes moved = to_host(target);
    EXPECT_TRUE(std::equal(expected.begin(), expected.end(), moved.begin() + static_cast<std::ptrdiff_t>(bytes)));
    EXPECT_TRUE(to_host(back) == from) << algorithm;
    EXPECT_EQ(on_gpu.stored().permutation(), permutation) << algorithm;
    Bytes by_cpu(bytes);
    std::vector<std::byte> spare(plan.spare_bytes(word_bytes));
    plan.move(word_bytes, reinterpret_cast<const std::byte*>(&from[bytes]), reinterpret_cast<std::byte*>(by_cpu.data()),
              spare);
    EXPECT_TRUE(by_cpu == expected) << algorithm;
  }
}

TEST_F(PlansOnAGpu, AreKeptInFilesThatCpusAndGpusRead) {
  for (const std::uint32_t n : {100U, 5000U, 70001U}) {
    const Permutation drawn = drawn_permutation(n, n);
    for (const auto algorithm : {Algorithm::two_passes, Algorithm::gather, Algorithm::scatter}) {
      const cuda::Plan plan(drawn, 4, {.algorithm = algorithm});
      expect_kept(drawn, plan.stored(), name_of(algorithm));
    }
    for (const char* algorithm : {"two-passes", "three-steps"}) {
      expect_kept(drawn, plan_to_store(drawn, algorithm), algorithm);
    }
    expect_kept(rotated(n, n / 3), cuda::Plan(rotated(n, n / 3), 4).stored(), "rotation");
    expect_kept(transpose(n, 7), cuda::Plan(transpose(n, 7), 4).stored(), "axes");
  }
  EXPECT_EQ(cuda::Plan(plan_to_store(drawn_permutation(1000, 1), "gather"), 4).algorithm(), Algorithm::gather);
  const Permutation drawn = drawn_permutation(70001, 2);
  const cuda::Plan plan(drawn, 4, {.algorithm = Algorithm::two_passes, .block = 4096});
  EXPECT_EQ(std::get<TwoPassPlan>(cuda::Plan(plan.stored(), 8).stored().form()).block(), 4096U);
}

std::string refusal(const Permutation& permutation, std::size_t word_bytes, const cuda::PlanOptions& options) {
  try {
    const cuda::Plan plan(permutation, word_bytes, options);
  } catch (const Error& error) {
    return error.what();
  }
  return "planned";
}

TEST_F(PlansOnAGpu, RefuseWhatTheyCannotMove) {
  EXPECT_EQ(refusal({0, 1}, 3, {}), "words of 3 bytes: 1, 2, 4, 8 and 16 are accepted");
  EXPECT_EQ(refusal({0, 1}, 4, {.arrays = 65536}), "arrays is 65536: 1 .. 65535 are accepted");
  EXPECT_EQ(refusal({0, 0}, 4, {}), "permutation[1] is 0, as an earlier entry is: each of 0 .. 1 once is accepted");
  EXPECT_EQ(refusal({0, 2, 1}, 4, {.algorithm = Algorithm::rotation}),
            "algorithm rotation does not move this permutation: it is no rotation");
  EXPECT_EQ(refusal({1, 2, 0}, 4, {.algorithm = Algorithm::axes}),
            "algorithm axes does not move this permutation: it is no order of axes");
  EXPECT_EQ(refusal({1, 2, 0}, 16, {.algorithm = Algorithm::two_passes, .block = 65536}),
            "algorithm two-passes does not move this permutation: its blocks do not fit shared memory");
}

}  // namespace
}  // namespace warpfold::permutation
