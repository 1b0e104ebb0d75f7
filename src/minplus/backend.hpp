#pragma once

#include <cstdint>

#include "warpfold/core/matrix.hpp"
#include "warpfold/core/run.hpp"

/// What every backend offers to solve.cpp. Explicitly instantiated for int32_t, int64_t, float, double.
namespace warpfold::minplus {

/// A product that multiply() has validated.
template <class T>
struct Product {
  MatrixView<const T> a;
  MatrixView<const T> b;
  MatrixView<T> c;
  MatrixView<std::uint32_t> argmin;  ///< data is null where it is not wanted
  T infinite;                        ///< what is at least this in C is infinite
};

namespace reference {
template <class T>
void multiply(const Product<T>& product, const Options& options, Report& report);
}

namespace cpu {
template <class T>
void multiply(const Product<T>& product, const Options& options, Report& report);
}

}  // namespace warpfold::minplus
