#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fold_suboptimal.hpp"
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
          .dangles = whole<int>(value_at(solution, "dangles")),
          .max_span = solution.contains("max_span") ? whole<std::size_t>(solution["max_span"]) : 0,
          .lone_pairs = !solution.contains("lone_pairs") || solution["lone_pairs"] != false,
          .circular = solution.contains("circular") && solution["circular"] == true};
}

std::vector<rna::PairEnergy> pair_energies_of(const Json& list) {
  std::vector<rna::PairEnergy> pairs;
  for (const Json& pair : list) {
    const auto numbers = integers<rna::Energy>(pair);
    if (numbers.size() != 3 || numbers[0] < 1 || numbers[1] < 1) {
      throw Error(ErrorKind::input, "pair_energies: two positions from 1 and an energy are accepted");
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
  if (record.contains("stack_energies"))
    request.stack_energies = integers<rna::Energy>(list_at(record, "stack_energies"));
  if (record.contains("pair_energies")) request.pair_energies = pair_energies_of(list_at(record, "pair_energies"));
  return request;
}

/// Computes the ensemble of a record anew, if it has one, and compares it.
Violation find_ensemble_violation(const formats::RnaRecord& record, const Json& stated, const Json& solution,
                                  const rna::Parameters& parameters, const rna::FoldRequest& request,
                                  const Options& limits) {
  if (!stated.contains("ensemble_energy")) return {};
  rna::EnsembleRequest wanted;
  if (solution.contains("seed")) wanted.seed = whole<std::uint64_t>(solution["seed"]);
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

/// Lists the structures near the least energy anew, if the record has any, and compares them. Each one's loops are
/// added up anew.
Violation find_suboptimal_violation(const formats::RnaRecord& record, const Json& stated, const Json& solution,
                                    const rna::Parameters& parameters, const rna::FoldRequest& request,
                                    const Options& limits) {
  if (!stated.contains("suboptimal")) return {};
  SuboptimalOptions options;
  if (solution.contains("within")) options.within = number_at<double>(solution, "within");
  if (solution.contains("best")) options.best = whole<std::size_t>(solution["best"]);
  const auto found = rna::suboptimal(record.sequence, parameters, limits, request, options.request()).solution;
  for (const rna::Folding& folding : found.structures) {
    const Verdict verdict = rna::verify(record.sequence, folding, parameters, request);
    if (!verdict) return verdict.violation;
  }
  Json expected;
  add_suboptimal(expected, found);
  const bool is_equal = stated["suboptimal"] == expected["suboptimal"] &&
                        value_at(stated, "suboptimal_complete") == expected["suboptimal_complete"];
  return is_equal ? Violation() : "the structures near the least energy are others";
}

std::vector<formats::RnaRecord> records_of(const Files& instance) {
  return formats::read_rna_sequences(instance.front());
}

std::size_t total_bases_of(const std::vector<formats::RnaRecord>& records) {
  std::size_t total = 0;
  for (const auto& record : records) total += record.sequence.size();
  return total;
}

/// Checks one record of the solution, and adds its energy.
Verdict verify_record(const formats::RnaRecord& record, const Json& stated, const rna::Parameters& parameters,
                      const rna::FoldRequest& common, const Json& solution, const Options& limits,
                      std::int64_t& energy) {
  if (text_at(stated, "name") != record.name) {
    return infeasible(fmt::format("record '{}' is '{}' in the file", text_at(stated, "name"), record.name));
  }
  if (whole<std::size_t>(value_at(stated, "n")) != record.sequence.size()) {
    return infeasible(fmt::format("record '{}' has {} bases in the file", record.name, record.sequence.size()));
  }
  const rna::Folding folding{whole<rna::Energy>(value_at(stated, "energy")), text_at(stated, "structure")};
  energy += folding.energy;
  const rna::FoldRequest request = request_of(common, stated);
  Verdict verdict = rna::verify(record.sequence, folding, parameters, request);
  try {
    if (!verdict.violation) {
      if (Violation wrong = find_ensemble_violation(record, stated, solution, parameters, request, limits)) {
        verdict = wrong_cost(*wrong);
      } else if (Violation other = find_suboptimal_violation(record, stated, solution, parameters, request, limits)) {
        verdict = wrong_cost(*other);
      }
    }
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input) throw;
    verdict = infeasible(error.what());
  }
  if (verdict.violation) *verdict.violation = fmt::format("record '{}': {}", record.name, *verdict.violation);
  return verdict;
}

}  // namespace

Verdict verify_fold(const Files& instance, const Json& solution, const Options& limits) {
  const auto records = records_of(instance);
  if (Violation violation = find_run_violation(solution, total_bases_of(records))) return infeasible(*violation);
  const rna::Parameters parameters = formats::energy_parameters(text_at(solution, "parameters"));
  const rna::FoldRequest request = fold_request(solution);
  const Json& stated = list_at(solution, "records");
  if (stated.size() != records.size()) {
    return infeasible(fmt::format("{} records are {} in the file", stated.size(), records.size()));
  }
  std::int64_t energy = 0;
  for (std::size_t t = 0; t < records.size(); ++t) {
    if (Verdict verdict = verify_record(records[t], stated[t], parameters, request, solution, limits, energy); !verdict)
      return verdict;
  }
  if (const auto cost = whole<std::int64_t>(value_at(solution, "cost")); cost != energy) {
    return wrong_cost(
        fmt::format("the cost is {}, the energies add up to {}", rna::energy_text(cost), rna::energy_text(energy)));
  }
  return {};
}

Json fold_optimum(const Files& instance, const Json& solution, Options limits) {
  limits.algorithm = value_at(solution, "algorithm") == "reference" ? "tiled" : "reference";
  const rna::Parameters parameters = formats::energy_parameters(text_at(solution, "parameters"));
  std::int64_t energy = 0;
  const auto records = records_of(instance);
  const Json& stated = list_at(solution, "records");
  for (std::size_t t = 0; t < std::min(records.size(), stated.size()); ++t) {
    const rna::FoldRequest request = request_of(fold_request(solution), stated[t]);
    energy += rna::fold(records[t].sequence, parameters, limits, request).solution.energy;
  }
  return energy;
}

}  // namespace warpfold::app
