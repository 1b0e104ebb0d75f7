#include <fmt/format.h>

#include "binding.hpp"
#include "sequences.hpp"
#include "string_lists.hpp"
#include "warpfold/sequence/batch.hpp"

namespace warpfold::python {

namespace {

using sequence::BatchRequest;
using sequence::Measure;
using sequence::Neighbor;

BatchRequest batch_request(nb::handle measure, nb::handle max_distance) {
  constexpr const char* accepted = "'edit' or 'indel' is accepted";
  const std::string name = text("measure", measure, accepted);
  if (name != "edit" && name != "indel") reject_value("measure", measure, accepted);
  BatchRequest request{.measure = name == "edit" ? Measure::edit : Measure::indel};
  if (!max_distance.is_none()) request.max_distance = integer<std::uint32_t>("max_distance", max_distance);
  return request;
}

/// Both lists of a call.
struct StringLists {
  StringList a, b;

  StringLists(nb::handle first, nb::handle second) : a("A", first), b("B", second) {
    if ((a.is_text() && b.is_text()) || (a.is_bytes() && b.is_bytes())) return;
    reject_type("B", second, "strings of A's kind, both text or both bytes, are accepted");
  }
  [[nodiscard]] double cells_of_pairs() const {
    double cells = 0;
    for (std::size_t at = 0; at < std::min(a.size(), b.size()); ++at) {
      cells += static_cast<double>(a.views()[at].size()) * static_cast<double>(b.views()[at].size());
    }
    return cells;
  }
  [[nodiscard]] double cells_of_all() const { return symbols(a) * symbols(b); }

 private:
  static double symbols(const StringList& list) {
    double symbols = 0;
    for (const auto& view : list.views()) symbols += static_cast<double>(view.size());
    return symbols;
  }
};

/// Distances are below 2^31.
nb::object array_of_distances(std::vector<std::uint32_t> distances, const std::vector<std::size_t>& shape) {
  return array_of(std::move(distances), shape).attr("view")("int32");
}

CallOptions batch_options(const nb::kwargs& words) {
  CallOptions options = asked(words);
  reject_dtype(options, "distances are integers of 32 bits");
  return options;
}

nb::object distances_of_pairs(nb::handle a, nb::handle b, nb::handle max_distance, nb::handle measure,
                              const nb::kwargs& words) {
  const CallOptions options = batch_options(words);
  const BatchRequest request = batch_request(measure, max_distance);
  const StringLists lists(a, b);
  auto found = run(options, lists.cells_of_pairs(), [&](const Options& limits) {
    return sequence::distances(lists.a.views(), lists.b.views(), limits, request);
  });
  const std::size_t count = found.solution.size();
  return array_of_distances(std::move(found.solution), {count});
}

nb::object distances_of_all(nb::handle a, nb::handle b, nb::handle max_distance, nb::handle measure,
                            const nb::kwargs& words) {
  const CallOptions options = batch_options(words);
  const BatchRequest request = batch_request(measure, max_distance);
  const StringLists lists(a, b);
  auto found = run(options, lists.cells_of_all(), [&](const Options& limits) {
    return sequence::cdist(lists.a.views(), lists.b.views(), limits, request);
  });
  return array_of_distances(std::move(found.solution), {lists.a.size(), lists.b.size()});
}

/// Two arrays of as many columns as there may be neighbors.
nb::object arrays_of_neighbors(const std::vector<std::vector<Neighbor>>& found, std::size_t k, std::uint32_t missing) {
  std::vector<std::int64_t> indices(found.size() * k, -1);
  std::vector<std::uint32_t> distances(found.size() * k, missing);
  for (std::size_t i = 0; i < found.size(); ++i) {
    for (std::size_t place = 0; place < found[i].size(); ++place) {
      indices[i * k + place] = static_cast<std::int64_t>(found[i][place].index);
      distances[i * k + place] = found[i][place].distance;
    }
  }
  return nb::make_tuple(array_of(std::move(indices), {found.size(), k}),
                        array_of_distances(std::move(distances), {found.size(), k}));
}

nb::object nearest(nb::handle a, nb::handle b, nb::handle k, nb::handle max_distance, nb::handle measure,
                   const nb::kwargs& words) {
  const CallOptions options = batch_options(words);
  const BatchRequest request = batch_request(measure, max_distance);
  const auto count = integer<std::size_t>("k", k);
  const StringLists lists(a, b);
  const auto found = run(options, lists.cells_of_all(), [&](const Options& limits) {
    return sequence::nearest(lists.a.views(), lists.b.views(), count, limits, request);
  });
  return arrays_of_neighbors(found.solution, std::min(count, lists.b.size()), request.limited(std::uint64_t{1} << 31));
}

nb::list edit_scripts(nb::handle a, nb::handle b, nb::handle max_distance, nb::handle measure, nb::handle ties,
                      const nb::kwargs& words) {
  const CallOptions options = batch_options(words);
  const BatchRequest request = batch_request(measure, max_distance);
  const sequence::Ties rule = ties_of(ties);
  const StringLists lists(a, b);
  auto found = run(options, lists.cells_of_pairs(), [&](const Options& limits) {
    return sequence::scripts(lists.a.views(), lists.b.views(), limits, request, rule);
  });
  nb::list all;
  for (auto& script : found.solution) all.append(script ? nb::cast(std::move(*script)) : nb::none());
  return all;
}

constexpr const char* keywords = "max_distance: int | None = None, measure: typing.Literal['edit', 'indel'] = 'edit', ";

}  // namespace

void bind_sequence_batch(nb::module_& module) {
  module.def("distances", &distances_of_pairs, "A"_required, "B"_required, nb::kw_only(), "max_distance"_a = nb::none(),
             "measure"_a = "edit", "options"_a,
             signature(fmt::format("distances(A: typing.Any, B: typing.Any, *, {}OPTIONS) -> "
                                   "numpy.typing.NDArray[numpy.int32]",
                                   keywords)),
             R"((len(A),): the distance of A[i] and B[i], for all i.

A and B are lists of text (code points, lone surrogates too) or of bytes, NumPy arrays of these ('U' or 'S'), or Arrow
arrays of strings. All of them are read in place. Arrow's text is decoded unless it is ASCII. algorithm is 'lanes', a bit
of a vector for each pair, or 'words', one pair after another; by default the faster one for each pair.

measure='edit' counts insertions, deletions and substitutions, 'indel' insertions and deletions alone: the length of a
longest common subsequence is (n + m - distance) / 2. A distance above max_distance is max_distance + 1, and takes less
time.)");
  module.def("cdist", &distances_of_all, "A"_required, "B"_required, nb::kw_only(), "max_distance"_a = nb::none(),
             "measure"_a = "edit", "options"_a,
             signature(fmt::format("cdist(A: typing.Any, B: typing.Any, *, {}OPTIONS) -> "
                                   "numpy.typing.NDArray[numpy.int32]",
                                   keywords)),
             R"((len(A), len(B)): the distance of every A[i] and every B[j].

The arguments are those of distances. Lengths of A and B may differ.)");
  module.def("nearest", &nearest, "A"_required, "B"_required, "k"_a = 1, nb::kw_only(), "max_distance"_a = nb::none(),
             "measure"_a = "edit", "options"_a,
             signature(fmt::format("nearest(A: typing.Any, B: typing.Any, k: int = 1, *, {}OPTIONS) -> "
                                   "tuple[numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.int32]]",
                                   keywords)),
             R"(The k strings of B that are nearest to each A[i]: their indices and their distances, nearest first.

Both arrays are (len(A), min(k, len(B))). Of equal distances the smaller index comes first. With max_distance there may be
fewer: the rest of a row has the index -1 and the distance max_distance + 1. The other arguments are those of
distances.)");
  module.def("edit_scripts", &edit_scripts, "A"_required, "B"_required, nb::kw_only(), "max_distance"_a = nb::none(),
             "measure"_a = "edit", "ties"_a = "left", "options"_a,
             signature(fmt::format("edit_scripts(A: typing.Any, B: typing.Any, *, {}ties: typing.Literal['left', "
                                   "'right', 'shortest', 'longest'] = 'left', OPTIONS) -> list[EditScript | None]",
                                   keywords)),
             R"(The script that turns A[i] into B[i], for all i: that of edit_distance, or with measure='indel' of lcs.

None where the distance is more than max_distance. algorithm is one of edit_distance, with measure='indel' of lcs, or on a
GPU 'lanes'. The other arguments are those of distances.)");
}

}  // namespace warpfold::python
