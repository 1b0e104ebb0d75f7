#pragma once

#include <algorithm>

#include "warpfold/minplus/multiply.hpp"
#include "warpfold/minplus/power.hpp"

/// The tests' calls, with results in the test's own matrices.
namespace warpfold::minplus {

template <class T>
Report accumulate(std::type_identity_t<MatrixView<const T>> a, std::type_identity_t<MatrixView<const T>> b,
                  MatrixView<T> c, const Options& options = {}, MatrixView<std::uint32_t> argmin = {}) {
  return accumulate<T>(Semiring::min_plus, a, b, c, options, argmin);
}

template <class T>
Report copy_to(const MatrixView<T>& result, const Outcome<Matrix<T>>& outcome) {
  for (std::size_t i = 0; i < outcome.solution.rows(); ++i) {
    std::copy_n(outcome.solution.view().row(i), outcome.solution.columns(), result.row(i));
  }
  return outcome.report;
}

template <class T>
Report power(Semiring semiring, std::type_identity_t<MatrixView<const T>> a, std::uint64_t k, MatrixView<T> result,
             const Options& options = {}) {
  return copy_to(result, power(semiring, a, k, options));
}

}  // namespace warpfold::minplus
