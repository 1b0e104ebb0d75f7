#pragma once

#include <vector>

#include "papers/gpu-polygon-triangulation-2013/kernels.hpp"
#include "papers/pipeline-dp-2018/pipelines.hpp"
#include "papers/registry.hpp"

/// What the papers add, one function a paper: its experiments, in the paper's order, and its backends.
namespace warpfold::papers {

[[nodiscard]] std::vector<Experiment> memory_machines_2012();
[[nodiscard]] std::vector<Experiment> umm_dynamic_programming_2013();
[[nodiscard]] std::vector<Experiment> gpu_polygon_triangulation_2013();
[[nodiscard]] std::vector<Experiment> pipeline_dp_2018();
[[nodiscard]] std::vector<Experiment> p_fold_pipeline_2023();
[[nodiscard]] std::vector<Experiment> p_fold_on_gpu_2023();

/// The papers' GPU methods, as backends of the families.
template <class T>
[[nodiscard]] std::vector<interval::TriangulationBackend<T>> triangulation_backends() {
  return gpu_polygon_2013::backends<T>();
}
template <class T>
[[nodiscard]] std::vector<recurrence::RecurrenceBackend<T>> recurrence_backends() {
  return pipeline_2018::backends<T>();
}

}  // namespace warpfold::papers
