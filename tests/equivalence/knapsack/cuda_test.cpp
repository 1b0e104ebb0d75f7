#include "gpu_rows.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold::knapsack {
namespace {

TEST_F(CudaRows, EqualReferenceForWeightsLightAndHeavy) {
  expect_rows_equal_for_weights_light_and_heavy<std::int32_t>(cuda::zero_one_rows<std::int32_t>);
  expect_rows_equal_for_weights_light_and_heavy<std::int64_t>(cuda::zero_one_rows<std::int64_t>);
}

TEST_F(CudaRows, FindValuesItemsAndEveryCapacityThroughThePublicCalls) {
  Options options;
  options.algorithm = "table";
  expect_values_and_items(options, {}, {});
}

TEST(Cuda, IsRefusedClearlyWhereThereIsNone) {
  if (!gpus().empty()) GTEST_SKIP() << "there is a CUDA device";
  Options options;
  options.device = {Device::Kind::cuda, 0};
  options.algorithm = "table";
  try {
    static_cast<void>(solve(generate({"circle", 20, 100, 40, 100, 5}), options));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::device);
  }
}

}  // namespace
}  // namespace warpfold::knapsack
