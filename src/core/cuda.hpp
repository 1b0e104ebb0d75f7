#pragma once

#include <cuda_runtime.h>

#include <cstddef>
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

/// Makes cuda:index the current device. Raises Error{device} where there is none, or this build has no code for it.
void use_device(int index);

/// Device memory for `size` values, freed with its owner. Its contents are undefined.
template <class T>
class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(std::size_t size) : size_(size) {
    if (size > 0) check(cudaMalloc(&data_, size * sizeof(T)), "allocate memory");
  }
  ~Buffer() { cudaFree(data_); }
  Buffer(Buffer&& other) noexcept : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  Buffer& operator=(Buffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }

  [[nodiscard]] T* data() const { return data_; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t bytes() const { return size_ * sizeof(T); }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

class Stream {
 public:
  Stream() { check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "create a stream"); }
  ~Stream() {
    if (stream_) cudaStreamDestroy(stream_);
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
  void record(const Stream& stream) const { check(cudaEventRecord(event_, stream.get()), "record an event"); }
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

}  // namespace warpfold::cuda
