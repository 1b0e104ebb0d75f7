#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "needs_gpu.hpp"
#include "run/cuda.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/sequence/batch.hpp"
#include "warpfold/sequence/cuda.hpp"

/// Many pairs whose sequences are on the device or in pinned memory.
namespace warpfold::sequence {
namespace {

using warpfold::cuda::Buffer;
using warpfold::cuda::Memory;
using Bytes = std::vector<std::uint8_t>;
using Offsets = std::vector<std::uint64_t>;

class OnGpuPlans : public warpfold::test::NeedsGpu {};

/// Sequences in one array that begins `before` bytes behind a boundary.
struct Array {
  Bytes symbols;
  Offsets offsets;

  Array(std::size_t count, std::size_t longest, std::string_view alphabet, std::size_t before, std::uint64_t seed)
      : symbols(before, '?'), offsets{before} {
    std::mt19937_64 random(seed);
    for (std::size_t at = 0; at < count; ++at) {
      for (std::size_t length = random() % (longest + 1); length > 0; --length) {
        symbols.push_back(static_cast<std::uint8_t>(alphabet[random() % alphabet.size()]));
      }
      offsets.push_back(symbols.size());
    }
    symbols.resize(symbols.size() + 4);
  }
  [[nodiscard]] std::vector<SymbolView> views(const std::uint8_t* at) const {
    std::vector<SymbolView> list;
    for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
      list.emplace_back(std::span(at + offsets[i], offsets[i + 1] - offsets[i]));
    }
    return list;
  }
};

std::vector<std::uint32_t> by_words(const Array& a, const Array& b, const BatchRequest& request) {
  Options options;
  options.algorithm = "words";
  return distances(a.views(a.symbols.data()), b.views(b.symbols.data()), options, request).solution;
}

std::vector<std::uint32_t> by_plan(const Array& a, const Array& b, const BatchRequest& request,
                                   std::string_view alphabet) {
  const Buffer<std::uint8_t> first{std::span<const std::uint8_t>(a.symbols)};
  const Buffer<std::uint8_t> second{std::span<const std::uint8_t>(b.symbols)};
  std::vector<std::uint32_t> found(a.offsets.size() - 1);
  const Buffer<std::uint32_t> on_device(found.size());
  cuda::PairPlan plan(a.offsets, b.offsets, request, alphabet);
  for (int repeat = 0; repeat < 2; ++repeat) plan.run(first.data(), second.data(), on_device.data());
  warpfold::cuda::check(cudaMemcpy(found.data(), on_device.data(), on_device.bytes(), cudaMemcpyDeviceToHost),
                        "return the distances");
  return found;
}

TEST_F(OnGpuPlans, PlansGiveTheDistancesOfTheCpu) {
  const std::string_view dna = "ACGT", letters = "abcdefghijklmnopqrstuvwxyz";
  for (const Measure measure : {Measure::edit, Measure::indel}) {
    for (const std::size_t before : {0, 1, 2, 3}) {
      const Array a(1500, 130, dna, before, 1), b(1500, 130, dna, 3 - before, 2);
      EXPECT_EQ(by_plan(a, b, {measure}, dna), by_words(a, b, {measure})) << before;
      EXPECT_EQ(by_plan(a, b, {measure}, {}), by_words(a, b, {measure})) << before;
    }
    const Array a(100, 1500, letters, 5, 3), b(100, 1500, letters, 6, 4);
    EXPECT_EQ(by_plan(a, b, {measure}, letters), by_words(a, b, {measure}));
    const Array many(40'000, 200, dna, 0, 5), others(40'000, 200, dna, 0, 6);
    EXPECT_EQ(by_plan(many, others, {measure}, dna), by_words(many, others, {measure}));
  }
}

/// For compute-sanitizer (tests/device/sanitize).
TEST_F(OnGpuPlans, ASmallPlanGivesTheDistancesOfTheCpu) {
  for (const Measure measure : {Measure::edit, Measure::indel}) {
    const Array a(70, 100, "ACGT", 1, 1), b(70, 100, "ACGT", 2, 2);
    EXPECT_EQ(by_plan(a, b, {measure}, "ACGT"), by_words(a, b, {measure}));
    EXPECT_EQ(by_plan(a, b, {measure}, {}), by_words(a, b, {measure}));
    EXPECT_EQ(by_plan(a, b, {measure, 9}, "ACGT"), by_words(a, b, {measure, 9}));
  }
}

TEST_F(OnGpuPlans, DistancesBeyondABoundAreOneBeyondIt) {
  for (const Measure measure : {Measure::edit, Measure::indel}) {
    for (const std::size_t longest : {5, 70, 130, 900}) {
      const Array a(1500, longest, "ACGT", 1, 1), b(1500, longest, "ACGT", 2, 2);
      for (const std::uint32_t bound : {0, 1, 3, 20, 64, 100, 600, 5000}) {
        EXPECT_EQ(by_plan(a, b, {measure, bound}, "ACGT"), by_words(a, b, {measure, bound})) << longest << ' ' << bound;
      }
    }
  }
}

TEST_F(OnGpuPlans, PinnedArraysGiveTheSameAsOthers) {
  const Array a(3000, 200, "ACGT", 3, 7), b(3000, 200, "ACGT", 2, 8);
  const auto pinned = [](const Array& array) {
    Memory memory(Memory::Place::pinned, array.symbols.size());
    std::memcpy(memory.data(), array.symbols.data(), array.symbols.size());
    return memory;
  };
  const Memory first = pinned(a), second = pinned(b);
  const auto views = [](const Array& array, const Memory& memory) {
    return array.views(reinterpret_cast<const std::uint8_t*>(memory.data()));
  };
  Options options;
  options.device.kind = Device::Kind::cuda;
  EXPECT_EQ(distances(views(a, first), views(b, second), options).solution, by_words(a, b, {}));
}

TEST_F(OnGpuPlans, WrongOffsetsAreNamed) {
  EXPECT_THROW(cuda::PairPlan(Offsets{0, 3}, Offsets{0}), Error);
  EXPECT_THROW(cuda::PairPlan(Offsets{}, Offsets{}), Error);
  EXPECT_THROW(cuda::PairPlan(Offsets{3, 2}, Offsets{0, 1}), Error);
  EXPECT_THROW(cuda::PairPlan(Offsets{0, 1}, Offsets{0, cuda::PairPlan::max_symbols + 1}), Error);
}

}  // namespace
}  // namespace warpfold::sequence
