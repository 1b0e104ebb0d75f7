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
/// the device that was current when the plan was made. It holds padded copies, (m*p + p*n + m*n) values at most, and
/// none where m and n are multiples of 128, p is one of 16, and no infinity beyond infinity<T> stands in A and B
/// ("trusted"). T is int32_t, int64_t, float or double. One product at a time; any number of plans at once.
template <class T>
class Plan {
 public:
  /// Raises Error{limit} where device memory is short, Error{device} where there is no device.
  Plan(std::size_t m, std::size_t p, std::size_t n, bool trusted = false);
  ~Plan();
  Plan(Plan&&) noexcept;
  Plan& operator=(Plan&&) noexcept;

  [[nodiscard]] static std::size_t workspace_bytes(std::size_t m, std::size_t p, std::size_t n, bool trusted = false);

  /// `argmin` (m x n, may be null) as in minplus::multiply. `nonnegative` promises that no finite a + b is below 0: f32
  /// then takes three instructions for two terms, not four.
  void multiply(const T* a, const T* b, T* c, std::uint32_t* argmin = nullptr, bool nonnegative = false,
                Stream stream = nullptr);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

extern template class Plan<std::int32_t>;
extern template class Plan<std::int64_t>;
extern template class Plan<float>;
extern template class Plan<double>;

/// The same for 16-bit whole numbers, two to an instruction; sums must stay below 2^15: |a| + |b| < 2^15 for finite
/// entries, infinity<int16_t> otherwise. Without argmin.
class PlanI16 {
 public:
  PlanI16(std::size_t m, std::size_t p, std::size_t n);
  ~PlanI16();
  PlanI16(PlanI16&&) noexcept;
  PlanI16& operator=(PlanI16&&) noexcept;

  void multiply(const std::int16_t* a, const std::int16_t* b, std::int16_t* c, Stream stream = nullptr);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace warpfold::minplus::cuda
