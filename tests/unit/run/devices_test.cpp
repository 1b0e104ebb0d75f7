#include "warpfold/run/devices.hpp"

#include <gtest/gtest.h>

#include "warpfold/core/error.hpp"

namespace warpfold {
namespace {

TEST(Devices, MemoryOfAGpuThatIsNotThereIsADeviceError) {
  Options options;
  options.device = {Device::Kind::cuda, 99};
  try {
    check_device_memory(options, 1);
    FAIL() << "cuda:99 has memory";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::device);
  }
}

TEST(Devices, ReleasingMemoryIsSafeWhereNoneIsKept) {
  release_memory();
  release_memory();
}

}  // namespace
}  // namespace warpfold
