#pragma once

/// Random delays of a GPU's threads, for tests of waiting.
namespace warpfold::test {

/// Delays one of `calls` calls, chosen by the clock, by up to 4 microseconds.
__device__ inline void delay_one_of(unsigned calls) {
  const auto drawn = static_cast<unsigned>(clock64() >> 3) * 2654435761U;
  if ((drawn >> 12) % calls == 0) __nanosleep(drawn % 4096);
}

}  // namespace warpfold::test
