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

/// With a scaled cost.
template <class T>
std::string grown(const SearchTree<T>& tree, const Options& options, T scale = 1) {
  const auto solution = solve(tree, options).solution;
  expect(verify(tree, solution), "search tree");
  return bits(scaled(solution.cost, scale), solution.root, solution.parents);
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
  const auto solved = [&](const Options& options) { return grown(tree, options); };
  const bool exact = std::is_integral_v<T> || numbers.are_small();  // otherwise Knuth's bounds hold only up to rounding
  if (exact) {
    expect_alike(problem, answer([&] { return solved(by("dp")); }), {"knuth", "dp"}, solved);
  } else {
    expect_each_alike(problem, {"knuth", "dp"}, solved);
  }
  const T scale = std::is_integral_v<T> ? T{1} + numbers.are_small() : numbers.scale<T>(bytes);
  const SearchTree<T> larger(scaled(keys, scale), scaled(gaps, scale));
  for (const char* algorithm : {"knuth", "dp"}) {
    expect_same(grown(tree, by(algorithm), scale), grown(larger, by(algorithm)),
                fmt::format("{}, {} times, '{}'", problem, scale, algorithm));
  }
  if (!numbers.are_small()) return;
  std::reverse(keys.begin(), keys.end());
  std::reverse(gaps.begin(), gaps.end());
  expect_same(bits(cost(tree)), bits(cost(SearchTree<T>(keys, gaps))), problem + ", mirrored");
}

}  // namespace
}  // namespace warpfold::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace warpfold::fuzz;
  return run_input_in_one_of<std::int32_t, std::int64_t, float, double>(data, size,
                                                                        []<class T>(Bytes& bytes) { grow<T>(bytes); });
}
