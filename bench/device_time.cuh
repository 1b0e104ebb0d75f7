#pragma once

#include <vector>

#include "question.hpp"
#include "run/cuda.hpp"

namespace warpfold::bench {

/// The time on the device of `repeats` calls work(stream), after one that is not counted. Calls prepare(stream) before
/// each, untimed.
template <class Prepare, class Work>
Timing device_time(int repeats, const Prepare& prepare, const Work& work) {
  const cuda::Stream stream;
  const cuda::Event start, stop;
  std::vector<double> seconds;
  for (int repeat = -1; repeat < repeats; ++repeat) {
    prepare(stream.get());
    start.record(stream);
    work(stream.get());
    stop.record(stream);
    stream.synchronize();
    if (repeat >= 0) seconds.push_back(cuda::seconds_between(start, stop));
  }
  return summarize(seconds);
}

template <class Work>
Timing device_time(int repeats, const Work& work) {
  return device_time(
      repeats, [](cudaStream_t) {}, work);
}

}  // namespace warpfold::bench
