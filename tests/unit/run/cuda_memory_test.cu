#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <random>

#include "run/staging.hpp"
#include "warpfold/run/backend.hpp"
#include "warpfold/run/devices.hpp"

/// The part of src/run that every solve on a GPU uses.
namespace warpfold::cuda {
namespace {

template <class Call>
ErrorKind kind_of(Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.kind();
  }
  return ErrorKind::internal;
}

class Cuda : public testing::Test {
 protected:
  void SetUp() override {
    if (gpus().empty()) GTEST_SKIP() << "no GPU here: the device test was skipped";
  }
};

__global__ void tell_capability(int* capability) {
#ifdef __CUDA_ARCH__
  *capability = __CUDA_ARCH__ / 10;
#endif
}

/// Policies depend on it in the kernel and where the kernel is started.
TEST_F(Cuda, TheHostKnowsWhichCapabilityAKernelWasCompiledFor) {
  const Buffer<int> on_device(1);
  tell_capability<<<1, 1>>>(on_device.data());
  int capability = 0;
  check(cudaMemcpy(&capability, on_device.data(), sizeof capability, cudaMemcpyDeviceToHost), "tell its capability");
  EXPECT_EQ(capability_of(tell_capability), capability);
}

/// The caller's device is restored however a scope ends. With one GPU there is only cuda:0 to restore.
TEST_F(Cuda, AScopeGivesTheCallersDeviceBack) {
  const int devices = static_cast<int>(gpus().size());
  for (int callers = 0; callers < devices; ++callers) {
    const DeviceScope outer(callers);
    for (int index = 0; index < devices; ++index) {
      {
        const DeviceScope scope(index);
        EXPECT_EQ(DeviceScope::current(), index);
      }
      EXPECT_EQ(DeviceScope::current(), callers);
      EXPECT_ANY_THROW({
        const DeviceScope scope(index);
        throw Error(ErrorKind::internal, "something else");
      });
      EXPECT_EQ(DeviceScope::current(), callers);
    }
    for (const int none : {-1, devices, 99}) {
      EXPECT_EQ(kind_of([&] { const DeviceScope scope(none); }), ErrorKind::device) << none;
      EXPECT_EQ(DeviceScope::current(), callers);
    }
    EXPECT_EQ(gpus().size(), static_cast<std::size_t>(devices));
    EXPECT_EQ(DeviceScope::current(), callers);
  }
}

TEST_F(Cuda, MemoryIsKeptForTheNextUntilItIsReleased) {
  release_memory();
  std::size_t before = 0, kept = 0, after = 0, all = 0;
  check(cudaMemGetInfo(&before, &all), "tell its memory");
  constexpr std::size_t size = std::size_t{100} << 20;
  const void* first = Buffer<char>(size).data();
  EXPECT_EQ(Buffer<char>(size - 1000).data(), first) << "what was given back is taken again";
  check(cudaMemGetInfo(&kept, &all), "tell its memory");
  EXPECT_LE(kept + size, before);
  EXPECT_EQ(kind_of([&] { check_device_memory({}, before + 1, 0); }), ErrorKind::memory_limit);
  EXPECT_NO_THROW(check_device_memory({}, before - (std::size_t{4} << 20), 0)) << "what is kept counts as free";
  release_memory();
  check(cudaMemGetInfo(&after, &all), "tell its memory");
  EXPECT_GE(after, kept + size);
}

TEST_F(Cuda, NoMoreThanAGibibyteIsKept) {
  release_memory();
  std::size_t before = 0, after = 0, all = 0;
  check(cudaMemGetInfo(&before, &all), "tell its memory");
  if (before < std::size_t{4} << 30) GTEST_SKIP() << "needs 4 GiB of the GPU's memory";
  {
    std::vector<Buffer<char>> buffers;
    for (int block = 0; block < 6; ++block) buffers.emplace_back(std::size_t{500} << 20);
    buffers.emplace_back(std::size_t{1100} << 20);
  }
  check(cudaMemGetInfo(&after, &all), "tell its memory");
  EXPECT_GE(after + (std::size_t{1030} << 20), before);
  release_memory();
}

TEST_F(Cuda, WhatIsKeptMakesNoOtherCallFail) {
  release_memory();
  std::size_t free = 0, all = 0;
  check(cudaMemGetInfo(&free, &all), "tell its memory");
  constexpr std::size_t kept = std::size_t{800} << 20, wanted = std::size_t{900} << 20, spare = std::size_t{200} << 20;
  if (free < kept + wanted) GTEST_SKIP() << "needs 1.7 GiB of the GPU's memory";
  { const Buffer<char> idle(kept); }
  void* others = nullptr;  // memory of another owner, so that less is free than requested
  check(cudaMalloc(&others, free - kept - spare), "allocate memory");
  EXPECT_NO_THROW(Buffer<char>{wanted});
  cudaFree(others);
  release_memory();
}

TEST_F(Cuda, DeviceBytesAreHeldAgainstTheDevicesLimit) {
  Options options;
  options.max_memory = 0;  // the host's
  options.max_device_memory = 1000;
  EXPECT_NO_THROW(check_device_memory(options, 1000, options.device.index));
  EXPECT_EQ(kind_of([&] { check_device_memory(options, 1001, options.device.index); }), ErrorKind::memory_limit);
  options.device = {Device::Kind::cuda, 99};
  EXPECT_EQ(kind_of([&] { check_device_memory(options, 1, options.device.index); }), ErrorKind::device);
}

TEST_F(Cuda, AContextReportsTheMostThatWasTakenOfAGpu) {
  Options options;
  options.max_device_memory = 1000;
  Report report;
  Context context(options, report);
  for (const std::size_t bytes : {500, 900, 700}) context.take_device_memory(bytes);
  EXPECT_EQ(report.peak_device_bytes, 900U);
  EXPECT_EQ(kind_of([&] { context.take_device_memory(1001); }), ErrorKind::memory_limit);
  context.options.device.more = {99};
  EXPECT_EQ(kind_of([&] { context.take_device_memory(1, 1); }), ErrorKind::device);
  EXPECT_EQ(report.peak_device_bytes, 900U) << "what is refused is not taken";
}

std::vector<std::byte> random_bytes(std::size_t count, std::mt19937_64& random) {
  std::vector<std::byte> bytes(count);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
  return bytes;
}

TEST_F(Cuda, ListsOfRowsGoToTheDeviceDenselyAndBackBetweenWhatLiesThere) {
  std::mt19937_64 random(1);
  const Options options;
  const SolveMonitor monitor(options, 0);
  for (int repeat = 0; repeat < 40; ++repeat) {
    const bool large = repeat % 8 == 0;
    std::vector<std::vector<std::byte>> from, back;
    std::vector<HostRows<const std::byte>> up;
    std::vector<HostRows<std::byte>> down;
    std::size_t bytes = 0;
    for (std::size_t list = 0; list < 1 + random() % 5; ++list) {
      const std::size_t row_bytes = random() % (large ? 5'000'000 : 3000), rows = random() % (large ? 9 : 600);
      const std::size_t stride = row_bytes + random() % 40;
      from.push_back(random_bytes(rows * stride + 1, random));
      back.emplace_back(rows * stride + 1, std::byte{0xee});
      up.push_back({from.back().data(), stride, row_bytes, rows});
      down.push_back({back.back().data(), stride, row_bytes, rows});
      bytes += rows * row_bytes;
    }
    const Buffer<std::byte> device(bytes);
    const int threads = 1 + repeat % 6;
    upload(device.data(), up, threads, monitor);
    download(device.data(), down, threads, monitor);
    for (std::size_t list = 0; list < up.size(); ++list) {
      const HostRows<const std::byte>& sent = up[list];
      for (std::size_t at = 0; at < back[list].size(); ++at) {
        const bool copied = at < sent.rows * sent.stride && at % sent.stride < sent.row_bytes;
        ASSERT_EQ(back[list][at], copied ? from[list][at] : std::byte{0xee}) << "list " << list << ", byte " << at;
      }
    }
  }
}

TEST_F(Cuda, OfATriangleWhatIsRightOfTheDiagonalIsCopied) {
  std::mt19937_64 random(2);
  const Options options;
  const SolveMonitor monitor(options, 0);
  for (const std::size_t n : {3, 64, 1000, 2500}) {
    std::vector<float> from(n * (n + 3)), back(n * n);
    for (float& value : from) value = static_cast<float>(random() % 1000);
    HostRows<const std::byte> rows = rows_of(MatrixView<const float>{from.data(), n, n, n + 3});
    rows.indent = sizeof(float);
    const Buffer<float> device(n * n);
    upload(device.data(), rows, 4, monitor);
    check(cudaMemcpy(back.data(), device.data(), device.bytes(), cudaMemcpyDeviceToHost), "send data");
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = i + 1; j < n; ++j) ASSERT_EQ(back[i * n + j], from[i * (n + 3) + j]) << i << "," << j;
    }
  }
}

TEST_F(Cuda, EveryEntryIsInspectedOnceOnItsWay) {
  const Options options;
  const SolveMonitor monitor(options, 0);
  for (const std::size_t rows : {1, 7, 900}) {
    constexpr std::size_t columns = 1001, stride = 1010;
    std::vector<std::uint32_t> from(rows * stride, ~0U);
    for (std::size_t at = 0; at < rows * columns; ++at) from[at / columns * stride + at % columns] = at;
    const Buffer<std::uint32_t> device(rows * columns);
    std::vector<std::atomic<int>> seen(rows * columns);
    const HostRows<const std::byte> list = rows_of(MatrixView<const std::uint32_t>{from.data(), rows, columns, stride});
    upload(device.data(), std::span(&list, 1), 4, monitor, [&](std::span<const std::byte> entries) {
      ASSERT_EQ(entries.size() % sizeof(std::uint32_t), 0U);
      for (std::size_t at = 0; at < entries.size(); at += sizeof(std::uint32_t)) {
        std::uint32_t entry = 0;
        std::memcpy(&entry, &entries[at], sizeof entry);
        if (entry < seen.size()) ++seen[entry];
      }
    });
    EXPECT_TRUE(std::all_of(seen.begin(), seen.end(), [](const std::atomic<int>& times) { return times == 1; }))
        << rows;
  }
}

TEST_F(Cuda, ATransferEndsWhereItIsAskedTo) {
  std::stop_source stop;
  Options options;
  options.stop = stop.get_token();
  const SolveMonitor monitor(options, 0);
  stop.request_stop();
  std::vector<float> host(1 << 22, 1);
  const Buffer<float> device(host.size());
  const MatrixView<float> matrix{host.data(), 1, host.size(), host.size()};
  const auto up = [&] { upload(device.data(), rows_of(MatrixView<const float>(matrix)), 4, monitor); };
  const auto down = [&] { download(device.data(), rows_of(matrix), 4, monitor); };
  EXPECT_EQ(kind_of(up), ErrorKind::cancelled);
  EXPECT_EQ(kind_of(down), ErrorKind::cancelled);
}

}  // namespace
}  // namespace warpfold::cuda
