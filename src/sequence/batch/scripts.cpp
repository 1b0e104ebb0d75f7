#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "sequence/batch/pair.hpp"
#include "sequence/tuning.hpp"
#include "warpfold/run/backend.hpp"
#include "warpfold/run/batch.hpp"
#include "warpfold/sequence/batch.hpp"
#include "warpfold/sequence/edit_distance.hpp"
#include "warpfold/sequence/lcs.hpp"

namespace warpfold::sequence {

namespace {

/// The pairs that may be within the bound. Short ones are compared first, many at a time.
std::vector<std::size_t> pairs_within(batch::List a, batch::List b, const Options& options, const BatchRequest& request,
                                      Report& report) {
  std::vector<std::size_t> within, compared;
  std::vector<SymbolView> compared_a, compared_b;
  for (std::size_t at = 0; at < a.size(); ++at) {
    if (!request.max_distance || std::max(a[at].size(), b[at].size()) > tuning::max_lane) {
      within.push_back(at);
      continue;
    }
    compared.push_back(at);
    compared_a.push_back(a[at]);
    compared_b.push_back(b[at]);
  }
  if (compared.empty()) return within;
  Options first = options;
  first.device = {Device::Kind::cpu};
  first.algorithm.clear();
  first.progress = {};
  const auto [found, ran] = distances(compared_a, compared_b, first, request);
  add_part(report, ran);
  for (std::size_t at = 0; at < compared.size(); ++at) {
    if (found[at] <= *request.max_distance) within.push_back(compared[at]);
  }
  return within;
}

}  // namespace

Outcome<std::vector<std::optional<Script>>> scripts(batch::List a, batch::List b, const Options& options,
                                                    const BatchRequest& request, Ties ties) {
  batch::check_pairs(a, b);
  const Request one{.script = true, .ties = ties, .max_distance = request.max_distance};
  std::vector<std::optional<Script>> found(a.size());
  Report report;
  const std::vector<std::size_t> within = pairs_within(a, b, options, request, report);
  const auto solve_one = [&](std::size_t place, const Options& each) {
    const std::size_t at = within[place];
    const Coded pair = batch::coded(a[at], b[at]);
    if (request.measure == Measure::edit) {
      auto solution = edit_distance(pair, each, one).solution;
      if (solution.distance) found[at] = std::move(solution.script);
    } else {
      auto solution = lcs(pair, each, one).solution;
      if (solution.length) found[at] = std::move(solution.script);
    }
    return static_cast<double>(pair.n()) * static_cast<double>(pair.m());
  };
  double cells = 0;
  for (const std::size_t at : within) cells += batch::cells_of(a[at], b[at]);
  add_part(report, detail::solve_each(within.size(), cells, options, solve_one));
  return {std::move(found), std::move(report)};
}

}  // namespace warpfold::sequence
