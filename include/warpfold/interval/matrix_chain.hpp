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

/// The order of multiplying a chain of matrices A1 A2 .. An with the fewest scalar multiplications:
///
///     value(i,j) = min over i<k<j of value(i,k) + value(k,j) + p_i p_k p_j,    value(i,i+1) = 0
///
/// A_t has p_(t-1) rows and p_t columns. The answer is value(0,n).
///
/// It is also the optimal triangulation of a polygon with vertex weights p_0 .. p_n, where triangle (i,k,j) costs p_i
/// p_k p_j.
namespace warpfold::interval {

__extension__ using Wide = __int128;

/// A validated chain of matrices. Immutable.
class MatrixChain {
 public:
  /// Takes the dimensions p_0 .. p_n of n >= 1 matrices. Raises Error{input} for fewer than two dimensions, or one
  /// below
  /// 1. Raises Error{overflow} if max(p) * (p_0 p_1 + p_1 p_2 + .. + p_n p_0) reaches 2^126.
  explicit MatrixChain(std::vector<std::int64_t> dimensions);

  [[nodiscard]] std::size_t size() const { return dimensions_.size() - 1; }  ///< the number n of matrices
  [[nodiscard]] const std::vector<std::int64_t>& dimensions() const { return dimensions_; }

  /// A bound of the least cost of any part of the chain: max(p) * (p_0 p_1 + p_1 p_2 + .. + p_n p_0), the cost of a
  /// fan.
  [[nodiscard]] Wide worst_cost() const { return worst_cost_; }

 private:
  std::vector<std::int64_t> dimensions_;
  Wide worst_cost_ = 0;
};

/// An order of multiplications and its cost. Split (i,k,j) is the product of A(i+1) .. Ak and A(k+1) .. Aj. The n-1
/// splits are in preorder: the last multiplication first, then those of its left factor, then those of its right.
struct ChainSolution {
  Wide cost = 0;
  std::vector<Split> splits;
  std::string_view dtype = "i128";  ///< the number type
  /// False if floating-point arithmetic may have rounded. Another order may then cost less.
  bool exact = true;
};

/// Up to this many matrices, the plain recurrence on the stack is the fastest algorithm.
inline constexpr std::size_t small_chain = 16;

/// The algorithms that Options::algorithm accepts: "hu-shing" and "dp".
[[nodiscard]] std::vector<AlgorithmInfo> chain_algorithms();

/// Finds the optimal order, exactly.
///
/// The default is the plain recurrence up to n = small_chain. For more matrices it is Hu and Shing's O(n log n)
/// algorithm (SIAM J. Comput. 11(2), 1982 and 13(2), 1984). "dp" above n = 16 is solve_by_dp in the smallest integer
/// type that fits, and on a GPU for every n.
///
/// Ties: the recurrence takes the smallest k; Hu and Shing's algorithm may find another optimal order. Both give the
/// same order for the same dimensions on every machine.
///
/// Raises Error{usage} for an unknown algorithm, and for "dp" if 64 bits may not hold the cost. Raises
/// Error{time_limit}, Error{memory_limit} and Error{cancelled} as the options ask.
[[nodiscard]] Outcome<ChainSolution> solve(const MatrixChain& chain, const Options& options = {});

/// Finds an order by the tiled dynamic program in T: int32_t, int64_t, float or double.
///
/// `cost` is the exact cost of the order found. The order is optimal if `exact` is true. Ties go to the smallest k.
/// Cost: n*n*n/6 sums of three terms, about n*n/2 values.
///
/// Raises Error{overflow} if the cost may not fit an integer type, Error{time_limit}, Error{memory_limit} and
/// Error{cancelled} as the options ask.
template <class T>
[[nodiscard]] Outcome<ChainSolution> solve_by_dp(const MatrixChain& chain, const Options& options = {});

/// "i32" if the chain's cost surely fits it, otherwise "i64".
[[nodiscard]] std::string_view chain_dp_dtype(const MatrixChain& chain);

/// The tables m and s of numpy.linalg.multi_dot and of Cormen et al. Both are n x n, row-major, and 0 below the
/// diagonal and on it.
///
/// m[i][j], i < j, is the least cost of multiplying matrices i .. j, counted from 0. s[i][j] is the smallest k such
/// that (i .. k)(k+1 .. j) attains it, counted from 0. The textbook counts from 1.
template <class T>
struct ChainTables {
  std::size_t matrices = 0;
  std::vector<T> costs;
  std::vector<std::int64_t> splits;
  ChainSolution solution;  ///< the result of solve_by_dp from the same table
};

/// Computes both tables by solve_by_dp's recurrence and a second search of every interval. Raises what solve_by_dp
/// raises. Cost besides solve_by_dp's: n*n*n/6 steps, and n*n values for each table.
template <class T>
[[nodiscard]] Outcome<ChainTables<T>> chain_tables(const MatrixChain& chain, const Options& options = {});

/// Estimates `solve`. Raises what `solve` raises for the options. The rate of the dynamic program is measured by
/// solving the chain's first matrices.
[[nodiscard]] Estimate estimate(const MatrixChain& chain, const Options& options = {});
/// Estimates `solve_by_dp` in T or, with `tables`, `chain_tables`.
template <class T>
[[nodiscard]] Estimate estimate_dp(const MatrixChain& chain, bool tables, const Options& options = {});

/// The order as text: "((A1A2)A3)", or "A1" for one matrix.
[[nodiscard]] std::string parentheses(const ChainSolution& solution);

/// The pairwise contractions in opt_einsum's form. Each pair names two positions in the list of remaining operands.
/// Both are removed from the list, and their product is appended.
[[nodiscard]] std::vector<std::pair<std::size_t, std::size_t>> contraction_path(const ChainSolution& solution);

}  // namespace warpfold::interval
