#include <fmt/format.h>

#include "fuzz/alike.hpp"
#include "fuzz/drawn.hpp"
#include "fuzz/paths/graphs.hpp"
#include "warpfold/paths/update.hpp"
#include "warpfold/paths/verify.hpp"

namespace warpfold::fuzz {
namespace {

using paths::AllPairs;
using paths::Request;
using paths::Semiring;

template <class T>
std::string text_of(const AllPairs<T>& paths) {
  return bits(paths.lengths, paths.successors);
}

/// A graph, and its best paths after updates.
template <class T>
struct Updated {
  Matrix<T> edges;
  AllPairs<T> paths;

  /// The paths must be those of a new solve: integer lengths exactly, others up to rounding, as `verify` checks.
  void expect_those_of_a_new_solve(const std::string& problem, const Request& request) const {
    const AllPairs<T> anew = all_pairs(edges, {}, request).solution;
    if (std::is_integral_v<T> || !request.semiring.adds()) {
      expect_same(bits(anew.lengths), bits(paths.lengths), problem);
    }
    if (std::is_integral_v<T>) expect(verify(edges, paths, {}, request), problem);
  }
};

/// Adds edges and a vertex to a graph. A rejected update must leave the paths unchanged.
template <class T>
struct Update {
  std::size_t i, j;  ///< j == n: a new vertex
  T length;
  std::vector<T> to, from;
};

template <class T>
Update<T> drawn_update(Bytes& bytes, const Numbers& numbers, const Matrix<T>& edges, Semiring semiring) {
  const std::size_t n = edges.rows();
  const auto most = static_cast<T>(sizeof(T) == 1 ? 1 : minplus::largest_factor<T> / static_cast<T>(4 * (n + 1)));
  Numbers some = numbers;
  some.one_in = bytes.pick<std::uint64_t>({0, 2, 4});
  some.negative &= bytes.one_in(4);
  const auto draw = [&] {
    if (some.missing(bytes)) return semiring.zero<T>();
    const T length = some.draw<T>(bytes, most);
    return semiring.kind == Semiring::max_plus ? static_cast<T>(-length) : length;
  };
  if (n > 0 && !bytes.one_in(4)) return {bytes.below(n), bytes.below(n), draw(), {}, {}};
  Update<T> update{n, n, semiring.zero<T>(), std::vector<T>(n), std::vector<T>(n)};
  for (T& length : update.to) length = draw();
  for (T& length : update.from) length = draw();
  return update;
}

template <class T>
void apply(const Update<T>& update, AllPairs<T>& paths, const Request& request) {
  if (update.j < paths.lengths.rows()) {
    add_edge(paths, update.i, update.j, update.length, request);
  } else {
    add_vertex<T>(paths, update.to, update.from, request);
  }
}

template <class T>
void apply(const Update<T>& update, Matrix<T>& edges, Semiring semiring) {
  const std::size_t n = edges.rows();
  if (update.j < n) {
    minplus::with_choosing_tag<T>(
        semiring, [&](auto tag) { edges(update.i, update.j) = tag.plus(edges(update.i, update.j), update.length); });
    return;
  }
  Matrix<T> larger(n + 1, n + 1, semiring.zero<T>());
  for (std::size_t i = 0; i < n; ++i) {
    std::copy_n(edges.view().row(i), n, larger.view().row(i));
    larger(i, n) = update.to[i];
    larger(n, i) = update.from[i];
  }
  edges = std::move(larger);
}

/// A cycle that improves must be rejected as in a new solve, starting from any of its vertices. Another sum may
/// overflow in only one of the two.
template <class T>
void update_once(const Update<T>& update, Updated<T>& graph, const std::string& problem, const Request& request) {
  AllPairs<T> paths = graph.paths;
  const std::string found = answer([&] {
    apply(update, paths, request);
    return std::string();
  });
  Matrix<T> edges = graph.edges;
  apply(update, edges, request.semiring);
  const std::string anew = answer([&] { return text_of(all_pairs(edges, {}, request).solution); });
  const std::string cycle = error_text(ErrorKind::infeasible);
  const bool is_too_large =
      found.starts_with(error_text(ErrorKind::overflow)) || anew.starts_with(error_text(ErrorKind::overflow));
  if (!is_too_large && std::is_integral_v<T>) {
    expect(found.starts_with(cycle) == anew.starts_with(cycle),
           fmt::format("{} gives {}\na new solve {}", problem, shown(found), shown(anew)));
  }
  if (found.starts_with("error ")) {
    expect_same(text_of(graph.paths), text_of(paths), problem + ", refused");
  } else if (!anew.starts_with("error ")) {
    graph = {edges, paths};
    graph.expect_those_of_a_new_solve(problem, request);
  }
}

template <class T>
void update_paths(Bytes& bytes) {
  const Request request{drawn_semiring<T>(bytes), bytes.one_in(2)};
  const std::size_t n = bytes.size(70);
  const Numbers numbers(bytes);
  Updated<T> graph{drawn_graph<T>(bytes, numbers, n, request.semiring), {}};
  if (answer([&] { return text_of(all_pairs(graph.edges, {}, request).solution); }).starts_with("error ")) {
    throw Refused();  // no paths to update
  }
  graph.paths = all_pairs(graph.edges, {}, request).solution;
  const std::uint64_t updates = 1 + bytes.below(6);
  for (std::uint64_t k = 0; k < updates; ++k) {
    const Update<T> update = drawn_update(bytes, numbers, graph.edges, request.semiring);
    update_once(update, graph,
                fmt::format("{} paths of {} vertices, {}, update {} of ({}, {})", to_string(request.semiring), n,
                            dtype_name<T>(), k, update.i, update.j),
                request);
  }
}

}  // namespace
}  // namespace warpfold::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace warpfold::fuzz;
  return run_input_in_one_of<std::int32_t, std::int64_t, float, double, std::uint8_t>(
      data, size, []<class T>(Bytes& bytes) { update_paths<T>(bytes); });
}
