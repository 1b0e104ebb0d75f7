#include <fmt/format.h>

#include "align_input.hpp"
#include "verify_sequence.hpp"
#include "warpfold/sequence/verify.hpp"

namespace warpfold::app {

using sequence::Alignment;
using sequence::AlignmentRequest;
using sequence::ScoredPair;

namespace {

/// The two numbers of the keys "begin" and "end".
std::pair<std::uint64_t, std::uint64_t> place_at(const Json& solution, const char* key) {
  const Json& place = list_at(solution, key);
  if (place.size() != 2) throw MalformedSolution(fmt::format("'{}' has two numbers", key));
  return {integer<std::uint64_t>(place[0]), integer<std::uint64_t>(place[1])};
}

AlignmentRequest alignment_request(const Json& solution, const Scoring& scoring) {
  AlignmentRequest request{.gaps = gap_costs(scoring), .ends = free_ends_of(scoring)};
  request.script = solution.contains("script");
  if (request.script) request.ties = ties_named(text_at(solution, "ties"));
  return request;
}

/// Without a script: checks that the aligned parts have the stated score from end to end.
Verdict verify_parts(const ScoredPair& pair, const Alignment& stated, const AlignmentRequest& request,
                     const Options& limits) {
  const Verdict verdict = sequence::verify(pair, stated, request, true, limits);
  if (!verdict || stated.script.begin_a > stated.end_a || stated.script.begin_b > stated.end_b) {
    return verdict ? infeasible("the alignment ends before it begins") : verdict;
  }
  const ScoredPair parts = pair.part(stated.script.begin_a, stated.end_a, stated.script.begin_b, stated.end_b);
  Alignment whole_parts{stated.score, parts.n(), parts.m(), {}};
  const Verdict of_parts = sequence::verify(parts, whole_parts, {.gaps = request.gaps}, true, limits);
  return of_parts ? verdict : of_parts;
}

}  // namespace

Verdict verify_align(const Files& instance, const Json& solution, const Options& limits) {
  const SequencePair pair = pair_of(instance, solution);
  if (Violation violation = find_run_violation(solution, pair.n())) return infeasible(*violation);
  if (Violation violation = find_length_violation(solution, pair)) return infeasible(*violation);
  if (value_at(solution, "cost") != value_at(solution, "score")) return infeasible("'cost' and 'score' differ");
  const Scoring scoring = scoring_of(solution);
  const AlignmentRequest request = alignment_request(solution, scoring);
  const ScoredPair scored = scored_pair(pair, input_of(solution), scoring);
  const auto [begin_a, begin_b] = place_at(solution, "begin");
  const auto [end_a, end_b] = place_at(solution, "end");
  Alignment stated{integer<std::int64_t>(solution["score"]), end_a, end_b, {}};
  stated.script.begin_a = begin_a;
  stated.script.begin_b = begin_b;
  if (!request.script) return verify_parts(scored, stated, request, limits);
  stated.script = stated_script(solution, begin_a, begin_b);
  if (Violation violation = find_derived_violation(solution, stated.script)) return infeasible(*violation);
  const std::uint64_t matches = stated.script.count(sequence::Edit::match);
  if (Violation violation = find_matches_violation(solution, matches, columns_of(stated.script))) {
    return infeasible(*violation);
  }
  return sequence::verify(scored, stated, request, false, limits);
}

Json align_optimum(const Files& instance, const Json& solution, Options limits) {
  const SequencePair pair = pair_of(instance, solution);
  const Scoring scoring = scoring_of(solution);
  const ScoredPair scored = scored_pair(pair, input_of(solution), scoring);
  return sequence::verified_score(scored, alignment_request(solution, scoring), limits);
}

}  // namespace warpfold::app
