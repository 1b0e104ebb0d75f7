#include "memory.hpp"

#include <chrono>
#include <limits>
#include <vector>

#include "equivalence/minplus/in_place.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/minplus/multiply.hpp"
#include "warpfold/minplus/power.hpp"

namespace warpfold::minplus {
namespace {

constexpr std::size_t order = 2200;

std::vector<double> numbers() {
  std::vector<double> values(order * order);
  for (std::size_t at = 0; at < values.size(); ++at) values[at] = static_cast<double>(at * 7919 % 1000);
  return values;
}

TEST(MemoryOfProducts, IsWhatTheReportSays) {
  std::vector<double> a = numbers(), c = a;
  warpfold::test::expect_reported_memory_is_held([&](const Options& options) {
    return accumulate<double>({a.data(), order, order, order}, {a.data(), order, order, order},
                              {c.data(), order, order, order}, options)
        .peak_bytes;
  });
}

TEST(MemoryOfProducts, IsWhatTheReportSaysOfCounts) {
  std::vector<std::uint64_t> a(1200 * 1200, 1), c = a;
  const MatrixView<std::uint64_t> left{a.data(), 1200, 1200, 1200}, result{c.data(), 1200, 1200, 1200};
  warpfold::test::expect_reported_memory_is_held([&](const Options& options) {
    return accumulate<std::uint64_t>({Semiring::plus_times, 97}, left, left, result, options).peak_bytes;
  });
}

TEST(MemoryOfProducts, OfMoreEntriesThanAnySizeCountsIsRefused) {
  constexpr std::size_t many = std::size_t{1} << 33;
  const auto kind_of = [](const auto& call) {
    try {
      call();
    } catch (const Error& error) {
      return error.kind();
    }
    return ErrorKind::internal;
  };
  EXPECT_EQ(kind_of([] { Matrix<float>(many, many); }), ErrorKind::memory_limit);
  EXPECT_EQ(kind_of([] {
              const MatrixView<const float> a{nullptr, 4, 0, 0}, b{nullptr, 0, many << 29, many << 29};
              (void)multiply<float>(Semiring::min_plus, a, b);
            }),
            ErrorKind::memory_limit);
  EXPECT_EQ(Matrix<float>(many << 30, 0).rows(), many << 30);
  EXPECT_EQ(kind_of([] { (void)Matrix<float>::of(2, 2, {1, 2, 3}); }), ErrorKind::usage);
  if (warpfold::test::under_sanitizer) return;  // a sanitizer ends the process at such an allocation
  EXPECT_EQ(kind_of([] { Matrix<int>(std::size_t{1} << 45, 1); }), ErrorKind::memory_limit);
}

TEST(MemoryOfProducts, IsNotAllTouchedOnceTheDeadlineIsOver) {
  const Matrix<float> a(10000, 1, 1.0F), b(1, 10000, 1.0F);
  Options options;
  options.deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(5);
  warpfold::test::forget_peak();
  const double before = warpfold::test::process_bytes("VmRSS");
  try {
    (void)multiply(Semiring::min_plus, a, b, options, true);
    FAIL() << "all in time";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::time_limit);
  }
  if (!warpfold::test::peaks_can_be_measured()) return;
  EXPECT_LT(warpfold::test::process_bytes("VmHWM") - before, 600e6);  // of 800 MB
}

TEST(MemoryOfProducts, OfNoSemiringAreRefused) {
  const Matrix<int> one(1, 1, 1);
  try {
    (void)multiply(Semiring(static_cast<Semiring::Kind>(77)), one, one);
    FAIL() << "there is a product";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_STREQ(error.what(), "semiring 77 does not take i32: none is accepted");
  }
}

TEST(MemoryOfProducts, IsEstimatedAsTheMostThatCanBeSaidWhereNoSizeHoldsIt) {
  Options options;
  options.device = {Device::Kind::cpu, 0};
  std::size_t before = 0;
  for (const int bits : {10, 20, 31, 32, 33, 40}) {
    const std::size_t side = std::size_t{1} << bits;
    const std::size_t bytes = estimate<float>(Semiring::min_plus, ProductSize{side, side, side}, false, options).bytes;
    EXPECT_GE(bytes, before) << bits;
    before = bytes;
  }
  EXPECT_EQ(before, std::numeric_limits<std::size_t>::max());
}

TEST(MemoryOfPowers, IsWhatTheReportSaysBothMatricesIncluded) {
  std::vector<double> a = numbers(), c = a;
  warpfold::test::expect_reported_memory_is_held([&](const Options& options) {
    const Report report =
        power<double>(Semiring::min_plus, {a.data(), order, order, order}, 2, {c.data(), order, order, order}, options);
    EXPECT_GT(report.peak_bytes, 4 * order * order * sizeof(double)) << "two matrices, and two packed ones";
    return report.peak_bytes;
  });
}

}  // namespace
}  // namespace warpfold::minplus
