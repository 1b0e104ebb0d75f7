#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpfold::recurrence {

/// How the candidates of one value are combined. "sum-mod" is the sum modulo m.
enum class Op { min, max, sum, sum_mod, bit_xor, bit_or, bit_and, gcd };

/// "min", "max", "sum", "sum-mod", "xor", "or", "and" or "gcd". Raises Error{usage} for anything else.
[[nodiscard]] Op parse_op(const std::string& text);
/// That name.
[[nodiscard]] std::string_view to_string(Op op);

/// Whether x op x = x, so that naming an offset twice changes nothing.
[[nodiscard]] bool is_idempotent(Op op);

/// A recurrence as its user states it. `Problem` checks it.
template <class T>
struct Statement {
  Op op = Op::min;
  std::vector<std::int64_t> offsets = {};  ///< in any order, each at least 1
  std::vector<T> initial = {};             ///< the first values, as many as the largest offset
  std::size_t n = 0;                       ///< how many values the table has, the initial ones included
  std::vector<T> weights = {};             ///< c_j beside offsets[j]; empty: none are added
  T modulus = 0;                           ///< with sum_mod only
};

/// The papers' simplified dynamic programming problem (S-DP; pipeline-dp-2018, section II-A):
///
///     ST[i] = op over j of (ST[i - a_j] + c_j)   for a_0 <= i < n,   a_0 > a_1 > ... > a_(k-1) > 0,
///
/// where ST[0] .. ST[a_0 - 1] are given and the candidates are combined from a_0 (the oldest value) on.
///
/// T: int32_t, int64_t, uint64_t, float or double; xor, or, and, gcd and sum-mod need integers. Weights c_j go
/// with min, max, sum and sum-mod. -0.0 becomes 0.0; NaN is refused. Checked once, here, and immutable:
/// * An offset that occurs twice is merged where the op is idempotent (min, max, or, and, gcd; of two weights the one
///   that wins stays) and refused elsewhere.
/// * Whole-number min and max with weights: 4 W must be below the type's maximum, where W is the largest |value| that
///   the table could hold. An initial value of `infinity<T>` (max: -infinity<T>) stands for "no value" and remains so.
/// * Whole-number sums are exact. A sum that does not fit is refused while solving, with the first index; so is one of
///   floats with a weight that becomes infinite.
/// Every violation raises Error{input}, what does not fit Error{overflow}.
template <class T>
class Problem {
 public:
  explicit Problem(Statement<T> statement);

  [[nodiscard]] Op op() const { return stated_.op; }
  [[nodiscard]] std::span<const std::int64_t> offsets() const { return stated_.offsets; }  ///< largest first
  [[nodiscard]] std::span<const T> weights() const { return stated_.weights; }             ///< empty, or one an offset
  [[nodiscard]] std::span<const T> initial() const { return stated_.initial; }
  [[nodiscard]] std::size_t n() const { return stated_.n; }
  [[nodiscard]] T modulus() const { return stated_.modulus; }

  [[nodiscard]] bool is_weighted() const { return !stated_.weights.empty(); }
  [[nodiscard]] T weight(std::size_t j) const { return is_weighted() ? stated_.weights[j] : T{0}; }
  [[nodiscard]] std::int64_t largest_offset() const { return stated_.offsets.front(); }
  [[nodiscard]] std::int64_t smallest_offset() const { return stated_.offsets.back(); }

  /// W: no value but "no value" is larger in magnitude, nor any candidate made of one. It holds for the n values of the
  /// table alone: behind its end they may go on growing. Weighted whole-number min and max only; 0 for others.
  [[nodiscard]] T bound() const { return bound_; }

  /// (n - a_0) k: the candidates that the textbook's loops look at.
  [[nodiscard]] double operations() const;

 private:
  void check_offsets() const;
  void check_values();
  void sort_offsets();
  void bound_values();

  Statement<T> stated_;
  T bound_ = 0;
};

}  // namespace warpfold::recurrence
