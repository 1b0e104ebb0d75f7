// The cheapest connection from every i to every j over one stop k, and that stop.
// --- snippet
#include <iostream>

#include "warpfold/minplus/multiply.hpp"

int main() {
  namespace minplus = warpfold::minplus;
  using minplus::Semiring;
  warpfold::Matrix<float> there(2, 3, warpfold::infinity<float>);  // no connections yet
  there(0, 0) = 4, there(0, 2) = 1, there(1, 1) = 2;
  warpfold::Matrix<float> onwards(3, 2, warpfold::infinity<float>);
  onwards(0, 0) = 1, onwards(2, 0) = 3, onwards(1, 1) = 5;
  const auto [product, report] = minplus::multiply(Semiring::min_plus, there, onwards, {}, /*with_argmin*/ true);
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::size_t j = 0; j < 2; ++j) {
      std::cout << i << " to " << j << ": ";
      if (product.argmin(i, j) == minplus::unchanged) {
        std::cout << "none\n";
      } else {
        std::cout << product.values(i, j) << " over " << product.argmin(i, j) << '\n';
      }
    }
  }
}
