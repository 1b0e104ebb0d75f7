#pragma once

#include <string>

#include "warpfold/run/run.hpp"

namespace warpfold::test {

inline Options by(const std::string& algorithm, int threads = 0) {
  Options options;
  options.algorithm = algorithm;
  options.threads = threads;
  return options;
}

inline Options by(const std::string& algorithm, Device::Kind device) {
  Options options = by(algorithm);
  options.device.kind = device;
  return options;
}

}  // namespace warpfold::test
