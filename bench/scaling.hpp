#pragma once

#include <fmt/format.h>

#include <chrono>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "question.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/run/run.hpp"

/// The shared part of the scaling benchmarks: how much faster is a solve on more threads?
namespace warpfold::bench {

/// The thread counts 1, 2, 4, .. and the maximum.
inline std::vector<int> thread_counts() {
  std::vector<int> counts;
  for (int threads = 1; threads < thread_count(0); threads *= 2) counts.push_back(threads);
  counts.push_back(thread_count(0));
  return counts;
}

/// Adds one row per thread count, with the speed-up of the medians. Each round runs every count, so that changes of the
/// clock rate affect all of them. There are `repeats` rounds, or three if these take a minute, after one that is not
/// counted. `solve` returns the result, which must be the same for every number of threads.
template <class Result>
void measure_scaling(const std::string& work, const Json& parameters, double operations, int repeats,
                     const std::function<Result(const Options&)>& solve) {
  const std::vector<int> counts = thread_counts();
  std::vector<std::vector<double>> seconds(counts.size());
  Options options;
  options.device = parse_device("cpu");
  const Result expected = solve(options);
  const auto start = std::chrono::steady_clock::now();
  for (int round = 0; round < repeats; ++round) {
    if (round >= 3 && std::chrono::steady_clock::now() - start > std::chrono::minutes(1)) break;
    for (std::size_t at = 0; at < counts.size(); ++at) {
      options.threads = counts[at];
      const auto before = std::chrono::steady_clock::now();
      const Result result = solve(options);
      seconds[at].push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - before).count());
      if (!(result == expected)) throw Error(ErrorKind::internal, "the threads change the result");
    }
  }
  double one = 0;
  for (std::size_t at = 0; at < counts.size(); ++at) {
    Json with_threads = parameters;
    with_threads["threads"] = counts[at];
    const Timing timing = summarize(seconds[at]);
    if (at == 0) one = timing.median_seconds;
    Json measured = row(work, with_threads, timing, operations, 0);
    measured["speed_up"] = one / timing.median_seconds;
    keep(std::move(measured));
  }
}

inline std::string line_of_scaling(const Json& row) {
  return fmt::format("{:34} {:2} threads: {:9.4f} s (spread {:.2f}, {} runs), speed-up {:5.2f}",
                     row["work"].get<std::string>(), row["threads"].get<int>(), row["median_seconds"].get<double>(),
                     row["spread"].get<double>(), row["repeats"].get<int>(), row["speed_up"].get<double>());
}

}  // namespace warpfold::bench
