#include "knapsack/table.hpp"
#include "run/refuse_cuda.hpp"

namespace warpfold::knapsack::cuda {

template <class T>
void zero_one_rows(const Table<T>&, T*, Context&, Watch&) {
  refuse_cuda();
}

template void zero_one_rows(const Table<std::int32_t>&, std::int32_t*, Context&, Watch&);
template void zero_one_rows(const Table<std::int64_t>&, std::int64_t*, Context&, Watch&);

}  // namespace warpfold::knapsack::cuda
