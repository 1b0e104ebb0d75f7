#pragma once

/// For tests of what threads of a GPU wait for.
namespace warpfold::test {

/// Lets one call of so many, drawn by the clock, take up to 4 microseconds.
__device__ inline void delay_one_of(unsigned calls) {
  const auto drawn = static_cast<unsigned>(clock64() >> 3) * 2654435761U;
  if ((drawn >> 12) % calls == 0) __nanosleep(drawn % 4096);
}

}  // namespace warpfold::test
