#pragma once

#include <utility>
#include <vector>

#include "warpfold/run/devices.hpp"

namespace warpfold::test {

/// Devices that solve one problem together: GPU 0 that helps itself, once and twice, which works on every host with a
/// GPU; and all GPUs, if there are several.
inline std::vector<Device> several_gpus() {
  std::vector<Device> found = {{Device::Kind::cuda, 0, {0}}, {Device::Kind::cuda, 0, {0, 0}}};
  if (gpus().size() > 1) found.push_back(find_gpus(parse_device("cuda:all")));
  return found;
}

inline Options on(Device device) {
  Options options;
  options.device = std::move(device);
  return options;
}

}  // namespace warpfold::test
