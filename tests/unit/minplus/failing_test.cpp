#include "failing.hpp"

#include <vector>

#include "equivalence/minplus/in_place.hpp"
#include "warpfold/minplus/multiply.hpp"
#include "warpfold/minplus/power.hpp"

namespace warpfold::minplus {
namespace {

struct Square {
  explicit Square(std::size_t side, std::size_t count = 1) : n(side), values(count * n * n) {
    for (std::size_t at = 0; at < values.size(); ++at) values[at] = static_cast<double>(at * 7919 % 1000);
  }
  [[nodiscard]] MatrixView<double> view() { return {values.data(), n, n, n}; }

  std::size_t n;
  std::vector<double> values;
};

int threads_of_product(std::size_t n, const Options& options) {
  Square a(n), c(n);
  return accumulate<double>(a.view(), a.view(), c.view(), options).threads;
}

int threads_of_batch(const Options& options) {
  constexpr std::size_t n = 100, count = 200;
  Square a(n, count), c(n, count);
  return accumulate_batch<double>(Semiring::min_plus, {a.view(), count, n * n}, {a.view(), count, n * n},
                                  {c.view(), count, n * n}, options)
      .threads;
}

int threads_of_power(const Options& options) {
  Square a(400), c(400);
  return power<double>(Semiring::min_plus, a.view(), 400, c.view(), options).threads;
}

TEST(FailingProduct, RaisesWhatTheCallbackRaised) {
  warpfold::test::expect_callback_failure_arrives(
      [](const Options& options) { return threads_of_product(2048, options); });
}

TEST(FailingProduct, IsComputedByTheCallerWhereNoThreadStarts) {
  warpfold::test::expect_solved_without_threads(
      [](const Options& options) { return threads_of_product(600, options); });
}

TEST(FailingProduct, TakesNoMoreThreadsThanTheCap) {
  warpfold::test::expect_too_many_threads_are_capped(
      [](const Options& options) { return threads_of_product(600, options); });
}

TEST(FailingBatchOfProducts, RaisesWhatTheCallbackRaised) {
  warpfold::test::expect_callback_failure_arrives(threads_of_batch);
}

TEST(FailingBatchOfProducts, IsComputedByTheCallerWhereNoThreadStarts) {
  warpfold::test::expect_solved_without_threads(threads_of_batch);
}

TEST(FailingBatchOfProducts, TakesNoMoreThreadsThanTheCap) {
  warpfold::test::expect_too_many_threads_are_capped(threads_of_batch);
}

TEST(FailingPower, RaisesWhatTheCallbackRaised) { warpfold::test::expect_callback_failure_arrives(threads_of_power); }

TEST(FailingPower, IsComputedByTheCallerWhereNoThreadStarts) {
  warpfold::test::expect_solved_without_threads(threads_of_power);
}

}  // namespace
}  // namespace warpfold::minplus
