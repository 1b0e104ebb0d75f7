#include <gtest/gtest.h>

#include <vector>

#include "minplus/backend.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold::minplus {
namespace {

/// A product of two 4 x 4 matrices, each result a sum of its own.
struct Product4 {
  std::vector<int> a, b, c;
  std::vector<std::uint32_t> argmin;

  Product4() : a(16), b(16), c(16, 100), argmin(16) {
    for (int at = 0; at < 16; ++at) a[at] = at * 7 % 11, b[at] = at * 5 % 13;
  }
  [[nodiscard]] BatchProduct<int> batch(bool wants_argmin) {
    return {{},
            {{a.data(), 4, 4, 4}},
            {{b.data(), 4, 4, 4}},
            {{c.data(), 4, 4, 4}},
            {{wants_argmin ? argmin.data() : nullptr, 4, 4, 4}}};
  }
};

/// The CPU after a GPU that fails when half of the rows are done.
Report solve_after_failing_gpu(Product4& product, bool wants_argmin, ErrorKind kind) {
  const BatchProduct<int> batch = product.batch(wants_argmin);
  Report report;
  run_products<int>(batch, {1, 0}, {}, report, [&](std::size_t at) {
    Report own;
    if (at == 0) return reference::multiply(batch, {}, report);
    BatchProduct<int> half = batch;
    half.a.first.rows = half.c.first.rows = half.argmin.first.rows = 2;
    reference::multiply(half, {}, own);
    throw Error(kind, "it burns");
  });
  return report;
}

TEST(Fallback, GivesTheProductOfTheMatricesAsTheyWere) {
  for (const bool wants_argmin : {false, true}) {
    Product4 expected, product;
    Report report;
    reference::multiply(expected.batch(wants_argmin), {}, report);
    const Report after = solve_after_failing_gpu(product, wants_argmin, ErrorKind::device);
    EXPECT_EQ(product.c, expected.c);
    EXPECT_EQ(product.argmin, expected.argmin);
    EXPECT_EQ(after.device, "cpu");
    EXPECT_EQ(after.passed_over, "cuda:0: it burns");
  }
}

TEST(Fallback, IsNoneForAnErrorThatTheCpuWouldRaiseToo) {
  Product4 product;
  EXPECT_THROW(solve_after_failing_gpu(product, true, ErrorKind::cancelled), Error);
}

}  // namespace
}  // namespace warpfold::minplus
