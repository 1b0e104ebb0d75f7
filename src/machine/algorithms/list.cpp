#include "machine/algorithms/list.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "warpfold/core/error.hpp"

namespace warpfold::machine {

std::span<const Algorithm> algorithms() {
  static const std::vector<Algorithm> all = {
      contiguous_access(),
      stride_access(),
      transpose_straightforward(),
      transpose_diagonal(),
      transpose_rotating(),
      permute_straightforward(),
      permute_dmm(),
      permute_rows(),
      permute_umm(),
      sum_of_words(),
      prefix_sums_of_words(),
      sequential_access(),
      dp_opt_triangulation(),
      umm_opt_triangulation(),
      opt_threads_naive(),
      opt_threads_sliding(),
      opt_blocks_naive(),
      opt_blocks_mirroring(),
      opt_one_thread(),
      sdp_sequential(),
      sdp_naive(),
      sdp_tournament(),
      sdp_pipeline(),
      sdp_m_by_m(),
      sdp_p_fold(),
      mcm_sequential(),
      mcm_tournament(),
      mcm_diagonals(),
      mcm_pipeline(),
      knapsack_p_fold(),
      tiled_umm_opt(),
      transpose_hmm(),
      permute_hmm(),
      sum_of_words_hmm(),
      prefix_sums_of_words_hmm(),
      matrix_product(),
      matrix_product_hmm(),
      bitonic_sort(),
      list_ranking(),
      breadth_first_search(),
      convolution(),
      merge(),
      fft(),
      prefix_sums_by_blocks(),
      connected_components(),
      lcs_sequential(),
      lcs_rows(),
      lcs_diagonals(),
      lcs_sliding(),
      lcs_mirroring(),
      lcs_slices(),
      lcs_tiles(),
      edit_distance_sequential(),
      edit_distance_rows(),
      edit_distance_diagonals(),
      edit_distance_sliding(),
      edit_distance_mirroring(),
      edit_distance_slices(),
      edit_distance_tiles(),
  };
  return all;
}

const Algorithm& find_algorithm(std::string_view name) {
  const auto all = algorithms();
  const auto found = std::ranges::find(all, name, &Algorithm::name);
  if (found != all.end()) return *found;
  std::vector<std::string_view> names;
  for (const Algorithm& algorithm : all) names.push_back(algorithm.name);
  throw Error(ErrorKind::usage, fmt::format("algorithm '{}' is unknown: {} is accepted", name, fmt::join(names, ", ")));
}

std::optional<std::uint64_t> size_of(const Algorithm& algorithm, const Lists& lists) {
  for (const List& list : algorithm.lists) {
    const auto given = lists.find(std::string(list.name));
    if (list.size == nullptr || given == lists.end()) continue;
    if (const auto n = list.size(given->second.size())) return n;
    throw Error(ErrorKind::usage, fmt::format("{} has {} entries: {} of them are accepted", list.name,
                                              given->second.size(), list.entries));
  }
  return std::nullopt;
}

namespace {

void check_list(const RunRequest& request, const List& list, const std::vector<std::int64_t>& entries) {
  for (const std::string_view name : list.instead_of) {
    const auto parameter = request.parameters.find(std::string(name));
    if (parameter == request.parameters.end()) continue;
    throw Error(ErrorKind::usage, fmt::format("{} is {}, which says how {} are drawn, and {} are given: one of both is "
                                              "accepted",
                                              name, parameter->second, list.name, list.name));
  }
  if (list.size != nullptr && list.size(entries.size()) != request.n) {
    throw Error(ErrorKind::usage, fmt::format("n is {}, but {} has {} entries: {} of them are accepted", request.n,
                                              list.name, entries.size(), list.entries));
  }
  const auto wrong = std::ranges::find_if(entries, [&](auto x) { return x < list.min || x > list.max; });
  if (wrong == entries.end()) return;
  throw Error(ErrorKind::input, fmt::format("entry {} of {} is {}: {} to {} is accepted", wrong - entries.begin(),
                                            list.name, *wrong, list.min, list.max));
}

void check_lists(const Algorithm& algorithm, const RunRequest& request) {
  for (const auto& [name, entries] : request.lists) {
    const auto list = std::ranges::find(algorithm.lists, name, &List::name);
    if (list == algorithm.lists.end()) {
      throw Error(ErrorKind::usage, fmt::format("{} has no list '{}'", algorithm.name, name));
    }
    check_list(request, *list, entries);
  }
  if (request.operation.empty()) return;
  if (algorithm.operations.empty()) {
    throw Error(ErrorKind::usage, fmt::format("{} has no operation to be chosen", algorithm.name));
  }
  if (std::ranges::find(algorithm.operations, request.operation) == algorithm.operations.end()) {
    throw Error(ErrorKind::usage, fmt::format("operation '{}' is unknown: {} is accepted", request.operation,
                                              fmt::join(algorithm.operations, ", ")));
  }
}

}  // namespace

RunResult run(const Algorithm& algorithm, const RunRequest& request) {
  validate(request.machine, request.threads);
  if (std::ranges::find(algorithm.machines, request.machine.kind) == algorithm.machines.end()) {
    std::vector<std::string> names;
    for (const Kind kind : algorithm.machines) names.push_back(to_string(kind));
    throw Error(ErrorKind::usage, fmt::format("{} does not run on the {}: {} is accepted", algorithm.name,
                                              to_string(request.machine.kind), fmt::join(names, ", ")));
  }
  if (request.as_printed && !algorithm.has_printed_form) {
    throw Error(ErrorKind::usage,
                fmt::format("{} has no other printed form: it runs as the paper has it", algorithm.name));
  }
  for (const auto& [name, value] : request.parameters) {
    if (std::ranges::find(algorithm.parameters, name, &Parameter::name) == algorithm.parameters.end()) {
      throw Error(ErrorKind::usage, fmt::format("{} has no parameter '{}'", algorithm.name, name));
    }
  }
  check_lists(algorithm, request);
  RunResult result = algorithm.run(request);
  // Formulas assume bank a mod w, and that every thread waits for the last one.
  if (request.machine.mapping != Mapping::none || request.options.timing != Timing::lockstep) {
    result.formula.reset();
    result.formula_text.clear();
  }
  if (result.formula && request.machine.warp_size() != request.machine.width) {
    result.formula_text += ", as for warps of w threads; this time counts the stages of its warps";
  }
  return result;
}

std::uint64_t RunRequest::parameter(const std::string& name, std::uint64_t otherwise) const {
  const auto found = parameters.find(name);
  return found == parameters.end() ? otherwise : found->second;
}

const std::vector<std::int64_t>* RunRequest::list(const std::string& name) const {
  const auto found = lists.find(name);
  return found == lists.end() ? nullptr : &found->second;
}

}  // namespace warpfold::machine
