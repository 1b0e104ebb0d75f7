#include <gtest/gtest.h>

#include <vector>

#include "minplus/backends.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold::minplus {
namespace {

/// A product of two 4 x 4 matrices, all results of which differ.
struct Product4 {
  std::vector<int> a, b, c;
  std::vector<std::uint32_t> argmin;

  Product4() : a(16), b(16), c(16, 100), argmin(16) {
    for (int at = 0; at < 16; ++at) a[at] = at * 7 % 11, b[at] = at * 5 % 13;
  }
  [[nodiscard]] AccumulationBatch<int> batch(bool wants_argmin) {
    return {{},
            {{a.data(), 4, 4, 4}},
            {{b.data(), 4, 4, 4}},
            {{c.data(), 4, 4, 4}},
            {{wants_argmin ? argmin.data() : nullptr, 4, 4, 4}}};
  }
};

void multiply(const AccumulationBatch<int>& batch, const Options& options = {}) {
  Report report;
  Context context(options, report);
  reference::accumulate(batch, context);
}

/// A GPU that fails after half of the rows.
void fail_halfway(const AccumulationBatch<int>& batch, const Options& options) {
  Report report;
  Context context(options, report);
  restoring<int>(batch, context, [&] {
    AccumulationBatch<int> half = batch;
    half.a.first.rows = half.c.first.rows = half.argmin.first.rows = 2;
    multiply(half);
    throw Error(ErrorKind::device, "it burns");
  });
}

TEST(Fallback, GivesTheProductOfTheMatricesAsTheyWere) {
  for (const bool wants_argmin : {false, true}) {
    Product4 expected, product;
    multiply(expected.batch(wants_argmin));
    EXPECT_THROW(fail_halfway(product.batch(wants_argmin), {}), Error);
    multiply(product.batch(wants_argmin));
    EXPECT_EQ(product.c, expected.c);
    EXPECT_EQ(product.argmin, expected.argmin);
  }
}

TEST(Fallback, TakesNoCopyWhereNothingWouldBeginAgain) {
  Product4 product;
  Options on_gpu;
  on_gpu.device = {Device::Kind::cuda, 0};
  on_gpu.max_memory = 1;
  EXPECT_THROW(fail_halfway(product.batch(true), on_gpu), Error);
  EXPECT_NE(product.c, Product4().c);
}

}  // namespace
}  // namespace warpfold::minplus
