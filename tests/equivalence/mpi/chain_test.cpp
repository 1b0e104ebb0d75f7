#include "warpfold/mpi/chain.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

/// With as many ranks as mpirun starts: every rank expects the order of one process.
namespace warpfold::mpi {
namespace {

template <class T>
class ChainsByRanks : public testing::Test {};
using ChainsByRanksTypes = testing::Types<std::int32_t, std::int64_t, float, double>;
TYPED_TEST_SUITE(ChainsByRanks, ChainsByRanksTypes);

TYPED_TEST(ChainsByRanks, AreEquivalentToOneProcess) {
  for (const std::size_t n : {1, 2, 17, 63, 64, 130, 300}) {
    std::mt19937 random(static_cast<unsigned>(n));
    std::vector<std::int64_t> dimensions(n + 1);
    for (std::int64_t& dimension : dimensions) dimension = 1 + random() % 20;
    const interval::MatrixChain chain(dimensions);
    const auto expected = interval::solve_by_dp<TypeParam>(chain).solution;
    const auto found = solve_by_dp<TypeParam>(chain, MPI_COMM_WORLD).solution;
    EXPECT_TRUE(found.cost == expected.cost);
    EXPECT_EQ(interval::parentheses(found), interval::parentheses(expected));
    EXPECT_EQ(found.dtype, expected.dtype);
    EXPECT_EQ(found.exact, expected.exact);
  }
}

}  // namespace
}  // namespace warpfold::mpi
