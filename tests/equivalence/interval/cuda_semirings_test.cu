#include <cmath>
#include <cstdint>

#include "cuda_tables.cuh"
#include "semiring_types.hpp"

namespace warpfold::interval {

struct Nonnegative : Weighted<MinPlus<float>> {
  static constexpr bool nonnegative = true;
};

namespace {

template <class S>
class CudaSemiring : public CudaRecurrence {};
using Semirings =
    test::FloatSemiringsAnd<MinPlus<double>, MinPlus<std::int32_t>, MinPlus<std::int64_t>, MaxPlus<std::int64_t>,
                            MinMax<std::int32_t>, MaxMin<double>, MaxMin<std::int64_t>, MinPlus<std::int16_t>, OrAnd,
                            Counting<std::uint32_t>, CountingModulo<1'000'000'007>>;
TYPED_TEST_SUITE(CudaSemiring, Semirings);

TYPED_TEST(CudaSemiring, GivesTheCpusTableAroundSubBlockAndTile) {
  using T = typename TypeParam::Value;
  for (const std::size_t n : sizes) {
    const int largest = std::is_same_v<TypeParam, OrAnd> ? 2 : sizeof(T) == 2 ? 6 : 30;
    expect_the_cpus_table(test::values_for<TypeParam>(random_list<T>(n * n, largest), largest), n,
                          [](std::span<const T> list, std::size_t points) {
                            return Weighted<TypeParam>{list, points};
                          });
  }
}

TEST_F(CudaRecurrence, APromiseOfNoNegativeValuesChangesNoBit) {
  for (const std::size_t n : {65, 200}) {
    std::vector<float> list = random_list<float>(n * n, 30);
    for (float& value : list) value = std::abs(value);
    expect_the_cpus_table(list, n, [](std::span<const float> values, std::size_t points) {
      return Nonnegative{{values, points}};
    });
  }
}

}  // namespace
}  // namespace warpfold::interval
