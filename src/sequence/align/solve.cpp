#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "sequence/align/backends.hpp"
#include "sequence/align/column_term.hpp"
#include "sequence/align/diagonals.hpp"
#include "sequence/align/strips/strips.hpp"
#include "sequence/gpu/scores.hpp"
#include "sequence/tuning.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/run/devices.hpp"

namespace warpfold::sequence {

namespace alignment {
namespace {

double operations_of(const Size& size) { return size.cells(); }

double cost_of_table(const Size& size, const Options&) { return tuning::table_cell_seconds * size.cells(); }
std::size_t bytes_of_table(const Size& size, const Options&) {
  return static_cast<std::size_t>((size.n + 1) * (size.m + 1)) * sizeof(std::int64_t);
}

double cost_of_rows(const Size& size, const Options&) {
  return tuning::scored_row_cell_seconds * size.cells() * (size.request.script ? 2 : 1);
}

/// What has to be computed. Where an end is free, Ties::right are known by the walk alone.
AlignmentRequest completed(AlignmentRequest request) {
  request.script = request.script || (request.ties == Ties::right && request.ends != global_ends);
  return request;
}

/// Ties::right are those of both sequences reversed.
bool is_reversed(const AlignmentRequest& request) { return request.script && request.ties == Ties::right; }

/// Whether both sequences are copied: reversed, or with other scores.
bool is_copied(const AlignmentRequest& request) { return is_reversed(request) || has_column_term(request); }

template <std::size_t (*bytes)(const Size&, const Options&)>
std::size_t oriented_bytes(const Size& size, const Options& options) {
  const double copied = is_copied(size.request) ? sizeof(std::uint32_t) * (size.n + size.m) : 0;
  return bytes(size, options) + static_cast<std::size_t>(copied);
}

AlignmentRequest reversed(AlignmentRequest request) {
  std::swap(request.ends.begin_a, request.ends.end_a);
  std::swap(request.ends.begin_b, request.ends.end_b);
  return request;
}

Alignment reversed(const Alignment& solution, const Query& query) {
  Alignment result{solution.score, query.n() - solution.script.begin_a, query.m() - solution.script.begin_b,
                   solution.script.reversed()};
  result.script.begin_a = query.n() - solution.end_a;
  result.script.begin_b = query.m() - solution.end_b;
  return result;
}

/// Solves by Ties::left.
template <class Solve>
Alignment oriented(const Query& query, const Solve& solve) {
  if (const auto term = column_term_of(query.n(), query.m(), query.request)) {
    const ScoredPair rescored = query.pair.rescored(term->factor, term->column);
    const AlignmentRequest request = term->request(query.request);
    Alignment solution = solve(Query{rescored, request});
    solution.score = term->score_of(solution.score);
    return solution;
  }
  if (!is_reversed(query.request)) return solve(query);
  const ScoredPair backwards = query.pair.reversed();
  const AlignmentRequest request = reversed(query.request);
  return reversed(solve(Query{backwards, request}), query);
}

template <Alignment (*solve)(const Query&, Context&)>
Alignment run_oriented(const Query& query, Context& context) {
  const std::size_t copied = is_copied(query.request) ? query.n() + query.m() : 0;
  const auto taken = context.budget.reserve(copied, sizeof(std::uint32_t));
  return oriented(query, [&](const Query& left) { return solve(left, context); });
}

/// `dense`: the algorithm that runs where the search by diagonals gives up.
std::vector<AlignmentBackend> cpu_backends(const char* dense) {
  return {
      {.info = {"table", "cpu", "the complete table of the recurrence", "n m operations, 8 n m bytes"},
       .cost = cost_of_table,
       .bytes = oriented_bytes<bytes_of_table>,
       .run = run_oriented<reference>,
       .operations = operations_of},
      {.info = {"rows", "cpu", "all costs: row by row", "n m operations, 16 m bytes"},
       .cost = cost_of_rows,
       .bytes = oriented_bytes<bytes_of_rows>,
       .run = run_oriented<by_rows>,
       .operations = operations_of},
      {.info = {"strips", "cpu", "linear or affine gaps: strips of rows in vectors of 8, 16 or 32 bits, all threads",
                "n m / L cells of 8 vector operations (local: 13)"},
       .cost = seconds_of_strips,
       .bytes = oriented_bytes<bytes_of_strips>,
       .run = run_oriented<by_strips>,
       .unsupported_reason = unsupported_by_strips,
       .supports_checkpoint = true,
       .operations = operations_of},
      {.info = {"band", "cpu",
                "similar sequences from end to end: strips in the band that the score allows, all threads",
                "n w / L cells of 8 vector operations for w diagonals"},
       .cost = seconds_of_band,
       .bytes = oriented_bytes<bytes_of_band>,
       .run = run_oriented<by_band>,
       .unsupported_reason = unsupported_by_band,
       .operations = operations_of},
      {.info = {"diagonals", "cpu",
                "match and mismatch, similar sequences from end to end: furthest-reaching points by diagonals",
                "n + m + s^2 / (extend + match / 2) operations for a cost s"},
       .cost = cost_of_diagonals,
       .bytes = oriented_bytes<bytes_of_diagonals>,
       .run = run_oriented<by_diagonals>,
       .unsupported_reason = unsupported_by_diagonals,
       .operations = operations_of,
       .worst_case = worst_case_of_diagonals,
       .hands_on_to = dense}};
}

std::vector<AlignmentBackend> gpu_backends() {
  return {{.info = {"diagonals", "cuda",
                    "match and mismatch, similar sequences from end to end: on the CPU, before `strips` on a GPU",
                    "n + m + s^2 / (extend + match / 2) operations for a cost s"},
           .cost = cost_of_diagonals_before_gpu,
           .bytes = oriented_bytes<bytes_of_diagonals>,
           .run = run_oriented<by_diagonals>,
           .unsupported_reason = unsupported_by_diagonals_before_gpu,
           .device_bytes = cuda::device_bytes_of_alignment,
           .operations = operations_of,
           .worst_case = worst_case_of_diagonals,
           .hands_on_to = "strips"},
          {.info = {"strips", "cuda", "linear or affine gaps: strips of rows on a GPU",
                    "n m cells, or pairs of cells, of 5 instructions of 32 lanes (local: 7)"},
           .cost = cuda::seconds_of_alignment,
           .bytes = oriented_bytes<cuda::host_bytes_of_alignment>,
           .run = run_oriented<cuda::alignment_by_strips>,
           .unsupported_reason = cuda::alignment_unsupported_on_gpu,
           .device_bytes = cuda::device_bytes_of_alignment,
           .operations = operations_of}};
}

/// By whether a band may be worth its first run.
const std::vector<AlignmentBackend>& backends(bool takes_band) {
  const auto all_by = [](const char* dense) {
    std::vector<AlignmentBackend> all = cpu_backends(dense);
    if (has_cuda()) std::ranges::move(gpu_backends(), std::back_inserter(all));
    return all;
  };
  static const std::vector<AlignmentBackend> lists[] = {all_by("strips"), all_by("band")};
  return lists[takes_band ? 1 : 0];
}
const std::vector<AlignmentBackend>& backends(const Size& size) {
  return backends(size.cells() >= tuning::worth_scored_band);
}

void check_gaps(const GapCosts& gaps) {
  for (const auto& [open, extend] : pieces_of(gaps)) {
    for (const auto& [name, cost] : {std::pair("open", open), std::pair("extend", extend)}) {
      if (cost >= 0) continue;
      throw Error(ErrorKind::usage, fmt::format("the cost to {} a gap is {}: 0 or more is accepted", name, cost));
    }
  }
}

/// All values that are compared stay below 2^61.
void check_total(const Size& size) {
  double step = std::max(std::abs(static_cast<double>(size.min_score)), std::abs(static_cast<double>(size.max_score)));
  double open = 0;
  for (const auto& piece : pieces_of(size.request.gaps)) {
    step = std::max(step, static_cast<double>(piece.extend));
    open = std::max(open, static_cast<double>(piece.open));
  }
  const double factor = has_column_term(size.request) ? size.n + size.m + 1 : 1;
  const double total = factor * ((size.n + size.m + 2) * step + 4 * open);
  if (total < static_cast<double>(std::int64_t{1} << 61)) return;
  throw Error(ErrorKind::overflow,
              fmt::format("the scores and gap costs of {} symbols{} can add up to {:.0f}: less than 2^61 is accepted",
                          size.n + size.m, factor > 1 ? fmt::format(", times {} for these ties,", factor) : "", total));
}

void check_ties(const AlignmentRequest& request) {
  if (request.ties != Ties::longest || !has_column_term(request)) return;
  const bool is_free =
      std::ranges::any_of(pieces_of(request.gaps), [](const auto& piece) { return piece.extend == 0; });
  if (!is_free) return;
  throw Error(ErrorKind::usage, "the cost to extend a gap is 0: for the longest alignment 1 or more is accepted");
}

void check(const Size& size) {
  check_gaps(size.request.gaps);
  check_total(size);
  check_ties(size.request);
}

/// The size of what is solved by Ties::left.
Size checked_size(const ScoredPair& pair, const AlignmentRequest& request) {
  const Size size = size_of(pair, request);
  check(size);
  const auto term = column_term_of(pair.n(), pair.m(), request);
  return term ? term->size(size) : size;
}

/// The alignment if a sequence is empty, by Ties::left: one gap, or nothing where an end of the other one is free.
Alignment of_nothing(const Query& query) {
  const FreeEnds& ends = query.ends();
  const bool is_end_free = ends.local || (query.n() > 0 ? ends.end_a : ends.end_b);
  const bool is_begin_free = ends.local || (query.n() > 0 ? ends.begin_a : ends.begin_b);
  Alignment solution;
  if (is_end_free) return solution;
  solution.end_a = query.n();
  solution.end_b = query.m();
  if (is_begin_free) {
    solution.script.begin_a = query.n();
    solution.script.begin_b = query.m();
    return solution;
  }
  solution.score = -query.gaps().of(query.n() + query.m());
  if (!query.request.script) return solution;
  solution.script.push(Edit::deletion, query.n());
  solution.script.push(Edit::insertion, query.m());
  return solution;
}

}  // namespace

void check_request(const ScoredPair& pair, const AlignmentRequest& request) { check(size_of(pair, request)); }

}  // namespace alignment

Outcome<Alignment> align(const ScoredPair& pair, const Options& options, const AlignmentRequest& request) {
  const AlignmentRequest completed = alignment::completed(request);
  const alignment::Query query{pair, completed};
  const alignment::Size size = alignment::checked_size(pair, completed);
  const auto solve = [&]() -> Outcome<Alignment> {
    const std::span backends(alignment::backends(size));
    if (pair.n() > 0 && pair.m() > 0) return solve_by(backends, size, query, options);
    return {alignment::oriented(query, alignment::of_nothing), report_of_nothing(backends, size, options)};
  };
  auto outcome = solve();
  if (!request.script) outcome.solution.script = {};
  return outcome;
}

Outcome<Alignment> align(std::string_view a, std::string_view b, const Options& options,
                         const AlignmentRequest& request) {
  return align(ScoredPair(Coded(a, b), 1, -1), options, request);
}

std::vector<AlgorithmInfo> align_algorithms() { return infos(alignment::backends(true)); }

Estimate estimate_align(const ScoredPair& pair, const Options& options, const AlignmentRequest& request) {
  const alignment::Size size = alignment::checked_size(pair, alignment::completed(request));
  return estimate_by(std::span(alignment::backends(size)), size, options);
}

}  // namespace warpfold::sequence
