#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpfold::recurrence {

/// How the candidates of one value are combined. sum_mod is the sum modulo m.
enum class Op { min, max, sum, sum_mod, bit_xor, bit_or, bit_and, gcd };

/// Parses "min", "max", "sum", "sum-mod", "xor", "or", "and" or "gcd". Raises Error{usage} for anything else.
[[nodiscard]] Op parse_op(const std::string& text);
/// Returns the name that `parse_op` accepts.
[[nodiscard]] std::string_view to_string(Op op);

/// Returns whether x op x = x, so that a repeated offset changes nothing.
[[nodiscard]] bool is_idempotent(Op op);

/// A recurrence as the caller states it. `Problem` checks it.
template <class T>
struct Statement {
  Op op = Op::min;
  std::vector<std::int64_t> offsets = {};  ///< in any order, each 1 or more
  std::vector<T> initial = {};             ///< the first values; their number is the largest offset
  std::size_t n = 0;                       ///< number of values in the table, including the initial ones
  std::vector<T> weights = {};             ///< c_j for offsets[j]; empty: no weights
  T modulus = 0;                           ///< m, for sum_mod only
  std::vector<T> coefficients = {};        ///< b_j for offsets[j], for sum and sum_mod only; empty: all are 1
};

/// The simplified dynamic programming problem of the papers (S-DP; pipeline-dp-2018, section II-A):
///
///     ST[i] = op over j of (b_j ST[i - a_j] + c_j)   for a_0 <= i < n,   a_0 > a_1 > ... > a_(k-1) > 0,
///
/// where ST[0] .. ST[a_0 - 1] are given. Candidates are combined from a_0 (the oldest value) on.
///
/// T is int32_t, int64_t, uint64_t, float or double. The ops xor, or, and, gcd and sum-mod need integers. Weights c_j
/// are accepted with min, max, sum and sum-mod, coefficients b_j with sum and sum-mod. -0.0 becomes 0.0. A problem is
/// checked at construction and does not change afterwards.
///
/// Raises Error{input} for NaN and every other violation, and Error{overflow} for values that may not fit:
///
/// * Repeated offsets are merged if the op is idempotent (min, max, or, and, gcd), and rejected otherwise. Of two
///   weights the one that wins stays.
/// * Integer min and max with weights: 4 W must be below the type's maximum, where W is the largest |value| that the
///   table could hold. An initial value of `infinity<T>` (max: -infinity<T>) means "no value" and stays so.
/// * The magnitudes of the integer coefficients of a sum may add up to 2^62. Every sum then fits into 128 bits.
/// * Integer sums are exact. `solve` rejects a sum that does not fit, and names its index. It also rejects a sum of
///   floats with a weight that becomes infinite.
template <class T>
class Problem {
 public:
  explicit Problem(Statement<T> statement);

  [[nodiscard]] Op op() const { return stated_.op; }
  [[nodiscard]] std::span<const std::int64_t> offsets() const { return stated_.offsets; }  ///< in descending order
  [[nodiscard]] std::span<const T> weights() const { return stated_.weights; }  ///< empty, or one for each offset
  [[nodiscard]] std::span<const T> initial() const { return stated_.initial; }
  [[nodiscard]] std::size_t n() const { return stated_.n; }
  [[nodiscard]] T modulus() const { return stated_.modulus; }

  [[nodiscard]] bool is_weighted() const { return !stated_.weights.empty(); }
  [[nodiscard]] T weight(std::size_t j) const { return is_weighted() ? stated_.weights[j] : T{0}; }
  [[nodiscard]] std::span<const T> coefficients() const { return stated_.coefficients; }  ///< like weights()
  [[nodiscard]] bool has_coefficients() const { return !stated_.coefficients.empty(); }
  [[nodiscard]] T coefficient(std::size_t j) const { return has_coefficients() ? stated_.coefficients[j] : T{1}; }
  [[nodiscard]] std::int64_t largest_offset() const { return stated_.offsets.front(); }
  [[nodiscard]] std::int64_t smallest_offset() const { return stated_.offsets.back(); }

  /// Returns W: every value except "no value", and every candidate made of such values, is at most W in magnitude. This
  /// holds for the n values of the table only; values after its end may grow further. It is 0 except for weighted
  /// integer min and max.
  [[nodiscard]] T bound() const { return bound_; }

  /// Returns (n - a_0) k, the number of candidates in the textbook's loops.
  [[nodiscard]] double operations() const;

 private:
  void check_offsets() const;
  void check_for_each_offset(const std::vector<T>& numbers, const char* one, bool is_accepted,
                             const char* accepting) const;
  void check_initial();
  void check_weights();
  void check_coefficients();
  void sort_offsets();
  void bound_values();

  Statement<T> stated_;
  T bound_ = 0;
};

}  // namespace warpfold::recurrence
