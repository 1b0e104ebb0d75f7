#include "../knapsack/gpu_rows.hpp"
#include "papers/p-fold-pipeline-2023/knapsack.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold::papers::p_fold_2023 {
namespace {

class PFoldRows : public knapsack::CudaRows {};

TEST_F(PFoldRows, EqualReferenceForWeightsLightAndHeavy) {
  knapsack::expect_rows_equal_for_weights_light_and_heavy<std::int32_t>(zero_one_rows<std::int32_t>);
  knapsack::expect_rows_equal_for_weights_light_and_heavy<std::int64_t>(zero_one_rows<std::int64_t>);
}

TEST_F(PFoldRows, FindValuesItemsAndEveryCapacityThroughThePublicCalls) {
  Options options;
  options.algorithm = "p-fold";
  expect_values_and_items(options, packing_backends(), capacity_backends());
}

TEST(PFoldWithoutADevice, FailsWithOneLine) {
  if (!gpus().empty()) GTEST_SKIP() << "there is a GPU";
  Options options;
  options.device = parse_device("cuda");
  options.algorithm = "p-fold";
  const knapsack::Problem problem = knapsack::generate({"circle", 20, 100, 40, 100, 5});
  try {
    static_cast<void>(knapsack::solve(problem, options, {}, packing_backends()));
    FAIL() << "solved without a device";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::device);
  }
}

}  // namespace
}  // namespace warpfold::papers::p_fold_2023
