#pragma once

#include <vector>

#include "papers/examples.hpp"
#include "papers/gpu-polygon-triangulation-2013/kernels.hpp"
#include "papers/p-fold-pipeline-2023/knapsack.hpp"
#include "papers/pipeline-dp-2018/pipelines.hpp"
#include "papers/registry.hpp"

/// The papers' experiments and worked examples, in the papers' order, and their backends.
namespace warpfold::papers {

namespace memory_machines_2012 {
inline constexpr const char* paper = "Nakano, Simple Memory Machine Models for GPUs, 2012";
[[nodiscard]] std::vector<Experiment> experiments();
[[nodiscard]] std::vector<Experiment> statements();
[[nodiscard]] std::vector<Example> examples();
/// The latencies of a GPU's memories beside those that a paper names.
[[nodiscard]] Table gpu_latency(const RunOptions& options, const char* printed_shared, const char* printed_global);
}  // namespace memory_machines_2012

namespace umm_2013 {
inline constexpr const char* paper =
    "Nakano, Sequential Memory Access on the Unified Memory Machine with Application to the Dynamic Programming, 2013";
[[nodiscard]] std::vector<Experiment> experiments();
[[nodiscard]] std::vector<Experiment> statements();
[[nodiscard]] std::vector<Example> examples();
}  // namespace umm_2013

namespace gpu_polygon_2013 {
inline constexpr const char* paper =
    "Ito and Nakano, A GPU Implementation of Dynamic Programming for the Optimal Polygon Triangulation, 2013";
[[nodiscard]] std::vector<Experiment> experiments();
[[nodiscard]] std::vector<Example> examples();
}  // namespace gpu_polygon_2013

namespace pipeline_2018 {
inline constexpr const char* paper =
    "Matsumae and Miyazaki, Solving Dynamic Programming Problem by Pipeline Implementation on GPU, 2018";
[[nodiscard]] std::vector<Experiment> experiments();
[[nodiscard]] std::vector<Experiment> statements();
[[nodiscard]] std::vector<Example> examples();
}  // namespace pipeline_2018

namespace p_fold_2023 {
inline constexpr const char* paper =
    "Matsumae, Accelerating Dynamic Programming by P-Fold Pipeline Implementation on GPU, 2023";
[[nodiscard]] std::vector<Experiment> experiments();
[[nodiscard]] std::vector<Experiment> gpu_experiments();
[[nodiscard]] std::vector<Experiment> machine_experiments();
[[nodiscard]] std::vector<Experiment> statements();
[[nodiscard]] std::vector<Example> examples();
}  // namespace p_fold_2023

/// The papers' GPU methods, as backends of the families.
template <class T>
[[nodiscard]] std::vector<interval::TriangulationBackend<T>> triangulation_backends() {
  return gpu_polygon_2013::backends<T>();
}
template <class T>
[[nodiscard]] std::vector<recurrence::RecurrenceBackend<T>> recurrence_backends() {
  return pipeline_2018::backends<T>();
}
using p_fold_2023::capacity_backends;
using p_fold_2023::packing_backends;

}  // namespace warpfold::papers
