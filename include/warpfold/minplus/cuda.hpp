#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

struct CUstream_st;

/// (min,+) products of matrices that stay on a GPU, on the caller's stream. Nothing here waits for the device except a
/// plan's constructor and destructor.
namespace warpfold::minplus::cuda {

/// A cudaStream_t; null is the default stream.
using Stream = CUstream_st*;

/// C = min(C, A (x) B) as minplus::multiply defines it, for A of m x p, B of p x n and C of m x n: row-major, dense, on
/// the device that was current when the plan was made. It holds padded copies of all three, and of argmin.
/// T is int32_t, int64_t, float or double. One product at a time; any number of plans at once.
template <class T>
class Plan {
 public:
  /// Raises Error{limit} where device memory is short, Error{device} where there is no device.
  Plan(std::size_t m, std::size_t p, std::size_t n, bool argmin = false);
  ~Plan();
  Plan(Plan&&) noexcept;
  Plan& operator=(Plan&&) noexcept;

  [[nodiscard]] static std::size_t workspace_bytes(std::size_t m, std::size_t p, std::size_t n, bool argmin = false);

  /// `argmin` (m x n; null unless the plan was made for it) as in minplus::multiply. `largest_total`: no finite c or
  /// a + b is larger in magnitude, and 4 times it fits into T. `nonnegative` promises that no finite a, b or c is below
  /// 0: f32 then takes three instructions for two terms, not four.
  void multiply(const T* a, const T* b, T* c, T largest_total, std::uint32_t* argmin = nullptr,
                bool nonnegative = false, Stream stream = nullptr);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

extern template class Plan<std::int32_t>;
extern template class Plan<std::int64_t>;
extern template class Plan<float>;
extern template class Plan<double>;

}  // namespace warpfold::minplus::cuda
