#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <vector>

#include "equivalence/minplus/in_place.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/minplus/multiply.hpp"
#include "warpfold/minplus/power.hpp"

namespace warpfold::minplus {
namespace {

using Factor = MatrixView<const float>;
using Result = MatrixView<float>;

/// The error of a call with invalid views.
std::string refusal(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage) << error.what();
    return error.what();
  }
  return "accepted";
}

/// Two 2 x 2 matrices, one of which is made invalid.
class Views : public testing::Test {
 protected:
  std::vector<float> a_ = std::vector<float>(16, 1), b_ = a_, c_ = a_;
  std::vector<std::uint32_t> argmin_ = std::vector<std::uint32_t>(16);
  Factor left_{a_.data(), 2, 2, 2}, right_{b_.data(), 2, 2, 2};
  Result result_{c_.data(), 2, 2, 2};
  MatrixView<std::uint32_t> where_{argmin_.data(), 2, 2, 2};

  std::string multiply_unsupported() const {
    return refusal([&] { (void)accumulate<float>(left_, right_, result_, {}, where_); });
  }
};

TEST_F(Views, OfAProductAreRefusedWhereTheyOverlapOrPointNowhere) {
  EXPECT_EQ(multiply_unsupported(), "accepted");
  left_.stride = 0;
  EXPECT_EQ(multiply_unsupported(), "A has 2 columns and a stride of 0: 2 or more is accepted");
  left_ = {a_.data(), 2, 2, 2};
  right_.stride = 1;
  EXPECT_EQ(multiply_unsupported(), "B has 2 columns and a stride of 1: 2 or more is accepted");
  right_ = {nullptr, 2, 2, 2};
  EXPECT_EQ(multiply_unsupported(), "B is 2 x 2 at null: a matrix in memory is accepted");
  right_ = {b_.data(), 2, 2, 2};
  result_.stride = 1;
  EXPECT_EQ(multiply_unsupported(), "C has 2 columns and a stride of 1: 2 or more is accepted");
  result_ = {c_.data(), 2, 2, std::size_t{1} << 63};
  EXPECT_EQ(multiply_unsupported(), "C is 2 x 2 with a stride of 9223372036854775808: more than memory can hold");
  result_ = {c_.data(), 2, 2, 2};
  where_.stride = 1;
  EXPECT_EQ(multiply_unsupported(), "argmin has 2 columns and a stride of 1: 2 or more is accepted");
}

TEST_F(Views, OfPowersAreRefusedLikewise) {
  const auto refusals = [&](const std::string& expected) {
    EXPECT_EQ(refusal([&] { (void)power<float>(Semiring::min_plus, left_, 3); }), expected);
  };
  left_.stride = 0;
  refusals("A has 2 columns and a stride of 0: 2 or more is accepted");
  left_ = {nullptr, 2, 2, 2};
  refusals("A is 2 x 2 at null: a matrix in memory is accepted");
}

TEST_F(Views, OfABatchMayBeInterleavedButItsResultsNotOverlap) {
  const auto batch_unsupported = [&](std::size_t stride, std::size_t step) {
    const BatchView<float> results{{c_.data(), 2, 2, stride}, 2, step};
    return refusal([&] { (void)accumulate_batch<float>(Semiring::min_plus, {left_}, {right_}, results); });
  };
  EXPECT_EQ(batch_unsupported(2, 4), "accepted");
  EXPECT_EQ(batch_unsupported(4, 2), "accepted");  // rows of the matrices alternate
  EXPECT_EQ(batch_unsupported(2, 0), "C is a batch of 2 with a step of 0: its matrices overlap, 4 or more is accepted");
  EXPECT_EQ(batch_unsupported(3, 2), "C is a batch of 2 with a step of 2: its matrices overlap, 5 or more is accepted");
  EXPECT_EQ(batch_unsupported(2, std::size_t{1} << 62),
            "C is a batch of 2 with a step of 4611686018427387904: more than memory can hold");
  EXPECT_EQ(refusal([&] {
              const BatchView<const float> many{left_, 2, std::size_t{1} << 62};
              const BatchView<float> results{result_, 2, 4};
              (void)accumulate_batch<float>(Semiring::min_plus, many, {right_}, results);
            }),
            "A is a batch of 2 with a step of 4611686018427387904: more than memory can hold");
}

TEST_F(Views, WithoutEntriesAreAcceptedWhateverTheirShape) {
  constexpr std::size_t most = std::size_t{1} << 62;
  for (const char* algorithm : {"tiled", "reference"}) {
    Options options;
    options.algorithm = algorithm;
    const auto shapes = [&](std::size_t m, std::size_t p, std::size_t n) {
      return refusal([&] {
        (void)accumulate<float>(Factor{nullptr, m, p, p}, Factor{nullptr, p, n, n}, Result{nullptr, m, n, n}, options);
      });
    };
    EXPECT_EQ(shapes(most, 0, 0), "accepted");
    EXPECT_EQ(shapes(0, 0, most), "accepted");
    EXPECT_EQ(shapes(0, unchanged - 1, 0), "accepted");
    EXPECT_EQ(shapes(most, 0, 1), "C is 4611686018427387904 x 1 at null: a matrix in memory is accepted");
  }
}

TEST_F(Views, OfAProductOfEmptyFactorsAreTooLargeForAnyMemory) {
  constexpr std::size_t many = std::size_t{1} << 32;
  EXPECT_EQ(refusal([&] {
              (void)accumulate<float>(Factor{nullptr, many, 0, 0}, Factor{nullptr, 0, many, many},
                                      Result{c_.data(), many, many, many});
            }),
            "C is 4294967296 x 4294967296 with a stride of 4294967296: more than memory can hold");
}

}  // namespace
}  // namespace warpfold::minplus
