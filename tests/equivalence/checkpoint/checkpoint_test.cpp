#include "warpfold/checkpoint/checkpoint.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "temporary_folder.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/interval/matrix_chain.hpp"
#include "warpfold/interval/recurrence.hpp"
#include "warpfold/interval/solve.hpp"

/// Solves that a folder keeps: stopped anywhere and gone on with, they give the reference's bits; what is not such a
/// folder is refused by name.
namespace warpfold {
namespace {

constexpr std::chrono::seconds at_once{0};

template <class T>
struct Instance {
  std::vector<T> weights;
  interval::Triangulation<T> problem;

  explicit Instance(std::size_t n, unsigned seed = 1) : weights(drawn(n, seed)), problem({weights.data(), n, n, n}) {}

  static std::vector<T> drawn(std::size_t n, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<T> all(n * n);
    for (T& weight : all) weight = static_cast<T>(random() % 1000) / T{4};
    return all;
  }
};

Options kept_by(Checkpoint& checkpoint, int threads = 2) {
  Options options;
  options.threads = threads;
  options.keeper = &checkpoint;
  return options;
}

template <class T>
interval::Solution<T> expected(const Instance<T>& instance) {
  return interval::solve(instance.problem).solution;
}

template <class T>
void expect_same(const interval::Solution<T>& solution, const interval::Solution<T>& right) {
  EXPECT_EQ(solution.cost, right.cost);
  EXPECT_EQ(solution.triangles, right.triangles);
}

/// Stops the solve once `share` of it is done: on one thread, since others could finish it before the caller's hears.
template <class T>
void solve_a_part(const Instance<T>& instance, Checkpoint checkpoint, double share) {
  std::stop_source stop;
  Options options = kept_by(checkpoint, 1);
  options.stop = stop.get_token();
  options.progress = [&](const Progress& progress) {
    if (progress.done >= share * progress.total) stop.request_stop();
  };
  try {
    static_cast<void>(interval::solve(instance.problem, options));
    ADD_FAILURE() << "the solve was not stopped";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::cancelled) << error.what();
  }
}

/// "input: ..." of what the solve raises.
template <class Solve>
std::string raised(const Solve& solve) {
  try {
    solve();
  } catch (const Error& error) {
    return std::to_string(exit_code(error.kind())) + ": " + error.what();
  }
  return "nothing";
}

/// On one thread, which finds what is wrong in the order of the super-tiles.
std::string refusal(const Instance<float>& instance, Checkpoint checkpoint) {
  return raised([&] { static_cast<void>(interval::solve(instance.problem, kept_by(checkpoint, 1))); });
}

void expect_in(const std::string& part, const std::string& whole) {
  EXPECT_NE(whole.find(part), std::string::npos) << whole;
}

template <class T>
class Checkpoints : public testing::Test {};
using Types = testing::Types<std::int32_t, std::int64_t, float, double>;
TYPED_TEST_SUITE(Checkpoints, Types);

TYPED_TEST(Checkpoints, GoOnWithOtherThreadsToTheSameBits) {
  for (const std::size_t n : {std::size_t{3}, std::size_t{64}, std::size_t{65}, std::size_t{700}, std::size_t{1700}}) {
    const Instance<TypeParam> instance(n);
    for (const double share : {0.0, 0.3, 0.9}) {
      SCOPED_TRACE(testing::Message() << n << " vertices, " << share);
      const test::TemporaryFolder folder;
      solve_a_part(instance, Checkpoint((folder / "kept").string(), at_once), share);
      Checkpoint again = Checkpoint::resumed((folder / "kept").string());
      expect_same(interval::solve(instance.problem, kept_by(again, 3)).solution, expected(instance));
    }
  }
}

TEST(Checkpoint, KeepsEverythingThatWasFinalWhenASolveWasStopped) {
  const Instance<float> instance(2000);  // 16 x 16 super-tiles of 128 values
  const test::TemporaryFolder folder;
  std::stop_source stop;
  Checkpoint checkpoint((folder / "kept").string(), std::chrono::hours(1));
  Options options = kept_by(checkpoint, 1);
  options.stop = stop.get_token();
  double done = 0;
  options.progress = [&](const Progress& progress) {
    done = progress.done / progress.total;
    if (done > 0.4) stop.request_stop();
  };
  EXPECT_THROW(static_cast<void>(interval::solve(instance.problem, options)), Error);
  const Checkpoint::Count count = checkpoint.count();
  EXPECT_EQ(count.all, 136);
  EXPECT_GT(count.safe, 40);
  Checkpoint again = Checkpoint::resumed((folder / "kept").string());
  expect_same(interval::solve(instance.problem, kept_by(again)).solution, expected(instance));
  EXPECT_EQ(again.count().resumed, count.safe);
}

TEST(Checkpoint, IsRefusedByNameWhereItIsOfAnotherProblem) {
  const test::TemporaryFolder folder;
  const std::string kept = (folder / "kept").string();
  solve_a_part(Instance<float>(400), Checkpoint(kept), 0.5);
  expect_in("3: " + kept + ": the checkpoint is of another problem",
            refusal(Instance<float>(400, 2), Checkpoint::resumed(kept)));
  expect_in("is of 400 points, the solve of 401", refusal(Instance<float>(401), Checkpoint::resumed(kept)));
  const Instance<double> wider(400);
  Checkpoint resumed = Checkpoint::resumed(kept);
  expect_in("is of f32, the solve of f64",
            raised([&] { static_cast<void>(interval::solve(wider.problem, kept_by(resumed))); }));
  expect_in("3: " + kept + ": holds a checkpoint", refusal(Instance<float>(400), Checkpoint(kept)));
  expect_in("3: " + (folder / "none").string() + ": holds no checkpoint",
            refusal(Instance<float>(400), Checkpoint::resumed((folder / "none").string())));
}

TEST(Checkpoint, IsRefusedByNameWhereItIsDamagedOrCutOff) {
  const Instance<float> instance(700);
  const test::TemporaryFolder folder;
  const std::string kept = (folder / "kept").string();
  solve_a_part(instance, Checkpoint(kept, at_once), 0.5);
  const auto with_change = [&](const std::string& name, const auto& change) {
    const std::filesystem::path copy = folder / "copy";
    std::filesystem::remove_all(copy);
    std::filesystem::copy(kept, copy);
    change(copy / name);
    return refusal(instance, Checkpoint::resumed(copy.string()));
  };
  const auto flip_at = [](std::streamoff at) {
    return [at](const std::filesystem::path& file) {
      std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
      stream.seekg(at);
      const int byte = stream.get();
      stream.seekp(at);
      stream.put(static_cast<char>(byte ^ 1));
    };
  };
  const auto cut_to = [](std::size_t bytes) {
    return [bytes](const std::filesystem::path& file) { std::filesystem::resize_file(file, bytes); };
  };
  expect_in("tiles: super-tile (0,0) is damaged", with_change("tiles", flip_at(256)));
  expect_in("tiles: super-tile (0,0) is cut off", with_change("tiles", cut_to(100)));
  expect_in("list: is damaged or cut off", with_change("list", flip_at(60)));
  expect_in("list: is damaged or cut off", with_change("list", cut_to(60)));
  expect_in("list: is no list of a checkpoint", with_change("list", cut_to(0)));
  expect_in("list: is no list of a checkpoint", with_change("list", flip_at(0)));
}

TEST(Checkpoint, IsRefusedWhereItCannotBeWritten) {
  const Instance<float> instance(100);
  const test::TemporaryFolder folder;
  std::ofstream(folder / "file") << "no folder";
  expect_in("3: " + (folder / "file/kept").string(), refusal(instance, Checkpoint((folder / "file/kept").string())));
  expect_in("/proc/kept", refusal(instance, Checkpoint("/proc/kept")));
  EXPECT_THROW(Checkpoint("kept", std::chrono::seconds(-1)), Error);
}

TEST(Checkpoint, IsOneRunsAtATime) {
  const Instance<float> instance(300);
  const test::TemporaryFolder folder;
  const std::string kept = (folder / "kept").string();
  Checkpoint first(kept);
  Options options = kept_by(first);
  std::string second;
  options.progress = [&](const Progress&) { second = refusal(instance, Checkpoint::resumed(kept)); };
  static_cast<void>(interval::solve(instance.problem, options));
  expect_in("3: " + kept + ": another run is using the checkpoint", second);
}

TEST(Checkpoint, IsRefusedByWhatKeepsNone) {
  const Instance<float> instance(100);
  const test::TemporaryFolder folder;
  Checkpoint checkpoint((folder / "kept").string());
  Options options = kept_by(checkpoint);
  options.algorithm = "reference";
  expect_in("2: algorithm 'reference' keeps no checkpoint",
            raised([&] { static_cast<void>(interval::solve(instance.problem, options)); }));
  options.algorithm.clear();
  const std::vector<interval::Triangulation<float>> problems = {instance.problem};
  expect_in("keeps no checkpoint", raised([&] {
              static_cast<void>(solve_batch(std::span<const interval::Triangulation<float>>(problems), options));
            }));
  EXPECT_FALSE(std::filesystem::exists(folder / "kept"));
}

struct WithOwnClose {
  using Semiring = MinPlus<double>;
  double leaf(std::size_t) const { return 1; }
  double close(std::size_t, std::size_t, double best) const { return best + 1; }
};

TEST(Checkpoint, IsRefusedByARecurrenceThatNobodyCanTellFromOthers) {
  const test::TemporaryFolder folder;
  Checkpoint checkpoint((folder / "kept").string());
  expect_in("2: a recurrence with a close",
            raised([&] { static_cast<void>(interval::solve_recurrence(WithOwnClose{}, 10, kept_by(checkpoint))); }));
}

TEST(Checkpoint, KeepsAMatrixChainsTable) {
  std::vector<std::int64_t> dimensions(900);
  std::mt19937 random(1);
  for (std::int64_t& p : dimensions) p = random() % 50 + 1;
  const interval::MatrixChain chain(dimensions);
  const test::TemporaryFolder folder;
  const std::string kept = (folder / "kept").string();
  Checkpoint checkpoint(kept, at_once);
  Options options = kept_by(checkpoint);
  std::stop_source stop;
  options.stop = stop.get_token();
  options.progress = [&](const Progress& progress) {
    if (progress.done > 0.5 * progress.total) stop.request_stop();
  };
  static_cast<void>(raised([&] { static_cast<void>(interval::solve(chain, options)); }));
  Checkpoint again = Checkpoint::resumed(kept);
  const auto outcome = interval::solve(chain, kept_by(again));
  EXPECT_EQ(outcome.report.algorithm, "dp");
  EXPECT_EQ(outcome.solution.cost, interval::solve(chain).solution.cost);
}

}  // namespace
}  // namespace warpfold
