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

template IntervalTable<std::int32_t> solve_chain(std::span<const std::int32_t>, bool, Context&);
template IntervalTable<std::int64_t> solve_chain(std::span<const std::int64_t>, bool, Context&);
template IntervalTable<float> solve_chain(std::span<const float>, bool, Context&);
template IntervalTable<double> solve_chain(std::span<const double>, bool, Context&);

template std::size_t chain_device_bytes<std::int32_t>(const MatrixChain&, const Options&);
template std::size_t chain_device_bytes<std::int64_t>(const MatrixChain&, const Options&);
template std::size_t chain_device_bytes<float>(const MatrixChain&, const Options&);
template std::size_t chain_device_bytes<double>(const MatrixChain&, const Options&);

}  // namespace warpfold::interval::cuda
