// The fewest coins for an amount, and the number of ways to pay it.
// --- snippet
#include <iostream>

#include "warpfold/recurrence/coins.hpp"

int main() {
  using namespace warpfold::recurrence;
  const CoinSystem coins({1, 2, 5, 10, 20, 50, 100, 200});
  const Change change = fewest_coins(coins, 388).solution;
  std::cout << change.fewest << " coins:";
  for (std::size_t c = 0; c < coins.coins().size(); ++c) {
    if (change.used[c] > 0) std::cout << ' ' << change.used[c] << " x " << coins.coins()[c];
  }
  const Ways ways = count_ways(coins, 388, /*modulus*/ 0, /*all*/ false).solution;
  std::cout << "\n" << ways.exact.front() << " ways\n";

  const CoinSystem purse({2, 5}, {1, 3});  // one 2, three 5
  std::cout << fewest_coins(purse, 12).solution.fewest << " of the purse\n";
}
