#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "warpfold/interval/split.hpp"
#include "warpfold/run/estimate.hpp"
#include "warpfold/run/run.hpp"

/// The order in which to multiply a chain of matrices A1 A2 .. An with the fewest scalar multiplications.
///
///     value(i,j) = min over i<k<j of value(i,k) + value(k,j) + p_i p_k p_j,    value(i,i+1) = 0,
///
/// where A_t has p_(t-1) rows and p_t columns; the answer is value(0,n). It is the optimal triangulation of a polygon
/// with vertex weights p_0 .. p_n whose triangle (i,k,j) costs p_i p_k p_j.
namespace warpfold::interval {

__extension__ using Wide = __int128;

/// A validated chain. Immutable.
class MatrixChain {
 public:
  /// The dimensions p_0 .. p_n of n >= 1 matrices. Raises Error{input} for fewer than two or one below 1, and
  /// Error{overflow} for dimensions so large that max(p) * sum of p_t p_(t+1) reaches 2^126.
  explicit MatrixChain(std::vector<std::int64_t> dimensions);

  [[nodiscard]] std::size_t size() const { return dimensions_.size() - 1; }  ///< the number n of matrices
  [[nodiscard]] const std::vector<std::int64_t>& dimensions() const { return dimensions_; }

  /// No part of the chain costs more at best: max(p) * (p_0 p_1 + p_1 p_2 + .. + p_n p_0), that of a fan.
  [[nodiscard]] Wide worst_cost() const { return worst_cost_; }

 private:
  std::vector<std::int64_t> dimensions_;
  Wide worst_cost_ = 0;
};

/// A split (i,k,j) is the product of A(i+1) .. Ak and A(k+1) .. Aj. The n-1 splits stand in preorder: the last
/// multiplication first, then those of its left factor, then of its right.
struct ChainSolution {
  Wide cost = 0;
  std::vector<Split> splits;
  std::string_view dtype = "i128";  ///< the arithmetic
  bool exact = true;  ///< false where floating-point arithmetic may have rounded: another order may then cost less
};

/// Up to this many matrices the plain recurrence on the stack is faster than any set-up.
inline constexpr std::size_t small_chain = 16;

/// The names that Options::algorithm accepts: "hu-shing" and "dp".
[[nodiscard]] std::vector<AlgorithmInfo> chain_algorithms();

/// The exact optimum. By default the plain recurrence up to n = small_chain and Hu and Shing's O(n log n) algorithm
/// (SIAM J. Comput. 11(2), 1982 and 13(2), 1984) above. The same order every time for the same dimensions; of orders
/// that cost the same the recurrence takes the smallest k, and Hu and Shing's perhaps another. "dp" above n = 16 is
/// solve_by_dp in the smallest integers that fit, on a GPU for every n. Raises Error{usage} for an unknown
/// algorithm and for "dp" where 64 bits may not hold the cost, Error{time_limit}, Error{memory_limit} and
/// Error{cancelled} as the options ask.
[[nodiscard]] Outcome<ChainSolution> solve(const MatrixChain& chain, const Options& options = {});

/// By the tiled dynamic program in T (int32_t, int64_t, float or double): n*n*n/6 sums of three terms, about n*n/2
/// values. Ties go to the smallest k. The cost is that of the order found, exactly; the order is optimal where `exact`
/// says so. Raises Error{overflow} where the cost may not fit a whole-number type, Error{time_limit},
/// Error{memory_limit} and Error{cancelled} as the options ask.
template <class T>
[[nodiscard]] Outcome<ChainSolution> solve_by_dp(const MatrixChain& chain, const Options& options = {});

/// "i32" where the chain's cost surely fits it, else "i64".
[[nodiscard]] std::string_view chain_dp_dtype(const MatrixChain& chain);

/// The tables m and s of numpy.linalg.multi_dot and of Cormen et al., n x n, row by row, 0 on and below the diagonal:
/// m[i][j], i < j, is the least cost of the matrices i .. j (counted from 0), and s[i][j] the smallest k so that
/// (i .. k)(k+1 .. j) attains it. The textbook counts all three from 1.
template <class T>
struct ChainTables {
  std::size_t matrices = 0;
  std::vector<T> costs;
  std::vector<std::int64_t> splits;
  ChainSolution solution;  ///< solve_by_dp's, of the same table
};

/// Both, by solve_by_dp's recurrence and a second search of every interval: n*n*n/6 further steps, n*n values of each.
/// Raises what solve_by_dp does.
template <class T>
[[nodiscard]] Outcome<ChainTables<T>> chain_tables(const MatrixChain& chain, const Options& options = {});

/// What `solve` would take, and `solve_by_dp` and `chain_tables` in T; they raise what those raise for the options. The
/// dynamic program's rate is that of the chain's first matrices, which are solved for it.
[[nodiscard]] Estimate estimate(const MatrixChain& chain, const Options& options = {});
/// What `solve_by_dp` or, with `tables`, `chain_tables` would take in T.
template <class T>
[[nodiscard]] Estimate estimate_dp(const MatrixChain& chain, bool tables, const Options& options = {});

/// "((A1A2)A3)"; "A1" for one matrix.
[[nodiscard]] std::string parentheses(const ChainSolution& solution);

/// The pairwise contractions in opt_einsum's form: each pair names positions in the list of operands that remain, which
/// are taken out of it; their product goes to its end.
[[nodiscard]] std::vector<std::pair<std::size_t, std::size_t>> contraction_path(const ChainSolution& solution);

}  // namespace warpfold::interval
