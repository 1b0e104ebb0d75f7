#include <fmt/format.h>

#include "binding.hpp"
#include "warpfold/paths/all_pairs.hpp"

namespace warpfold::python {

namespace {

/// What SciPy says for "no predecessor".
constexpr std::int32_t no_predecessor = -9999;

/// The last vertex before j on the path from i, for the successors of the reversed graph, in place: entry (j,i) is the
/// vertex after j on the reversed path to i.
std::vector<std::int32_t> predecessors_of(const std::vector<std::uint32_t>& successors, std::size_t n) {
  std::vector<std::int32_t> predecessors(successors.size());
  for (std::size_t at = 0; at < successors.size(); ++at) {
    const bool none = successors[at] == paths::no_vertex || at % (n + 1) == 0;
    predecessors[at] = none ? no_predecessor : static_cast<std::int32_t>(successors[at]);
  }
  return predecessors;
}

nb::object transposed(nb::object array) { return array.attr("T"); }

/// SciPy asks for the vertices before, the library answers with those after: of the reversed graph they are the same,
/// and so are the lengths, whose sums are of the same two terms.
template <class T>
nb::object solve(const Array& reversed, paths::Request request, const Asked& asked) {
  const auto matrix = reversed.matrix<T>();
  const auto n = static_cast<double>(matrix.rows);
  auto found = run(asked, n * n * n, [&](const Options& options) {
                 return paths::all_pairs(matrix, options, request);
               }).solution;
  const std::vector<std::size_t> shape{matrix.rows, matrix.rows};
  nb::object lengths = transposed(array_of(std::move(found.lengths).values(), shape));
  if (!request.successors) return lengths;
  std::vector<std::int32_t> predecessors = predecessors_of(found.successors.values(), matrix.rows);
  return nb::make_tuple(lengths, transposed(array_of(std::move(predecessors), shape)));
}

nb::object all_pairs(nb::handle reversed, const std::string& semiring, bool return_predecessors,
                     const nb::kwargs& words) {
  const Asked options = asked(words);
  const Array array("graph", reversed, whole_or_real_types, options.dtype);
  if (array.dimensions() != 2) {
    throw Error(ErrorKind::input, fmt::format("graph is {}: a square matrix is accepted", extents_text(array)));
  }
  const paths::Request request{.semiring = minplus::parse_semiring(semiring), .successors = return_predecessors};
  return with_type(array, [&]<class T>(T) { return solve<T>(array, request, options); });
}

}  // namespace

void bind_paths(nb::module_& module) {
  module.def("reversed_all_pairs", &all_pairs, "reversed"_a, "semiring"_a, "return_predecessors"_a, "options"_a,
             signature("reversed_all_pairs(reversed: numpy.typing.ArrayLike, semiring: str, "
                       "return_predecessors: bool, OPTIONS) -> typing.Any"));
}

}  // namespace warpfold::python
