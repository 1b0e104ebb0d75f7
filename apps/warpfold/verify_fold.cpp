#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "core/quantity.hpp"
#include "fold_suboptimal.hpp"
#include "io/printable.hpp"
#include "rna/energy_text.hpp"
#include "verify.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/formats/energy_parameters.hpp"
#include "warpfold/formats/rna_sequences.hpp"
#include "warpfold/rna/ensemble.hpp"
#include "warpfold/rna/fold.hpp"

namespace warpfold::app {

namespace {

rna::FoldRequest fold_request(const Json& solution) {
  return {.temperature = number_at<double>(solution, "temperature"),
          .dangles = number_at<int>(solution, "dangles"),
          .max_span = solution.contains("max_span") ? number_at<std::size_t>(solution, "max_span") : 0,
          .lone_pairs = truth_at(solution, "lone_pairs", true),
          .circular = truth_at(solution, "circular", false)};
}

bool has_failed(const Json& stated) { return stated.contains("error"); }

std::string file_name_of(const std::string& path) { return std::filesystem::path(path).filename().string(); }

rna::Parameters stated_parameters(const std::string& stated) try {
  return formats::energy_parameters(stated);
} catch (const Error& error) {
  throw Error(error.kind(),
              fmt::format("{} (the solution's 'parameters'; a file of this name is accepted before it)", error.what()));
}

/// The energies that the solution states. A file of the instance is read instead if it has the same name, in any
/// folder.
rna::Parameters parameters_of(const Files& instance, const Json& solution) {
  const std::string stated = text_at(solution, "parameters");
  if (instance.size() < 2) return stated_parameters(stated);
  rna::Parameters parameters = formats::energy_parameters(instance[1]);
  if (file_name_of(parameters.name) == file_name_of(stated)) return parameters;
  throw Error(ErrorKind::input,
              fmt::format("{}: the solution states the energies '{}': a file of this name is accepted", instance[1],
                          io::printable(file_name_of(stated))));
}

std::vector<rna::PairEnergy> pair_energies_of(const Json& list) {
  std::vector<rna::PairEnergy> pairs;
  for (const Json& pair : list) {
    const auto numbers = integers<rna::Energy>(pair);
    if (numbers.size() != 3 || numbers[0] < 1 || numbers[1] < 1) {
      throw MalformedSolution(
          fmt::format("{} is no list of two positions from 1 and an energy", json_text(pair).substr(0, 60)));
    }
    pairs.push_back(
        {static_cast<std::uint32_t>(numbers[0] - 1), static_cast<std::uint32_t>(numbers[1] - 1), numbers[2]});
  }
  return pairs;
}

/// The request of one record, with its constraint.
rna::FoldRequest request_of(const rna::FoldRequest& common, const Json& record) {
  rna::FoldRequest request = common;
  if (record.contains("constraint")) request.constraint = text_at(record, "constraint");
  if (record.contains("stack_energies")) {
    const Json& list = list_at(record, "stack_energies");
    request.stack_energies = read_under("stack_energies", [&] { return integers<rna::Energy>(list); });
  }
  if (record.contains("pair_energies")) {
    const Json& list = list_at(record, "pair_energies");
    request.pair_energies = read_under("pair_energies", [&] { return pair_energies_of(list); });
  }
  return request;
}

/// Checks that each record has what the run was asked for, as the keys of the run or another record show.
void check_results_of_all(const Json& records, const Json& solution) {
  struct Result {
    const char* key;
    std::vector<const char*> asked_by;
  };
  static const std::vector<Result> results = {{"ensemble_energy", {"probabilities", "accessibility", "gamma", "seed"}},
                                              {"centroid", {"probabilities", "accessibility", "gamma", "seed"}},
                                              {"mea", {"gamma"}},
                                              {"accuracy", {"gamma"}},
                                              {"samples", {"seed"}},
                                              {"suboptimal", {"within", "best"}}};
  for (const auto& [key, asked_by] : results) {
    const auto has_key = [name = key](const Json& one) { return one.contains(name); };
    const bool is_asked = std::ranges::any_of(asked_by, [&](const char* name) { return solution.contains(name); });
    if (!is_asked && std::ranges::none_of(records, has_key)) continue;
    for (const Json& record : records) {
      if (!has_failed(record)) static_cast<void>(value_at(record, key));
    }
  }
}

/// Computes the ensemble of a record anew, if it has one, and compares it.
Violation find_ensemble_violation(const formats::RnaRecord& record, const Json& stated, const Json& solution,
                                  const rna::Parameters& parameters, const rna::FoldRequest& request,
                                  const Options& limits) {
  if (!stated.contains("ensemble_energy")) return {};
  rna::EnsembleRequest wanted;
  if (solution.contains("seed")) wanted.seed = integer<std::uint64_t>(solution["seed"]);
  if (solution.contains("threshold")) wanted.threshold = number_at<double>(solution, "threshold");
  if (stated.contains("samples")) wanted.samples = list_at(stated, "samples").size();
  const rna::Ensemble found = rna::ensemble(record.sequence, parameters, limits, request, wanted).solution;
  constexpr double rounding = 1e-9;
  const auto energy = number_at<double>(stated, "ensemble_energy");
  if (!(std::abs(energy - found.energy) <= rounding * (1 + std::abs(found.energy)))) {
    return fmt::format("the ensemble's energy is {} kcal/mol: it is {} kcal/mol", energy, found.energy);
  }
  if (text_at(stated, "centroid") != found.centroid) {
    return fmt::format("the centroid is {}: it is {}", text_at(stated, "centroid").substr(0, 60),
                       found.centroid.substr(0, 60));
  }
  if (stated.contains("mea")) {
    const auto most = rna::most_accurate(found, number_at<double>(solution, "gamma"), limits);
    const auto accuracy = number_at<double>(stated, "accuracy");
    if (text_at(stated, "mea") != most.structure || !(std::abs(accuracy - most.accuracy) <= rounding * most.accuracy)) {
      return fmt::format("the most accurate structure is {} with {}: it is {} with {}",
                         text_at(stated, "mea").substr(0, 60), accuracy, most.structure.substr(0, 60), most.accuracy);
    }
  }
  if (wanted.samples > 0 && stated["samples"] != Json(found.samples)) return "the samples are not those of the seed";
  return {};
}

/// The first listed structure that is not the expected one.
Violation find_list_violation(const Json& stated, const Json& expected) {
  const auto shown = [](const Json& one) { return json_text(one).substr(0, 160); };
  for (std::size_t t = 0; t < std::min(stated.size(), expected.size()); ++t) {
    if (stated[t] == expected[t]) continue;
    return fmt::format("'suboptimal' has {} as entry {}: {} is expected", shown(stated[t]), t + 1, shown(expected[t]));
  }
  if (stated.size() == expected.size()) return {};
  return fmt::format("'suboptimal' has {}: {} are expected", quantity(stated.size(), "structure"), expected.size());
}

/// Lists the structures near the least energy anew, if the record has any, and compares them. Each one's loops are
/// added up anew. None has less energy than the record's own.
Violation find_suboptimal_violation(const formats::RnaRecord& record, const Json& stated, const Json& solution,
                                    const rna::Parameters& parameters, const rna::FoldRequest& request,
                                    const Options& limits) {
  if (!stated.contains("suboptimal")) return {};
  SuboptimalOptions options;
  if (solution.contains("within")) options.within = number_at<double>(solution, "within");
  if (solution.contains("best")) options.best = integer<std::size_t>(solution["best"]);
  const Json& listed = list_at(stated, "suboptimal");
  static_cast<void>(value_at(stated, "suboptimal_complete"));
  const bool is_complete = truth_at(stated, "suboptimal_complete", true);
  const auto found = rna::suboptimal(record.sequence, parameters, limits, request, options.request()).solution;
  for (const rna::Folding& folding : found.structures) {
    const Verdict verdict = rna::verify(record.sequence, folding, parameters, request);
    if (!verdict) return verdict.violation;
  }
  Json expected;
  add_suboptimal(expected, found);
  if (Violation violation = find_list_violation(listed, expected["suboptimal"])) return violation;
  if (is_complete != found.is_complete) {
    return fmt::format("'suboptimal_complete' is {}: {} is expected", is_complete, found.is_complete);
  }
  const auto energy = number_at<rna::Energy>(stated, "energy");
  if (found.structures.empty() || found.structures[0].energy >= energy) return {};
  return fmt::format("'energy' is {}: the first structure of 'suboptimal' has {}", rna::energy_text(energy),
                     rna::energy_text(found.structures[0].energy));
}

std::vector<formats::RnaRecord> records_of(const Files& instance) {
  return formats::read_rna_sequences(instance.front(), formats::FaultyRecords::keep);
}

/// The bases of the records that the solution has folded.
std::size_t total_bases_of(const std::vector<formats::RnaRecord>& records, const Json& stated) {
  std::size_t total = 0;
  for (std::size_t t = 0; t < records.size(); ++t) total += has_failed(stated[t]) ? 0 : records[t].sequence.size();
  return total;
}

/// Checks one record of the solution, and adds its energy. A record that failed has an error instead of a structure.
Verdict verify_record(const formats::RnaRecord& record, const Json& stated, const rna::Parameters& parameters,
                      const rna::FoldRequest& common, const Json& solution, const Options& limits,
                      std::int64_t& energy) {
  if (text_at(stated, "name") != record.name) {
    return infeasible(fmt::format("record '{}' is '{}' in the file", text_at(stated, "name"), record.name));
  }
  if (has_failed(stated)) return {.unchecked = "the records that failed"};
  if (!record.error.empty()) throw Error(ErrorKind::input, record.error);
  if (number_at<std::size_t>(stated, "n") != record.sequence.size()) {
    return infeasible(fmt::format("record '{}' has {} bases in the file", record.name, record.sequence.size()));
  }
  const rna::Folding folding{number_at<rna::Energy>(stated, "energy"), text_at(stated, "structure")};
  energy += folding.energy;
  const rna::FoldRequest request = request_of(common, stated);
  Verdict verdict;
  try {
    verdict = rna::verify(record.sequence, folding, parameters, request);
    if (!verdict.violation) {
      if (Violation wrong = find_ensemble_violation(record, stated, solution, parameters, request, limits)) {
        verdict = wrong_cost(*wrong);
      } else if (Violation other = find_suboptimal_violation(record, stated, solution, parameters, request, limits)) {
        verdict = wrong_cost(*other);
      }
    }
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input && error.kind() != ErrorKind::usage) throw;
    verdict = infeasible(error.what());
  }
  if (verdict.violation) *verdict.violation = fmt::format("record '{}': {}", record.name, *verdict.violation);
  return verdict;
}

}  // namespace

Verdict verify_fold(const Files& instance, const Json& solution, const Options& limits) {
  const auto records = records_of(instance);
  const Json& stated = list_at(solution, "records");
  if (stated.size() != records.size()) {
    return infeasible(
        fmt::format("{}, the file has {}", quantity(stated.size(), "record"), quantity(records.size(), "sequence")));
  }
  const char* const status = std::ranges::any_of(stated, has_failed) ? "incomplete" : "optimal";
  if (Violation violation = find_run_violation(solution, total_bases_of(records, stated), status)) {
    return infeasible(*violation);
  }
  check_results_of_all(stated, solution);
  const rna::Parameters parameters = parameters_of(instance, solution);
  const rna::FoldRequest request = fold_request(solution);
  std::int64_t energy = 0;
  Verdict all;
  for (std::size_t t = 0; t < records.size(); ++t) {
    Verdict verdict = verify_record(records[t], stated[t], parameters, request, solution, limits, energy);
    if (!verdict) return verdict;
    if (!verdict.is_complete()) all = std::move(verdict);
  }
  if (const auto cost = integer<std::int64_t>(value_at(solution, "cost")); cost != energy) {
    return wrong_cost(
        fmt::format("the cost is {}, the energies add up to {}", rna::energy_text(cost), rna::energy_text(energy)));
  }
  return all;
}

Json fold_optimum(const Files& instance, const Json& solution, Options limits) {
  limits.algorithm = value_at(solution, "algorithm") == "reference" ? "tiled" : "reference";
  const rna::Parameters parameters = parameters_of(instance, solution);
  std::int64_t energy = 0;
  const auto records = records_of(instance);
  const Json& stated = list_at(solution, "records");
  for (std::size_t t = 0; t < std::min(records.size(), stated.size()); ++t) {
    if (has_failed(stated[t])) continue;
    const rna::FoldRequest request = request_of(fold_request(solution), stated[t]);
    energy += rna::fold(records[t].sequence, parameters, limits, request).solution.energy;
  }
  return energy;
}

}  // namespace warpfold::app
