#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "warpfold/core/run.hpp"

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
  /// The dimensions p_0 .. p_n of n >= 1 matrices. Raises Error{input} for fewer than two, one below 1, or dimensions
  /// so large that max(p) * sum of p_t p_(t+1) reaches 2^126.
  explicit MatrixChain(std::vector<std::int64_t> dimensions);

  [[nodiscard]] std::size_t size() const { return dimensions_.size() - 1; }  ///< the number n of matrices
  [[nodiscard]] const std::vector<std::int64_t>& dimensions() const { return dimensions_; }

 private:
  std::vector<std::int64_t> dimensions_;
};

/// value(i,j) = value(i,k) + value(k,j) + ...: the product of A(i+1) .. Ak and A(k+1) .. Aj.
struct Split {
  std::uint32_t i;
  std::uint32_t k;
  std::uint32_t j;

  bool operator==(const Split&) const = default;
};

/// The n-1 splits stand in preorder: the last multiplication first, then those of its left factor, then of its right.
struct ChainSolution {
  Wide cost = 0;
  std::vector<Split> splits;
};

struct ChainResult {
  ChainSolution solution;
  Report report;
};

/// The names that Options::algorithm accepts: "hu-shing" and "dp".
[[nodiscard]] std::vector<AlgorithmInfo> chain_algorithms();

/// The exact optimum. By default the plain recurrence up to n = 16 and Hu and Shing's O(n log n) algorithm (SIAM
/// J. Comput. 11(2), 1982 and 13(2), 1984) above. The same order every time for the same dimensions.
/// Raises Error{usage} for an unknown algorithm, Error{limit} and Error{cancelled} as the options ask.
[[nodiscard]] ChainResult solve(const MatrixChain& chain, const Options& options = {});

/// "((A1A2)A3)"; "A1" for one matrix.
[[nodiscard]] std::string parentheses(const ChainSolution& solution);

/// The pairwise contractions in opt_einsum's form: each pair names positions in the list of operands that remain, which
/// are taken out of it; their product goes to its end.
[[nodiscard]] std::vector<std::pair<std::size_t, std::size_t>> contraction_path(const ChainSolution& solution);

}  // namespace warpfold::interval
