// Errors of the library's functions must be caught here as warpfold::Error, and the types of its templates must be the
// same.
#include <cmath>
#include <cstdio>

#include "warpfold/core/error.hpp"
#include "warpfold/interval/solve.hpp"

int main() {
  double weights[16] = {0, 0, 4, 0,  //
                        0, 0, 0, 9};
  std::printf("cost %g, ",
              warpfold::interval::solve(warpfold::interval::Triangulation<double>({weights, 4, 4, 4})).solution.cost);
  weights[2] = NAN;
  try {
    static_cast<void>(warpfold::interval::Triangulation<double>({weights, 4, 4, 4}));
  } catch (const warpfold::Error& error) {
    std::printf("then: %d, %s\n", warpfold::exit_code(error.kind()), error.what());
  }
}
