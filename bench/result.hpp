#pragma once

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "timing/measure.hpp"

/// The form of a raw result, which is stored under results/<machine>/.
namespace warpfold::bench {

using namespace timing;

/// The speed by pairs: the median of first[t] / second[t].
inline double speed_in_pairs(const std::vector<double>& first, const std::vector<double>& second) {
  std::vector<double> speeds(first.size());
  std::transform(first.begin(), first.end(), second.begin(), speeds.begin(), std::divides());
  return summarize(std::move(speeds)).median_seconds;
}

/// The seconds that all processors have worked for this process. Other programs disturb it less than the wall clock.
inline double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

inline std::string environment_or_unknown(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "unknown";
}

/// The complete file: the machine, the time and the commit of the rows. `./dev bench` sets machine and commit in
/// WARPFOLD_MACHINE and WARPFOLD_COMMIT.
inline Json file(const std::string& command, std::vector<Json> rows) {
  const std::time_t now = std::time(nullptr);
  char date[32];
  std::strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&now));
  return {{"machine", environment_or_unknown("WARPFOLD_MACHINE")},
          {"date", date},
          {"commit", environment_or_unknown("WARPFOLD_COMMIT")},
          {"command", command},
          {"rows", std::move(rows)}};
}

}  // namespace warpfold::bench
