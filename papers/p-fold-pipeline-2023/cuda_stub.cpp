#include "papers/p-fold-pipeline-2023/knapsack.hpp"
#include "run/refuse_cuda.hpp"

/// What a build without CUDA has in place of the kernels.
namespace warpfold::papers::p_fold_2023 {

template <class T>
void zero_one_rows(const knapsack::Table<T>&, T*, Context&, Watch&) {
  refuse_cuda();
}

template void zero_one_rows(const knapsack::Table<std::int32_t>&, std::int32_t*, Context&, Watch&);
template void zero_one_rows(const knapsack::Table<std::int64_t>&, std::int64_t*, Context&, Watch&);

}  // namespace warpfold::papers::p_fold_2023
