#include "warpfold/paths/all_pairs.hpp"

#include <fmt/format.h>

#include "fuzz/alike.hpp"
#include "fuzz/drawn.hpp"
#include "fuzz/paths/graphs.hpp"
#include "warpfold/paths/verify.hpp"

namespace warpfold::fuzz {
namespace {

using paths::Request;
using paths::Semiring;

/// Integers must not change with the order of the vertices, and no numbers except by the factor if all edges are
/// scaled.
template <class T>
void expect_laws(Bytes& bytes, const std::string& problem, const Matrix<T>& edges, const Request& request, T scale) {
  const auto solution = all_pairs(edges, {}, request).solution;
  if constexpr (std::is_integral_v<T>) {
    expect(verify(edges, solution, {}, request), problem);
    const auto order = drawn_order<std::size_t>(bytes, edges.rows(), edges.rows());
    const auto other = all_pairs(renumbered(edges, order), {}, request).solution.lengths;
    expect_same(bits(renumbered(solution.lengths, order)), bits(other), problem + ", renumbered");
  }
  if constexpr (std::is_signed_v<T>) {
    const auto larger = all_pairs(scaled(edges, scale), {}, request).solution;
    expect_same(bits(scaled(solution.lengths, scale), solution.successors), bits(larger.lengths, larger.successors),
                fmt::format("{}, {} times", problem, scale));
  }
}

template <class T>
void find_paths(Bytes& bytes) {
  const Semiring semiring = drawn_semiring<T>(bytes);
  const std::size_t n = is_large(bytes) ? bytes.large_size() : bytes.size(200);
  const Numbers numbers(bytes);
  const Matrix<T> edges = drawn_graph<T>(bytes, numbers, n, semiring);
  const std::string problem = fmt::format("{} paths of {} vertices, {}", to_string(semiring), n, dtype_name<T>());
  for (const bool successors : {true, false}) {
    const Request request{semiring, successors};
    const auto solved = [&](const Options& options) {
      const auto found = all_pairs(edges, options, request).solution;
      return bits(found.lengths, found.successors);
    };
    if (tally.large) {
      expect_large_alike(problem, "blocked", solved);
      continue;
    }
    const std::string expected = answer([&] { return solved(by("reference")); });
    expect_alike(problem, expected, names_on_cpu(paths::algorithms()), solved);
    if (expected.starts_with("error ")) return;
    expect_laws(bytes, problem, edges, request, numbers.scale<T>(bytes));
  }
}

}  // namespace
}  // namespace warpfold::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace warpfold::fuzz;
  return run_input_in_one_of<std::int32_t, std::int64_t, float, double, std::uint8_t>(
      data, size, []<class T>(Bytes& bytes) { find_paths<T>(bytes); });
}
