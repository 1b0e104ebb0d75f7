// A matrix chain with a user-defined cost model: a product costs its multiplications. If its result does not fit a
// cache of 4096 numbers, it also costs the size of the result.
#include <iostream>
#include <vector>

#include "warpfold/interval/recurrence.hpp"

struct CachedChain {
  using Semiring = warpfold::MinPlus<double>;
  std::vector<double> dimensions;

  double leaf(std::size_t) const { return 0; }
  double weight(std::size_t i, std::size_t j) const {
    const double numbers = dimensions[i] * dimensions[j];
    return numbers > 4096 ? numbers : 0;
  }
  warpfold::interval::ProductSplit<double> product_split() const {
    return {dimensions.data(), dimensions.data(), dimensions.data()};
  }
};

int main() {
  const CachedChain chain{{300, 35, 150, 5, 100, 200, 25}};
  const auto [table, report] = warpfold::interval::solve_recurrence(chain, chain.dimensions.size());
  std::cout << "cost " << table.value() << '\n';
  for (const auto& split : warpfold::interval::structure(chain, table)) {
    std::cout << "A" << split.i + 1 << "..A" << split.k << " times A" << split.k + 1 << "..A" << split.j << '\n';
  }
}
