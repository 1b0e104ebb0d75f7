#include "knapsack/table.hpp"
#include "run/refuse_cuda.hpp"

namespace warpfold::knapsack::cuda {

template <class T>
std::size_t zero_one_rows(const Table<T>&, T*, const Options&, Watch&) {
  refuse_cuda();
}

template std::size_t zero_one_rows(const Table<std::int32_t>&, std::int32_t*, const Options&, Watch&);
template std::size_t zero_one_rows(const Table<std::int64_t>&, std::int64_t*, const Options&, Watch&);

}  // namespace warpfold::knapsack::cuda
