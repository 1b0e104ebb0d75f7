#include <fmt/format.h>

#include "core/exact_type.hpp"
#include "fuzz/alike.hpp"
#include "fuzz/drawn.hpp"
#include "fuzz/interval/tiled.hpp"
#include "interval/triangulation/triangulation_recurrence.hpp"
#include "warpfold/interval/solve.hpp"
#include "warpfold/interval/verify.hpp"

namespace warpfold::fuzz {
namespace {

using interval::Triangulation;

template <class T>
using Weights = Matrix<T>;

/// With a scaled cost.
template <class T>
std::string solved(const Weights<T>& weights, const Options& options, T scale = 1) {
  const Triangulation<T> problem(weights.view(), options.threads);
  const auto solution = solve(problem, options).solution;
  return bits(scaled(solution.cost, scale), solution.triangles, solution.chords);
}

/// The cost alone, or the error, for comparisons of related problems. (If several triangulations have the same cost,
/// the first one differs between orders.)
template <class T>
std::string cost(const Weights<T>& weights) {
  return answer([&] { return bits(solve(Triangulation<T>(weights.view()), by("tiled", 2)).solution.cost); });
}

/// The polygon whose vertex i was vertex(i).
template <class T, class Vertex>
Weights<T> renamed(const Weights<T>& weights, const Vertex& vertex) {
  Weights<T> other = weights;
  for (std::size_t i = 0; i < weights.rows(); ++i) {
    for (std::size_t j = i + 1; j < weights.rows(); ++j) {
      const auto [a, b] = std::minmax({vertex(i), vertex(j)});
      other(i, j) = weights(a, b);
    }
  }
  return other;
}

template <class T>
Weights<T> with_extra(Weights<T> weights, T more) {
  for (std::size_t i = 0; i < weights.rows(); ++i) {
    for (std::size_t j = 0; j < weights.rows(); ++j) {
      if (weights(i, j) < infinity<T>) weights(i, j) = static_cast<T>(weights(i, j) + more);
    }
  }
  return weights;
}

/// With small numbers, whose sums are exact in every type and order.
template <class T>
void expect_laws(Bytes& bytes, const std::string& problem, const Weights<T>& weights) {
  const std::size_t n = weights.rows(), turn = bytes.below(n);
  const std::string expected = cost(weights);
  expect_same(expected, cost(renamed(weights, [&](std::size_t i) { return (i + turn) % n; })), problem + ", turned");
  expect_same(expected, cost(renamed(weights, [&](std::size_t i) { return n - 1 - i; })), problem + ", mirrored");
  if (expected.starts_with("error ")) return;
  const T least = solve(Triangulation<T>(weights.view())).solution.cost;
  const auto more = static_cast<T>(bytes.between(-50, 50));
  expect_same(bits(static_cast<T>(least + more * static_cast<T>(n - 3))), cost(with_extra(weights, more)),
              fmt::format("{}, {} more a chord", problem, more));
}

template <class T>
Weights<T> drawn_weights(Bytes& bytes, const Numbers& numbers, std::size_t n) {
  const auto most = static_cast<T>(largest_accepted_total<T> / static_cast<T>(n));
  Weights<T> weights = numbers.matrix<T>(bytes, n, n, most, infinity<T>);
  if (!bytes.one_in(4)) {  // a fan stays possible
    for (std::size_t j = 2; j < n; ++j) weights(0, j) = T{1};
  }
  return weights;
}

template <class T>
std::string name_of(std::size_t n) {
  return fmt::format("triangulation of {} vertices, {}", n, dtype_name<T>());
}

template <class T>
void triangulate_large(Bytes& bytes) {
  const std::size_t n = bytes.large_size();
  const Weights<T> weights = drawn_weights<T>(bytes, Numbers(bytes), n);
  expect_large_alike(name_of<T>(n), "tiled", [&](const Options& options) { return solved(weights, options); });
}

template <class T>
void triangulate(Bytes& bytes) {
  if (is_large(bytes)) return triangulate_large<T>(bytes);
  const std::size_t n = 3 + bytes.size(260);
  const Numbers numbers(bytes);
  const Weights<T> weights = drawn_weights<T>(bytes, numbers, n);
  const std::string problem = name_of<T>(n);
  const std::string expected = answer([&] { return solved(weights, by("reference")); });
  expect_alike(problem, expected, {"tiled"}, [&](const Options& options) { return solved(weights, options); });
  if (!expected.starts_with("error ")) {
    const Triangulation<T> stated(weights.view());
    expect(verify(stated, solve(stated).solution), problem);
    expect_groups_alike(problem, interval::MatrixRecurrence<T>{weights.view()}, n);
    const T scale = numbers.scale<T>(bytes);
    expect_same(solved(weights, by("tiled"), scale), solved(scaled(weights, scale), by("tiled")),
                fmt::format("{}, {} times", problem, scale));
  }
  if (numbers.are_small()) expect_laws(bytes, problem, weights);
}

}  // namespace
}  // namespace warpfold::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace warpfold::fuzz;
  return run_input_in_one_of<std::int32_t, std::int64_t, float, double>(
      data, size, []<class T>(Bytes& bytes) { triangulate<T>(bytes); });
}
