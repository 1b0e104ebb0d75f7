#include "knapsack/table.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold::knapsack::cuda {

template <class T>
std::size_t zero_one_rows(const Table<T>&, T*, const Options&, Watch&) {
  throw Error(ErrorKind::device, "knapsack: CUDA was not compiled in");
}

template std::size_t zero_one_rows(const Table<std::int32_t>&, std::int32_t*, const Options&, Watch&);
template std::size_t zero_one_rows(const Table<std::int64_t>&, std::int64_t*, const Options&, Watch&);

}  // namespace warpfold::knapsack::cuda
