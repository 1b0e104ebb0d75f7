#include "warpfold/interval/batch.hpp"

#include <fmt/format.h>

#include "core/exact_type.hpp"
#include "fuzz/alike.hpp"
#include "fuzz/drawn.hpp"
#include "warpfold/interval/recurrence.hpp"
#include "warpfold/interval/solve.hpp"

namespace warpfold::fuzz {
namespace {

using interval::Triangulation;

/// The recurrence of a polygon's weights, with a weight for every interval.
template <class T>
struct Weighted {
  using Semiring = MinPlus<T>;
  MatrixView<const T> weights;
  T leaf(std::size_t i) const { return weights(i, 0); }
  T weight(std::size_t i, std::size_t j) const { return weights(i, j); }
};

/// Some small problems, and a large one if the input has one.
template <class T>
std::vector<Matrix<T>> drawn_polygons(Bytes& bytes, bool one_large) {
  std::vector<Matrix<T>> polygons(one_large + bytes.below(bytes.pick({4, 12, 30})));
  const std::size_t large = one_large ? bytes.below(polygons.size()) : polygons.size();
  for (std::size_t at = 0; at < polygons.size(); ++at) {
    const std::size_t n = at == large ? bytes.large_size() : 3 + bytes.size(90);
    const auto most = static_cast<T>(largest_accepted_total<T> / static_cast<T>(2 * n));
    polygons[at] = Numbers(bytes).matrix<T>(bytes, n, n, most, infinity<T>);
  }
  return polygons;
}

/// A polygon without a triangulation costs infinity in a batch.
template <class T>
std::string text_alone(const Triangulation<T>& problem) {
  const std::string found = answer([&] {
    const auto solution = solve(problem, by("tiled")).solution;
    return bits(solution.cost, solution.triangles, solution.chords);
  });
  return found.starts_with(error_text(ErrorKind::infeasible)) ? bits(infinity<T>) : found;
}

template <class T>
void expect_triangulated(const std::string& text, const std::vector<Matrix<T>>& polygons) {
  std::vector<Triangulation<T>> problems;
  std::string expected;
  for (const Matrix<T>& weights : polygons) {
    problems.emplace_back(weights.view());
    expected += text_alone(problems.back());
  }
  const auto solved = [&](const Options& options) {
    std::string found;
    for (const auto& solution : interval::solve_batch<T>(problems, options).solution) {
      found += bits(solution.cost, solution.triangles, solution.chords);
    }
    return found;
  };
  if (tally.large) return expect_alike_on_gpu(text, expected, "", solved);
  expect_alike(text, expected, {"tiled", ""}, solved);
}

template <class T>
void expect_recurrences(const std::string& text, const std::vector<Matrix<T>>& polygons) {
  std::vector<Weighted<T>> recurrences;
  std::vector<std::size_t> points;
  std::string expected;
  for (const Matrix<T>& weights : polygons) {
    recurrences.push_back({weights.view()});
    points.push_back(weights.rows());
    const std::string found = answer([&] {
      return bits(interval::solve_recurrence(recurrences.back(), points.back(), by("tiled")).solution.value());
    });
    expected += found.starts_with(error_text(ErrorKind::infeasible)) ? bits(infinity<T>) : found;
  }
  if (expected.find("error ") < expected.size()) return;
  expect_alike(text, expected, {""}, [&](const Options& options) {
    return bits(interval::solve_recurrences<Weighted<T>>(recurrences, points, options).solution);
  });
}

template <class T>
void solve_all(Bytes& bytes) {
  const std::vector<Matrix<T>> polygons = drawn_polygons<T>(bytes, is_large(bytes));
  const std::string text = fmt::format("{} polygons, {}", polygons.size(), dtype_name<T>());
  expect_triangulated(text, polygons);
  if (!tally.large) expect_recurrences(text + " as recurrences", polygons);
}

}  // namespace
}  // namespace warpfold::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace warpfold::fuzz;
  return run_input_in_one_of<std::int32_t, std::int64_t, float, double>(
      data, size, []<class T>(Bytes& bytes) { solve_all<T>(bytes); });
}
