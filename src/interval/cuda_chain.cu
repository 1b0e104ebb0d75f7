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
Outcome<RecurrenceTable<T>> solve_chain(std::span<const T> dimensions, bool exact, const Options& options) {
  const DeviceChain<T> chain{dimensions.data(), exact};
  const std::size_t bytes = RecurrenceTable<T>::bytes(dimensions.size());
  const std::size_t peak_bytes = bytes + warpfold::cuda::staging_bytes(bytes, options.threads);
  check_memory(options, peak_bytes);
  auto solved = solve_recurrence(chain, dimensions.size(), options);
  solved.report.peak_bytes = peak_bytes;
  return {solved.solution.to_host(options), solved.report};
}

template Outcome<RecurrenceTable<std::int32_t>> solve_chain(std::span<const std::int32_t>, bool, const Options&);
template Outcome<RecurrenceTable<std::int64_t>> solve_chain(std::span<const std::int64_t>, bool, const Options&);
template Outcome<RecurrenceTable<float>> solve_chain(std::span<const float>, bool, const Options&);
template Outcome<RecurrenceTable<double>> solve_chain(std::span<const double>, bool, const Options&);

}  // namespace warpfold::interval::cuda
