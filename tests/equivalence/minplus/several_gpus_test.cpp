#include "several_gpus.hpp"

#include <gtest/gtest.h>

#include "equivalence/minplus/products.hpp"
#include "needs_gpu.hpp"

namespace warpfold::minplus {
namespace {

using test::Instance;
using test::Kind;
using warpfold::test::on;
using warpfold::test::several_gpus;

template <class T>
class CudaSeveralGpus : public warpfold::test::NeedsGpu {};
using CudaSeveralGpusTypes = testing::Types<std::uint8_t, std::int16_t, std::int32_t, std::int64_t, float, double>;
TYPED_TEST_SUITE(CudaSeveralGpus, CudaSeveralGpusTypes);

// Each GPU takes complete blocks of 128 rows.
TYPED_TEST(CudaSeveralGpus, GiveTheReferencesBitsHoweverManyRowsEachHas) {
  for (const Semiring semiring : test::semirings<TypeParam>()) {
    if (!semiring.is_selective()) continue;
    for (const std::size_t m : {1, 128, 129, 256, 257, 400}) {
      Instance<TypeParam> instance(semiring, m, 40, 30, Kind::with_infinity);
      for (const Device& device : several_gpus()) {
        instance.expect_equal(on(device), to_string(device));
      }
    }
  }
}

TYPED_TEST(CudaSeveralGpus, ShareABatchAndSayWhoRan) {
  const std::size_t m = 9, p = 33, n = 17;
  const Semiring semiring = test::semirings<TypeParam>().front();
  const auto a = test::random_matrix<TypeParam>(semiring, 5 * m, p, Kind::random, 4);
  const auto b = test::random_matrix<TypeParam>(semiring, 5 * p, n, Kind::with_infinity, 5);
  const auto before = test::random_matrix<TypeParam>(semiring, 5 * m, n, Kind::with_infinity, 6, true);
  for (const std::size_t count : {1, 2, 5}) {
    for (const bool one_b : {false, true}) {
      const auto multiply = [&](const Device& device) {
        auto c = before;
        const Report report = accumulate_batch<TypeParam>(semiring, {{a.values.data(), m, p, p}, count, m * p},
                                                          {{b.values.data(), p, n, n}, one_b ? 1 : count, p * n},
                                                          {{c.values.data(), m, n, n}, count, m * n}, on(device));
        return std::pair{c.values, report.device};
      };
      const auto expected = multiply(parse_device("cpu")).first;
      for (const Device& device : several_gpus()) {
        const auto [values, ran] = multiply(device);
        EXPECT_EQ(values, expected) << count << " products on " << to_string(device);
        Device needed = device;
        needed.more.resize(std::min(device.more.size(), count - 1));
        EXPECT_EQ(ran, to_string(needed)) << count << " products";
      }
    }
  }
}

}  // namespace
}  // namespace warpfold::minplus
