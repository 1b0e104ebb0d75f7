#include "warpfold/mpi/paths.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

#include "equivalence/mpi/raised.hpp"
#include "warpfold/core/error.hpp"

/// With as many ranks as mpirun starts: every rank expects the bits and successors of one process.
namespace warpfold::mpi {
namespace {

using paths::Request;
using paths::Semiring;

/// A third of the edges, with few different lengths. In (max,+) no edge leads back, so there is no cycle.
template <class T>
Matrix<T> graph(std::size_t n, Semiring semiring) {
  std::mt19937 random(static_cast<unsigned>(n));
  Matrix<T> edges(n, n, semiring.zero<T>());
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      const auto length = static_cast<T>(static_cast<T>(random() % 9) / T{4});
      if (random() % 3 == 0 && (semiring.kind != Semiring::max_plus || i < j)) edges(i, j) = length;
    }
  }
  return edges;
}

template <class T>
void expect_equivalent(std::size_t n, const Request& request, int threads) {
  SCOPED_TRACE(testing::Message() << n << " vertices, " << to_string(request.semiring) << ", " << threads
                                  << " threads");
  const Matrix<T> edges = graph<T>(n, request.semiring);
  Options options;
  options.algorithm = "reference";
  const auto expected = paths::all_pairs(edges, options, request).solution;
  Options by_ranks;
  by_ranks.threads = threads;
  const auto found = all_pairs(edges.view(), MPI_COMM_WORLD, by_ranks, request).solution;
  EXPECT_EQ(found.lengths, expected.lengths);
  EXPECT_EQ(found.successors, expected.successors);
}

template <class T>
class PathsByRanks : public testing::Test {};
using PathsByRanksTypes = testing::Types<std::int32_t, std::int64_t, float, double>;
TYPED_TEST_SUITE(PathsByRanks, PathsByRanksTypes);

TYPED_TEST(PathsByRanks, AreEquivalentToTheReferenceAtEverySizeAroundTiles) {
  for (const std::size_t n : {0, 1, 2, 63, 64, 65, 127, 129, 193, 257}) {
    expect_equivalent<TypeParam>(n, {}, 1);
    expect_equivalent<TypeParam>(n, {.successors = false}, 2);
  }
}

TYPED_TEST(PathsByRanks, AreEquivalentInEverySemiring) {
  for (const auto kind : {Semiring::max_plus, Semiring::min_max, Semiring::max_min}) {
    expect_equivalent<TypeParam>(200, {.semiring = kind}, 1);
  }
}

/// Sums of a row and a column after all turns of a tile are rounded differently from sums as each turn found them.
TEST(PathsByRanks, RoundAsOneProcessDoes) {
  const std::size_t n = 300;
  std::mt19937 random(7);
  Matrix<float> edges(n, n, infinity<float>);
  std::uniform_real_distribution<float> length(0, 1);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      if (random() % 10 == 0) edges(i, j) = length(random);
    }
  }
  const auto expected = paths::all_pairs(edges).solution;
  const auto found = all_pairs<float>(edges.view(), MPI_COMM_WORLD).solution;
  EXPECT_EQ(found.lengths, expected.lengths);
  EXPECT_EQ(found.successors, expected.successors);
}

/// Anywhere in the graph, and found by any rank.
TEST(PathsByRanks, NameANegativeCycleAsOneProcessDoes) {
  const std::size_t n = 260;
  for (const std::size_t first : {0, 63, 130, 257}) {
    Matrix<std::int32_t> edges(n, n, infinity<std::int32_t>);
    for (std::size_t i = 0; i + 1 < n; ++i) edges(i, i + 1) = 2;
    edges(first + 2, first) = -5;
    const auto name = [](std::size_t vertex) { return "v" + std::to_string(vertex); };
    const std::string expected = raised([&] { static_cast<void>(paths::all_pairs(edges, {}, {.name = name})); });
    ASSERT_NE(expected.find("negative"), std::string::npos);
    EXPECT_EQ(
        raised([&] { static_cast<void>(all_pairs<std::int32_t>(edges.view(), MPI_COMM_WORLD, {}, {.name = name})); }),
        expected);
  }
}

TEST(PathsByRanks, AllFailWhereOneDoes) {
  const Communicator ranks(MPI_COMM_WORLD);
  const bool is_last = ranks.rank() + 1 == ranks.size();
  const Matrix<float> edges = graph<float>(700, {});
  Options options;
  if (is_last) options.max_memory = 1000;
  std::string said = raised([&] { static_cast<void>(all_pairs(edges.view(), MPI_COMM_WORLD, options)); });
  EXPECT_NE(said.find("the limit is 1000"), std::string::npos) << said;
  options = {};
  if (is_last) options.progress = [](const Progress&) { throw Error(ErrorKind::cancelled, "enough"); };
  said = raised([&] { static_cast<void>(all_pairs(edges.view(), MPI_COMM_WORLD, options)); });
  EXPECT_NE(said.find("enough"), std::string::npos) << said;
}

TEST(PathsByRanks, AreRefusedForWhatIsNoGraphAndNoAlgorithmOfRanks) {
  const Matrix<float> edges(3, 4, 1);
  EXPECT_NE(raised([&] { static_cast<void>(all_pairs(edges.view(), MPI_COMM_WORLD)); }).find("3 x 4"),
            std::string::npos);
  const Matrix<float> square(4, 4, 1);
  Options options;
  options.algorithm = "reference";
  EXPECT_NE(raised([&] {
              static_cast<void>(all_pairs(square.view(), MPI_COMM_WORLD, options));
            }).find("algorithm 'reference'"),
            std::string::npos);
}

}  // namespace
}  // namespace warpfold::mpi
