#pragma once

#include <gtest/gtest.h>

#include "warpfold/run/devices.hpp"

namespace warpfold::test {

inline constexpr const char* no_gpu = "no GPU here (or CUDA is not compiled): the device test was skipped";

class NeedsGpu : public testing::Test {
 protected:
  void SetUp() override {
    if (gpus().empty()) GTEST_SKIP() << no_gpu;
  }
};

}  // namespace warpfold::test
