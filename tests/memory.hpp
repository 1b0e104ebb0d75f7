#pragma once

#include <gtest/gtest.h>
#include <malloc.h>

#include <cmath>
#include <fstream>
#include <string>

#include "sanitizers.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/run/run.hpp"

/// Compares reported memory with the memory of the process.
namespace warpfold::test {

/// "VmRSS" or "VmHWM" (the maximum since `forget_peak`) of this process.
inline double process_bytes(const std::string& key) {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    double kilobytes = 0;
    if (word == key + ":" && status >> kilobytes) return 1024 * kilobytes;
  }
  return 0;
}

/// Returns freed memory to the system first, because the solve would reuse it unnoticed.
inline void forget_peak() {
  malloc_trim(0);
  std::ofstream("/proc/self/clear_refs") << 5;
}

/// Whether a report is within 10 % or 30 MB of the process.
inline bool is_close(double reported, double held) { return std::abs(held - reported) <= 0.1 * held + 30e6; }

inline bool peaks_can_be_measured() { return !under_sanitizer && process_bytes("VmHWM") > 0; }

/// `solve(options)` returns its peak_bytes. A limit just below must be rejected, and the process must have held that
/// much.
template <class Solve>
void expect_reported_memory_is_held(const Solve& solve) {
  Options options;
  options.device = {Device::Kind::cpu, 0};
  options.threads = 2;
  forget_peak();
  const double before = process_bytes("VmRSS");
  const std::size_t reported = solve(options);
  const double held = process_bytes("VmHWM") - before;
  if (peaks_can_be_measured()) {
    EXPECT_TRUE(is_close(static_cast<double>(reported), held)) << reported << " reported, " << held << " held";
  }
  options.max_memory = reported;
  EXPECT_EQ(solve(options), reported) << "with just enough";
  options.max_memory = reported - 1;
  try {
    static_cast<void>(solve(options));
    ADD_FAILURE() << "a byte less was enough";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::memory_limit) << error.what();
  }
}

}  // namespace warpfold::test
