#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "warpfold/machine/algorithm.hpp"

/// Sizes, machines, and the comparison of measured and derived times, for the tests of formulas.
namespace warpfold::machine::test {

struct Size {
  std::uint64_t n;
  std::uint32_t p, w, l;
  std::uint32_t d = 1, shared_latency = 1;  // the HMM's
  std::uint32_t warp = 0;                   // 0: w
};

using Parameters = std::map<std::string, std::uint64_t>;

inline const std::vector<Kind> all_flat = {Kind::pram, Kind::bpram, Kind::dmm, Kind::umm};
inline const std::vector<Kind> all = {Kind::pram, Kind::bpram, Kind::dmm, Kind::umm, Kind::hmm};
inline const std::vector<Kind> no_dmm = {Kind::pram, Kind::bpram, Kind::umm};
inline const std::vector<Kind> banked = {Kind::dmm, Kind::umm};

inline Machine usual_machine_of(Kind kind, const Size& size) {
  switch (kind) {
    case Kind::pram:
      return pram();
    case Kind::bpram:
      return bpram(size.w);
    case Kind::dmm:
      return dmm(size.w, size.l);
    case Kind::umm:
      return umm(size.w, size.l);
    case Kind::hmm:
      return hmm(size.d, size.w, size.l, size.shared_latency);
  }
  return {};
}

inline Machine machine_of(Kind kind, const Size& size) {
  Machine machine = usual_machine_of(kind, size);
  if (kind != Kind::pram && kind != Kind::bpram) machine.warp = size.warp;
  return machine;
}

inline RunResult run_on(std::string_view name, Kind kind, const Size& size, bool as_printed = false,
                        Timing timing = Timing::lockstep, const Parameters& parameters = {}) {
  RunRequest request{.machine = machine_of(kind, size), .threads = size.p, .n = size.n};
  request.as_printed = as_printed;
  request.options.timing = timing;
  request.parameters = parameters;
  return run(find_algorithm(name), request);
}

inline std::uint64_t time_of(const RunResult& result) { return result.report.total.time_units.count; }

/// Runs the algorithm's right form at every size on every machine. Both timings must give the right result, and neither
/// may be below the lower bound. The pipelined time of the same accesses may not exceed the lockstep time. Returns the
/// lockstep results.
inline std::vector<RunResult> expect_right(const char* name, const std::vector<Size>& sizes,
                                           const std::vector<Kind>& kinds, const Parameters& parameters = {}) {
  std::vector<RunResult> results;
  for (const Size& size : sizes) {
    for (const Kind kind : kinds) {
      const RunResult result = run_on(name, kind, size, false, Timing::lockstep, parameters);
      const RunResult pipelined = run_on(name, kind, size, false, Timing::pipelined, parameters);
      SCOPED_TRACE(std::string(name) + " on " + to_string(result.report.machine) + " n=" + std::to_string(size.n) +
                   " p=" + std::to_string(size.p));
      EXPECT_TRUE(result.correct);
      EXPECT_TRUE(pipelined.correct);
      EXPECT_GE(time_of(result), result.lower_bound);
      EXPECT_GE(time_of(pipelined), result.lower_bound);
      // The order of the writes decides how many rounds some algorithms take.
      if (pipelined.report.total.accesses() == result.report.total.accesses()) {
        EXPECT_LE(time_of(pipelined), time_of(result));
      }
      EXPECT_FALSE(pipelined.formula) << "it is that of the other timing";
      results.push_back(result);
    }
  }
  return results;
}

/// The same if the formula must be the measured time. Returns the number of comparisons.
inline int expect_exact(const char* name, const std::vector<Size>& sizes, const std::vector<Kind>& kinds,
                        const Parameters& parameters = {}) {
  const auto results = expect_right(name, sizes, kinds, parameters);
  for (const RunResult& result : results) {
    EXPECT_EQ(result.formula, time_of(result))
        << name << " on " << to_string(result.report.machine) << " p=" << result.report.threads;
  }
  return static_cast<int>(results.size());
}

}  // namespace warpfold::machine::test
