#include <chrono>

#include "permutation/cuda_move.hpp"
#include "run/cuda.hpp"
#include "warpfold/permutation/cuda.hpp"
#include "warpfold/run/clock.hpp"

namespace warpfold::permutation::cuda {

namespace {

using warpfold::cuda::Buffer;
using warpfold::cuda::check;
using warpfold::cuda::DeviceScope;
using warpfold::cuda::Event;

Algorithm algorithm_named(const std::string& name) {
  for (const Algorithm algorithm :
       {Algorithm::rotation, Algorithm::axes, Algorithm::two_passes, Algorithm::gather, Algorithm::scatter}) {
    if (name == name_of(algorithm)) return algorithm;
  }
  return Algorithm::fastest;
}

/// Seconds on the device of the second of two runs.
template <class Run>
double seconds_on(const warpfold::cuda::Stream& stream, const Run& run) {
  const Event start, stop;
  for (int repeat = 0; repeat < 2; ++repeat) {
    start.record(stream);
    run(stream.get());
    stop.record(stream);
    stream.synchronize();
  }
  return seconds_between(start, stop);
}

/// Moves by the plan that make() returns.
template <class Make>
Moved move_by(std::size_t bytes, const std::byte* from, std::byte* to, const Make& make) {
  const Buffer<std::byte> source(std::span<const std::byte>(from, bytes)), target(bytes);
  const auto start = std::chrono::steady_clock::now();
  Plan plan = make();
  Moved moved{std::string(name_of(plan.algorithm())), plan.bytes_moved(), seconds_since(start), 0, 0};
  const warpfold::cuda::Stream stream;
  moved.copy_seconds = seconds_on(stream, [&](cudaStream_t on) {
    check(cudaMemcpyAsync(target.data(), source.data(), bytes, cudaMemcpyDeviceToDevice, on), "copy an array");
  });
  moved.move_seconds = seconds_on(stream, [&](cudaStream_t on) { plan.move(source.data(), target.data(), on); });
  check(cudaMemcpy(to, target.data(), bytes, cudaMemcpyDeviceToHost), "send an array");
  return moved;
}

}  // namespace

Moved move_words(std::span<const std::uint32_t> permutation, std::size_t word_bytes, const std::byte* from,
                 std::byte* to, const Options& options) {
  const DeviceScope scope(options.device.index);
  return move_by(permutation.size() * word_bytes, from, to,
                 [&] { return Plan(permutation, word_bytes, {.algorithm = algorithm_named(options.algorithm)}); });
}

Moved move_words(const StoredPlan& plan, std::size_t word_bytes, const std::byte* from, std::byte* to,
                 const Options& options) {
  const DeviceScope scope(options.device.index);
  return move_by(plan.size() * word_bytes, from, to, [&] { return Plan(plan, word_bytes); });
}

StoredPlan stored_plan(std::span<const std::uint32_t> permutation, std::size_t word_bytes, const Options& options) {
  const DeviceScope scope(options.device.index);
  return Plan(permutation, word_bytes, {.algorithm = algorithm_named(options.algorithm)}).stored();
}

}  // namespace warpfold::permutation::cuda
