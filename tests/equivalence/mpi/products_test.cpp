#include "warpfold/mpi/products.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "equivalence/mpi/raised.hpp"
#include "mpi/tuning.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/run/devices.hpp"

/// With as many ranks as mpirun starts: every rank expects the bits of one process.
namespace warpfold::mpi {
namespace {

using minplus::ProductSize;
using minplus::Semiring;

/// Few different entries, so that there are ties, and some without a value.
template <class T>
Matrix<T> matrix(Semiring semiring, std::size_t rows, std::size_t columns, unsigned seed) {
  std::mt19937 random(seed);
  Matrix<T> drawn(rows, columns);
  const unsigned values = semiring.kind == Semiring::or_and ? 2 : 7;
  const int least = semiring.is_selective() && semiring.kind != Semiring::or_and ? -3 : 0;
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      const bool is_none = random() % 5 == 0;
      drawn(i, j) = is_none ? semiring.zero<T>() : static_cast<T>(static_cast<int>(random() % values) + least);
    }
  }
  return drawn;
}

template <class T>
Matrix<T> copy_of(const MatrixView<T>& view) {
  Matrix<T> copy(view.rows, view.columns);
  for (std::size_t i = 0; i < view.rows; ++i) std::copy_n(view.row(i), view.columns, copy.view().row(i));
  return copy;
}

Options by_reference() {
  Options options;
  options.algorithm = "reference";
  return options;
}

template <class T>
void expect_equivalent(Semiring semiring, const ProductSize& size, int threads) {
  SCOPED_TRACE(testing::Message() << to_string(semiring) << ", " << size.m << " x " << size.p << " x " << size.n);
  Matrix<T> a = matrix<T>(semiring, size.m, size.p, 1), b = matrix<T>(semiring, size.p, size.n, 2);
  const bool with_argmin = semiring.is_selective();
  Options options;
  options.threads = threads;
  const auto expected = minplus::multiply(semiring, a, b, by_reference(), with_argmin).solution;
  const auto found = multiply<T>(semiring, a.view(), b.view(), MPI_COMM_WORLD, options, with_argmin).solution;
  EXPECT_EQ(found.values, expected.values);
  EXPECT_EQ(found.argmin, expected.argmin);

  Matrix<T> c = matrix<T>(semiring, size.m, size.n, 3);
  const Grid grid(MPI_COMM_WORLD);
  const Block own = grid.block(size.m, size.n);
  Matrix<T> own_c = copy_of(own.of(c.view()));
  Matrix<std::uint32_t> own_argmin(own.rows.size(), with_argmin ? own.columns.size() : 0, 5);
  accumulate<T>(semiring, size, grid.block(size.m, size.p).of(a.view()), grid.block(size.p, size.n).of(b.view()),
                own_c.view(), MPI_COMM_WORLD, options, with_argmin ? own_argmin.view() : MatrixView<std::uint32_t>());
  Matrix<std::uint32_t> argmin(size.m, with_argmin ? size.n : 0, 5);
  minplus::accumulate<T>(semiring, a.view(), b.view(), c.view(), by_reference(),
                         with_argmin ? argmin.view() : MatrixView<std::uint32_t>());
  EXPECT_EQ(own_c, copy_of(own.of(c.view())));
  if (with_argmin) {
    EXPECT_EQ(own_argmin, copy_of(own.of(argmin.view())));
  }
}

const std::vector<ProductSize> sizes_around_blocks = {{0, 3, 4},   {3, 0, 4},   {3, 4, 0},   {1, 1, 1},
                                                      {2, 3, 2},   {3, 2, 5},   {4, 4, 4},   {63, 64, 65},
                                                      {65, 5, 64}, {1, 200, 1}, {129, 1, 3}, {70, 130, 2}};

TEST(ProductsByRanks, AreEquivalentToTheReferenceInEverySemiring) {
  for (const ProductSize& size : sizes_around_blocks) {
    for (const auto kind : {Semiring::min_plus, Semiring::max_plus, Semiring::min_max, Semiring::max_min}) {
      expect_equivalent<std::int16_t>(kind, size, 1);
      expect_equivalent<std::int32_t>(kind, size, 1);
      expect_equivalent<std::int64_t>(kind, size, 2);
      expect_equivalent<float>(kind, size, 1);
      expect_equivalent<double>(kind, size, 2);
    }
    expect_equivalent<std::uint8_t>(Semiring::or_and, size, 1);
    expect_equivalent<std::uint64_t>(Semiring::plus_times, size, 1);
    expect_equivalent<std::uint64_t>({Semiring::plus_times, 5}, size, 1);
    expect_equivalent<double>(Semiring::plus_times, size, 1);
  }
}

TEST(ProductsByRanks, AreEquivalentWhereTermsTakeSeveralPanels) {
  for (const std::size_t terms : {panel_terms - 1, panel_terms, panel_terms + 1, 3 * panel_terms + 7}) {
    expect_equivalent<float>(Semiring::min_plus, {37, terms, 41}, 2);
    expect_equivalent<std::int32_t>(Semiring::max_min, {37, terms, 41}, 1);
  }
}

/// The blocks of such a matrix are views of it.
TEST(ProductsByRanks, TakeBlocksWithinLargerMatrices) {
  const Grid grid(MPI_COMM_WORLD);
  const ProductSize size{90, 80, 70};
  Matrix<float> a = matrix<float>({}, 90, 80, 1), b = matrix<float>({}, 80, 70, 2), c(90, 70, infinity<float>);
  accumulate<float>({}, size, grid.block(90, 80).of(a.view()), grid.block(80, 70).of(b.view()),
                    grid.block(90, 70).of(c.view()), MPI_COMM_WORLD);
  share_blocks(grid.all(), c.view(), [&](int rank) { return grid.block_of(rank, 90, 70); });
  EXPECT_EQ(c, minplus::multiply({}, a, b).solution.values);
}

TEST(ProductsByRanks, SayWhereAnEntryOrACountIsBeyondTheType) {
  const Grid grid(MPI_COMM_WORLD);
  Matrix<float> a(100, 100, 1), b(100, 100, 1), c(100, 100, 1);
  b(99, 98) = std::numeric_limits<float>::quiet_NaN();
  const auto of = [&](Matrix<float>& matrix) { return grid.block(100, 100).of(matrix.view()); };
  std::string said = raised([&] { accumulate<float>({}, {100, 100, 100}, of(a), of(b), of(c), MPI_COMM_WORLD); });
  EXPECT_NE(said.find("B(99, 98) is nan"), std::string::npos) << said;
  Matrix<std::uint64_t> large(40, 40, 0);
  large(39, 38) = std::uint64_t{1} << 40;
  large(38, 37) = std::uint64_t{1} << 40;
  said = raised([&] {
    static_cast<void>(multiply<std::uint64_t>(Semiring::plus_times, large.view(), large.view(), MPI_COMM_WORLD));
  });
  EXPECT_NE(said.find("entry (39, 37) of the product is above"), std::string::npos) << said;
}

TEST(ProductsByRanks, AllFailWhereOneDoes) {
  const Grid grid(MPI_COMM_WORLD);
  const bool is_last = grid.all().rank() + 1 == grid.all().size();
  const std::size_t p = 4 * panel_terms;
  Matrix<float> a(64, p, 1), b(p, 64, 1), c(64, 64, 1);
  const auto solve = [&](const Options& options) {
    accumulate<float>({}, {64, p, 64}, grid.block(64, p).of(a.view()), grid.block(p, 64).of(b.view()),
                      grid.block(64, 64).of(c.view()), MPI_COMM_WORLD, options);
  };
  Options options;
  if (is_last) options.max_memory = 1000;
  std::string said = raised([&] { solve(options); });
  EXPECT_NE(said.find("the limit is 1000"), std::string::npos) << said;
  options = {};
  if (is_last) options.progress = [](const Progress&) { throw Error(ErrorKind::cancelled, "enough"); };
  said = raised([&] { solve(options); });
  EXPECT_NE(said.find("enough"), std::string::npos) << said;
  options = {};
  if (is_last) options.algorithm = "fastest";
  said = raised([&] { solve(options); });
  EXPECT_NE(said.find("algorithm 'fastest'"), std::string::npos) << said;
}

TEST(ProductsByRanks, AreRefusedForBlocksThatAreNotTheRanks) {
  const Grid grid(MPI_COMM_WORLD);
  Matrix<float> a(8, 8, 1), c(8, 8, 1);
  const Block own = grid.block(8, 8);
  Block smaller = own;
  --smaller.rows.end;
  const std::string said = raised([&] {
    accumulate<float>({}, {8, 8, 8}, smaller.of(a.view()), own.of(a.view()), own.of(c.view()), MPI_COMM_WORLD);
  });
  EXPECT_NE(said.find("the block of A is"), std::string::npos) << said;
  EXPECT_NE(raised([&] {
              static_cast<void>(multiply<float>({}, a.view(), Matrix<float>(7, 8).view(), MPI_COMM_WORLD));
            }).find("B has 7 rows where A has 8 columns"),
            std::string::npos);
}

/// docs/guides/reach.md: besides its blocks, a rank holds two panels of A and two of B.
TEST(ProductsByRanks, HoldTwoPanelsBesideTheirBlocks) {
  const Grid grid(MPI_COMM_WORLD);
  const std::size_t n = 60, p = 4 * panel_terms;
  Matrix<float> a(n, p, 1), b(p, n, 1), c(n, n, 1);
  Options options;
  options.algorithm = "reference";  // which takes nothing
  const Report report = accumulate<float>({}, {n, p, n}, grid.block(n, p).of(a.view()), grid.block(p, n).of(b.view()),
                                          grid.block(n, n).of(c.view()), MPI_COMM_WORLD, options);
  const std::size_t rows = part_of(n, grid.rows(), 0).size(), columns = part_of(n, grid.columns(), 0).size();
  EXPECT_EQ(report.peak_bytes, 2 * panel_terms * (rows + columns) * sizeof(float));
}

TEST(ProductsByRanks, RunOnAGpuEachWhereAllAreAskedFor) {
  if (gpus().empty()) GTEST_SKIP() << "there is no GPU";
  Options options;
  options.device = parse_device("cuda:all");
  const Grid grid(MPI_COMM_WORLD);
  const std::string own = "cuda:" + std::to_string(static_cast<std::size_t>(grid.all().rank()) % gpus().size());
  const ProductSize size{300, gpu_panel_terms + 100, 400};
  Matrix<float> a = matrix<float>({}, size.m, size.p, 1), b = matrix<float>({}, size.p, size.n, 2);
  const auto expected = minplus::multiply({}, a, b, {}, true).solution;
  const auto found = multiply<float>({}, a.view(), b.view(), MPI_COMM_WORLD, options, true);
  EXPECT_EQ(found.report.device, own);
  EXPECT_EQ(found.solution.values, expected.values);
  EXPECT_EQ(found.solution.argmin, expected.argmin);

  const Block block = grid.block(size.m, size.n);
  Matrix<float> c(size.m, size.n, infinity<float>);
  Matrix<std::uint32_t> argmin(size.m, size.n);
  const Report report =
      accumulate<float>({}, size, grid.block(size.m, size.p).of(a.view()), grid.block(size.p, size.n).of(b.view()),
                        block.of(c.view()), MPI_COMM_WORLD, options, block.of(argmin.view()));
  EXPECT_EQ(report.device, own);
  EXPECT_EQ(copy_of(block.of(c.view())), copy_of(block.of(Matrix<float>(expected.values).view())));
  EXPECT_EQ(copy_of(block.of(argmin.view())), copy_of(block.of(Matrix<std::uint32_t>(expected.argmin).view())));
}

TEST(ProductsByRanks, RunOnTheCpuUnlessAGpuIsNamed) {
  const Matrix<float> a(4, 4, 1);
  EXPECT_EQ(multiply<float>({}, a.view(), a.view(), MPI_COMM_WORLD).report.device, "cpu");
}

TEST(Blocks, CoverEveryMatrixOnce) {
  for (const int parts : {1, 2, 3, 5, 8}) {
    for (const std::size_t count : {0, 1, 2, 7, 8, 9, 100}) {
      std::size_t next = 0;
      for (int part = 0; part < parts; ++part) {
        const Range range = part_of(count, parts, part);
        EXPECT_EQ(range.first, next);
        EXPECT_LE(range.size(), count / parts + 1);
        EXPECT_GE(range.size(), count / parts);
        for (std::size_t at = range.first; at < range.end; ++at) EXPECT_EQ(owner_of(at, count, parts), part);
        next = range.end;
      }
      EXPECT_EQ(next, count);
    }
  }
}

}  // namespace
}  // namespace warpfold::mpi
