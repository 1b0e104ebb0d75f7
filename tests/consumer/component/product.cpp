#include <cstdio>

#include "warpfold/core/arithmetic.hpp"
#include "warpfold/minplus/multiply.hpp"

int main() {
  constexpr double infinity = warpfold::infinity<double>;
  const double a[] = {0, 3, 8, 0};
  double c[] = {infinity, infinity, infinity, infinity};
  warpfold::minplus::accumulate<double>(warpfold::minplus::Semiring::min_plus, {a, 2, 2, 2}, {a, 2, 2, 2},
                                        {c, 2, 2, 2});
  std::printf("%g %g %g %g\n", c[0], c[1], c[2], c[3]);
}
