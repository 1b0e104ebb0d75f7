#include "warpfold/run/budget.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <thread>
#include <vector>

#include "run/allowance.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/run/run.hpp"

namespace warpfold {
namespace {

/// The error of `body`; "" if it raises none.
template <class Body>
std::string refusal(const Body& body) {
  try {
    body();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::memory_limit);
    return error.what();
  }
  return "";
}

TEST(Budget, KnowsTheMostThatWasTakenAtOnce) {
  Budget budget(1000, "there are");
  {
    const auto first = budget.reserve(300);
    const auto second = budget.reserve(400);
    EXPECT_EQ(budget.left(), 300U);
  }
  const auto third = budget.reserve(600);
  EXPECT_EQ(budget.left(), 400U);
  EXPECT_EQ(budget.peak(), 700U);
}

TEST(Budget, RefusesWhatIsNotLeftAndIsThenAsItWas) {
  Budget budget(1000, "the GPU has");
  auto share = budget.reserve(600);
  EXPECT_EQ(refusal([&] { static_cast<void>(budget.reserve(401)); }),
            "the solve needs 1001 bytes, the GPU has 1000 bytes");
  EXPECT_NE(refusal([&] { static_cast<void>(budget.reserve(std::numeric_limits<std::size_t>::max())); }), "");
  EXPECT_NE(refusal([&] { static_cast<void>(budget.reserve(std::size_t{1} << 40, std::size_t{1} << 40)); }), "");
  EXPECT_NE(refusal([&] { share.resize(1001); }), "");
  EXPECT_EQ(share.bytes(), 600U);
  share.resize(1000);
  share.resize(10);
  EXPECT_EQ(budget.left(), 990U);
  EXPECT_EQ(budget.peak(), 1000U);
}

TEST(Budget, GivesBackOnceHoweverAShareIsMoved) {
  Budget budget(1000, "there are");
  {
    Budget::Reservation kept;
    {
      auto share = budget.reserve(300);
      kept = std::move(share);
      EXPECT_EQ(budget.left(), 700U);
    }
    EXPECT_EQ(budget.left(), 700U);
    const Budget::Reservation other(std::move(kept));
    kept = budget.reserve(100);
    EXPECT_EQ(budget.left(), 600U);
  }
  EXPECT_EQ(budget.left(), 1000U);
}

TEST(Budget, OfTheHostIsWhatTheOptionsAllowAndTheMachineHas) {
  Options options;
  EXPECT_EQ(Budget(options).max_bytes(), allowed_bytes());
  options.max_memory = 1000;
  Budget budget(options);
  EXPECT_EQ(refusal([&] { static_cast<void>(budget.reserve(1001)); }),
            "the solve needs 1001 bytes, the limit is 1000 bytes");
}

TEST(Budget, WithinAnotherTakesFromBoth) {
  Budget whole(1000, "all there is are");
  const auto before = whole.reserve(500);
  Options options;
  options.budget = &whole;
  {
    Budget part(options);
    const auto share = part.reserve(400);
    EXPECT_EQ(part.left(), 100U);
    EXPECT_EQ(refusal([&] { static_cast<void>(part.reserve(200)); }),
              "the solve needs 1100 bytes, all there is are 1000 bytes");
    EXPECT_EQ(part.left(), 100U) << "nothing of what was refused stays taken";
    EXPECT_EQ(part.peak(), 400U);
  }
  EXPECT_EQ(whole.left(), 500U);
  EXPECT_EQ(whole.peak(), 900U);
}

TEST(Budget, ServesManyThreads) {
  Budget budget(1000, "there are");
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&] {
        for (int round = 0; round < 10000; ++round) static_cast<void>(budget.reserve(250));
      });
    }
  }
  EXPECT_EQ(budget.left(), 1000U);
  EXPECT_LE(budget.peak(), 1000U);
  EXPECT_GE(budget.peak(), 250U);
}

}  // namespace
}  // namespace warpfold
