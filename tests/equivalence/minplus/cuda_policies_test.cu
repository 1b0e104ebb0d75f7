#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <vector>

#include "minplus/launch.cuh"
#include "warpfold/run/devices.hpp"

/// The products' kernels with chunks of each depth, independent of the device's policy.
namespace warpfold::minplus {
namespace {

using device::Arithmetic;
using warpfold::cuda::Buffer;
using warpfold::cuda::check;

template <class Arith>
struct OnHost;
template <class Semiring>
struct OnHost<Arithmetic<Semiring>> : Semiring {};
template <>
struct OnHost<device::NonnegativeF32> : MinPlus<float> {};
template <>
struct OnHost<device::I16Pair> {
  static std::uint32_t plus(std::uint32_t x, std::uint32_t y) { return choose_pair<true>(x, y); }
  static std::uint32_t times(std::uint32_t x, std::uint32_t y) {
    return ((x & 0xffff0000U) + (y & 0xffff0000U)) | ((x + y) & 0xffffU);
  }
};
template <>
struct OnHost<device::OrAndQuad> {
  static std::uint32_t plus(std::uint32_t x, std::uint32_t y) { return x | y; }
  static std::uint32_t times(std::uint32_t x, std::uint32_t y) { return x & y; }
};

template <class Arith>
class CudaPolicies : public testing::Test {
 protected:
  using T = typename Arith::Value;

  void SetUp() override {
    if (gpus().empty()) GTEST_SKIP() << "no GPU here: the device test was skipped";
  }

  static std::vector<T> random_values(std::size_t count, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::vector<T> values(count);
    for (T& value : values) value = static_cast<T>(random() % 1000);
    return values;
  }

  template <int Depth>
  static void expect_the_definitions_product() {
    using Block = device::BlockShape<T>;
    constexpr std::size_t m = 2 * Block::rows, p = 96, n = 2 * Block::columns;
    const std::vector<T> a = random_values(p * m, 1), b = random_values(p * n, 2), c = random_values(m * n, 3);
    const Buffer<T> of_a{std::span(a)}, of_b{std::span(b)}, of_c{std::span(c)};
    device::launch<Depth>(device::multiply_tiles<Arith, Depth>,
                          device::Product<T>{of_a.data(), of_b.data(), of_c.data(), m, p, n}, 1, nullptr);
    std::vector<T> got(m * n);
    check(cudaMemcpy(got.data(), of_c.data(), of_c.bytes(), cudaMemcpyDeviceToHost), "send the product");
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        T expected = c[i * n + j];
        for (std::size_t k = 0; k < p; ++k) {
          expected = OnHost<Arith>::plus(expected, OnHost<Arith>::times(a[k * m + i], b[k * n + j]));
        }
        ASSERT_EQ(std::memcmp(&got[i * n + j], &expected, sizeof(T)), 0) << Depth << ": (" << i << "," << j << ")";
      }
    }
  }
};
using Ariths = testing::Types<Arithmetic<MinPlus<float>>, device::NonnegativeF32, Arithmetic<MinPlus<std::int32_t>>,
                              device::I16Pair, device::OrAndQuad, Arithmetic<MaxPlus<double>>>;
TYPED_TEST_SUITE(CudaPolicies, Ariths);

TYPED_TEST(CudaPolicies, ShallowChunksGiveTheDefinitionsProduct) {
  this->template expect_the_definitions_product<16>();
}

TYPED_TEST(CudaPolicies, TheDeepestChunksGiveTheDefinitionsProduct) {
  this->template expect_the_definitions_product<tiles::deepest_chunk(sizeof(typename TypeParam::Value))>();
}

}  // namespace
}  // namespace warpfold::minplus
