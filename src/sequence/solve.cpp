#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "sequence/backends.hpp"
#include "sequence/strips.hpp"
#include "sequence/tuning.hpp"
#include "sequence/word.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/sequence/lcs.hpp"

namespace warpfold::sequence {

namespace {

double operations_of(const Size& size) { return size.cells(); }

double cost_of_table(const Size& size, const Options&) { return tuning::table_cell_seconds * size.cells(); }
std::size_t bytes_of_table(const Size& size, const Options&) {
  return static_cast<std::size_t>((size.n + 1) * (size.m + 1)) * sizeof(std::int64_t);
}

double words_of(const Size& size) { return std::ceil(size.n / 64) * size.m; }
double cost_of_words(const Size& size, const Options&) { return tuning::word_seconds * words_of(size); }
std::size_t bytes_of_words(const Size& size, const Options&) {
  const double steps = size.request.script ? 16 * words_of(size) : 0;
  return static_cast<std::size_t>(steps + size.m + 8 * (size.n + 2));
}

std::string unsupported_unless_unit(const Size& size) {
  return size.has_unit_costs() ? "" : "solves unit costs without transpositions only";
}

/// Solves by Ties::left. Ties::right are those of both sequences reversed.
template <Distance (*solve)(const Query&, Context&)>
Distance oriented(const Query& query, Context& context) {
  if (!query.request.script || query.request.ties == Ties::left) return solve(query, context);
  const auto taken = context.budget.reserve(query.pair.n() + query.pair.m(), sizeof(std::uint32_t));
  const Coded reversed = query.pair.reversed();
  Distance solution = solve({reversed, query.request, query.measure}, context);
  solution.script = solution.script.reversed();
  return solution;
}

const std::vector<DistanceBackend>& backends() {
  static const std::vector<DistanceBackend> list = {
      {.info = {"table", "cpu", "the complete table of the recurrence", "n m operations, 8 n m bytes"},
       .cost = cost_of_table,
       .bytes = bytes_of_table,
       .run = oriented<reference>,
       .operations = operations_of},
      {.info = {"words", "cpu", "unit costs: 64 rows in a word with an adder",
                "n m / 64 words, n m / 4 bytes for a script"},
       .cost = cost_of_words,
       .bytes = bytes_of_words,
       .run = oriented<by_words>,
       .unsupported_reason = unsupported_unless_unit,
       .operations = operations_of},
      {.info = {"slices", "cpu", "unit costs: bits of cells in skewed stripes, all threads",
                "n m (2 p + 7) / L vector operations for p bits a symbol"},
       .cost = seconds_of_slices,
       .bytes = bytes_of_slices,
       .run = oriented<by_slices>,
       .unsupported_reason = unsupported_unless_unit,
       .operations = operations_of}};
  return list;
}

Size size_of(const Coded& pair, Measure measure, const Request& request) {
  return {static_cast<double>(pair.n()),
          static_cast<double>(pair.m()),
          static_cast<double>(pair.matching_pairs()),
          pair.planes(),
          measure,
          request};
}

Size size_of(std::uint64_t n, std::uint64_t m, std::uint32_t alphabet, Measure measure, const Request& request) {
  const double cells = static_cast<double>(n) * static_cast<double>(m);
  return {static_cast<double>(n),
          static_cast<double>(m),
          cells / std::max(alphabet, 1u),
          std::max(1, static_cast<int>(std::bit_width(std::max(alphabet, 1u) - 1))),
          measure,
          request};
}

void check_costs(const Size& size) {
  const Costs& costs = size.request.costs;
  const std::pair<const char*, std::int64_t> named[] = {{"insertion", costs.insertion},
                                                        {"deletion", costs.deletion},
                                                        {"substitution", costs.substitution},
                                                        {"transposition", costs.transposition}};
  for (const auto& [name, cost] : named) {
    if (cost < 0) throw Error(ErrorKind::usage, fmt::format("the cost of {} is {}: 0 or more is accepted", name, cost));
    if (static_cast<double>(cost) * (size.n + size.m) >= static_cast<double>(forbidden)) {
      throw Error(ErrorKind::overflow, fmt::format("the cost of {} is {}: {} symbols of this cost have to stay below "
                                                   "2^61",
                                                   name, cost, size.n + size.m));
    }
  }
}

void check(const Size& size) {
  if (size.measure == Measure::indel && !size.has_unit_costs()) {
    throw Error(ErrorKind::usage,
                "a longest common subsequence has no costs and no transpositions: the defaults are accepted");
  }
  check_costs(size);
}

/// The only script if a sequence is empty.
Distance of_nothing(const Query& query) {
  Script script;
  script.push(Edit::deletion, query.pair.n());
  script.push(Edit::insertion, query.pair.m());
  Distance solution;
  const std::int64_t distance = script.cost(query.costs());
  if (!query.is_within(distance)) return solution;
  solution.distance = distance;
  if (query.request.script) solution.script = script;
  return solution;
}

Outcome<Distance> solve(const Query& query, const Options& options) {
  const Size size = size_of(query.pair, query.measure, query.request);
  check(size);
  if (query.pair.n() == 0 || query.pair.m() == 0) {
    return {of_nothing(query), report_of_nothing(std::span(backends()), size, options)};
  }
  return solve_by(std::span(backends()), size, query, options);
}

Estimate estimate(const Size& size, const Options& options) {
  check(size);
  return estimate_by(std::span(backends()), size, options);
}

}  // namespace

Outcome<Distance> edit_distance(const Coded& pair, const Options& options, const Request& request) {
  return solve({pair, request, Measure::edit}, options);
}

Outcome<Distance> edit_distance(std::string_view a, std::string_view b, const Options& options,
                                const Request& request) {
  return edit_distance(Coded(a, b), options, request);
}

std::vector<AlgorithmInfo> edit_distance_algorithms() { return infos(backends()); }

Estimate estimate_edit_distance(const Coded& pair, const Options& options, const Request& request) {
  return estimate(size_of(pair, Measure::edit, request), options);
}

Estimate estimate_edit_distance(std::uint64_t n, std::uint64_t m, const Options& options, const Request& request,
                                std::uint32_t alphabet) {
  return estimate(size_of(n, m, alphabet, Measure::edit, request), options);
}

Outcome<Subsequence> lcs(const Coded& pair, const Options& options, const Request& request) {
  auto outcome = solve({pair, request, Measure::indel}, options);
  Subsequence found{{}, std::move(outcome.solution.script)};
  if (const auto distance = outcome.solution.distance) {
    found.length = (static_cast<std::int64_t>(pair.n() + pair.m()) - *distance) / 2;
  }
  return {std::move(found), std::move(outcome.report)};
}

Outcome<Subsequence> lcs(std::string_view a, std::string_view b, const Options& options, const Request& request) {
  return lcs(Coded(a, b), options, request);
}

std::vector<AlgorithmInfo> lcs_algorithms() { return infos(backends()); }

Estimate estimate_lcs(const Coded& pair, const Options& options, const Request& request) {
  return estimate(size_of(pair, Measure::indel, request), options);
}

Estimate estimate_lcs(std::uint64_t n, std::uint64_t m, const Options& options, const Request& request,
                      std::uint32_t alphabet) {
  return estimate(size_of(n, m, alphabet, Measure::indel, request), options);
}

}  // namespace warpfold::sequence
