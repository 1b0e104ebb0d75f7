#include "failing.hpp"

#include <numeric>

#include "warpfold/permutation/plan.hpp"

namespace warpfold::permutation {
namespace {

/// Returns 1 if every word arrived.
int moved(int threads) {
  constexpr std::size_t n = 100003;
  std::vector<std::uint32_t> target(n);
  for (std::size_t i = 0; i < n; ++i) target[i] = static_cast<std::uint32_t>(i * 7919 % n);
  const ThreeStepPlan plan = plan_three_steps(target);
  std::vector<std::uint32_t> from(n), to(n), spare(spare_words(plan));
  std::iota(from.begin(), from.end(), 0U);
  move<std::uint32_t>(plan, from, to, spare, threads);
  for (std::size_t i = 0; i < n; ++i) {
    if (to[target[i]] != i) return 1000000;
  }
  return 1;
}

TEST(FailingMove, IsMadeByTheCallerWhereNoThreadStarts) {
  test::expect_solved_without_threads([](const Options& options) { return moved(options.threads); });
}

TEST(FailingMove, TakesNoMoreThreadsThanTheCap) {
  test::expect_too_many_threads_are_capped([](const Options& options) { return moved(options.threads); });
}

}  // namespace
}  // namespace warpfold::permutation
