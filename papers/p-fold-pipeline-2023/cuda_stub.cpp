#include "core/number_types.hpp"
#include "papers/p-fold-pipeline-2023/knapsack.hpp"
#include "run/reject_cuda.hpp"

/// The stand-in for the kernels in a build without CUDA.
namespace warpfold::papers::p_fold_2023 {

WARPFOLD_REJECT_CUDA(void zero_one_rows(const knapsack::Table<T>&, T*, Context&, SolveMonitor&))

#define WARPFOLD_INSTANTIATE(T) template void zero_one_rows(const knapsack::Table<T>&, T*, Context&, SolveMonitor&);
WARPFOLD_FOR_EACH_INTEGER_TYPE(WARPFOLD_INSTANTIATE)
#undef WARPFOLD_INSTANTIATE

}  // namespace warpfold::papers::p_fold_2023
