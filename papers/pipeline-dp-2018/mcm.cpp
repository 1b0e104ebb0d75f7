#include "papers/pipeline-dp-2018/mcm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "warpfold/core/error.hpp"

namespace warpfold::papers::pipeline_2018 {

std::vector<std::int64_t> random_dimensions(std::size_t matrices) {
  std::mt19937_64 random(matrices);
  std::vector<std::int64_t> dimensions(matrices + 1);
  for (auto& d : dimensions) d = static_cast<std::int64_t>(1 + random() % 100);
  return dimensions;
}

void check_mcm(std::span<const std::int64_t> dimensions, McmForm form, McmBarrier barrier) {
  constexpr std::size_t max_matrices = 1U << 15;
  if (dimensions.size() < 3 || dimensions.size() > max_matrices + 1) {
    throw Error(ErrorKind::usage,
                fmt::format("{} dimensions: those of 2 to {} matrices are accepted", dimensions.size(), max_matrices));
  }
  const auto [least, most] = std::ranges::minmax(dimensions);
  const double worst = static_cast<double>(dimensions.size()) * static_cast<double>(most) * static_cast<double>(most) *
                       static_cast<double>(most);
  if (least < 1 || worst >= 0x1p62) {
    throw Error(ErrorKind::usage, fmt::format("dimensions are {} to {}: at least 1 and, cubed and times {}, below 2^62 "
                                              "is accepted",
                                              least, most, dimensions.size()));
  }
  if (form == McmForm::printed && barrier == McmBarrier::stage) {
    throw Error(ErrorKind::usage, "the printed form has no stages: a launch or a grid barrier a step is accepted");
  }
}

}  // namespace warpfold::papers::pipeline_2018
