#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <mutex>
#include <span>
#include <string>
#include <utility>

#include "warpfold/core/error.hpp"

/// Owners of CUDA objects, for the .cu files of every family. This header does not use fmt: nvcc rejects its consteval
/// strings.
namespace warpfold::cuda {

/// Raises an error if a runtime call failed: Error{memory_limit} if memory was short, otherwise Error{device}. `action`
/// completes the message "the GPU could not ...".
inline void check(cudaError_t status, const char* action) {
  if (status == cudaSuccess) return;
  cudaGetLastError();  // clears the failure, so that the next call does not find it again
  const auto kind = status == cudaErrorMemoryAllocation ? ErrorKind::memory_limit : ErrorKind::device;
  throw Error(kind, std::string("the GPU could not ") + action + ": " + cudaGetErrorString(status));
}

/// Raises an error if a kernel launch failed. Call it after every launch. `action`: "start ...".
inline void check_launch(const char* action) { check(cudaGetLastError(), action); }

/// Makes cuda:index the thread's current device. The destructor restores the caller's device. Every public call that
/// uses a GPU holds one, and nothing else sets the current device (`./dev lint` checks this).
class [[nodiscard]] DeviceScope {
 public:
  /// Raises Error{device} if the GPU does not exist, or if this build has no code for it.
  explicit DeviceScope(int index);
  ~DeviceScope();
  DeviceScope(const DeviceScope&) = delete;
  DeviceScope& operator=(const DeviceScope&) = delete;

  [[nodiscard]] static int current();

 private:
  DeviceScope();  ///< remembers the caller's device

  int callers_ = -1;
};

/// Lets kernels on each of these GPUs access the memory of the others. Raises Error{device} if two of them have no link
/// that supports atomic operations. NVLink does.
void link(std::span<const int> devices);

/// Memory of the current device, or pinned host memory that every GPU can access. Its contents are undefined.
///
/// The destructor keeps the memory for the next request of any thread (`release_memory` frees it). So the owner must
/// wait for all work that uses the memory before it is destroyed. Raises Error{memory_limit}.
class Memory {
 public:
  enum class Place { device, pinned };

  Memory() = default;
  Memory(Place place, std::size_t bytes);
  ~Memory();
  Memory(Memory&& other) noexcept : block_(std::exchange(other.block_, {})) {}
  Memory& operator=(Memory&& other) noexcept {
    std::swap(block_, other.block_);
    return *this;
  }

  [[nodiscard]] std::byte* data() const { return block_.data; }
  [[nodiscard]] int device() const { return block_.device; }

 private:
  friend class MemoryPool;
  struct Block {
    std::byte* data = nullptr;
    std::size_t bytes = 0;
    Place place = Place::device;
    int device = 0;
  };
  Block block_;
};

/// The free bytes of a GPU, including those kept for later requests.
[[nodiscard]] std::size_t free_bytes(int gpu);

/// Room for `size` values on the current device.
template <class T>
class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(std::size_t size) : memory_(Memory::Place::device, size * sizeof(T)), size_(size) {}
  /// Copies `values` to the device. They are there before any work that is started later, on any stream.
  explicit Buffer(std::span<const T> values) : Buffer(values.size()) {
    check(cudaMemcpy(data(), values.data(), bytes(), cudaMemcpyHostToDevice), "receive a list");
    check(cudaStreamSynchronize(nullptr), "receive a list");  // a short cudaMemcpy may return early
  }

  [[nodiscard]] T* data() const { return reinterpret_cast<T*>(memory_.data()); }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t bytes() const { return size_ * sizeof(T); }
  [[nodiscard]] int device() const { return memory_.device(); }

 private:
  Memory memory_;
  std::size_t size_ = 0;
};

/// A stream. Declare it after the memory that its work uses: its destructor waits for that work.
class Stream {
 public:
  Stream() { check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "create a stream"); }
  /// A stream whose blocks start before those of other streams.
  [[nodiscard]] static Stream urgent() {
    int lowest = 0, highest = 0;
    check(cudaDeviceGetStreamPriorityRange(&lowest, &highest), "tell its priorities");
    cudaStream_t stream = nullptr;
    check(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, highest), "create a stream");
    return Stream(stream);
  }
  ~Stream() {
    if (!stream_) return;
    cudaStreamSynchronize(stream_);
    cudaStreamDestroy(stream_);
  }
  Stream(Stream&& other) noexcept : stream_(std::exchange(other.stream_, nullptr)) {}
  Stream& operator=(Stream&& other) noexcept {
    std::swap(stream_, other.stream_);
    return *this;
  }

  [[nodiscard]] cudaStream_t get() const { return stream_; }
  void synchronize() const { check(cudaStreamSynchronize(stream_), "finish its work"); }

 private:
  explicit Stream(cudaStream_t stream) : stream_(stream) {}

  cudaStream_t stream_ = nullptr;
};

/// A point in the work of a stream.
class Event {
 public:
  Event() { check(cudaEventCreate(&event_), "create an event"); }
  ~Event() {
    if (event_) cudaEventDestroy(event_);
  }
  Event(Event&& other) noexcept : event_(std::exchange(other.event_, nullptr)) {}
  Event& operator=(Event&& other) noexcept {
    std::swap(event_, other.event_);
    return *this;
  }

  [[nodiscard]] cudaEvent_t get() const { return event_; }
  void record(const Stream& stream) const { record(stream.get()); }
  void record(cudaStream_t stream) const { check(cudaEventRecord(event_, stream), "record an event"); }
  /// Makes work that is started later on `stream`, of any GPU, wait until this event has passed.
  void hold_back(cudaStream_t stream) const { check(cudaStreamWaitEvent(stream, event_), "wait for other work"); }
  /// Waits until the stream has passed the event. Returns at once if it was never recorded.
  void wait() const { check(cudaEventSynchronize(event_), "reach an event"); }

 private:
  cudaEvent_t event_ = nullptr;
};

/// Seconds on the device between two recorded events that have passed.
[[nodiscard]] inline double seconds_between(const Event& first, const Event& last) {
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, first.get(), last.get()), "read a timer");
  return 1e-3 * milliseconds;
}

/// The last work that used a plan's memory, on any stream of the caller. Declare it after that memory.
class LastUse {
 public:
  LastUse() = default;
  LastUse(const LastUse&) = delete;
  LastUse& operator=(const LastUse&) = delete;
  ~LastUse() {
    if (cudaEventSynchronize(event_.get()) == cudaSuccess) return;
    cudaGetLastError();
    cudaDeviceSynchronize();  // for work that was captured into a graph
  }
  void record(cudaStream_t stream) const { event_.record(stream); }

 private:
  Event event_;
};

/// The compute capability of a kernel's code on the current device, 90 for 9.0. If the driver compiled the code from
/// PTX, it is the PTX's. In the kernel it is __CUDA_ARCH__ / 10.
template <class Kernel>
[[nodiscard]] int capability_of(Kernel kernel) {
  cudaFuncAttributes attributes;
  check(cudaFuncGetAttributes(&attributes, kernel), "tell what a kernel was compiled for");
  return attributes.ptxVersion;
}

/// An attribute of the current device.
[[nodiscard]] inline int attribute(cudaDeviceAttr which) {
  int value = 0;
  check(cudaDeviceGetAttribute(&value, which, DeviceScope::current()), "tell what it has");
  return value;
}

/// Bytes of shared memory that a block on the current device can have.
[[nodiscard]] inline std::size_t max_shared_bytes() {
  return static_cast<std::size_t>(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin));
}

/// Lets a kernel be launched with this much dynamic shared memory a block. Up to 48 KB need no call. Never lowers what
/// another thread has reserved.
template <class Kernel>
void reserve_shared(Kernel kernel, std::size_t bytes) {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  cudaFuncAttributes now{};
  check(cudaFuncGetAttributes(&now, kernel), "tell a kernel's shared memory");
  if (now.maxDynamicSharedSizeBytes >= static_cast<int>(bytes)) return;
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)),
        "reserve shared memory");
}

/// How many blocks of a kernel the current device holds at one time. `shared_bytes`: dynamic shared memory of a block,
/// with which the kernel may then be launched.
template <class Kernel>
[[nodiscard]] std::size_t resident_blocks(Kernel kernel, int threads, std::size_t shared_bytes = 0) {
  int resident = 0;
  if (shared_bytes > 0) reserve_shared(kernel, shared_bytes);
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, threads, shared_bytes), "place a kernel");
  return static_cast<std::size_t>(attribute(cudaDevAttrMultiProcessorCount)) * static_cast<std::size_t>(resident);
}

}  // namespace warpfold::cuda
