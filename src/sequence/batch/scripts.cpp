#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sequence/batch/pair.hpp"
#include "sequence/batch/scripts_on_gpu.hpp"
#include "sequence/batch/team.hpp"
#include "sequence/tuning.hpp"
#include "warpfold/run/backend.hpp"
#include "warpfold/run/batch.hpp"
#include "warpfold/run/devices.hpp"
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

Report scripts_on_cpu(batch::List a, batch::List b, const Options& options, const BatchRequest& request, Ties ties,
                      std::vector<std::optional<Script>>& found) {
  Report report;
  const std::vector<std::size_t> within = pairs_within(a, b, options, request, report);
  const auto solve_one = [&](std::size_t place, const Options& each) {
    const std::size_t at = within[place];
    found[at] = batch::script_of_pair(a[at], b[at], request, ties, each);
    return batch::cells_of(a[at], b[at]);
  };
  double cells = 0;
  for (const std::size_t at : within) cells += batch::cells_of(a[at], b[at]);
  add_part(report, detail::solve_each(within.size(), cells, options, solve_one));
  return report;
}

// The choice of a device.

struct ScriptWork {
  batch::List a, b;
  const BatchRequest& request;
  Ties ties;
  std::vector<std::optional<Script>>& found;
};
struct ScriptSize {
  double pairs, cells, steps;
  bool counts_columns;  ///< columns decide ties
};
struct NoSolution {};
using ScriptBackend = Backend<ScriptSize, ScriptWork, NoSolution>;

NoSolution run_scripts_on_cpu(const ScriptWork& work, Context& context) {
  Options options = context.options;
  options.budget = &context.budget;
  options.algorithm.clear();
  add_part(context.report, scripts_on_cpu(work.a, work.b, options, work.request, work.ties, work.found));
  return {};
}
NoSolution run_scripts_on_gpu(const ScriptWork& work, Context& context) {
  double cells = 0;
  for (std::size_t at = 0; at < work.a.size(); ++at) cells += batch::cells_of(work.a[at], work.b[at]);
  batch::Batch batch(context, (work.request.max_distance ? 2 : 1) * cells, true);  // distances come first
  work.found = batch::scripts_on_gpu(work.a, work.b, work.request, work.ties, batch);
  batch.finish();
  return {};
}

double seconds_of_scripts_on_cpu(const ScriptSize& size, const Options& options) {
  return (tuning::script_pair_seconds * size.pairs + tuning::script_cell_seconds * size.cells) /
         thread_count(options.threads);
}
double seconds_of_scripts_on_gpu(const ScriptSize& size, const Options& options) {
  const auto threads = std::min(thread_count(options.threads), static_cast<int>(tuning::gpu_batch_threads));
  return tuning::gpu_start_seconds + tuning::gpu_script_cell_seconds * size.cells +
         tuning::gpu_script_step_seconds * size.steps / threads;
}

std::string scripts_unsupported_on_gpu(const ScriptSize& size) {
  return size.counts_columns ? "returns no shortest or longest scripts: the CPU does" : "";
}

const std::vector<ScriptBackend>& script_backends() {
  static const std::vector<ScriptBackend> list = [] {
    std::vector<ScriptBackend> all = {{.info = {"each", "cpu", "one pair after another", "as each pair's algorithm"},
                                       .cost = seconds_of_scripts_on_cpu,
                                       .run = run_scripts_on_cpu}};
    if (has_cuda()) {
      all.push_back({.info = {"lanes", "cuda", "a bit of a word for each pair, up to 256 symbols",
                              "n m (p + 8) / 32 operations of three inputs a pair"},
                     .cost = seconds_of_scripts_on_gpu,
                     .run = run_scripts_on_gpu,
                     .unsupported_reason = scripts_unsupported_on_gpu});
    }
    return all;
  }();
  return list;
}

/// Raises Error{usage} for a name that no pair could be solved by.
void check_algorithm(const Options& options, Measure measure) {
  const std::string& name = options.algorithm;
  if (name.empty() || (name == "lanes" && has_cuda() && options.device.kind != Device::Kind::cpu)) return;
  std::vector<std::string> names;
  for (const AlgorithmInfo& one : measure == Measure::edit ? edit_distance_algorithms() : lcs_algorithms()) {
    if (one.device == "cpu") names.push_back(one.name);
  }
  if (std::ranges::find(names, name) != names.end()) return;
  const char* const reason = name == "lanes" ? "computes scripts on a GPU only" : "is unknown";
  throw Error(ErrorKind::usage,
              fmt::format("algorithm '{}' {}: {} are accepted", name, reason, fmt::join(names, ", ")));
}

}  // namespace

Outcome<std::vector<std::optional<Script>>> scripts(batch::List a, batch::List b, const Options& options,
                                                    const BatchRequest& request, Ties ties) {
  batch::check_pairs(a, b);
  check_algorithm(options, request.measure);
  std::vector<std::optional<Script>> found(a.size());
  if (!options.algorithm.empty() && options.algorithm != "lanes") {
    Report report = scripts_on_cpu(a, b, options, request, ties, found);
    return {std::move(found), std::move(report)};
  }
  ScriptSize size{static_cast<double>(a.size()), 0, 0, request.measure == Measure::edit && counts_columns(ties)};
  for (std::size_t at = 0; at < a.size(); ++at) {
    size.cells += batch::cells_of(a[at], b[at]);
    size.steps += static_cast<double>(a[at].size() + b[at].size());
  }
  const ScriptWork work{a, b, request, ties, found};
  Report report = solve_by(std::span(script_backends()), size, work, options).report;
  return {std::move(found), std::move(report)};
}

}  // namespace warpfold::sequence
