#pragma once

#include <fmt/format.h>

#include "warpfold/core/error.hpp"
#include "warpfold/core/matrix.hpp"

namespace warpfold::minplus {

/// Raises Error{usage} unless A is a valid view of a square matrix.
template <class T>
void check_square(const MatrixView<const T>& a) {
  check_view("A", a);
  if (a.rows == a.columns) return;
  throw Error(ErrorKind::usage, fmt::format("A is {} x {}: a square matrix is accepted", a.rows, a.columns));
}

}  // namespace warpfold::minplus
