#include "warpfold/paths/from_sources.hpp"

#include <fmt/format.h>

#include "fuzz/alike.hpp"
#include "fuzz/drawn.hpp"
#include "fuzz/paths/graphs.hpp"
#include "warpfold/paths/verify.hpp"

namespace warpfold::fuzz {
namespace {

using paths::Edge;
using paths::PathsFrom;
using paths::Request;
using paths::Semiring;
using paths::SparseGraph;

/// The edges of a matrix in any order. Some occur twice, and the second one is not better.
template <class T>
SparseGraph<T> sparse(Bytes& bytes, const Matrix<T>& edges, Semiring semiring) {
  std::vector<Edge<T>> list;
  for (std::uint32_t i = 0; i < edges.rows(); ++i) {
    for (std::uint32_t j = 0; j < edges.rows(); ++j) {
      if (edges(i, j) == semiring.zero<T>() && !bytes.one_in(8)) continue;
      list.push_back({i, j, edges(i, j)});
      if (bytes.one_in(8)) list.push_back({i, j, bytes.one_in(2) ? edges(i, j) : semiring.zero<T>()});
    }
  }
  return {edges.rows(), shuffled(bytes, list)};
}

/// Integers are equal.
template <class T>
bool are_close(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) return a == b || std::abs(a - b) <= std::abs(b) / 1024;
  return a == b;
}

/// The lengths must be those of all pairs. For floats, whose sums differ in order, up to rounding.
template <class T>
void expect_those_of_all_pairs(const std::string& problem, const Matrix<T>& edges, const PathsFrom<T>& found,
                               const Request& request, bool exact) {
  const Matrix<T> all = all_pairs(edges, {}, request).solution.lengths;
  for (std::size_t s = 0; s < found.sources.size(); ++s) {
    for (std::size_t j = 0; j < edges.rows(); ++j) {
      const T right = all(found.sources[s], j), length = found.lengths(s, j);
      expect(exact ? length == right : are_close<T>(length, right),
             fmt::format("{}: {} instead of {}", problem, length, right));
    }
  }
}

template <class T>
void find_paths(Bytes& bytes) {
  const Semiring semiring = drawn_semiring<T>(bytes);
  const std::size_t n = 1 + bytes.size(100);
  Numbers numbers(bytes);
  numbers.negative &= std::is_integral_v<T>;  // rounded negative lengths may form a cycle of successors
  const Matrix<T> edges = drawn_graph<T>(bytes, numbers, n, semiring);
  const SparseGraph<T> graph = sparse(bytes, edges, semiring);
  std::vector<std::uint32_t> sources(bytes.below(bytes.pick({2, 6, 20})));
  for (std::uint32_t& source : sources) source = static_cast<std::uint32_t>(bytes.below(n));
  const Request request{semiring};
  const std::string problem =
      fmt::format("{} paths from {} of {} vertices, {}", to_string(semiring), sources.size(), n, dtype_name<T>());
  const auto solved = [&](const Options& options) {
    const PathsFrom<T> found = from_sources(graph, sources, options, request).solution;
    return bits(found.lengths, found.predecessors);
  };
  std::vector<std::string> algorithms = {"all-pairs"};
  if (applies([&] { return solved(by("dijkstra")); })) algorithms.emplace_back("dijkstra");
  expect_each_alike(problem, algorithms, solved);
  const std::string refused = answer([&] { return bits(all_pairs(edges, {}, request).solution.lengths); });
  const bool exact = !semiring.adds() || std::is_integral_v<T> || numbers.are_small();
  for (const std::string& algorithm : algorithms) {
    if (refused.starts_with("error ")) {
      expect_same(refused, answer([&] { return solved(by(algorithm)); }), problem + " by " + algorithm);
      continue;
    }
    const PathsFrom<T> found = from_sources(graph, sources, by(algorithm), request).solution;
    expect_those_of_all_pairs(problem + " by " + algorithm, edges, found, request, exact);
    expect(verify(graph, found, {}, request), problem + " by " + algorithm);
  }
}

}  // namespace
}  // namespace warpfold::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace warpfold::fuzz;
  return run_input_in_one_of<std::int32_t, std::int64_t, float, double, std::uint8_t>(
      data, size, []<class T>(Bytes& bytes) { find_paths<T>(bytes); });
}
