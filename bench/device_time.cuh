#pragma once

#include <vector>

#include "question.hpp"
#include "run/cuda.hpp"

namespace warpfold::bench {

/// The time on the device of `repeats` calls work(stream), after one that is not counted.
template <class Work>
Timing device_time(int repeats, const Work& work) {
  const cuda::Stream stream;
  const cuda::Event start, stop;
  std::vector<double> seconds;
  for (int repeat = -1; repeat < repeats; ++repeat) {
    start.record(stream);
    work(stream.get());
    stop.record(stream);
    stream.synchronize();
    if (repeat >= 0) seconds.push_back(cuda::seconds_between(start, stop));
  }
  return summarize(seconds);
}

}  // namespace warpfold::bench
