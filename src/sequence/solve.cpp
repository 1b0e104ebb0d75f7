#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "sequence/backends.hpp"
#include "sequence/dense.hpp"
#include "sequence/diagonals.hpp"
#include "sequence/dominance.hpp"
#include "sequence/gpu/slices.hpp"
#include "sequence/rows.hpp"
#include "sequence/scored.hpp"
#include "sequence/seeds.hpp"
#include "sequence/tuning.hpp"
#include "sequence/word.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/run/devices.hpp"
#include "warpfold/sequence/lcs.hpp"

namespace warpfold::sequence {

namespace {

double operations_of(const Size& size) { return size.cells(); }

double cost_of_table(const Size& size, const Options&) { return tuning::table_cell_seconds * size.cells(); }
std::size_t bytes_of_table(const Size& size, const Options&) {
  const double values = (size.n + 1) * (size.m + 1) + (size.request.unrestricted ? size.codes : 0);
  return static_cast<std::size_t>(values) * sizeof(std::int64_t);
}

double words_of(const Size& size) { return std::ceil(size.n / 64) * size.m; }
double cost_of_words(const Size& size, const Options&) {
  return words_of(size) * (size.measure == Measure::edit ? tuning::edit_word_seconds : tuning::lcs_word_seconds);
}
std::size_t bytes_of_words(const Size& size, const Options&) {
  const double steps = size.request.script ? 16 * words_of(size) : 0;
  return static_cast<std::size_t>(steps + size.m + 8 * (size.n + 2));
}

double cost_of_rows(const Size& size, const Options&) {
  return tuning::row_cell_seconds * size.cells() * (size.request.script ? 2 : 1);
}

double cost_of_dominance(const Size& size, const Options&) {
  return tuning::pair_seconds * size.matching_pairs + tuning::occurrence_seconds * (size.n + size.m);
}
std::size_t bytes_of_dominance(const Size& size, const Options&) {
  const double lowered = size.request.script ? 8 * size.n + 16 * size.matching_pairs : 0;
  return static_cast<std::size_t>(lowered + 8 * size.m + 32 * size.n);
}

/// What to expect before it has shown anything: a first try, or the work that the bound allows.
double cost_of_diagonals(const Size& size, const Options& options) {
  const double dense = std::min(cost_of_words(size, options), seconds_of_slices(size, options));
  const double compared = tuning::symbol_seconds * (size.n + size.m);
  const bool has_rare_symbols =
      size.measure == Measure::indel && cost_of_dominance(size, options) < tuning::worth_dominance * dense;
  if (has_rare_symbols) return 2 * dense;
  const double first_try = dense < cost_of_words(size, options) ? tuning::free_part * dense + compared : 2 * dense;
  if (!size.request.max_distance) return first_try;
  const auto bound = static_cast<double>(*size.request.max_distance);
  return std::min(first_try, seconds_of_point(size.codes) * (bound + 1) * (bound + 1) + compared);
}
/// The same, if all cells by a GPU are next.
double cost_of_diagonals_before_gpu(const Size& size, const Options& options) {
  const double dense = cuda::seconds(size, options);
  return std::min(cost_of_diagonals(size, options),
                  tuning::gpu_start_seconds + tuning::free_part * dense + tuning::symbol_seconds * (size.n + size.m));
}
/// `bound`: the largest one for which there are seeds.
std::size_t bytes_of_search(const Size& size, double distance, double bound) {
  const double one = 16 * (distance + 64);
  const double kept = distance / static_cast<double>(tuning::min_kept_interval);
  const double script =
      std::min(kept * one, static_cast<double>(tuning::script_bytes)) + 2 * one * (std::sqrt(distance) + 8);
  return static_cast<std::size_t>((size.request.script ? script : 2 * one) + size.n + size.m) +
         Seeds::bytes(static_cast<std::size_t>(size.n), static_cast<std::size_t>(bound));
}
std::size_t bytes_of_diagonals(const Size& size, const Options&) {
  const double distance = std::sqrt(size.n + size.m);
  return bytes_of_search(size, distance, distance);
}
/// The search gives up, or the distance is as large as it can be.
ResourceEstimate worst_case_of_diagonals(const ResourceEstimate& expected, const Size& size, const Options&,
                                         const std::optional<ResourceEstimate>& next) {
  const auto asked =
      static_cast<double>(size.request.max_distance.value_or(static_cast<std::uint64_t>(size.n + size.m)));
  const double most = std::min(size.n + size.m, asked);
  const double points = next ? next->seconds / seconds_of_point(size.codes) : std::numeric_limits<double>::infinity();
  const double distance = std::min(most, std::sqrt(points));
  const double bound = std::min(most, std::sqrt(tuning::worth_part / tuning::seeded_part * points));
  return {expected.algorithm, expected.seconds + seconds_of_point(size.codes) * distance * distance,
          bytes_of_search(size, distance, bound)};
}

/// With the reversed copy of both sequences that Ties::right needs.
template <std::size_t (*bytes)(const Size&, const Options&)>
std::size_t oriented_bytes(const Size& size, const Options& options) {
  const bool is_reversed = size.request.script && size.request.ties == Ties::right;
  const double copied = is_reversed ? sizeof(std::uint32_t) * (size.n + size.m) : 0;
  return bytes(size, options) + static_cast<std::size_t>(copied);
}

std::string unsupported_unless_unit(const Size& size) {
  if (size.has_column_term()) return "returns no shortest or longest script: ties left and right are accepted";
  return size.has_unit_costs() ? "" : "solves unit costs without transpositions only";
}
std::string unsupported_with_sets(const Size& size) {
  return size.has_sets ? "compares symbols, and no sets of them" : unsupported_unless_unit(size);
}

std::string unsupported_by_rows(const Size& size) {
  return size.request.unrestricted ? "solves transpositions of neighbors only" : "";
}

std::string unsupported_on_gpu(const Size& size) {
  if (const std::string reason = unsupported_with_sets(size); !reason.empty()) return reason;
  return size.planes <= cuda::max_planes ? "" : "solves up to 65,536 symbols that occur in both sequences";
}

/// Solves by Ties::left or what counts columns. Ties::right are those of both sequences reversed.
template <Distance (*solve)(const Query&, Context&)>
Distance oriented(const Query& query, Context& context) {
  if (!query.request.script || query.request.ties != Ties::right) return solve(query, context);
  const auto taken = context.budget.reserve(query.pair.n() + query.pair.m(), sizeof(std::uint32_t));
  const Coded reversed = query.pair.reversed();
  Distance solution = solve({reversed, query.request, query.measure}, context);
  solution.script = solution.script.reversed();
  return solution;
}

std::vector<DistanceBackend> gpu_backends() {
  return {{.info = {"diagonals", "cuda", "unit costs, similar sequences: on the CPU, before `slices` on a GPU",
                    "n + m + d^2 operations for a distance d"},
           .cost = cost_of_diagonals_before_gpu,
           .bytes = oriented_bytes<bytes_of_diagonals>,
           .run = oriented<by_diagonals>,
           .unsupported_reason = unsupported_on_gpu,
           .supports_multi_gpu = true,
           .device_bytes = cuda::device_bytes,
           .operations = operations_of,
           .worst_case = worst_case_of_diagonals,
           .hands_on_to = "slices"},
          {.info = {"slices", "cuda", "unit costs: bits of cells in skewed stripes on a GPU",
                    "n m (p + 5) / 32 operations of three inputs for p bits a symbol"},
           .cost = cuda::seconds,
           .bytes = oriented_bytes<cuda::host_bytes>,
           .run = oriented<cuda::by_slices>,
           .unsupported_reason = unsupported_on_gpu,
           .supports_multi_gpu = true,
           .device_bytes = cuda::device_bytes,
           .operations = operations_of}};
}

/// The algorithms that solve both measures. `dense`: the one that runs where the search by diagonals gives up.
std::vector<DistanceBackend> common_backends(const char* dense) {
  std::vector<DistanceBackend> all = {
      {.info = {"table", "cpu", "the complete table of the recurrence", "n m operations, 8 n m bytes"},
       .cost = cost_of_table,
       .bytes = oriented_bytes<bytes_of_table>,
       .run = oriented<reference>,
       .operations = operations_of},
      {.info = {"words", "cpu", "unit costs: 64 rows in a word with an adder",
                "n m / 64 words, n m / 4 bytes for a script"},
       .cost = cost_of_words,
       .bytes = oriented_bytes<bytes_of_words>,
       .run = oriented<by_words>,
       .unsupported_reason = unsupported_unless_unit,
       .operations = operations_of},
      {.info = {"diagonals", "cpu", "unit costs, similar sequences: furthest-reaching points by diagonals",
                "n + m + d^2 operations for a distance d, at most 64 MB and 16 d sqrt(d) bytes for a script"},
       .cost = cost_of_diagonals,
       .bytes = oriented_bytes<bytes_of_diagonals>,
       .run = oriented<by_diagonals>,
       .unsupported_reason = unsupported_with_sets,
       .operations = operations_of,
       .worst_case = worst_case_of_diagonals,
       .hands_on_to = dense},
      {.info = {"band", "cpu", "unit costs: slices in the band of diagonals that the distance allows, all threads",
                "n (d + 4,000) cells for a distance d"},
       .cost = seconds_of_band,
       .bytes = oriented_bytes<bytes_of_slices>,
       .run = oriented<by_band>,
       .unsupported_reason = unsupported_with_sets,
       .operations = operations_of},
      {.info = {"slices", "cpu", "unit costs: bits of cells in skewed stripes, all threads",
                "n m (2 p + 7) / L vector operations for p bits a symbol"},
       .cost = seconds_of_slices,
       .bytes = oriented_bytes<bytes_of_slices>,
       .run = oriented<by_slices>,
       .unsupported_reason = unsupported_with_sets,
       .supports_checkpoint = true,
       .operations = operations_of},
      {.info = {"rows", "cpu", "any costs, with transpositions: row by row", "n m operations, 40 m bytes"},
       .cost = cost_of_rows,
       .bytes = oriented_bytes<bytes_of_rows>,
       .run = oriented<by_rows>,
       .unsupported_reason = unsupported_by_rows,
       .operations = operations_of}};
  if (has_cuda()) std::ranges::move(gpu_backends(), std::back_inserter(all));
  return all;
}

/// Of two algorithms that keep a checkpoint, `slices` is always the one that is chosen, so that any run resumes it.
double cost_of_scored(const Size& size, const Options& options) {
  const bool has_slices = options.checkpointer && unsupported_with_sets(size).empty();
  return seconds_of_scored(size, options) + (has_slices ? seconds_of_slices(size, options) : 0);
}

std::vector<DistanceBackend> edit_backends(const char* dense) {
  auto all = common_backends(dense);
  all.push_back({.info = {"strips", "cpu",
                          "any costs, if insertions cost as much as deletions: strips of rows in vectors, all threads",
                          "n m / L cells of 8 vector operations"},
                 .cost = cost_of_scored,
                 .bytes = oriented_bytes<bytes_of_scored>,
                 .run = oriented<by_scores>,
                 .unsupported_reason = unsupported_by_scores,
                 .supports_checkpoint = true,
                 .operations = operations_of});
  return all;
}

std::vector<DistanceBackend> lcs_backends(const char* dense) {
  auto all = common_backends(dense);
  all.push_back({.info = {"dominance", "cpu", "rare symbols: the r pairs of equal symbols alone",
                          "r log n operations, 8 bytes a pair at most for a script"},
                 .cost = cost_of_dominance,
                 .bytes = oriented_bytes<bytes_of_dominance>,
                 .run = oriented<by_dominance>,
                 .unsupported_reason = unsupported_with_sets,
                 .operations = operations_of});
  return all;
}

/// The algorithms of a measure, by whether a band takes less time than all cells.
const std::vector<DistanceBackend>& backends(Measure measure, bool takes_band) {
  static const std::vector<DistanceBackend> lists[2][2] = {{edit_backends("slices"), edit_backends("band")},
                                                           {lcs_backends("slices"), lcs_backends("band")}};
  return lists[measure == Measure::edit ? 0 : 1][takes_band ? 1 : 0];
}
const std::vector<DistanceBackend>& backends(const Size& size, const Options& options) {
  return backends(size.measure, seconds_of_band(size, options) <= seconds_of_slices(size, options));
}

Size size_of(const Coded& pair, Measure measure, const Request& request) {
  return {static_cast<double>(pair.n()),
          static_cast<double>(pair.m()),
          static_cast<double>(pair.matching_pairs()),
          pair.planes(),
          measure,
          request,
          pair.has_sets(),
          pair.codes()};
}

Size size_of(std::uint64_t n, std::uint64_t m, std::uint32_t alphabet, Measure measure, const Request& request) {
  const double cells = static_cast<double>(n) * static_cast<double>(m);
  return {static_cast<double>(n),
          static_cast<double>(m),
          cells / std::max(alphabet, 1u),
          std::max(1, static_cast<int>(std::bit_width(std::max(alphabet, 1u) - 1))),
          measure,
          request,
          false,
          alphabet + 2};
}

void check_costs(const Size& size) {
  const Costs& costs = size.request.costs;
  const std::pair<const char*, std::int64_t> named[] = {{"insertion", costs.insertion},
                                                        {"deletion", costs.deletion},
                                                        {"substitution", costs.substitution},
                                                        {"transposition", costs.transposition}};
  for (const auto& [name, cost] : named) {
    if (cost < 0) throw Error(ErrorKind::usage, fmt::format("the cost of {} is {}: 0 or more is accepted", name, cost));
    const double symbols = size.n + size.m;
    const double factor = size.has_column_term() ? symbols + 1 : 1;
    if (static_cast<double>(cost) * factor * symbols < static_cast<double>(forbidden)) continue;
    throw Error(ErrorKind::overflow,
                fmt::format("the cost of {} is {}: {} symbols of this cost{} have to stay below 2^61", name, cost,
                            symbols, size.has_column_term() ? fmt::format(", times {},", factor) : ""));
  }
  if (!size.request.unrestricted) return;
  if (!size.request.transpositions) {
    throw Error(ErrorKind::usage,
                "unrestricted transpositions are requested without transpositions: both are accepted");
  }
  const std::int64_t half =  // rounded up
      std::midpoint(std::max(costs.insertion, costs.deletion), std::min(costs.insertion, costs.deletion));
  if (costs.transposition >= half) return;
  throw Error(ErrorKind::usage,
              fmt::format("the cost of transposition is {}: without restriction, at least half of an insertion and a "
                          "deletion is accepted, {}",
                          costs.transposition, half));
}

void check(const Size& size) {
  if (size.measure == Measure::indel && !size.has_unit_costs()) {
    throw Error(ErrorKind::usage,
                "a longest common subsequence has no costs and no transpositions: the defaults are accepted");
  }
  check_costs(size);
}

/// The solution if the lengths alone tell it: every script costs more than the bound, or a sequence is empty.
std::optional<Distance> by_lengths(const Query& query) {
  const auto n = static_cast<std::int64_t>(query.pair.n());
  const auto m = static_cast<std::int64_t>(query.pair.m());
  const std::int64_t least = n > m ? (n - m) * query.costs().deletion : (m - n) * query.costs().insertion;
  if (!query.is_within(least)) return Distance();
  if (n > 0 && m > 0) return {};
  Distance solution{least, {}};
  if (!query.request.script) return solution;
  solution.script.push(Edit::deletion, query.pair.n());
  solution.script.push(Edit::insertion, query.pair.m());
  return solution;
}

Outcome<Distance> solve(const Query& query, const Options& options) {
  const Size size = size_of(query.pair, query.measure, query.request);
  check(size);
  if (auto known = by_lengths(query)) {
    return {std::move(*known), report_of_nothing(std::span(backends(size, options)), size, options)};
  }
  return solve_by(std::span(backends(size, options)), size, query, options);
}

Estimate estimate(const Size& size, const Options& options) {
  check(size);
  return estimate_by(std::span(backends(size, options)), size, options);
}

}  // namespace

std::optional<Distance> known_before_slices(const Query& query, const Options& options) {
  static const AlgorithmInfo info{"slices", "cpu", "", ""};
  const Size size = size_of(query.pair, query.measure, query.request);
  check(size);
  const std::string reason = options.checkpointer ? "keeps no checkpoint by ranks" : unsupported_with_sets(size);
  const Candidate only{.info = &info, .unsupported_reason = reason};
  static_cast<void>(choose({&only, 1}, options));
  return by_lengths(query);
}

Subsequence subsequence_of(const Coded& pair, Distance found) {
  const auto symbols = static_cast<std::int64_t>(pair.n() + pair.m());
  if (!found.distance) return {};
  return {(symbols - *found.distance) / 2, std::move(found.script)};
}

void check_costs(const Query& query) { check_costs(size_of(query.pair, query.measure, query.request)); }

Outcome<Distance> edit_distance(const Coded& pair, const Options& options, const Request& request) {
  return solve({pair, request, Measure::edit}, options);
}

Outcome<Distance> edit_distance(std::string_view a, std::string_view b, const Options& options,
                                const Request& request) {
  return edit_distance(Coded(a, b), options, request);
}

std::vector<AlgorithmInfo> edit_distance_algorithms() { return infos(backends(Measure::edit, true)); }

Estimate estimate_edit_distance(const Coded& pair, const Options& options, const Request& request) {
  return estimate(size_of(pair, Measure::edit, request), options);
}

Estimate estimate_edit_distance(std::uint64_t n, std::uint64_t m, const Options& options, const Request& request,
                                std::uint32_t alphabet) {
  return estimate(size_of(n, m, alphabet, Measure::edit, request), options);
}

Outcome<Subsequence> lcs(const Coded& pair, const Options& options, const Request& request) {
  auto [found, report] = solve({pair, request, Measure::indel}, options);
  return {subsequence_of(pair, std::move(found)), std::move(report)};
}

Outcome<Subsequence> lcs(std::string_view a, std::string_view b, const Options& options, const Request& request) {
  return lcs(Coded(a, b), options, request);
}

std::vector<AlgorithmInfo> lcs_algorithms() { return infos(backends(Measure::indel, true)); }

Estimate estimate_lcs(const Coded& pair, const Options& options, const Request& request) {
  return estimate(size_of(pair, Measure::indel, request), options);
}

Estimate estimate_lcs(std::uint64_t n, std::uint64_t m, const Options& options, const Request& request,
                      std::uint32_t alphabet) {
  return estimate(size_of(n, m, alphabet, Measure::indel, request), options);
}

}  // namespace warpfold::sequence
