#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <numbers>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "equivalence/mpi/raised.hpp"
#include "needs_gpu.hpp"
#include "temporary_folder.hpp"
#include "warpfold/checkpoint/checkpoint.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/interval/batch.hpp"
#include "warpfold/interval/solve.hpp"
#include "warpfold/mpi/recurrence.hpp"
#include "warpfold/mpi/solve.hpp"
#include "warpfold/polygon/triangulation.hpp"
#include "warpfold/run/devices.hpp"
#include "warpfold/tiles/tile_table.hpp"
#include "watched_checkpoint.hpp"

/// With as many ranks as mpirun starts, or one without it: every rank expects the bits of one process.
namespace warpfold::mpi {
namespace {

/// MPI is initialized while the tests of this program run.
class Initialized : public testing::Environment {
 public:
  void SetUp() override {
    int given = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &given);
    ASSERT_GE(given, MPI_THREAD_FUNNELED);
  }
  void TearDown() override { MPI_Finalize(); }
};
const auto* const environment = testing::AddGlobalTestEnvironment(new Initialized);

template <class T>
std::vector<T> weights(std::size_t n, unsigned values) {
  std::mt19937 random(static_cast<unsigned>(n));
  std::vector<T> all(n * n);
  for (T& weight : all) weight = static_cast<T>(random() % values) / T{4};
  return all;
}

template <class T>
void expect_equivalent(std::size_t n, unsigned values, int threads) {
  SCOPED_TRACE(testing::Message() << n << " vertices, " << values << " values, " << threads << " threads");
  const std::vector<T> all = weights<T>(n, values);
  const interval::Triangulation<T> problem({all.data(), n, n, n});
  Options options;
  options.algorithm = n < 1000 ? "reference" : "tiled";
  const auto expected = interval::solve(problem, options).solution;
  Options by_ranks;
  by_ranks.threads = threads;
  const auto solution = solve(problem, MPI_COMM_WORLD, by_ranks).solution;
  EXPECT_EQ(solution.cost, expected.cost);
  EXPECT_EQ(solution.triangles, expected.triangles);
  EXPECT_EQ(solution.chords, expected.chords);
}

template <class T>
class Ranks : public testing::Test {};
using RanksTypes = testing::Types<std::int32_t, std::int64_t, float, double>;
TYPED_TEST_SUITE(Ranks, RanksTypes);

TYPED_TEST(Ranks, AreEquivalentToTheReferenceAtEverySizeAroundSuperTiles) {
  for (const std::size_t n : {3, 4, 63, 64, 65, 127, 128, 129, 191, 193, 255, 256, 257, 320, 449}) {
    expect_equivalent<TypeParam>(n, 3, 1);
    expect_equivalent<TypeParam>(n, 30011, 2);
  }
}

TEST(Ranks, AreEquivalentWhereSuperTilesHaveSeveralTiles) {
  for (const std::size_t n : {1535, 1536, 1537, 1601}) {
    expect_equivalent<float>(n, 5, 1);
    expect_equivalent<float>(n, 30011, 3);
  }
}

/// A fan. Its structure is as deep as the number of vertices, and passes through every super-tile of the first row.
TEST(Ranks, FindAStructureAsDeepAsThePolygon) {
  const std::size_t n = 700;
  std::vector<float> all(n * n, infinity<float>);
  for (std::size_t j = 2; j < n; ++j) all[j] = 1;
  const interval::Triangulation<float> problem({all.data(), n, n, n});
  const auto solution = solve(problem, MPI_COMM_WORLD).solution;
  EXPECT_EQ(solution.triangles, interval::solve(problem).solution.triangles);
}

TEST(Ranks, SolveAConvexOutlineFromItsCoordinates) {
  const std::size_t n = 300;
  std::vector<Point> vertices;
  for (std::size_t k = 0; k < n; ++k) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n);
    vertices.push_back({1000 * std::cos(angle), 600 * std::sin(angle)});
  }
  const polygon::Outline outline(vertices);
  std::vector<double> all(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) {
      all[i * n + j] = polygon::chord_weight(polygon::Weight::length, outline[i], outline[j]);
    }
  }
  const interval::Triangulation<double> problem({all.data(), n, n, n});
  const auto expected = interval::solve(problem).solution;
  const auto solution =
      solve(polygon::triangulation_of<double>(outline, polygon::Weight::length), MPI_COMM_WORLD).solution;
  EXPECT_EQ(solution.cost, expected.cost);
  EXPECT_EQ(solution.triangles, expected.triangles);
}

/// Problems of many sizes, one of them without a solution.
template <class T>
class Batch {
 public:
  explicit Batch(std::size_t count) {
    for (std::size_t at = 0; at < count; ++at) {
      const std::size_t n = 3 + 37 * at % 101;
      weights_.push_back(weights<T>(n, 9));
      if (at == 4) std::fill(weights_.back().begin(), weights_.back().end(), infinity<T>);
      problems_.emplace_back(MatrixView<const T>{weights_.back().data(), n, n, n});
    }
  }
  [[nodiscard]] std::span<const interval::Triangulation<T>> problems() const { return problems_; }

 private:
  std::vector<std::vector<T>> weights_;
  std::vector<interval::Triangulation<T>> problems_;
};

TYPED_TEST(Ranks, SolveABatchAndEachHasAllSolutionsInOrder) {
  for (const std::size_t count : {0, 1, 2, 5, 20}) {
    const Batch<TypeParam> batch(count);
    const auto expected = interval::solve_batch(batch.problems()).solution;
    const auto found = solve_batch(batch.problems(), MPI_COMM_WORLD).solution;
    ASSERT_EQ(found.size(), count);
    for (std::size_t at = 0; at < count; ++at) {
      EXPECT_EQ(found[at].cost, expected[at].cost) << at << " of " << count;
      EXPECT_EQ(found[at].triangles, expected[at].triangles) << at << " of " << count;
      EXPECT_EQ(found[at].chords, expected[at].chords) << at << " of " << count;
    }
  }
}

TEST(Ranks, RaiseInAllWhatABatchRaisesInOne) {
  const Communicator ranks(MPI_COMM_WORLD);
  const Batch<float> batch(5);
  Options options;
  if (ranks.rank() == 0) options.algorithm = "fastest";
  const std::string message = raised([&] { static_cast<void>(solve_batch(batch.problems(), ranks.get(), options)); });
  EXPECT_TRUE(message.starts_with(ranks.rank() == 0 ? "algorithm 'fastest'" : "rank 0: algorithm 'fastest'"))
      << message;
}

struct Even {
  using Semiring = MinPlus<float>;
  float leaf(std::size_t) const { return 1; }
  float weight(std::size_t, std::size_t) const { return 1; }
};

/// docs/guides/reach.md: n*n/2 values go to (rows - 1) + (columns - 1) ranks. Each rank holds 1/rows + 1/columns -
/// 1/ranks of them.
TEST(Ranks, SendAndHoldWhatTheModelSays) {
  const std::size_t n = 2500;
  const Owners owners(Communicator(MPI_COMM_WORLD).size(), 20);
  const double table = static_cast<double>(interval::IntervalTable<float>::bytes(n));
  const double rows = owners.rows(), columns = owners.columns();
  const auto outcome = solve_recurrence(Even{}, n, MPI_COMM_WORLD);
  EXPECT_LE(outcome.solution.sent_bytes, table * (rows + columns - 2));
  EXPECT_GE(outcome.solution.sent_bytes, table * (rows + columns - 2) * 0.85);
  EXPECT_NEAR(static_cast<double>(outcome.report.peak_bytes), table * (1 / rows + 1 / columns - 1 / (rows * columns)),
              0.1 * table);
}

struct FailsAtOnePlace {
  using Semiring = MinPlus<float>;
  float leaf(std::size_t) const { return 0; }
  float weight(std::size_t i, std::size_t j) const { return i == 3 && j == 290 ? std::nanf("") : 1; }
};

TEST(Ranks, AllFailWhereOneDoes) {
  const std::string said = raised([] { static_cast<void>(solve_recurrence(FailsAtOnePlace{}, 300, MPI_COMM_WORLD)); });
  EXPECT_NE(said.find("weight(3,290)"), std::string::npos) << said;
}

TEST(Ranks, AllRefuseWhatOneHasNoMemoryFor) {
  Options options;
  const Communicator ranks(MPI_COMM_WORLD);
  if (ranks.rank() == ranks.size() - 1) options.max_memory = 1000;
  const std::string said =
      raised([&] { static_cast<void>(solve_recurrence(FailsAtOnePlace{}, 200, MPI_COMM_WORLD, options)); });
  EXPECT_NE(said.find("the limit is 1000"), std::string::npos) << said;
}

TEST(Ranks, AllRefuseForbiddenPolygonsAndOutlinesThatAreNotConvex) {
  const std::vector<float> all(100 * 100, infinity<float>);
  const interval::Triangulation<float> problem({all.data(), 100, 100, 100});
  EXPECT_THROW(static_cast<void>(solve(problem, MPI_COMM_WORLD)), Error);
  const polygon::Outline notched({{0, 0}, {4, 0}, {1, 1}, {0, 4}});
  EXPECT_THROW(
      static_cast<void>(solve(polygon::triangulation_of<double>(notched, polygon::Weight::length), MPI_COMM_WORLD)),
      Error);
}

/// A communicator of the first `count` ranks; null in the others.
class First {
 public:
  explicit First(int count) {
    const Communicator all(MPI_COMM_WORLD);
    MPI_Comm_split(all.get(), all.rank() < count ? 0 : MPI_UNDEFINED, all.rank(), &comm_);
  }
  ~First() {
    if (comm_ != MPI_COMM_NULL) MPI_Comm_free(&comm_);
  }
  First(const First&) = delete;
  First& operator=(const First&) = delete;
  [[nodiscard]] MPI_Comm get() const { return comm_; }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
};

/// A folder with the same name in all ranks. The first rank removes it.
class SharedFolder {
 public:
  SharedFolder() {
    if (ranks_.rank() == 0) path_ = own_.emplace().path().string();
    path_.resize(4096);
    MPI_Bcast(path_.data(), 4096, MPI_CHAR, 0, ranks_.get());
    path_.resize(path_.find('\0'));
  }
  ~SharedFolder() { MPI_Barrier(ranks_.get()); }
  SharedFolder(const SharedFolder&) = delete;
  SharedFolder& operator=(const SharedFolder&) = delete;
  [[nodiscard]] std::string kept() const { return path_ + "/kept"; }

 private:
  const Communicator ranks_{MPI_COMM_WORLD};
  std::optional<test::TemporaryFolder> own_;
  std::string path_;
};

constexpr std::size_t never = std::numeric_limits<std::size_t>::max();

/// The error of a solve by these ranks with a checkpoint there; "nothing" in the others.
template <class T>
std::string raised_by(const First& ranks, const interval::Triangulation<T>& problem, Checkpoint checkpoint,
                      std::size_t stop_after = never) {
  if (ranks.get() == MPI_COMM_NULL) return "nothing";
  std::stop_source stop;
  test::Watched checkpointer(std::move(checkpoint), stop_after, [&] { stop.request_stop(); });
  Options options;
  options.threads = 1;
  options.checkpointer = &checkpointer;
  options.stop = stop.get_token();
  return raised([&] { static_cast<void>(solve(problem, ranks.get(), options)); });
}

TYPED_TEST(Ranks, GoOnInAnyNumberWithWhatAnyOtherNumberKept) {
  const Communicator all(MPI_COMM_WORLD);
  for (const std::size_t n : {65, 700, 1700}) {
    const std::vector<TypeParam> given = weights<TypeParam>(n, 30011);
    const interval::Triangulation<TypeParam> problem({given.data(), n, n, n});
    const auto expected = interval::solve(problem).solution;
    for (const int fewer : {1, std::max(all.size() - 1, 1), all.size()}) {
      SCOPED_TRACE(testing::Message() << n << " vertices, then " << fewer << " ranks");
      const SharedFolder folder;
      const First before(all.size()), then(fewer);
      static_cast<void>(raised_by(before, problem, Checkpoint(folder.kept()), 5));
      MPI_Barrier(all.get());
      static_cast<void>(raised_by(then, problem, Checkpoint::resumed(folder.kept()), 9));
      MPI_Barrier(all.get());
      Checkpoint last = Checkpoint::resumed(folder.kept());
      Options options;
      options.checkpointer = &last;
      const auto solution = solve(problem, MPI_COMM_WORLD, options).solution;
      EXPECT_EQ(solution.cost, expected.cost);
      EXPECT_EQ(solution.triangles, expected.triangles);
      EXPECT_GE(last.count().resumed, n > 65 ? 5U : 0U);
      MPI_Barrier(all.get());
      if (all.rank() > 0) continue;
      Checkpoint alone = Checkpoint::resumed(folder.kept());
      options.checkpointer = &alone;
      EXPECT_EQ(interval::solve(problem, options).solution.triangles, expected.triangles);
      EXPECT_GE(alone.count().resumed, last.count().resumed);
    }
  }
}

TEST(Ranks, AllRefuseByItsNameAFolderThatDoesNotDo) {
  const First ranks(Communicator(MPI_COMM_WORLD).size());
  const std::vector<float> given = weights<float>(700, 30011), other = weights<float>(701, 30011);
  const interval::Triangulation<float> problem({given.data(), 700, 700, 700}), larger({other.data(), 701, 701, 701});
  const SharedFolder folder;
  const auto expect_refused = [&](const auto& asked, Checkpoint checkpoint, const std::string& part) {
    const std::string said = raised_by(ranks, asked, std::move(checkpoint));
    EXPECT_NE(said.find(part), std::string::npos) << said;
  };
  expect_refused(problem, Checkpoint::resumed(folder.kept()), folder.kept() + ": holds no checkpoint");
  static_cast<void>(raised_by(ranks, problem, Checkpoint(folder.kept()), 9));
  expect_refused(problem, Checkpoint(folder.kept()), folder.kept() + ": holds a checkpoint already");
  expect_refused(larger, Checkpoint::resumed(folder.kept()), "is of 700 points, the solve of 701");
  MPI_Barrier(ranks.get());
  if (Communicator(MPI_COMM_WORLD).rank() == 0) std::filesystem::resize_file(folder.kept() + "/tiles", 100);
  MPI_Barrier(ranks.get());
  expect_refused(problem, Checkpoint::resumed(folder.kept()), "super-tile (0,0) is cut off");
}

TEST(Ranks, HaveAFolderToThemselves) {
  const std::size_t n = 700;
  const std::vector<float> given = weights<float>(n, 30011);
  const interval::Triangulation<float> problem({given.data(), n, n, n});
  const SharedFolder folder;
  std::string said;
  test::Watched own(Checkpoint(folder.kept()), 1, [&] {
    Checkpoint other = Checkpoint::resumed(folder.kept());
    Options alone;
    alone.checkpointer = &other;
    said = raised([&] { static_cast<void>(interval::solve(problem, alone)); });
  });
  Options options;
  options.checkpointer = &own;
  static_cast<void>(solve(problem, MPI_COMM_WORLD, options));
  EXPECT_NE(said.find("another run is using the checkpoint"), std::string::npos) << said;
}

/// While it exists, selects how tiles go between ranks: directly between GPUs, or all by messages.
class Way {
 public:
  explicit Way(bool by_messages) { setenv("WARPFOLD_P2P_DISABLE", by_messages ? "1" : "0", 1); }
  ~Way() { unsetenv("WARPFOLD_P2P_DISABLE"); }
  Way(const Way&) = delete;
  Way& operator=(const Way&) = delete;
};

template <class T>
class CudaRanks : public testing::Test {
 protected:
  void SetUp() override {
    if (gpus().empty()) GTEST_SKIP() << warpfold::test::no_gpu;
    on_gpus_.device = parse_device("cuda");
  }
  Options on_gpus_;
};
TYPED_TEST_SUITE(CudaRanks, RanksTypes);

template <class T>
void expect_equivalence(std::initializer_list<std::size_t> sizes, const Options& on_gpus) {
  for (const std::size_t n : sizes) {
    for (const unsigned values : {3U, 30011U}) {
      const std::vector<T> given = weights<T>(n, values);
      const interval::Triangulation<T> problem({given.data(), n, n, n});
      const auto expected = interval::solve(problem).solution;
      for (const bool by_messages : {false, true}) {
        SCOPED_TRACE(testing::Message() << n << " vertices, " << values << " values, by messages: " << by_messages);
        const Way way(by_messages);
        const auto found = solve(problem, MPI_COMM_WORLD, on_gpus);
        EXPECT_EQ(found.solution.cost, expected.cost);
        EXPECT_EQ(found.solution.triangles, expected.triangles);
        EXPECT_EQ(found.solution.chords, expected.chords);
        EXPECT_TRUE(found.report.device.starts_with("cuda:")) << found.report.device;
      }
    }
  }
}
TYPED_TEST(CudaRanks, AreEquivalentToOneProcessStraightAndByMessages) {
  expect_equivalence<TypeParam>({3, 64, 65, 129, 1537, 2500}, this->on_gpus_);
}
/// Small enough for racecheck.
TYPED_TEST(CudaRanks, AreEquivalentOnASmallTable) { expect_equivalence<TypeParam>({700}, this->on_gpus_); }

/// After a failure, no rank may write to a freed table: the next solve must be right.
TYPED_TEST(CudaRanks, AllFailWhereOneDoesAndSolveAgain) {
  const Communicator all(MPI_COMM_WORLD);
  const std::size_t n = 1700;
  const std::vector<TypeParam> given = weights<TypeParam>(n, 30011);
  const interval::Triangulation<TypeParam> problem({given.data(), n, n, n});
  const auto expected = interval::solve(problem).solution;
  const bool is_last = all.rank() + 1 == all.size();
  for (const bool by_messages : {false, true}) {
    const Way way(by_messages);
    for (const std::size_t made : {1, 5, 20}) {
      SCOPED_TRACE(testing::Message() << made << " made, by messages: " << by_messages);
      const SharedFolder folder;
      std::stop_source stop;
      test::Watched checkpointer(Checkpoint(folder.kept()), is_last ? made : never, [&] { stop.request_stop(); });
      Options options = this->on_gpus_;
      options.checkpointer = &checkpointer;
      options.stop = stop.get_token();
      const std::string said = raised([&] { static_cast<void>(solve(problem, all.get(), options)); });
      EXPECT_EQ(said.starts_with("rank "), !is_last) << said;
      EXPECT_NE(said, "nothing");
      EXPECT_EQ(solve(problem, all.get(), this->on_gpus_).solution.triangles, expected.triangles);
    }
  }
}

TYPED_TEST(CudaRanks, GoOnWithWhatTheProcessorsKept) {
  const Communicator all(MPI_COMM_WORLD);
  const std::size_t n = 1700;
  const std::vector<TypeParam> given = weights<TypeParam>(n, 30011);
  const interval::Triangulation<TypeParam> problem({given.data(), n, n, n});
  const auto expected = interval::solve(problem).solution;
  const SharedFolder folder;
  const First ranks(all.size());
  static_cast<void>(raised_by(ranks, problem, Checkpoint(folder.kept()), 9));
  MPI_Barrier(all.get());
  Checkpoint again = Checkpoint::resumed(folder.kept(), std::chrono::seconds(0));
  this->on_gpus_.checkpointer = &again;
  const auto solution = solve(problem, MPI_COMM_WORLD, this->on_gpus_).solution;
  EXPECT_EQ(solution.cost, expected.cost);
  EXPECT_EQ(solution.triangles, expected.triangles);
  EXPECT_GE(again.count().resumed, 9);
}

/// docs/guides/reach.md: for GPUs of one host that reach each other's memory.
TEST(CudaRank, HasATableOnTheHostOnlyWhereMessagesCarryTiles) {
  if (gpus().empty()) GTEST_SKIP() << warpfold::test::no_gpu;
  const std::size_t n = 2500, table = interval::IntervalTable<float>::bytes(n);
  const std::vector<float> given = weights<float>(n, 3);
  const interval::Triangulation<float> problem({given.data(), n, n, n});
  Options options;
  options.device = parse_device("cuda");
  const auto peak_bytes = [&](bool by_messages) {
    const Way way(by_messages);
    return solve(problem, MPI_COMM_WORLD, options).report.peak_bytes;
  };
  EXPECT_LT(peak_bytes(false), table / 10);
  if (Communicator(MPI_COMM_WORLD).size() > 1) {
    EXPECT_GT(peak_bytes(true), table / 2);
  }
}

TEST(CudaRank, RefusesSeveralGpusOfItsOwn) {
  if (gpus().empty()) GTEST_SKIP() << warpfold::test::no_gpu;
  const std::vector<float> given = weights<float>(100, 3);
  const interval::Triangulation<float> problem({given.data(), 100, 100, 100});
  Options options;
  options.device = {Device::Kind::cuda, 0, {0}};
  const std::string said = raised([&] { static_cast<void>(solve(problem, MPI_COMM_WORLD, options)); });
  EXPECT_NE(said.find("one GPU a rank, is accepted"), std::string::npos) << said;
}

/// Each rank holds what it makes and what it receives. If the root's rank has the whole table, everything goes there,
/// too.
void expect_readers_hold(int ranks, std::size_t along, bool root_has_all) {
  SCOPED_TRACE(testing::Message() << ranks << " ranks, " << along << " along, the root has all: " << root_has_all);
  const Owners owners(ranks, along, root_has_all);
  EXPECT_EQ(owners.rows() * owners.columns(), ranks);
  std::vector<std::size_t> held(static_cast<std::size_t>(ranks));
  for (std::size_t j = 0; j < along; ++j) {
    for (std::size_t i = 0; i <= j; ++i) {
      std::vector<int> needed(held.size());
      for (std::size_t k = j + 1; k < along; ++k) needed[static_cast<std::size_t>(owners.owner(i, k))] = 1;
      for (std::size_t k = 0; k < i; ++k) needed[static_cast<std::size_t>(owners.owner(k, j))] = 1;
      if (root_has_all) needed[static_cast<std::size_t>(owners.owner(0, along - 1))] = 1;
      needed[static_cast<std::size_t>(owners.owner(i, j))] = 0;
      std::vector<int> sent(held.size());
      for (const int reader : owners.readers(i, j)) ++sent[static_cast<std::size_t>(reader)];
      EXPECT_EQ(sent, needed) << "(" << i << "," << j << ")";
      for (std::size_t rank = 0; rank < held.size(); ++rank) {
        held[rank] += sent[rank] + (owners.owner(i, j) == static_cast<int>(rank) ? 1 : 0);
      }
    }
  }
  for (int rank = 0; rank < ranks; ++rank) EXPECT_EQ(owners.held(rank), held[static_cast<std::size_t>(rank)]);
}

TEST(Owners, HoldWhatTheyMakeAndWhatIsSentThem) {
  for (const int ranks : {1, 2, 3, 4, 5, 6, 7, 9, 12, 16}) {
    for (const std::size_t along : {1, 2, 3, 5, 8, 13, 30}) {
      for (const bool root_has_all : {false, true}) expect_readers_hold(ranks, along, root_has_all);
    }
  }
}

TEST(Owners, ShareTheWorkAlmostEvenly) {
  for (const int ranks : {2, 3, 4, 6, 8}) {
    const std::size_t along = 64;
    const Owners owners(ranks, along);
    std::vector<double> work(static_cast<std::size_t>(ranks));
    double all = 0;
    for (std::size_t j = 0; j < along; ++j) {
      for (std::size_t i = 0; i <= j; ++i) {
        work[static_cast<std::size_t>(owners.owner(i, j))] += static_cast<double>(j - i);
        all += static_cast<double>(j - i);
      }
    }
    for (const double part : work) EXPECT_NEAR(part, all / ranks, 0.06 * all / ranks) << ranks << " ranks";
  }
}

}  // namespace
}  // namespace warpfold::mpi
