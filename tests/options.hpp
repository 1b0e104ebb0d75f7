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

}  // namespace warpfold::test
