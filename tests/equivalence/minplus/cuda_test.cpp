#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "equivalence/minplus/in_place.hpp"
#include "equivalence/minplus/products.hpp"
#include "minplus/tuning.hpp"
#include "needs_gpu.hpp"
#include "tiles/shapes.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/run/devices.hpp"

namespace warpfold::minplus {
namespace {

using test::Drawn;
using test::Instance;
using test::Kind;
using test::random_matrix;

Options on(Device::Kind kind) {
  Options options;
  options.device.kind = kind;
  return options;
}

template <class T>
class CudaMultiply : public warpfold::test::NeedsGpu {};
using CudaMultiplyTypes = testing::Types<std::uint8_t, std::int16_t, std::int32_t, std::int64_t, float, double>;
TYPED_TEST_SUITE(CudaMultiply, CudaMultiplyTypes);

template <class T>
void expect_equivalent_on_gpu(std::size_t m, std::size_t p, std::size_t n, Kind kind) {
  for (const Semiring semiring : test::semirings<T>()) {
    if (!semiring.is_selective()) continue;
    Instance<T>(semiring, m, p, n, kind).expect_equal(on(Device::Kind::cuda), "GPU");
  }
}

// A block of threads takes 128 rows and 128 columns (i16 256, u8 512), and 32 or 16 terms at a time.
TYPED_TEST(CudaMultiply, GivesTheReferencesBitsAroundAChunk) {
  for (const std::size_t n : {0, 1, 15, 16, 17, 31, 33, 63, 65}) {
    expect_equivalent_on_gpu<TypeParam>(n, n, n, Kind::random);
  }
  expect_equivalent_on_gpu<TypeParam>(257, 2, 3, Kind::random);
  expect_equivalent_on_gpu<TypeParam>(7, 0, 9, Kind::random);
}

TYPED_TEST(CudaMultiply, GivesTheReferencesBitsAroundABlock) {
  for (const std::size_t n : {127, 128, 129}) expect_equivalent_on_gpu<TypeParam>(n, n, n, Kind::random);
  expect_equivalent_on_gpu<TypeParam>(1, 300, 513, Kind::random);
}

/// Three chunks of terms, and with 4 bytes or more two blocks each way: small enough for racecheck.
TYPED_TEST(CudaMultiply, GivesTheReferencesBitsBeyondABlock) {
  expect_equivalent_on_gpu<TypeParam>(130, 66, 130, Kind::random);
}

TYPED_TEST(CudaMultiply, GivesTheReferencesBitsWithTiesInfinitiesAndTheLargestEntries) {
  for (const Kind kind : test::kinds) expect_equivalent_on_gpu<TypeParam>(70, 131, 130, kind);
}

TYPED_TEST(CudaMultiply, FindsTheFirstOfTheNotedTerms) {
  for (const std::size_t p : {cuda_notes_from_terms - 32, cuda_notes_from_terms, cuda_notes_from_terms + 1}) {
    expect_equivalent_on_gpu<TypeParam>(129, p, 130, Kind::random);
  }
  expect_equivalent_on_gpu<TypeParam>(2, cuda_notes_from_terms, cuda_searched_columns + 1, Kind::few_values);
  for (const Kind kind : test::kinds) expect_equivalent_on_gpu<TypeParam>(70, cuda_notes_from_terms + 33, 130, kind);
}

/// As many groups of terms as notes tell apart, and one more: then every term is compared.
TYPED_TEST(CudaMultiply, FindsTheFirstTermOfVeryLongSums) {
  if (sizeof(TypeParam) < 4) GTEST_SKIP() << "packed into wider values";
  const std::size_t p = tiles::device::max_noted_groups * (cuda_noted_bytes / sizeof(TypeParam));
  for (const std::size_t terms : {p, p + 1}) {
    Instance<TypeParam>(test::semirings<TypeParam>().front(), 2, terms, 3, Kind::random)
        .expect_equal(on(Device::Kind::cuda), "GPU");
  }
}

template <class T>
void expect_a_batch(std::size_t p) {
  const std::size_t count = 5, m = 9, n = 17, stride = 20;
  const Semiring semiring = test::semirings<T>().front();
  auto a = random_matrix<T>(semiring, count * m, p, Kind::random, 4);
  auto b = random_matrix<T>(semiring, count * p, n, Kind::with_infinity, 5);
  for (const bool one_a : {false, true}) {
    for (const bool one_b : {false, true}) {
      auto results = [&](Device::Kind device) {
        auto c = random_matrix<T>(semiring, count * m, stride, Kind::with_infinity, 6, true);
        Drawn<std::uint32_t> argmin{count * m, stride, std::vector<std::uint32_t>(count * m * stride, 77)};
        accumulate_batch<T>(semiring, {{a.values.data(), m, p, p}, one_a ? 1 : count, m * p},
                            {{b.values.data(), p, n, n}, one_b ? 1 : count, p * n},
                            {{c.values.data(), m, n, stride}, count, m * stride}, on(device),
                            {{argmin.values.data(), m, n, stride}, count, m * stride});
        return std::pair{c.values, argmin.values};
      };
      EXPECT_EQ(results(Device::Kind::cuda), results(Device::Kind::cpu));
    }
  }
}

TYPED_TEST(CudaMultiply, TakesABatchAndLeavesWhatLiesBetweenTheRowsAlone) {
  expect_a_batch<TypeParam>(33);
  expect_a_batch<TypeParam>(cuda_notes_from_terms + 3);
}

/// Three parts of rows, some of which are copied while another is multiplied.
TYPED_TEST(CudaMultiply, GivesTheReferencesBitsWhereRowsAreCopiedBesideAProduct) {
  Instance<TypeParam>(test::semirings<TypeParam>().front(), 3 * cuda_overlap_rows + 130, 3, cuda_overlap_columns + 4,
                      Kind::random)
      .expect_equal(on(Device::Kind::cuda), "GPU");
}

class CudaProductInParts : public warpfold::test::NeedsGpu {
 protected:
  static constexpr std::size_t m = 3 * cuda_overlap_rows, p = 3, n = cuda_overlap_columns;
  std::vector<float> a = std::vector<float>(m * p, 2), b = std::vector<float>(p * n, 1);
};

/// Sums without a sign take another instruction, so one negative value in the last part of the rows has to be seen.
TEST_F(CudaProductInParts, SeesANegativeValueOfAnyPart) {
  for (const std::size_t row : {std::size_t{0}, m / 2, m - 1}) {
    std::vector<float> with_negative = a;
    with_negative[row * p + 1] = -7;
    const auto product = [&](Device::Kind device) {
      return multiply<float>(Semiring(), {with_negative.data(), m, p, p}, {b.data(), p, n, n}, on(device))
          .solution.values;
    };
    EXPECT_TRUE(product(Device::Kind::cuda) == product(Device::Kind::cpu)) << row;
  }
}

TEST_F(CudaProductInParts, ReportsAnEntryOfTheLastPartBeforeAnyResultIsWritten) {
  const std::vector<float> before(m * n, 9);
  for (const bool in_c : {false, true}) {
    std::vector<float> c = before, factor = a;
    (in_c ? c : factor).back() = std::numeric_limits<float>::quiet_NaN();
    const auto multiplies = [&](Device::Kind device) -> std::string {
      try {
        accumulate<float>(Semiring(), {factor.data(), m, p, p}, {b.data(), p, n, n}, {c.data(), m, n, n}, on(device));
      } catch (const Error& error) {
        return error.what();
      }
      return "";
    };
    const std::string expected = multiplies(Device::Kind::cpu);
    EXPECT_NE(expected, "");
    EXPECT_EQ(multiplies(Device::Kind::cuda), expected);
    EXPECT_TRUE(std::equal(c.begin(), c.end() - 1, before.begin()));
  }
}

TYPED_TEST(CudaMultiply, RunsFromSeveralThreadsAtOnce) {
  const Semiring semiring = test::semirings<TypeParam>().front();
  Instance<TypeParam> first(semiring, 200, 150, 140, Kind::random), second(semiring, 90, 260, 50, Kind::few_values);
  std::thread beside([&] {
    for (int repeat = 0; repeat < 3; ++repeat) first.expect_equal(on(Device::Kind::cuda), "one thread");
  });
  for (int repeat = 0; repeat < 3; ++repeat) second.expect_equal(on(Device::Kind::cuda), "the other");
  beside.join();
}

class CudaMinplus : public warpfold::test::NeedsGpu {};

TEST_F(CudaMinplus, TakesABatchWithoutArgminWhateverItsStep) {
  std::vector<float> a = {1, 2}, c(2, infinity<float>);
  const BatchView<float> factors{{a.data(), 1, 1, 1}, 2, 1};
  accumulate_batch<float>({}, factors, factors, {{c.data(), 1, 1, 1}, 2, 1}, on(Device::Kind::cuda),
                          {{nullptr, 1, 1, 1}, 2, 1});
  EXPECT_EQ(c, (std::vector<float>{2, 4}));
}

TEST_F(CudaMinplus, TakesTheShorterWayForNonnegativeFloatsWithTheSameBits) {
  for (const std::size_t p : {std::size_t{100}, cuda_notes_from_terms + 1}) {
    Instance<float> instance(Semiring::min_plus, 130, p, 140, Kind::random);
    for (auto* matrix : {&instance.a, &instance.b, &instance.c}) {
      for (float& x : matrix->values) x = std::abs(x);
      matrix->values[3] = -0.0F;
    }
    const auto bits = [&](Device::Kind device, bool with_argmin) {
      auto c = instance.c;
      auto argmin = instance.expected_argmin;
      accumulate<float>(instance.semiring, instance.a.view(), instance.b.view(), c.view(), on(device),
                        with_argmin ? argmin.view() : MatrixView<std::uint32_t>{});
      std::vector<std::uint32_t> words(c.values.size());
      std::memcpy(words.data(), c.values.data(), words.size() * sizeof(float));
      return std::pair{words, argmin.values};
    };
    for (const bool with_argmin : {false, true}) {
      EXPECT_EQ(bits(Device::Kind::cuda, with_argmin), bits(Device::Kind::cpu, with_argmin));
    }
  }
}

template <class T>
void expect_the_first_term_if_every_term_improves_or_ties(Semiring semiring) {
  Instance<T> instance(semiring, 3, cuda_notes_from_terms + 40, 5, Kind::few_values);
  for (const bool ties : {false, true}) {
    test::let_every_term_improve(instance.a, instance.b, semiring == Semiring::min_plus, ties);
    instance.expect_the_references();
    instance.expect_equal(on(Device::Kind::cuda), ties ? "ties" : "every term improves");
  }
}

TEST_F(CudaMinplus, FindsTheFirstTermIfEveryTermImprovesOrTies) {
  for (const Semiring semiring : {Semiring::min_plus, Semiring::max_plus}) {
    expect_the_first_term_if_every_term_improves_or_ties<std::int32_t>(semiring);
    expect_the_first_term_if_every_term_improves_or_ties<std::int64_t>(semiring);
    expect_the_first_term_if_every_term_improves_or_ties<float>(semiring);
  }
}

TEST_F(CudaMinplus, AutoTakesItForALargeProductAndNotForASmallOne) {
  for (const std::size_t n : {10, 2048}) {
    std::vector<float> a(n * n, 1), c(n * n, infinity<float>);
    const Report report = accumulate<float>({a.data(), n, n, n}, {a.data(), n, n, n}, {c.data(), n, n, n});
    EXPECT_EQ(report.device, n == 10 ? "cpu" : "cuda:0");
    EXPECT_EQ(c, std::vector<float>(n * n, 2));
  }
}

TEST_F(CudaMinplus, StaysWithinItsMemoryLimit) {
  std::vector<float> a(100 * 100, 1), c(100 * 100, infinity<float>);
  const MatrixView<float> view{a.data(), 100, 100, 100};
  for (auto limit : {&Options::max_memory, &Options::max_device_memory}) {
    Options options = on(Device::Kind::cuda);
    options.*limit = 1000;
    try {
      accumulate<float>(view, view, {c.data(), 100, 100, 100}, options);
      FAIL() << "nothing was raised";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::memory_limit);
    }
    EXPECT_EQ(c, std::vector<float>(100 * 100, infinity<float>));
  }
}

TEST_F(CudaMinplus, HoldsDeviceBytesAgainstTheDeviceAndHostBytesAgainstTheHost) {
  const std::size_t n = 1500;
  std::vector<float> a(n * n, 1), c(n * n, infinity<float>);
  Options options = on(Device::Kind::cuda);
  options.threads = 1;
  options.max_memory = std::size_t{3} << 20;  // less than a matrix
  const Report report = accumulate<float>({a.data(), n, n, n}, {a.data(), n, n, n}, {c.data(), n, n, n}, options);
  EXPECT_LE(report.peak_bytes, options.max_memory);
  EXPECT_GE(report.peak_device_bytes, 6 * n * n * sizeof(float)) << "two of each matrix";
  EXPECT_EQ(c, std::vector<float>(n * n, 2));
}

TEST_F(CudaMinplus, StopsWhenItIsAskedTo) {
  std::vector<float> a(100 * 100, 1), c(100 * 100, infinity<float>);
  const MatrixView<float> view{a.data(), 100, 100, 100};
  std::stop_source source;
  source.request_stop();
  Options options = on(Device::Kind::cuda);
  options.stop = source.get_token();
  EXPECT_THROW(accumulate<float>(view, view, {c.data(), 100, 100, 100}, options), Error);
}

TEST_F(CudaMinplus, SaysThatCountRunsOnTheCpu) {
  std::uint64_t x = 1;
  const MatrixView<std::uint64_t> one{&x, 1, 1, 1};
  EXPECT_THROW(accumulate<std::uint64_t>(Semiring::plus_times, one, one, one, on(Device::Kind::cuda)), Error);
}

}  // namespace
}  // namespace warpfold::minplus
