#pragma once

#include <cstddef>
#include <vector>

#include "run/cuda.hpp"

/// Starts the kernels of paths.
namespace warpfold::paths::cuda {

inline constexpr unsigned row_threads = 256;  ///< of a block that fills or reads a row

/// Starts a kernel with more shared memory than the default.
template <class Kernel, class... Arguments>
void launch(Kernel kernel, dim3 blocks, int threads, int shared_bytes, const warpfold::cuda::Stream& stream,
            const Arguments&... arguments) {
  warpfold::cuda::reserve_shared(kernel, static_cast<std::size_t>(shared_bytes));
  kernel<<<blocks, static_cast<unsigned>(threads), static_cast<std::size_t>(shared_bytes), stream.get()>>>(
      arguments...);
  warpfold::cuda::check_launch("start the paths");
}

/// Limits the unfinished work on a stream, so that a solve can be stopped.
class Pace {
 public:
  Pace(std::size_t ahead, const warpfold::cuda::Stream& stream) : events_(ahead), stream_(stream) {}

  /// Call before each step.
  void wait() { events_[step_ % events_.size()].wait(); }
  /// Call after each step.
  void record() { events_[step_++ % events_.size()].record(stream_); }

 private:
  std::vector<warpfold::cuda::Event> events_;
  const warpfold::cuda::Stream& stream_;
  std::size_t step_ = 0;
};

}  // namespace warpfold::paths::cuda
