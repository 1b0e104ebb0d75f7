#include "core/number_types.hpp"
#include "knapsack/table.hpp"
#include "run/reject_cuda.hpp"

namespace warpfold::knapsack::cuda {

WARPFOLD_REJECT_CUDA(void zero_one_rows(const Table<T>&, T*, Context&, SolveMonitor&))

#define WARPFOLD_INSTANTIATE(T) template void zero_one_rows(const Table<T>&, T*, Context&, SolveMonitor&);
WARPFOLD_FOR_EACH_INTEGER_TYPE(WARPFOLD_INSTANTIATE)
#undef WARPFOLD_INSTANTIATE

}  // namespace warpfold::knapsack::cuda
