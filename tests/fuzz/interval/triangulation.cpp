#include <fmt/format.h>

#include "core/magnitude.hpp"
#include "fuzz/alike.hpp"
#include "fuzz/drawn.hpp"
#include "warpfold/interval/solve.hpp"
#include "warpfold/interval/verify.hpp"

namespace warpfold::fuzz {
namespace {

using interval::Triangulation;

template <class T>
using Weights = Matrix<T>;

template <class T>
std::string solved(const Weights<T>& weights, const Options& options) {
  const Triangulation<T> problem(weights.view(), options.threads);
  const auto solution = solve(problem, options).solution;
  return bits(solution.cost, solution.triangles, solution.chords);
}

/// The cost alone, or the error: what laws relate. (Where several triangulations cost as little, another one is the
/// first in another order.)
template <class T>
std::string cost(const Weights<T>& weights) {
  return answer([&] { return bits(solve(Triangulation<T>(weights.view()), by("tiled", 2)).solution.cost); });
}

/// Of the polygon whose vertex i is the former vertex(i).
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

template <class T, class Change>
Weights<T> changed(Weights<T> weights, const Change& change) {
  for (std::size_t i = 0; i < weights.rows(); ++i) {
    for (std::size_t j = 0; j < weights.rows(); ++j) {
      if (weights(i, j) < infinity<T>) weights(i, j) = change(weights(i, j));
    }
  }
  return weights;
}

/// Of small numbers, whose sums are exact in every type and order.
template <class T>
void expect_laws(const std::string& problem, const Weights<T>& weights, std::size_t turn) {
  const std::size_t n = weights.rows();
  const std::string expected = cost(weights);
  expect_same(expected, cost(renamed(weights, [&](std::size_t i) { return (i + turn) % n; })), problem + ", turned");
  expect_same(expected, cost(renamed(weights, [&](std::size_t i) { return n - 1 - i; })), problem + ", mirrored");
  if (expected.starts_with("error ")) return;
  const T least = solve(Triangulation<T>(weights.view())).solution.cost;
  expect_same(bits(static_cast<T>(4 * least)), cost(changed(weights, [](T x) { return static_cast<T>(4 * x); })),
              problem + ", four times");
  const T more = 5 * static_cast<T>(n - 3);
  expect_same(bits(static_cast<T>(least + more)), cost(changed(weights, [](T x) { return static_cast<T>(x + 5); })),
              problem + ", 5 more a chord");
}

template <class T>
void triangulate(Bytes& bytes) {
  const std::size_t n = 3 + bytes.size(260);
  const Numbers numbers(bytes);
  const auto most = static_cast<T>(largest_accepted_total<T> / static_cast<T>(n));
  Weights<T> weights = numbers.matrix<T>(bytes, n, n, most, infinity<T>);
  if (!bytes.one_in(4)) {  // a fan stays possible
    for (std::size_t j = 2; j < n; ++j) weights(0, j) = T{1};
  }
  const std::string problem = fmt::format("triangulation of {} vertices, {}", n, dtype_name<T>());
  const std::string expected = answer([&] { return solved(weights, by("reference")); });
  expect_alike(problem, expected, {"tiled"}, [&](const Options& options) { return solved(weights, options); });
  if (!expected.starts_with("error ")) {
    const Triangulation<T> stated(weights.view());
    expect(verify(stated, solve(stated).solution), problem);
  }
  if (numbers.are_small()) expect_laws(problem, weights, bytes.below(n));
}

}  // namespace
}  // namespace warpfold::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace warpfold::fuzz;
  return run_input_in_one_of<std::int32_t, std::int64_t, float, double>(
      data, size, []<class T>(Bytes& bytes) { triangulate<T>(bytes); });
}
