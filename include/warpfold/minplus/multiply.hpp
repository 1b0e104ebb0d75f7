#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "warpfold/core/matrix.hpp"
#include "warpfold/core/run.hpp"

namespace warpfold::minplus {

/// An argmin entry where no candidate was below the C that was given.
inline constexpr std::uint32_t unchanged = std::numeric_limits<std::uint32_t>::max();

/// C = min(C, A (x) B), the (min,+) matrix product:
///
///     C(i,j) = min(C(i,j), min over k of A(i,k) + B(k,j))
///
/// for A of m x p, B of p x n, C of m x n: m*n*p additions with a minimum each. Fill C with infinity<T> for the plain
/// product. With `argmin` (m x n), argmin(i,j) becomes the smallest k whose candidate is the minimum and below the C
/// that was given, `unchanged` where there is none.
///
/// infinity<T> or more (whole numbers: max/2) means "no value"; what is infinite in C comes back as infinity<T>. The
/// bits do not depend on algorithm, instruction set or threads. C and argmin must not overlap A, B or each other.
/// T is int32_t, int64_t, float or double. p is below 2^32 - 1.
/// Raises Error{usage} for shapes that do not fit together, Error{input} for NaN, -inf, and whole numbers a, b, c with
/// |a| or |b| above max/8 or |c| above max/4; Error{limit} and Error{cancelled} leave C partly updated.
template <class T>
Report multiply(std::type_identity_t<MatrixView<const T>> a, std::type_identity_t<MatrixView<const T>> b,
                MatrixView<T> c, const Options& options = {}, MatrixView<std::uint32_t> argmin = {});

/// The algorithms of this build, to be forced by Options::algorithm.
[[nodiscard]] std::vector<AlgorithmInfo> algorithms();

}  // namespace warpfold::minplus
