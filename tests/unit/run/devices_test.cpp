#include "warpfold/run/devices.hpp"

#include <gtest/gtest.h>

#include "warpfold/core/error.hpp"

namespace warpfold {
namespace {

TEST(Devices, MemoryOfAGpuThatIsNotThereIsADeviceError) {
  Options options;
  options.device = {Device::Kind::cuda, 99};
  try {
    check_device_memory(options, 1, options.device.index);
    FAIL() << "cuda:99 has memory";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::device);
  }
}

TEST(Devices, AreNamedByTheWordsThatAreParsed) {
  for (const char* word : {"auto", "cpu", "cuda:0", "cuda:3", "cuda:0,1", "cuda:2,0,1", "cuda:all"}) {
    EXPECT_EQ(to_string(parse_device(word)), word);
  }
  EXPECT_EQ(parse_device("cuda"), parse_device("cuda:0"));
  EXPECT_FALSE(parse_device("cuda:7").is_several());
  EXPECT_EQ(parse_device("cuda:2,0,1").index, 2);
  EXPECT_EQ(parse_device("cuda:2,0,1").more, (std::vector<int>{0, 1}));
  EXPECT_TRUE(parse_device("cuda:all").is_several());
}

TEST(Devices, AreRefusedInOneLine) {
  for (const char* word :
       {"", "gpu", "cuda:", "cuda:,", "cuda:0,", "cuda:,1", "cuda:0,,1", "cuda:-1", "cuda:0,-1", "cuda:+1", "cuda: 1",
        "cuda:0;1", "cuda:all,1", "cuda:0,all", "cuda:99999999999", "cuda:1,1", "cuda:0,1,2,0"}) {
    try {
      static_cast<void>(parse_device(word));
      FAIL() << word;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::usage);
      EXPECT_EQ(std::string(error.what()).find(std::string("device '") + word + "'"), 0U) << error.what();
      EXPECT_NE(std::string(error.what()).find(accepted_devices), std::string::npos) << error.what();
    }
  }
}

TEST(Devices, ThatAreNotThereAreADeviceError) {
  for (const char* word : {"cuda:99", "cuda:0,99"}) {
    try {
      static_cast<void>(find_gpus(parse_device(word)));
      FAIL() << word << " is there";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::device);
    }
  }
}

TEST(Devices, ReleasingMemoryIsSafeWhereNoneIsKept) {
  release_memory();
  release_memory();
}

}  // namespace
}  // namespace warpfold
