#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "warpfold/minplus/semiring.hpp"

struct CUstream_st;

/// Products of matrices in GPU memory, on the caller's stream. Only a plan's constructor waits for the device; its
/// destructor waits for the plan's own work.
namespace warpfold::minplus::cuda {

/// A cudaStream_t of the plan's device. Null is its default stream.
using Stream = CUstream_st*;

/// The shape of `batch` products of A (m x p) and B (p x n) into C (m x n). All matrices are dense, row-major and one
/// after another.
struct Shape {
  std::size_t m = 0;
  std::size_t p = 0;
  std::size_t n = 0;
  std::size_t batch = 1;
  bool one_a = false;  ///< a single A serves the whole batch
  bool one_b = false;
};

/// C = plus(C, A (x) B) as `minplus::multiply` defines it. A plan works on the device that was current when it was
/// made, and holds padded copies of A, B, C and argmin. A plan computes one product at a time. Any number of plans may
/// work at once.
///
/// T is uint8_t (or-and), or int16_t, int32_t, int64_t, float or double (every other semiring except plus_times).
/// Entries must be those that `minplus::multiply` accepts; they are not checked.
template <class T>
class Plan {
 public:
  /// Makes a plan. Raises Error{memory_limit} if device memory is short, Error{device} if there is no device, and
  /// Error{usage} for a semiring that T does not have.
  explicit Plan(const Shape& shape, Semiring semiring = {}, bool argmin = false);
  ~Plan();
  Plan(Plan&&) noexcept;
  Plan& operator=(Plan&&) noexcept;

  [[nodiscard]] static std::size_t workspace_bytes(const Shape& shape, bool argmin = false);

  /// Starts a product on the stream. `argmin` has the shape of C, and is null unless the plan was made for it.
  /// `nonnegative` promises that no finite entry is below 0. Then f32 takes three instructions for two terms of
  /// (min,+), not four.
  void multiply(const T* a, const T* b, T* c, std::uint32_t* argmin = nullptr, bool nonnegative = false,
                Stream stream = nullptr);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Returns the ceiling of GPU cuda:index: (min,+) terms per second with every operand in registers, the best of five
/// runs. T is int32_t, int64_t, float or double.
template <class T>
[[nodiscard]] double measure_ceiling(int index);

extern template class Plan<std::uint8_t>;
extern template class Plan<std::int16_t>;
extern template class Plan<std::int32_t>;
extern template class Plan<std::int64_t>;
extern template class Plan<float>;
extern template class Plan<double>;

}  // namespace warpfold::minplus::cuda
