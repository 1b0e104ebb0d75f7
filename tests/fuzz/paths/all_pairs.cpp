#include "warpfold/paths/all_pairs.hpp"

#include <fmt/format.h>

#include "fuzz/alike.hpp"
#include "fuzz/drawn.hpp"
#include "warpfold/minplus/multiply.hpp"
#include "warpfold/paths/verify.hpp"

namespace warpfold::fuzz {
namespace {

using paths::Request;
using paths::Semiring;

/// A graph of which in (min,+) and (max,+) no cycle improves, but for a few.
template <class T>
Matrix<T> drawn_graph(Bytes& bytes, std::size_t n, Semiring semiring) {
  Numbers numbers(bytes);
  numbers.one_in = bytes.pick<std::uint64_t>({0, 2, 2, 4});
  const bool any_cycle = !semiring.adds() || bytes.one_in(8);
  numbers.negative &= any_cycle;
  const auto most = static_cast<T>(minplus::largest_factor<T> / static_cast<T>(n + 1));
  Matrix<T> edges = numbers.matrix<T>(bytes, n, n, most, semiring.zero<T>());
  if (any_cycle) return edges;
  const std::int64_t slope = numbers.are_small() ? bytes.below(5) : 0;  // an edge upwards is that much longer
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      if (edges(i, j) == semiring.zero<T>()) continue;
      const auto climb = static_cast<T>(slope * (static_cast<std::int64_t>(j) - static_cast<std::int64_t>(i)));
      edges(i, j) = static_cast<T>((semiring.takes_least() ? edges(i, j) : -edges(i, j)) + climb);
    }
  }
  return edges;
}

/// Vertex i is the former vertex n-1-i.
template <class T>
Matrix<T> mirrored(const Matrix<T>& matrix) {
  Matrix<T> other = matrix;
  const std::size_t n = matrix.rows();
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) other(i, j) = matrix(n - 1 - i, n - 1 - j);
  }
  return other;
}

template <class T>
void find_paths(Bytes& bytes) {
  using Kind = Semiring::Kind;
  const Semiring semiring = bytes.pick<Kind>(
      {Semiring::min_plus, Semiring::min_plus, Semiring::max_plus, Semiring::min_max, Semiring::max_min});
  const std::size_t n = bytes.size(200);
  const Matrix<T> edges = drawn_graph<T>(bytes, n, semiring);
  const std::string problem = fmt::format("{} paths of {} vertices, {}", to_string(semiring), n, dtype_name<T>());
  for (const bool successors : {true, false}) {
    const Request request{semiring, successors};
    const auto solved = [&](const Options& options) {
      const auto found = all_pairs(edges, options, request).solution;
      return bits(found.lengths, found.successors);
    };
    const std::string expected = answer([&] { return solved(by("reference")); });
    expect_alike(problem, expected, names_on_cpu(paths::algorithms()), solved);
    if (expected.starts_with("error ")) return;
    const auto found = all_pairs(edges, {}, request).solution;
    if (std::is_integral_v<T>) expect(verify(edges, found, {}, request), problem);
    const auto other = answer([&] { return bits(mirrored(all_pairs(mirrored(edges), {}, request).solution.lengths)); });
    if (std::is_integral_v<T>) expect_same(bits(found.lengths), other, problem + ", renumbered");
  }
}

}  // namespace
}  // namespace warpfold::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace warpfold::fuzz;
  return run_input_in_one_of<std::int32_t, std::int64_t, float, double>(
      data, size, []<class T>(Bytes& bytes) { find_paths<T>(bytes); });
}
