#include "core/number_types.hpp"
#include "interval/backends.hpp"
#include "warpfold/interval/recurrence.cuh"

/// The matrix chain's recurrence on a GPU.
namespace warpfold::interval::cuda {

template <class T>
struct DeviceChain {
  using Semiring = MinPlus<T>;
  static constexpr bool nonnegative = true;
  const T* p;
  bool exact;

  constexpr T leaf(std::size_t) const { return 0; }
  constexpr T weight(std::size_t, std::size_t) const { return 0; }
  constexpr ProductSplit<T> product_split() const { return {p, p, p, exact}; }
};

template <class T>
IntervalTable<T> solve_chain(std::span<const T> dimensions, bool exact, Context& context) {
  const DeviceChain<T> chain{dimensions.data(), exact};
  Options tiled = context.options;
  tiled.algorithm.clear();  // "dp" is this
  const Budget::Reservation staging =
      context.budget.reserve(warpfold::cuda::staging_bytes(IntervalTable<T>::bytes(dimensions.size()), tiled.threads));
  const auto [table, report] = solve_recurrence(chain, dimensions.size(), tiled);
  add_part(context.report, report);
  return table.to_host(tiled);
}

template <class T>
std::size_t chain_device_bytes(const MatrixChain& chain, const Options& options) {
  return detail::DeviceSolve<DeviceChain<T>>::bytes(chain.size() + 1, 1 + options.device.more.size());
}

#define WARPFOLD_INSTANTIATE(T)                                              \
  template IntervalTable<T> solve_chain(std::span<const T>, bool, Context&); \
  template std::size_t chain_device_bytes<T>(const MatrixChain&, const Options&);
WARPFOLD_FOR_EACH_TABLE_TYPE(WARPFOLD_INSTANTIATE)
#undef WARPFOLD_INSTANTIATE

}  // namespace warpfold::interval::cuda
