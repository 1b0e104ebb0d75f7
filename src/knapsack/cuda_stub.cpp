#include "knapsack/table.hpp"
#include "run/reject_cuda.hpp"

namespace warpfold::knapsack::cuda {

template <class T>
void zero_one_rows(const Table<T>&, T*, Context&, SolveMonitor&) {
  reject_cuda();
}

template void zero_one_rows(const Table<std::int32_t>&, std::int32_t*, Context&, SolveMonitor&);
template void zero_one_rows(const Table<std::int64_t>&, std::int64_t*, Context&, SolveMonitor&);

}  // namespace warpfold::knapsack::cuda
