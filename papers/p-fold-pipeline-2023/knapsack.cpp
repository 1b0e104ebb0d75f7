#include "papers/p-fold-pipeline-2023/knapsack.hpp"

#include "warpfold/run/devices.hpp"

namespace warpfold::papers::p_fold_2023 {

namespace {

using knapsack::PackingQuery;

const AlgorithmInfo p_fold_info{"p-fold", "cuda", "the 2023 paper's p-fold pipeline over the table as one sequence",
                                "n C operations"};

constexpr knapsack::RowsOnGpu p_fold_rows{zero_one_rows<std::int32_t>, zero_one_rows<std::int64_t>};

knapsack::Solution by_p_fold(const PackingQuery& asked, Context& context) {
  return by_rows(asked, p_fold_rows, context);
}

knapsack::CapacityTable capacities_by_p_fold(const PackingQuery& asked, Context& context) {
  return capacities_by_rows(asked, p_fold_rows, context);
}

std::size_t bytes_of_gpu(const PackingQuery& asked, const Options&) {
  return device_bytes(asked.problem.capacity(), asked.cell_bytes());
}

}  // namespace

std::vector<knapsack::PackingBackend> packing_backends() {
  if (!has_cuda()) return {};
  return {{.info = p_fold_info,
           .bytes = knapsack::bytes_on_gpu,
           .run = by_p_fold,
           .unsupported_reason = knapsack::unbounded_unsupported,
           .device_bytes = bytes_of_gpu,
           .explicit_only = true,
           .seconds = [](const knapsack::PackingBackend&, const PackingQuery& asked, const Options&) {
             return asked.seconds_on_gpu();
           }}};
}

std::vector<knapsack::CapacityBackend> capacity_backends() {
  if (!has_cuda()) return {};
  return {{.info = p_fold_info,
           .bytes = knapsack::capacity_bytes_on_gpu,
           .run = capacities_by_p_fold,
           .unsupported_reason = knapsack::unbounded_unsupported,
           .device_bytes = bytes_of_gpu,
           .explicit_only = true,
           .seconds = [](const knapsack::CapacityBackend&, const PackingQuery& asked, const Options&) {
             return asked.seconds_on_gpu() + asked.seconds_of_result();
           }}};
}

}  // namespace warpfold::papers::p_fold_2023
