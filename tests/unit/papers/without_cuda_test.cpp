#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "papers/gpu-polygon-triangulation-2013/kernels.hpp"
#include "papers/pipeline-dp-2018/mcm.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/interval/cuda.hpp"
#include "warpfold/minplus/ceiling.hpp"
#include "warpfold/minplus/cuda.hpp"
#include "warpfold/run/devices.hpp"

/// In a build without CUDA, requests for a GPU must fail in every part.
namespace warpfold::papers {
namespace {

std::string error_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::device);
    return error.what();
  }
  return "";
}

TEST(WithoutCuda, EveryPartRefusesInTheSameWords) {
  if (has_cuda()) GTEST_SKIP() << "CUDA is compiled";
  const std::string expected = "CUDA is not compiled: device auto or cpu is accepted";
  const std::vector<float> weights(16, 1);
  const std::vector<std::int64_t> dimensions{2, 3, 4, 5};
  const Options options;
  SolveMonitor monitor(options, 1);
  EXPECT_EQ(error_of([&] { static_cast<void>(find_gpus(options.device)); }), expected);
  EXPECT_EQ(error_of([&] { check_device_memory(options, 1, options.device.index); }), expected);
  EXPECT_EQ(error_of([&] { interval::cuda::Plan<float>(4); }), expected);
  EXPECT_EQ(error_of([&] { static_cast<void>(minplus::cuda::measure_ceiling<float>(0)); }), expected);
  EXPECT_EQ(error_of([&] {
              gpu_polygon_2013::PaperSolver<float>(0, interval::Triangulation<float>({weights.data(), 4, 4, 4}));
            }),
            expected);
  EXPECT_EQ(error_of([&] {
              static_cast<void>(pipeline_2018::solve_mcm(dimensions, pipeline_2018::McmForm{},
                                                         pipeline_2018::McmBarrier{}, 0, monitor));
            }),
            expected);
}

}  // namespace
}  // namespace warpfold::papers
