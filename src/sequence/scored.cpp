#include "sequence/scored.hpp"

#include <utility>

#include "sequence/align/strips/strips.hpp"
#include "sequence/table_costs.hpp"

namespace warpfold::sequence {

namespace {

AlignmentRequest request_of(const TableCosts& costs, bool script) {
  return {.script = script, .gaps = {0, costs.costs().insertion}};
}

alignment::Size alignment_size(const Size& size) {
  const TableCosts costs(size.request, size.measure, static_cast<std::int64_t>(size.n + size.m));
  const std::int64_t mismatch = -costs.costs().substitution;
  return {size.n, size.m, size.codes, size.has_sets, mismatch, 0, 0, mismatch, request_of(costs, size.request.script)};
}

}  // namespace

Distance by_scores(const Query& query, Context& context) {
  const TableCosts costs(query);
  const auto taken = context.budget.reserve(query.pair.n() + query.pair.m(), sizeof(std::uint32_t));
  const ScoredPair pair(query.pair, 0, -costs.costs().substitution);
  const AlignmentRequest request = request_of(costs, query.request.script);
  Alignment found = alignment::by_strips({pair, request}, context);
  const std::int64_t distance = costs.distance_of(-found.score);
  if (!query.is_within(distance)) return {};
  return {distance, std::move(found.script)};
}

std::size_t bytes_of_scored(const Size& size, const Options& options) {
  return alignment::bytes_of_strips(alignment_size(size), options) +
         static_cast<std::size_t>(sizeof(std::uint32_t) * (size.n + size.m));
}

double seconds_of_scored(const Size& size, const Options& options) {
  return alignment::seconds_of_strips(alignment_size(size), options);
}

std::string unsupported_by_scores(const Size& size) {
  if (size.request.transpositions) return "solves no transpositions";
  const Costs& costs = size.request.costs;
  if (costs.insertion != costs.deletion) return "solves costs of insertions that are those of deletions only";
  const alignment::Size scored = alignment_size(size);
  if (scored.request.gaps.extend < 0) return "finds no longest script of insertions that cost nothing";
  return alignment::unsupported_by_strips(scored);
}

}  // namespace warpfold::sequence
