#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <span>
#include <string>
#include <utility>

#include "warpfold/core/error.hpp"

/// Owners of CUDA's objects, for the .cu files of every family. (No fmt here: nvcc refuses its consteval strings.)
namespace warpfold::cuda {

/// Raises what a failed runtime call means: memory short -> Error{memory_limit}, anything else -> Error{device}.
inline void check(cudaError_t status, const char* action) {
  if (status == cudaSuccess) return;
  cudaGetLastError();  // a failure that is reported must not be found again by the next call
  const auto kind = status == cudaErrorMemoryAllocation ? ErrorKind::memory_limit : ErrorKind::device;
  throw Error(kind, std::string("the GPU could not ") + action + ": " + cudaGetErrorString(status));
}

/// Call it after every kernel launch. `action`: "start ...".
inline void check_launch(const char* action) { check(cudaGetLastError(), action); }

/// Makes cuda:index the thread's current device until its end, and then the caller's again. Every public call that
/// uses a GPU holds one, and nothing else sets the current device (`./dev lint` looks).
class [[nodiscard]] DeviceScope {
 public:
  /// Raises Error{device} where there is no such GPU, or this build has no code for it.
  explicit DeviceScope(int index);
  ~DeviceScope();
  DeviceScope(const DeviceScope&) = delete;
  DeviceScope& operator=(const DeviceScope&) = delete;

  [[nodiscard]] static int current();

 private:
  DeviceScope();  ///< remembers the caller's device

  int callers_ = -1;
};

/// Lets the kernels of each of these GPUs use the memory of the others. Raises Error{device} where two of them are not
/// linked, or not by one that carries atomic operations (NVLink does).
void link(std::span<const int> devices);

/// Memory of the current device, or of the host where every GPU reaches it (pinned). What ends is kept for the next
/// that asks, of any thread (`release_memory`): so whoever owns some waits, before it ends, for the work that uses it.
/// Its contents are undefined. Raises Error{memory_limit}.
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

/// What a GPU has free, with what is kept for the next that asks.
[[nodiscard]] std::size_t free_bytes(int gpu);

/// Room for `size` values on the current device.
template <class T>
class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(std::size_t size) : memory_(Memory::Place::device, size * sizeof(T)), size_(size) {}
  /// Copies of `values`, which have arrived before anything that is started later, on whichever stream.
  explicit Buffer(std::span<const T> values) : Buffer(values.size()) {
    check(cudaMemcpy(data(), values.data(), bytes(), cudaMemcpyHostToDevice), "receive a list");
    check(cudaStreamSynchronize(nullptr), "receive a list");  // a short cudaMemcpy may return before it is there
  }

  [[nodiscard]] T* data() const { return reinterpret_cast<T*>(memory_.data()); }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t bytes() const { return size_ * sizeof(T); }
  [[nodiscard]] int device() const { return memory_.device(); }

 private:
  Memory memory_;
  std::size_t size_ = 0;
};

/// Declare it behind the memory that its work uses: its end waits for that work.
class Stream {
 public:
  Stream() { check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "create a stream"); }
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
  cudaStream_t stream_ = nullptr;
};

/// A point in a stream's time.
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
  /// What is started later on another stream, of whichever GPU, waits until this one's has passed it.
  void hold_back(cudaStream_t stream) const { check(cudaStreamWaitEvent(stream, event_), "wait for other work"); }
  /// Waits until the stream has passed it; returns at once where it was never recorded.
  void wait() const { check(cudaEventSynchronize(event_), "reach an event"); }

 private:
  cudaEvent_t event_ = nullptr;
};

/// Seconds of the device between two recorded events that it has passed.
[[nodiscard]] inline double seconds_between(const Event& first, const Event& last) {
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, first.get(), last.get()), "read a timer");
  return 1e-3 * milliseconds;
}

/// What a plan holds behind its memory: the last work that used it, on whichever stream of its caller.
class LastUse {
 public:
  LastUse() = default;
  LastUse(const LastUse&) = delete;
  LastUse& operator=(const LastUse&) = delete;
  ~LastUse() {
    if (cudaEventSynchronize(event_.get()) == cudaSuccess) return;
    cudaGetLastError();
    cudaDeviceSynchronize();  // the work was captured into a graph
  }
  void record(cudaStream_t stream) const { event_.record(stream); }

 private:
  Event event_;
};

/// The compute capability that a kernel's code on the current device was compiled for, 90 for 9.0: that of the PTX
/// where the driver compiled it. In the kernel it is __CUDA_ARCH__ / 10.
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

/// Shared memory that a block on the current device can have.
[[nodiscard]] inline std::size_t max_shared_bytes() {
  return static_cast<std::size_t>(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin));
}

/// How many blocks of a kernel the current device holds at once. `shared_bytes`: dynamic ones, which the kernel may
/// then be started with.
template <class Kernel>
[[nodiscard]] std::size_t resident_blocks(Kernel kernel, int threads, std::size_t shared_bytes = 0) {
  int resident = 0;
  if (shared_bytes > 0) {
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared_bytes)),
          "reserve shared memory");
  }
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, threads, shared_bytes), "place a kernel");
  return static_cast<std::size_t>(attribute(cudaDevAttrMultiProcessorCount)) * static_cast<std::size_t>(resident);
}

}  // namespace warpfold::cuda
