#include <fmt/format.h>

#include <algorithm>

#include "fuzz/alike.hpp"
#include "fuzz/drawn.hpp"
#include "warpfold/interval/search_tree.hpp"
#include "warpfold/interval/verify.hpp"

namespace warpfold::fuzz {
namespace {

using interval::SearchTree;

template <class T>
T cost(const SearchTree<T>& tree) {
  return solve(tree).solution.cost;
}

template <class T>
void grow(Bytes& bytes) {
  Numbers numbers(bytes);
  numbers.negative = false;
  const std::size_t n = 1 + bytes.size(150);
  const auto most = static_cast<T>(std::numeric_limits<T>::max() / static_cast<T>(8 * (n + 1) * (n + 1)));
  std::vector<T> keys = numbers.list<T>(bytes, n, most), gaps = numbers.list<T>(bytes, n + 1, most);
  const auto tree = stated([&] { return SearchTree<T>(keys, gaps); });
  const std::string problem = fmt::format("search tree of {} keys, {}", n, dtype_name<T>());
  const auto solved = [&](const Options& options) {
    const auto solution = solve(tree, options).solution;
    expect(verify(tree, solution), problem);
    return bits(solution.cost, solution.root, solution.parents);
  };
  const bool exact = std::is_integral_v<T> || numbers.are_small();  // else Knuth's bounds hold up to rounding
  if (exact) {
    expect_alike(problem, answer([&] { return solved(by("dp")); }), {"knuth", "dp"}, solved);
  } else {
    expect_each_alike(problem, {"knuth", "dp"}, solved);
  }
  if (!numbers.are_small()) return;
  std::reverse(keys.begin(), keys.end());
  std::reverse(gaps.begin(), gaps.end());
  expect_same(bits(cost(tree)), bits(cost(SearchTree<T>(keys, gaps))), problem + ", mirrored");
  for (T& p : keys) p = static_cast<T>(2 * p);
  for (T& q : gaps) q = static_cast<T>(2 * q);
  expect_same(bits(static_cast<T>(2 * cost(tree))), bits(cost(SearchTree<T>(keys, gaps))), problem + ", twice");
}

}  // namespace
}  // namespace warpfold::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace warpfold::fuzz;
  return run_input_in_one_of<std::int32_t, std::int64_t, float, double>(data, size,
                                                                        []<class T>(Bytes& bytes) { grow<T>(bytes); });
}
