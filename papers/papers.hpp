#pragma once

#include <vector>

#include "papers/registry.hpp"

/// One function a paper: its experiments, in the paper's order.
namespace warpfold::papers {

[[nodiscard]] std::vector<Experiment> memory_machines_2012();
[[nodiscard]] std::vector<Experiment> umm_dynamic_programming_2013();
[[nodiscard]] std::vector<Experiment> gpu_polygon_triangulation_2013();
[[nodiscard]] std::vector<Experiment> pipeline_dp_2018();
[[nodiscard]] std::vector<Experiment> p_fold_pipeline_2023();
[[nodiscard]] std::vector<Experiment> p_fold_on_gpu_2023();

}  // namespace warpfold::papers
