#include "warpfold/interval/solve.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "warpfold/core/error.hpp"

namespace warpfold::interval {
namespace {

template <class T>
MatrixView<const T> square(const std::vector<T>& values, std::size_t n) {
  return {values.data(), n, n, n};
}

ErrorKind kind_of(auto&& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.kind();
  }
  ADD_FAILURE() << "nothing was raised";
  return ErrorKind::internal;
}

TEST(Solve, FindsTheCheaperChordOfAQuadrilateral) {
  std::vector<int> w(16, 99);
  w[0 * 4 + 2] = 7;
  w[1 * 4 + 3] = 5;
  const auto [solution, report] = solve(Triangulation<int>(square(w, 4)));
  EXPECT_EQ(solution.cost, 5);
  EXPECT_EQ(solution.chords, (std::vector<Chord>{{1, 3}}));
  EXPECT_EQ(solution.triangles, (std::vector<Triangle>{{0, 1, 3}, {1, 2, 3}}));
}

TEST(Triangulation, RefusesAMatrixThatCannotLieAsItsViewSays) {
  const std::vector<int> w(16, 1);
  EXPECT_EQ(kind_of([&] { Triangulation<int>({w.data(), 4, 4, 0}); }), ErrorKind::usage);
  EXPECT_EQ(kind_of([&] { Triangulation<int>({w.data(), 4, 4, 3}); }), ErrorKind::usage);
  EXPECT_EQ(kind_of([&] { Triangulation<int>({nullptr, 4, 4, 4}); }), ErrorKind::usage);
}

TEST(Solve, GivesATriangleNoChord) {
  const std::vector<double> w(9, std::nan(""));
  const auto [solution, report] = solve(Triangulation<double>(square(w, 3)));
  EXPECT_EQ(solution.cost, 0);
  EXPECT_TRUE(solution.chords.empty());
  EXPECT_EQ(solution.triangles, (std::vector<Triangle>{{0, 1, 2}}));
}

TEST(Solve, RefusesWhatIsForbiddenThroughout) {
  const std::vector<float> floats(25, std::numeric_limits<float>::infinity());
  EXPECT_EQ(kind_of([&] { (void)solve(Triangulation<float>(square(floats, 5))); }), ErrorKind::infeasible);
  const std::vector<int> ints(25, std::numeric_limits<int>::max());
  EXPECT_EQ(kind_of([&] { (void)solve(Triangulation<int>(square(ints, 5))); }), ErrorKind::infeasible);
}

TEST(Solve, RefusesUnknownAlgorithmsAndMissingDevices) {
  const std::vector<int> w(16, 1);
  Options options;
  options.algorithm = "guess";
  EXPECT_EQ(kind_of([&] { (void)solve(Triangulation<int>(square(w, 4)), options); }), ErrorKind::usage);
}

TEST(Solve, RefusesAMatrixBySparse) {
  const std::vector<int> w(16, 1);
  Options options;
  options.algorithm = "sparse";
  try {
    (void)solve(Triangulation<int>(square(w, 4)), options);
    FAIL() << "it was solved";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_STREQ(error.what(), "algorithm 'sparse' needs an outline: a matrix holds none");
  }
}

TEST(Solve, RunsTheForcedAlgorithm) {
  const std::vector<int> w(16, 1);
  for (const AlgorithmInfo& info : algorithms()) {
    if (info.device != "cpu" || info.name == "sparse") continue;  // "sparse" takes no matrix
    Options options;
    options.algorithm = info.name;
    options.device = parse_device(info.device);
    const Report ran = solve(Triangulation<int>(square(w, 4)), options).report;  // filled in by the solve
    EXPECT_EQ(ran.algorithm, info.name);
    EXPECT_EQ(ran.device, info.device);
  }
}

TEST(Estimate, DoesNotWrapWhereNoSizeHoldsTheBytes) {
  for (const char* algorithm : {"tiled", "reference"}) {
    Options options;
    options.device.kind = Device::Kind::cpu;
    options.algorithm = algorithm;
    constexpr std::size_t most = std::numeric_limits<std::uint32_t>::max();
    EXPECT_EQ(estimate<double>(most, options).bytes, std::numeric_limits<std::size_t>::max());
    EXPECT_EQ(kind_of([&] { (void)estimate<double>(most + 1, options); }), ErrorKind::input);
  }
}

TEST(Estimates, OfNoPolygonNameItsVertices) {
  try {
    (void)estimate<int>(0);
    FAIL() << "it was estimated";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    EXPECT_STREQ(error.what(), "0 vertices: 3 to 4294967295 are accepted");
  }
}

TEST(Triangulation, RefusesShapesThatAreNoPolygon) {
  const std::vector<int> w(16, 1);
  EXPECT_EQ(kind_of([&] { Triangulation<int>({w.data(), 3, 4, 4}); }), ErrorKind::input);
  EXPECT_EQ(kind_of([&] { Triangulation<int>({w.data(), 2, 2, 2}); }), ErrorKind::input);
}

TEST(Triangulation, RefusesLessThanNoThreadAtEverySize) {
  const std::vector<float> weights(9);
  EXPECT_THROW((Triangulation<float>({weights.data(), 3, 3, 3}, -1)), Error);
}

TEST(Triangulation, RefusesWeightsThatAreNoNumbers) {
  std::vector<float> w(25, 1);
  w[1 * 5 + 4] = std::nanf("");
  EXPECT_EQ(kind_of([&] { Triangulation<float>(square(w, 5)); }), ErrorKind::input);
  w[1 * 5 + 4] = -std::numeric_limits<float>::infinity();
  EXPECT_EQ(kind_of([&] { Triangulation<float>(square(w, 5)); }), ErrorKind::input);
}

TEST(Triangulation, LooksAtNothingButTheChords) {
  std::vector<float> w(25, std::nanf(""));
  for (const auto& [i, j] : std::vector<Chord>{{0, 2}, {0, 3}, {1, 3}, {1, 4}, {2, 4}}) w[i * 5 + j] = 1;
  EXPECT_EQ(solve(Triangulation<float>(square(w, 5))).solution.cost, 2);
}

TEST(Triangulation, AcceptsTotalsUpToAQuarterOfTheType) {
  const int most = (std::numeric_limits<int>::max() - 1) / 4 / 2;
  std::vector<int> w(25, most);
  EXPECT_EQ(solve(Triangulation<int>(square(w, 5))).solution.cost, 2 * most);
  w[1 * 5 + 3] = most + 1;
  EXPECT_EQ(kind_of([&] { Triangulation<int>(square(w, 5)); }), ErrorKind::overflow);
  w[1 * 5 + 3] = std::numeric_limits<int>::min();
  EXPECT_EQ(kind_of([&] { Triangulation<int>(square(w, 5)); }), ErrorKind::overflow);
}

}  // namespace
}  // namespace warpfold::interval
