#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

/// The measurements of all benchmarks: the command line's and those of bench/.
namespace warpfold::timing {

using Json = nlohmann::ordered_json;

/// The median of the repeats, and (slowest - fastest) / median.
struct Timing {
  double median_seconds = 0;
  double spread = 0;
  int repeats = 0;
};

inline Timing summarize(std::vector<double> seconds) {
  std::sort(seconds.begin(), seconds.end());
  const double median = seconds[seconds.size() / 2];
  return {median, (seconds.back() - seconds.front()) / median, static_cast<int>(seconds.size())};
}

/// Runs `work` once to warm up, unless it takes so long that this makes no difference, then `repeats` times by the wall
/// clock.
inline Timing measure(int repeats, const std::function<void()>& work, bool warms_up = true) {
  if (warms_up) work();
  std::vector<double> seconds;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    const auto start = std::chrono::steady_clock::now();
    work();
    seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return summarize(std::move(seconds));
}

/// One row of a result. `results` is the number of elementary operations (splits, cells, products).
/// `ceiling_per_second` is the machine's maximum rate, measured in the same run; 0 if no ceiling applies.
inline Json row(const std::string& work, const Json& parameters, const Timing& timing, double results,
                double ceiling_per_second) {
  Json object = {{"work", work}};
  object.update(parameters);
  object["median_seconds"] = timing.median_seconds;
  object["spread"] = timing.spread;
  object["repeats"] = timing.repeats;
  object["rate_per_second"] = results / timing.median_seconds;
  if (ceiling_per_second > 0) {
    object["ceiling_per_second"] = ceiling_per_second;
    object["fraction_of_ceiling"] = results / timing.median_seconds / ceiling_per_second;
  }
  return object;
}

}  // namespace warpfold::timing
