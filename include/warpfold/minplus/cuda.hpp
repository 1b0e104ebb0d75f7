#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "warpfold/minplus/semiring.hpp"

struct CUstream_st;

/// Products of matrices that stay on a GPU, on the caller's stream. Nothing here waits for the device except a plan's
/// constructor, and its destructor for its own work.
namespace warpfold::minplus::cuda {

/// A cudaStream_t of the plan's device; null is its default stream.
using Stream = CUstream_st*;

/// `batch` products of A (m x p) and B (p x n) into C (m x n): all dense and row-major, one behind the other.
struct Shape {
  std::size_t m = 0;
  std::size_t p = 0;
  std::size_t n = 0;
  std::size_t batch = 1;
  bool one_a = false;  ///< a single A serves the whole batch
  bool one_b = false;
};

/// C = plus(C, A (x) B) as minplus::multiply defines it, on the device that was current when the plan was made,
/// whichever is current later. It holds padded copies of all three, and of argmin. T is uint8_t (or-and), int16_t,
/// int32_t, int64_t, float or double (every other semiring but count); entries are those that minplus::multiply
/// accepts, which nobody checks here. One product at a time; any number of plans at once.
template <class T>
class Plan {
 public:
  /// Raises Error{memory_limit} where device memory is short, Error{device} where there is no device, Error{usage} for
  /// a semiring that T does not have.
  explicit Plan(const Shape& shape, Semiring semiring = {}, bool argmin = false);
  ~Plan();
  Plan(Plan&&) noexcept;
  Plan& operator=(Plan&&) noexcept;

  [[nodiscard]] static std::size_t workspace_bytes(const Shape& shape, bool argmin = false);

  /// `argmin` (as C; null unless the plan was made for it) as in minplus::multiply. `nonnegative` promises that no
  /// finite entry is below 0: f32 then takes three instructions for two terms of (min,+), not four.
  void multiply(const T* a, const T* b, T* c, std::uint32_t* argmin = nullptr, bool nonnegative = false,
                Stream stream = nullptr);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// minplus::measure_ceiling of GPU cuda:index: (min,+) terms per second with every operand in registers, the best of
/// five runs. T is int32_t, int64_t, float or double.
template <class T>
[[nodiscard]] double measure_ceiling(int index);

extern template class Plan<std::uint8_t>;
extern template class Plan<std::int16_t>;
extern template class Plan<std::int32_t>;
extern template class Plan<std::int64_t>;
extern template class Plan<float>;
extern template class Plan<double>;

}  // namespace warpfold::minplus::cuda
