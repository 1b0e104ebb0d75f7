#include <fmt/format.h>

#include <algorithm>

#include "paths_input.hpp"
#include "verify.hpp"
#include "warpfold/paths/verify.hpp"

namespace warpfold::app {

namespace {

/// A matrix that the run wrote, each entry through `convert`.
template <class T, class Entry, class Convert>
Matrix<T> read_result(const Json& solution, const char* key, std::size_t n, const Convert& convert) {
  const io::NpyArray array = io::read_npy(solution.at(key).get<std::string>());
  if (array.shape != std::vector{n, n}) throw UnlikeOurs(fmt::format("the {} has another shape than the graph", key));
  const std::vector<Entry> entries = array.weights<Entry>();
  Matrix<T> matrix(n, n);
  std::transform(entries.begin(), entries.end(), matrix.view().data, convert);
  return matrix;
}

/// What the run says of one path.
template <class T>
Flaw flaw_of_path(const GraphInput& input, const Json& solution, const Matrix<T>& lengths) {
  if (!solution.contains("from")) return std::nullopt;
  const std::size_t from = input.vertex("from", solution.at("from").get<std::string>());
  const std::size_t to = input.vertex("to", solution.at("to").get<std::string>());
  const Json& path = solution.at("path");
  if (path.empty() != solution.at("cost").is_null()) return "'path' and 'cost' do not belong together";
  if (path.empty()) return std::nullopt;
  if (path.front() != input.name(from) || path.back() != input.name(to)) return "'path' has other ends";
  if (number<T>(solution.at("cost")) != lengths(from, to)) return "'cost' is not the length from 'from' to 'to'";
  return std::nullopt;
}

template <class T>
Verdict verdict_of(const GraphInput& input, paths::Semiring semiring, const Json& solution, const Options& limits) {
  const std::size_t n = input.vertices();
  paths::AllPairs<T> found;
  found.lengths = read_result<T, T>(solution, "output", n, [](T x) { return x; });
  if (solution.contains("successors")) {
    found.successors = read_result<std::uint32_t, std::uint32_t>(solution, "successors", n, [&](std::uint32_t vertex) {
      return has_short_successors(n) && vertex == 65535 ? paths::no_vertex : vertex;
    });
  }
  if (Flaw flaw = flaw_of_path(input, solution, found.lengths)) return infeasible(*flaw);
  return paths::verify(input.edges<T>(semiring), found, limits, {semiring});
}

}  // namespace

Verdict verify_paths(const std::string& graph, const Json& solution, const Options& limits) {
  const GraphInput input(graph);
  if (Flaw flaw = flaw_of_run(solution, input.vertices())) return infeasible(*flaw);
  if (!solution.contains("output")) return infeasible("'output' is not there: a run with -o FILE.npy is accepted");
  const auto semiring = minplus::parse_semiring(solution.at("semiring").get<std::string>());
  return with_paths_dtype(solution.at("dtype").get<std::string>(),
                          [&]<class T>(T) { return verdict_of<T>(input, semiring, solution, limits); });
}

}  // namespace warpfold::app
