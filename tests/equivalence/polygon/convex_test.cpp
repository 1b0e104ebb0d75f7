#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <type_traits>
#include <vector>

#include "needs_gpu.hpp"
#include "several_gpus.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/interval/solve.hpp"
#include "warpfold/polygon/solve.hpp"

/// Compares convex outlines, whose weights are computed where they are used, with the matrix of the weights.
namespace warpfold::polygon {
namespace {

/// Integer points on a parabola.
Outline parabola(std::size_t n) {
  std::vector<Point> vertices;
  for (std::size_t k = 0; k < n; ++k) {
    const auto x = static_cast<double>(k);
    vertices.push_back({x, x * x});
  }
  return Outline(vertices);
}

Outline ellipse(std::size_t n) {
  std::vector<Point> vertices;
  for (std::size_t k = 0; k < n; ++k) {
    const double angle = 2 * std::acos(-1.0) * static_cast<double>(k) / static_cast<double>(n);
    vertices.push_back({1000 * std::cos(angle), 600 * std::sin(angle)});
  }
  return Outline(vertices);
}

template <class T>
interval::Solution<T> by_matrix(const Outline& outline, Weight weight) {
  const std::size_t n = outline.size();
  std::vector<T> weights(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) {
      weights[i * n + j] = static_cast<T>(chord_weight(weight, outline[i], outline[j]));
    }
  }
  Options options;
  options.algorithm = "reference";
  return interval::solve(interval::Triangulation<T>({weights.data(), n, n, n}), options).solution;
}

template <class T>
void expect_equivalent(const Outline& outline, Weight weight, const Options& options) {
  SCOPED_TRACE(testing::Message() << outline.size() << " vertices on " << to_string(options.device));
  const auto expected = by_matrix<T>(outline, weight);
  const auto found = solve(triangulation_of<T>(outline, weight), options);
  EXPECT_EQ(found.solution.cost, expected.cost);
  EXPECT_EQ(found.solution.triangles, expected.triangles);
  EXPECT_EQ(found.report.algorithm, "tiled");
}

TEST(ConvexOutlines, AreEquivalentToTheMatrixOfTheirWeights) {
  const Options options = warpfold::test::on(parse_device("cpu"));
  for (const std::size_t n : {3, 4, 63, 64, 65, 130, 300}) {
    expect_equivalent<double>(ellipse(n), Weight::length, options);
    expect_equivalent<float>(ellipse(n), Weight::squared, options);
    expect_equivalent<std::int64_t>(parabola(n), Weight::squared, options);
  }
  expect_equivalent<std::int32_t>(parabola(20), Weight::squared, options);
}

TEST(ConvexOutlines, AreEquivalentByEveryAlgorithm) {
  for (const std::size_t n : {3, 4, 9, 130}) {
    const Outline outline = parabola(n);
    const auto problem = triangulation_of<std::int64_t>(outline, Weight::squared);
    ASSERT_NE(problem.formula(), nullptr);
    const auto expected = reference::solve(problem).solution;
    for (const char* algorithm : {"sparse", "tiled", "reference"}) {
      Options options;
      options.algorithm = algorithm;
      const auto [solution, report] = solve(problem, options);
      EXPECT_EQ(report.algorithm, algorithm);
      EXPECT_EQ(solution.cost, expected.cost) << n << " vertices by " << algorithm;
      EXPECT_EQ(solution.triangles, expected.triangles) << n << " vertices by " << algorithm;
      EXPECT_EQ(solution.chords, expected.chords) << n << " vertices by " << algorithm;
      EXPECT_EQ(report.peak_bytes, estimate(problem, options).bytes) << n << " vertices by " << algorithm;
    }
  }
}

TEST(OutlinesThatAreNotConvex, AreSolvedOnTheirVisibilityGraph) {
  const Outline notched({{0, 0}, {4, 0}, {1, 1}, {0, 4}});
  const auto problem = triangulation_of<double>(notched, Weight::length);
  ASSERT_NE(problem.graph(), nullptr);
  EXPECT_EQ(problem.graph()->ends, interior_chords(notched).ends);
  EXPECT_EQ(problem.weight(0, 2), chord_weight(Weight::length, notched[0], notched[2]));
  EXPECT_EQ(problem.weight(1, 3), infinity<double>);
  EXPECT_EQ(solve(problem).report.algorithm, "sparse");
}

TEST(OutlinesThatAreNotConvex, AreRefusedWhereATypeDoesNotHoldAWeight) {
  const Outline notched({{0, 0}, {4e30, 0}, {1e30, 1e30}, {0, 4e30}});
  try {
    static_cast<void>(triangulation_of<float>(notched, Weight::squared));
    ADD_FAILURE() << "an overflow was not refused";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::overflow);
    EXPECT_STREQ(error.what(), "chord (0, 2) weighs more than f32 holds, f64 does");
  }
  const Outline slanted({{0, 0}, {4, 0}, {1, 2}, {0, 4}});
  EXPECT_THROW(static_cast<void>(triangulation_of<std::int32_t>(slanted, Weight::length)), Error);
}

TEST(ConvexOutlines, AreRefusedWhereATotalDoesNotFit) {
  const Outline outline = parabola(300);
  try {
    static_cast<void>(triangulation_of<std::int32_t>(outline, Weight::squared));
    ADD_FAILURE() << "an overflow was not refused";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::overflow);
    EXPECT_NE(std::string(error.what()).find("chord (0, "), std::string::npos) << error.what();
  }
}

template <class T>
std::string refusal(const Outline& outline, Weight weight) {
  try {
    static_cast<void>(solve(triangulation_of<T>(outline, weight)));
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    return error.what();
  }
  return "accepted";
}

TEST(ConvexOutlines, AreRefusedWithAWeightThatIsNone) {
  const Outline outline = ellipse(5);
  try {
    static_cast<void>(triangulation_of<double>(outline, static_cast<Weight>(9)));
    FAIL() << "it was solved";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_STREQ(error.what(), "weight 9 is unknown");
  }
}

TEST(ConvexOutlines, AreRefusedWhereAWholeTypeDoesNotHoldAWeight) {
  const Outline square({{0, 0}, {1, 0}, {1, 1}, {0, 1}}), rectangle({{0, 0}, {4, 0}, {4, 3}, {0, 3}});
  EXPECT_NE(refusal<std::int32_t>(square, Weight::length)
                .find("i32 holds integers below 1073741823, chord "
                      "[0, 2] weighs 1.41"),
            std::string::npos);
  EXPECT_NE(refusal<std::int64_t>(ellipse(9), Weight::squared).find("i64 holds integers"), std::string::npos);
  EXPECT_EQ(refusal<std::int32_t>(square, Weight::squared), "accepted");
  EXPECT_EQ(refusal<std::int64_t>(rectangle, Weight::length), "accepted");
}

TEST(CudaConvexOutlines, AreEquivalentOnGpusWhichShareTilesWhereCopiesDoNotFit) {
  if (gpus().empty()) GTEST_SKIP() << warpfold::test::no_gpu;
  std::vector<Device> devices = warpfold::test::several_gpus();
  devices.push_back(parse_device("cuda"));
  for (const Device& device : devices) {
    Options options = warpfold::test::on(device);
    for (const std::size_t n : {3, 64, 65, 700}) {
      expect_equivalent<double>(ellipse(n), Weight::length, options);
      expect_equivalent<float>(ellipse(n), Weight::length, options);
      expect_equivalent<std::int64_t>(parabola(n), Weight::squared, options);
    }
    if (!device.is_several()) continue;
    const Outline outline = ellipse(1500);
    const std::size_t whole = solve(triangulation_of<float>(outline, Weight::length), options).report.peak_device_bytes;
    options.max_device_memory = whole / 10 * 8;
    const auto shared = solve(triangulation_of<float>(outline, Weight::length), options);
    EXPECT_LT(shared.report.peak_device_bytes, whole);
    EXPECT_EQ(shared.solution.triangles, by_matrix<float>(outline, Weight::length).triangles);
  }
}

}  // namespace
}  // namespace warpfold::polygon
