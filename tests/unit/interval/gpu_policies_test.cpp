#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "interval/tuning.hpp"
#include "minplus/shapes.hpp"
#include "tiles/layout.hpp"
#include "tiles/tuning.hpp"

/// The policies for GPUs of each compute capability, by plain arithmetic. No GPU is needed.
namespace warpfold::interval {
namespace {

using minplus::device::BlockShape;
using tiles::chunk_depth;
using tiles::device::Layout;
using warpfold::cuda::blocks_in_shared_memory;
using warpfold::cuda::shared_bytes_of_block;

/// Known capabilities, unknown ones between and after them, and none.
constexpr int capabilities[] = {80, 86, 87, 88, 89, 90, 100, 103, 110, 120, 121, 130, 0};

constexpr int static_bytes = 64;  // the kernels' own, in addition

TEST(GpuPolicies, KnowTheSharedMemoryOfABlock) {
  const std::pair<int, int> kilobytes[] = {{80, 163}, {86, 99}, {87, 163}, {89, 99}, {90, 227}, {100, 227}, {120, 99}};
  for (const auto& [capability, expected] : kilobytes) {
    EXPECT_EQ(shared_bytes_of_block(capability), expected * 1024) << capability;
  }
  EXPECT_EQ(shared_bytes_of_block(130), 99 * 1024) << "an unknown one is taken for the least";
}

TEST(GpuPolicies, ChooseDeepChunksWhereTheyLeaveRoomForAsManyBlocks) {
  for (const int capability : capabilities) {
    const bool large = capability == 90 || capability == 100 || capability == 103;
    EXPECT_EQ(chunk_depth(4, capability), large ? 32 : 16) << capability;
    EXPECT_EQ(chunk_depth(8, capability), 16) << capability;
  }
}

template <class T>
class GpuLayout : public testing::Test {};
using GpuLayoutTypes = testing::Types<float, double>;
TYPED_TEST_SUITE(GpuLayout, GpuLayoutTypes);

/// Code for 8.0 also runs on 8.6, and PTX on newer GPUs. So each block must fit on all of them.
TYPED_TEST(GpuLayout, FitsIntoABlockOfEveryGpuWhateverItWasCompiledFor) {
  for (const int capability : capabilities) {
    const int depth = chunk_depth(sizeof(TypeParam), capability);
    for (const int bytes : {Layout<TypeParam>::shared_bytes(depth), BlockShape<TypeParam>::shared_bytes(depth)}) {
      for (const int runs_on : capabilities) EXPECT_LE(bytes + static_bytes, shared_bytes_of_block(runs_on));
    }
  }
}

TEST(GpuPolicies, PlaceSoManyBlocksOnAMultiprocessor) {
  struct Row {
    int capability, tiles, tiles_of_8_bytes, products, products_of_8_bytes;
  };
  const Row rows[] = {{80, 3, 1, 3, 2},  {86, 2, 1, 2, 1},  {89, 2, 1, 2, 1}, {90, 3, 2, 2, 3},
                      {100, 3, 2, 2, 3}, {120, 2, 1, 2, 1}, {130, 2, 1, 2, 1}};
  for (const Row& row : rows) {
    const auto blocks = [&](int bytes) { return blocks_in_shared_memory(row.capability, bytes); };
    const int four = chunk_depth(4, row.capability), eight = chunk_depth(8, row.capability);
    const auto tiles = [&](int bytes, int most) { return std::min(blocks(bytes + static_bytes), most); };
    EXPECT_EQ(tiles(Layout<float>::shared_bytes(four), Layout<float>::blocks), row.tiles) << row.capability;
    EXPECT_EQ(tiles(Layout<double>::shared_bytes(eight), Layout<double>::blocks), row.tiles_of_8_bytes)
        << row.capability;
    EXPECT_EQ(blocks(BlockShape<float>::shared_bytes(four)), row.products) << row.capability;
    EXPECT_EQ(blocks(BlockShape<double>::shared_bytes(eight)), row.products_of_8_bytes) << row.capability;
  }
}

TEST(GpuPolicies, SearchAStructureWithinTheSharedMemoryThatABlockHas) {
  for (const int capability : capabilities) {
    const auto bytes = static_cast<std::size_t>(shared_bytes_of_block(capability));
    EXPECT_LE(search_policy<4>(bytes).shared_bytes, bytes) << capability;
    EXPECT_LE(search_policy<8>(bytes).shared_bytes, bytes) << capability;
    EXPECT_EQ(search_policy<4>(bytes).window_steps, 64U) << capability;
    EXPECT_EQ(search_policy<8>(bytes).window_steps, bytes < 163 * 1024 ? 32U : 64U) << capability;
  }
}

TEST(GpuPolicies, UseDpxFromHopperOn) {
  for (const int capability : capabilities) EXPECT_EQ(warpfold::cuda::has_dpx(capability), capability >= 90);
}

}  // namespace
}  // namespace warpfold::interval
