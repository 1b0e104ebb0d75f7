#include "knapsack/table.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold::knapsack::cuda {

bool available() { return false; }

template <class T>
void zero_one_rows(const Table<T>&, T*, Schedule, int, Watch&) {
  throw Error(ErrorKind::device, "knapsack: CUDA was not compiled in");
}

template void zero_one_rows(const Table<std::int32_t>&, std::int32_t*, Schedule, int, Watch&);
template void zero_one_rows(const Table<std::int64_t>&, std::int64_t*, Schedule, int, Watch&);

}  // namespace warpfold::knapsack::cuda
