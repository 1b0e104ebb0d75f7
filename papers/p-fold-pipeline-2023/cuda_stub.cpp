#include "papers/p-fold-pipeline-2023/knapsack.hpp"
#include "run/reject_cuda.hpp"

/// What a build without CUDA has in place of the kernels.
namespace warpfold::papers::p_fold_2023 {

template <class T>
void zero_one_rows(const knapsack::Table<T>&, T*, Context&, SolveMonitor&) {
  reject_cuda();
}

template void zero_one_rows(const knapsack::Table<std::int32_t>&, std::int32_t*, Context&, SolveMonitor&);
template void zero_one_rows(const knapsack::Table<std::int64_t>&, std::int64_t*, Context&, SolveMonitor&);

}  // namespace warpfold::papers::p_fold_2023
