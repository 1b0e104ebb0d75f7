// A chain of matrices under a cost model of one's own: a product pays for its multiplications, and as much again for
// every number of its result that does not fit a cache of 4096 numbers.
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
  const auto result = warpfold::interval::solve_recurrence(chain, chain.dimensions.size());
  std::cout << "cost " << result.value() << '\n';
  for (const auto& node : warpfold::interval::structure(chain, result.table)) {
    std::cout << "A" << node.i + 1 << "..A" << node.k << " times A" << node.k + 1 << "..A" << node.j << '\n';
  }
}
