#include <fmt/format.h>

#include "verify.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/formats/energy_parameters.hpp"
#include "warpfold/formats/rna_sequences.hpp"
#include "warpfold/rna/fold.hpp"

namespace warpfold::app {

namespace {

rna::FoldRequest fold_request(const Json& solution) {
  return {.temperature = number_at<double>(solution, "temperature"),
          .dangles = whole<int>(value_at(solution, "dangles")),
          .max_span = solution.contains("max_span") ? whole<std::size_t>(solution["max_span"]) : 0};
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
                      const rna::FoldRequest& request, std::int64_t& energy) {
  if (text_at(stated, "name") != record.name) {
    return infeasible(fmt::format("record '{}' is '{}' in the file", text_at(stated, "name"), record.name));
  }
  if (whole<std::size_t>(value_at(stated, "n")) != record.sequence.size()) {
    return infeasible(fmt::format("record '{}' has {} bases in the file", record.name, record.sequence.size()));
  }
  const rna::Folding folding{whole<rna::Energy>(value_at(stated, "energy")), text_at(stated, "structure")};
  energy += folding.energy;
  Verdict verdict = rna::verify(record.sequence, folding, parameters, request);
  if (verdict.violation) *verdict.violation = fmt::format("record '{}': {}", record.name, *verdict.violation);
  return verdict;
}

}  // namespace

Verdict verify_fold(const Files& instance, const Json& solution, const Options& /*limits*/) {
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
    if (Verdict verdict = verify_record(records[t], stated[t], parameters, request, energy); !verdict) return verdict;
  }
  if (const auto cost = whole<std::int64_t>(value_at(solution, "cost")); cost != energy) {
    return wrong_cost(fmt::format("the cost is {}, the energies add up to {}", cost, energy));
  }
  return {};
}

Json fold_optimum(const Files& instance, const Json& solution, Options limits) {
  limits.algorithm = value_at(solution, "algorithm") == "reference" ? "tiled" : "reference";
  const rna::Parameters parameters = formats::energy_parameters(text_at(solution, "parameters"));
  std::int64_t energy = 0;
  for (const auto& record : records_of(instance)) {
    energy += rna::fold(record.sequence, parameters, limits, fold_request(solution)).solution.energy;
  }
  return energy;
}

}  // namespace warpfold::app
