#include "papers/p-fold-pipeline-2023/knapsack.hpp"
#include "run/refuse_cuda.hpp"

/// What a build without CUDA has in place of the kernels.
namespace warpfold::papers::p_fold_2023 {

template <class T>
std::size_t zero_one_rows(const knapsack::Table<T>&, T*, const Options&, Watch&) {
  refuse_cuda();
}

template std::size_t zero_one_rows(const knapsack::Table<std::int32_t>&, std::int32_t*, const Options&, Watch&);
template std::size_t zero_one_rows(const knapsack::Table<std::int64_t>&, std::int64_t*, const Options&, Watch&);

}  // namespace warpfold::papers::p_fold_2023
