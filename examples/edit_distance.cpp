#include "warpfold/sequence/edit_distance.hpp"

#include <iostream>
#include <string>

#include "warpfold/sequence/lcs.hpp"

int main() {
  using namespace warpfold::sequence;
  const std::string a = "the quick brown fox", b = "the quack brow fax";
  const Coded pair(a, b);
  const auto [found, report] = edit_distance(pair, {}, {.script = true});
  std::cout << *found.distance << " edits: " << found.script.cigar() << '\n';
  const auto [first, second] = found.script.rows(a, b);
  std::cout << first << '\n' << second << '\n';
  const Subsequence common = lcs(pair, {}, {.script = true}).solution;
  for (const auto& [i, j] : common.script.matched_pairs()) std::cout << a[i];
  std::cout << ", " << *common.length << " symbols\n";
  const auto bounded = edit_distance(pair, {}, {.max_distance = 2}).solution;
  std::cout << (bounded.distance ? "at most 2" : "more than 2") << '\n';
}
