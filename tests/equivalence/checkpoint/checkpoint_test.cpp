#include "warpfold/checkpoint/checkpoint.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "needs_gpu.hpp"
#include "several_gpus.hpp"
#include "temporary_folder.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/interval/grammar.hpp"
#include "warpfold/interval/matrix_chain.hpp"
#include "warpfold/interval/recurrence.hpp"
#include "warpfold/interval/solve.hpp"
#include "warpfold/polygon/triangulation.hpp"
#include "warpfold/tiles/super_tiles.hpp"

/// Solves with a checkpoint. Stopped anywhere and resumed, they give the reference's bits. Any other folder is rejected
/// by name.
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
  options.checkpointer = &checkpoint;
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

/// Stops solve(options) after `share` of it. On one thread, because others could finish it before the caller's thread
/// sees the request.
template <class Solve>
void solve_a_part(Checkpoint checkpoint, double share, const Solve& solve) {
  std::stop_source stop;
  Options options = kept_by(checkpoint, 1);
  options.stop = stop.get_token();
  options.progress = [&](const Progress& progress) {
    if (progress.done >= share * progress.total) stop.request_stop();
  };
  try {
    solve(options);
    ADD_FAILURE() << "the solve was not stopped";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::cancelled) << error.what();
  }
}
template <class T>
void solve_a_part(const Instance<T>& instance, Checkpoint checkpoint, double share) {
  solve_a_part(std::move(checkpoint), share,
               [&](const Options& options) { static_cast<void>(interval::solve(instance.problem, options)); });
}

/// The error of the solve as "input: ...".
template <class Solve>
std::string raised(const Solve& solve) {
  try {
    solve();
  } catch (const Error& error) {
    return std::to_string(exit_code(error.kind())) + ": " + error.what();
  }
  return "nothing";
}

/// On one thread, which finds errors in the order of the super-tiles.
std::string refusal(const Instance<float>& instance, Checkpoint checkpoint) {
  return raised([&] { static_cast<void>(interval::solve(instance.problem, kept_by(checkpoint, 1))); });
}

void expect_in(const std::string& part, const std::string& whole) {
  EXPECT_NE(whole.find(part), std::string::npos) << whole;
}

template <class T>
class Checkpoints : public testing::Test {};
using CheckpointsTypes = testing::Types<std::int32_t, std::int64_t, float, double>;
TYPED_TEST_SUITE(Checkpoints, CheckpointsTypes);

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

TEST(Checkpoint, OfAResumedSolveHasAllThatWasSafe) {
  const Instance<float> instance(700);
  const test::TemporaryFolder folder;
  Checkpoint checkpoint((folder / "kept").string(), at_once);
  static_cast<void>(interval::solve(instance.problem, kept_by(checkpoint)));
  const std::size_t safe = checkpoint.count().safe;
  for (int turn = 0; turn < 2; ++turn) {
    Checkpoint again = Checkpoint::resumed((folder / "kept").string());
    expect_same(interval::solve(instance.problem, kept_by(again)).solution, expected(instance));
    EXPECT_EQ(again.count().resumed, safe);
    EXPECT_EQ(again.count().safe, safe);
  }
}

/// As when a GPU fails and the CPU solves instead.
TEST(Checkpoint, GoesOnWithItsOwnFolderWhenItSolvesAgain) {
  const Instance<float> instance(700);
  const test::TemporaryFolder folder;
  std::stop_source stop;
  Checkpoint checkpoint((folder / "kept").string(), at_once);
  Options options = kept_by(checkpoint, 1);
  options.stop = stop.get_token();
  options.progress = [&](const Progress&) { stop.request_stop(); };
  EXPECT_THROW(static_cast<void>(interval::solve(instance.problem, options)), Error);
  const std::size_t safe = checkpoint.count().safe;
  expect_same(interval::solve(instance.problem, kept_by(checkpoint)).solution, expected(instance));
  EXPECT_EQ(checkpoint.count().resumed, safe);
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
  expect_in("2: algorithm 'reference' keeps no checkpoint: tiled is accepted",
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

/// The least cost of joining neighbors, in two tables.
struct DescribedGrammar {
  using Semiring = MinPlus<std::int32_t>;
  enum Table : unsigned { joined, whole, tables };
  static constexpr interval::Product products[] = {{.left = whole, .right = joined}};
  std::vector<std::uint8_t> costs;

  void describe_point(std::size_t i, std::vector<std::byte>& bytes) const {
    bytes.push_back(static_cast<std::byte>(costs[i]));
  }
  template <class Add>
  void terms(std::size_t i, std::size_t j, Add& add) const {
    add(joined, j == i + 1 ? costs[i] : Semiring::zero());
    add(joined, costs[i] % (costs[j] + 1), add.inside(whole, 1, 1));
    add(whole, add.here(joined));
    add(whole, add.product(0));
  }
};

struct NamelessGrammar : DescribedGrammar {
  void describe_point() const {}
};

TEST(Checkpoint, KeepsTheTablesOfAGrammarThatDescribesItself) {
  DescribedGrammar grammar{std::vector<std::uint8_t>(900)};
  std::mt19937 random(1);
  for (std::uint8_t& cost : grammar.costs) cost = static_cast<std::uint8_t>(random() % 50 + 1);
  const test::TemporaryFolder folder;
  const std::string kept = (folder / "kept").string();
  const std::size_t n = grammar.costs.size();
  solve_a_part(Checkpoint(kept, at_once), 0.5,
               [&](const Options& options) { static_cast<void>(interval::solve_grammar(grammar, n, options)); });
  Checkpoint again = Checkpoint::resumed(kept);
  const auto found = interval::solve_grammar(grammar, n, kept_by(again)).solution;
  const auto expected_tables = interval::solve_grammar(grammar, n).solution;
  for (unsigned t = 0; t < DescribedGrammar::tables; ++t) {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = i + 1; j < n; ++j) ASSERT_EQ(found.value(t, i, j), expected_tables.value(t, i, j));
    }
  }
  ++grammar.costs[7];
  Checkpoint of_another = Checkpoint::resumed(kept);
  expect_in("is of another problem",
            raised([&] { static_cast<void>(interval::solve_grammar(grammar, n, kept_by(of_another))); }));
  Checkpoint of_none((folder / "none").string());
  expect_in("checkpoint",
            raised([&] { static_cast<void>(interval::solve_grammar(NamelessGrammar{grammar}, n, kept_by(of_none))); }));
}

/// The weights of all ways to join neighbors, far beyond the range of double, and of all lists of joined pieces.
struct DescribedSums {
  using Semiring = ScaledSum<double>;
  enum Table : unsigned { joined, whole, tables };
  enum PrefixTable : unsigned { pieces, prefix_tables };
  static constexpr interval::Product products[] = {{.left = whole, .right = joined}};
  static constexpr interval::PrefixSum prefix_sums[] = {{.left = pieces, .right = joined}};
  std::vector<std::uint8_t> costs;

  void describe_point(std::size_t i, std::vector<std::byte>& bytes) const {
    bytes.push_back(static_cast<std::byte>(costs[i]));
  }
  template <class Add>
  void terms(std::size_t i, std::size_t j, Add& add) const {
    add(joined, j == i + 1 ? static_cast<double>(costs[i]) : 0.0);
    add(joined, costs[i] * 0.01, add.inside(whole, 1, 1));
    add(whole, add.here(joined));
    add(whole, add.product(0));
  }
  template <class Add>
  void prefix_terms(std::size_t j, Add& add) const {
    add(pieces, j == 0 ? 1.0 : 0.0);
    add(pieces, add.prefix(0));
  }
};

TEST(Checkpoint, KeepsSumsWithTheirExponents) {
  DescribedSums grammar{std::vector<std::uint8_t>(900)};
  std::mt19937 random(1);
  for (std::uint8_t& cost : grammar.costs) cost = static_cast<std::uint8_t>(random() % 5 + 3);
  const test::TemporaryFolder folder;
  const std::string kept = (folder / "kept").string();
  const std::size_t n = grammar.costs.size();
  solve_a_part(Checkpoint(kept, at_once), 0.5,
               [&](const Options& options) { static_cast<void>(interval::solve_grammar(grammar, n, options)); });
  Checkpoint again = Checkpoint::resumed(kept);
  const auto found = interval::solve_grammar(grammar, n, kept_by(again)).solution;
  EXPECT_GT(again.count().resumed, 0U);
  const auto all = interval::solve_grammar(grammar, n).solution;
  EXPECT_GT(all.value().ln(), 1000);
  EXPECT_EQ(found.exponents(), all.exponents());
  EXPECT_EQ(found.value(), all.value());
  for (unsigned t = 0; t < DescribedSums::tables; ++t) {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = i + 1; j < n; ++j) ASSERT_EQ(found.value(t, i, j), all.value(t, i, j));
    }
  }
}

TEST(Checkpoint, KeepsAMatrixChainsTable) {
  std::vector<std::int64_t> dimensions(900);
  std::mt19937 random(1);
  for (std::int64_t& p : dimensions) p = random() % 50 + 1;
  const interval::MatrixChain chain(dimensions);
  const test::TemporaryFolder folder;
  const std::string kept = (folder / "kept").string();
  solve_a_part(Checkpoint(kept, at_once), 0.5,
               [&](const Options& options) { static_cast<void>(interval::solve(chain, options)); });
  Checkpoint again = Checkpoint::resumed(kept);
  const auto outcome = interval::solve(chain, kept_by(again));
  EXPECT_EQ(outcome.report.algorithm, "dp");
  EXPECT_EQ(outcome.solution.cost, interval::solve(chain).solution.cost);
}

/// The bytes of a table at the end of its solve, and the description of its problem.
class Recorded final : public Checkpointer {
 public:
  [[nodiscard]] const std::vector<std::byte>& bytes() const { return bytes_; }
  [[nodiscard]] const std::vector<std::byte>& description() const { return description_; }

  [[nodiscard]] bool comes(std::size_t, std::size_t) const override { return false; }
  void made(std::size_t, std::size_t) override {}
  void progress(const std::function<void(std::size_t, std::size_t)>&) override {}
  void solve(const KeptTable& table, const Options&, const std::function<void()>& fill) override {
    for (std::size_t i = 0; i < table.points; ++i) table.describe(i, description_);
    fill();
    const SuperTiles& place = table.place;
    bytes_.assign(place.first, place.first + tiles::tile_number(0, place.tiles) * place.tile_bytes);
  }

 private:
  std::vector<std::byte> bytes_, description_;
};

polygon::Outline ellipse(std::size_t n) {
  std::vector<Point> vertices;
  for (std::size_t k = 0; k < n; ++k) {
    const double angle = 2 * std::acos(-1.0) * static_cast<double>(k) / static_cast<double>(n);
    vertices.push_back({1000 * std::cos(angle), 600 * std::sin(angle)});
  }
  return polygon::Outline(vertices);
}

template <class T>
interval::Solution<T> solution_of(const polygon::Outline& outline, polygon::Weight weight, const Options& options) {
  return interval::solve(polygon::triangulation_of<T>(outline, weight), options).solution;
}

TEST(Checkpoint, AsksAConvexOutlineForItsVerticesAndNotForItsChords) {
  Recorded by_points, by_weights;
  Options options;
  options.checkpointer = &by_points;
  static_cast<void>(solution_of<double>(ellipse(700), polygon::Weight::length, options));
  EXPECT_LE(by_points.description().size(), 700 * 4 * sizeof(double));
  options.checkpointer = &by_weights;
  static_cast<void>(interval::solve(Instance<double>(700).problem, options));
  EXPECT_GE(by_weights.description().size(), 700 * 698 / 2 * sizeof(double));
}

TEST(Checkpoint, OfAConvexOutlineIsNoneOfAnotherOrOfAMatrixOfItsWeights) {
  const test::TemporaryFolder folder;
  const std::string kept = (folder / "kept").string();
  const std::size_t n = 300;
  const polygon::Outline outline = ellipse(n);
  const auto on_one_thread = [&](const polygon::Outline& other, polygon::Weight weight, Checkpoint checkpoint) {
    return raised([&] { static_cast<void>(solution_of<double>(other, weight, kept_by(checkpoint, 1))); });
  };
  const auto again = [&](const polygon::Outline& other, polygon::Weight weight) {
    return on_one_thread(other, weight, Checkpoint::resumed(kept));
  };
  ASSERT_EQ(on_one_thread(outline, polygon::Weight::length, Checkpoint(kept)), "nothing");
  EXPECT_EQ(again(outline, polygon::Weight::length), "nothing");
  expect_in("is of another problem", again(outline, polygon::Weight::squared));
  for (const std::size_t moved : {std::size_t{0}, n / 2, n - 1}) {
    std::vector<Point> vertices = outline.vertices();
    vertices[moved].x *= 1 + 1e-12;
    expect_in("is of another problem", again(polygon::Outline(vertices), polygon::Weight::length));
  }
  std::vector<double> weights(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) {
      weights[i * n + j] = polygon::chord_weight(polygon::Weight::length, outline[i], outline[j]);
    }
  }
  const interval::Triangulation<double> matrix({weights.data(), n, n, n});
  Checkpoint resumed = Checkpoint::resumed(kept);
  expect_in("is of another problem", raised([&] { static_cast<void>(interval::solve(matrix, kept_by(resumed))); }));
}

/// Any super-tiles of a finished table arrive one after another in any order, and only after others were made.
class Given final : public Checkpointer {
 public:
  Given(const std::vector<std::byte>& table, unsigned seed, double share)
      : table_(table), random_(seed), share_(share) {}
  /// From now on nothing arrives, although it was promised.
  void hold_back() { holds_back_ = true; }
  [[nodiscard]] const std::vector<std::byte>& found() const { return found_; }
  [[nodiscard]] bool each_was_made_once() const { return all_once_; }

  [[nodiscard]] bool comes(std::size_t i, std::size_t j) const override { return come_[tiles::tile_number(i, j)] != 0; }
  void made(std::size_t i, std::size_t j) override { ++made_[tiles::tile_number(i, j)]; }
  void progress(const std::function<void(std::size_t, std::size_t)>& arrived) override {
    if (holds_back_ || waiting_.empty() || random_() % 4 != 0) return;
    const auto [i, j] = tiles::place_of(waiting_.back());
    waiting_.pop_back();
    for (const auto piece : tiles::pieces_of(place_, i, j)) {
      std::copy_n(table_.begin() + (piece.data() - place_.first), piece.size(), piece.begin());
    }
    arrived(i, j);
  }
  void solve(const KeptTable& table, const Options&, const std::function<void()>& fill) override {
    place_ = table.place;
    const std::size_t count = tiles::tile_number(0, place_.along());
    come_.assign(count, 0);
    made_.assign(count, 0);
    for (std::size_t at = 0; at < count; ++at) {
      if (static_cast<double>(random_() % 1000) >= share_ * 1000) continue;
      come_[at] = 1;
      waiting_.push_back(at);
    }
    std::shuffle(waiting_.begin(), waiting_.end(), random_);
    fill();
    while (!holds_back_ && !waiting_.empty()) progress([](std::size_t, std::size_t) {});  // no thread waited for them
    for (std::size_t at = 0; at < count; ++at) all_once_ = all_once_ && made_[at] + come_[at] == 1;
    found_.assign(place_.first, place_.first + table_.size());
  }

 private:
  const std::vector<std::byte>& table_;
  std::mt19937 random_;
  double share_;
  bool holds_back_ = false, all_once_ = true;
  SuperTiles place_{};
  std::vector<int> come_, made_;
  std::vector<std::size_t> waiting_;
  std::vector<std::byte> found_;
};

/// GPU 0 alone, GPU 0 helping itself, and all GPUs.
std::vector<Device> devices_with_gpus() {
  std::vector<Device> all = test::several_gpus();
  all.push_back({Device::Kind::cuda, 0});
  return all;
}

template <class T>
class CudaCheckpoints : public warpfold::test::NeedsGpu {};
TYPED_TEST_SUITE(CudaCheckpoints, CheckpointsTypes);

/// Solves on each device while the given shares of the super-tiles come from elsewhere. The tables must equal the CPU's
/// in all bytes.
template <class T>
void expect_the_cpus_table(std::size_t n, const std::vector<double>& shares) {
  const Instance<T> instance(n);
  Recorded whole;
  Options options;
  options.checkpointer = &whole;
  options.device = parse_device("cpu");
  const auto expected = interval::solve(instance.problem, options).solution;
  for (const Device& device : devices_with_gpus()) {
    for (const double share : shares) {
      SCOPED_TRACE(testing::Message() << n << " vertices on " << to_string(device) << ", " << share);
      Given given(whole.bytes(), static_cast<unsigned>(n), share);
      options.checkpointer = &given;
      options.device = device;
      expect_same(interval::solve(instance.problem, options).solution, expected);
      EXPECT_TRUE(given.each_was_made_once());
      EXPECT_TRUE(given.found() == whole.bytes());
    }
  }
}

TYPED_TEST(CudaCheckpoints, FillTheCpusTableWhereNothingComesFromElsewhere) {
  for (const std::size_t n : {3, 65, 129, 700}) expect_the_cpus_table<TypeParam>(n, {0.0});
}

TYPED_TEST(CudaCheckpoints, FillASmallTableWhateverComesFromElsewhere) {
  expect_the_cpus_table<TypeParam>(129, {0.5, 1.0});
}

TYPED_TEST(CudaCheckpoints, FillTheCpusTableWhateverComesFromElsewhere) {
  for (const std::size_t n : {3, 64, 65, 700, 1537, 2500}) expect_the_cpus_table<TypeParam>(n, {0.0, 0.3, 0.9, 1.0});
}

TYPED_TEST(CudaCheckpoints, GoOnWithWhatTheOtherKindOfProcessorKept) {
  for (const std::size_t n : {65, 700, 1700}) {
    const Instance<TypeParam> instance(n);
    const auto expected_solution = expected(instance);
    for (const bool gpu_first : {true, false}) {
      SCOPED_TRACE(testing::Message() << n << " vertices, " << (gpu_first ? "a GPU" : "the CPU") << " first");
      const test::TemporaryFolder folder;
      const std::string kept = (folder / "kept").string();
      std::stop_source stop;
      Checkpoint first(kept, at_once);
      Options options = kept_by(first, 1);
      options.device = parse_device(gpu_first ? "cuda" : "cpu");
      options.stop = stop.get_token();
      options.progress = [&](const Progress&) { stop.request_stop(); };
      static_cast<void>(raised([&] { static_cast<void>(interval::solve(instance.problem, options)); }));
      Checkpoint again = Checkpoint::resumed(kept);
      options = kept_by(again);
      options.device = parse_device(gpu_first ? "cpu" : "cuda");
      expect_same(interval::solve(instance.problem, options).solution, expected_solution);
      EXPECT_EQ(again.count().resumed, first.count().safe);
    }
  }
}

TEST(CudaCheckpoint, EndsWhereItIsStoppedThoughWhatItWaitsForNeverComes) {
  if (gpus().empty()) GTEST_SKIP() << warpfold::test::no_gpu;
  const Instance<float> instance(1700);
  Recorded whole;
  Options options;
  options.checkpointer = &whole;
  options.device = parse_device("cpu");
  static_cast<void>(interval::solve(instance.problem, options));
  for (const Device& device : devices_with_gpus()) {
    Given given(whole.bytes(), 1, 0.5);
    given.hold_back();
    options.checkpointer = &given;
    options.device = device;
    options.deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(500);
    expect_in("5: ", raised([&] { static_cast<void>(interval::solve(instance.problem, options)); }));
    options.deadline.reset();
    Given all(whole.bytes(), 2, 0.5);  // the GPU still works
    options.checkpointer = &all;
    expect_same(interval::solve(instance.problem, options).solution, expected(instance));
  }
}

TYPED_TEST(CudaCheckpoints, KeepAConvexOutlinesTableWhereverItIsSolved) {
  if (std::is_integral_v<TypeParam>) GTEST_SKIP() << "an ellipse has no whole weights";
  for (const std::size_t n : {4, 65, 700}) {
    const polygon::Outline outline = ellipse(n);
    const auto on = [&](const Device& device, Checkpointer* checkpointer) {
      Options options;
      options.device = device;
      options.checkpointer = checkpointer;
      return solution_of<TypeParam>(outline, polygon::Weight::length, options);
    };
    Recorded by_cpu;
    const auto expected_solution = on(parse_device("cpu"), &by_cpu);
    for (const Device& device : devices_with_gpus()) {
      SCOPED_TRACE(testing::Message() << n << " vertices on " << to_string(device));
      expect_same(on(device, nullptr), expected_solution);
      Given given(by_cpu.bytes(), 3, 0.4);
      expect_same(on(device, &given), expected_solution);
      EXPECT_TRUE(given.found() == by_cpu.bytes());
      Recorded by_gpu;
      static_cast<void>(on(device, &by_gpu));
      EXPECT_TRUE(by_gpu.bytes() == by_cpu.bytes());
      EXPECT_TRUE(by_gpu.description() == by_cpu.description());
    }
  }
}

TEST(CudaCheckpoint, KeepsAConvexOutlinesTableThatGpusShare) {
  if (gpus().empty()) GTEST_SKIP() << warpfold::test::no_gpu;
  const polygon::Outline outline = ellipse(1500);
  Recorded by_cpu;
  Options options;
  options.checkpointer = &by_cpu;
  options.device = parse_device("cpu");
  const auto expected_solution = solution_of<float>(outline, polygon::Weight::length, options);
  for (const Device& device : test::several_gpus()) {
    options = test::on(device);
    Recorded integer_copies;
    options.checkpointer = &integer_copies;
    const auto problem = polygon::triangulation_of<float>(outline, polygon::Weight::length);
    const std::size_t bytes = interval::solve(problem, options).report.peak_device_bytes;
    for (const std::size_t tenths : {6, 8}) {
      options.max_device_memory = bytes / 10 * tenths;
      for (const double share : {0.0, 0.3, 0.9}) {
        SCOPED_TRACE(testing::Message() << to_string(device) << ", " << tenths << " tenths, " << share);
        Given given(by_cpu.bytes(), 5, share);
        options.checkpointer = &given;
        const auto outcome = interval::solve(problem, options);
        EXPECT_LT(outcome.report.peak_device_bytes, bytes);
        expect_same(outcome.solution, expected_solution);
        EXPECT_TRUE(given.each_was_made_once());
        EXPECT_TRUE(given.found() == by_cpu.bytes());
      }
    }
  }
}

}  // namespace
}  // namespace warpfold
