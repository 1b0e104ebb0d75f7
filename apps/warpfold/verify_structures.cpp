#include <fmt/format.h>

#include <algorithm>

#include "verify.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/formats/energy_parameters.hpp"
#include "warpfold/formats/rna_structures.hpp"
#include "warpfold/io/file.hpp"
#include "warpfold/rna/fold.hpp"

namespace warpfold::app {

namespace {

using formats::RnaRecord;
using formats::RnaStructure;

/// The energies of an instance: its second file, or the library's set.
rna::Parameters parameters_of(const Files& instance) {
  return formats::energy_parameters(instance.size() > 1 ? instance[1] : "rules-1998");
}

/// Checks one structure against its record.
Verdict verify_structure(const RnaRecord& record, const RnaStructure& stated, const rna::Parameters& parameters) {
  if (stated.record.sequence.letters() != record.sequence.letters()) {
    return infeasible("its sequence is another in the file of sequences");
  }
  if (!stated.record.name.empty() && stated.record.name != record.name) {
    return infeasible(fmt::format("its name '{}' is '{}' in the file of sequences", stated.record.name, record.name));
  }
  const rna::Energy energy = rna::energy_of(record.sequence, stated.structure, parameters);
  Verdict verdict = rna::verify(record.sequence, {stated.energy.value_or(energy), stated.structure}, parameters);
  if (!verdict)
    *verdict.violation +=
        " (at 37 degrees, --dangles 2, without --shape, --circular and --pair-energies; a .json file states these)";
  return verdict;
}

/// Checks that no other structure has less energy than this one.
void find_lower(Verdict& verdict, const RnaRecord& record, const RnaStructure& stated,
                const rna::Parameters& parameters, const Options& limits) {
  const rna::Energy energy = rna::energy_of(record.sequence, stated.structure, parameters);
  if (rna::fold(record.sequence, parameters, limits).solution.energy < energy) verdict.is_optimal = false;
}

}  // namespace

bool is_rna_structure_file(const std::string& path) {
  const std::string ending = io::extension(path);
  return ending == ".db" || ending == ".ct" || ending == ".bpseq";
}

Verdict verify_structures(const Files& instance, const std::string& path, bool optimal, const Options& limits) {
  if (instance.size() > 2) {
    throw Error(
        ErrorKind::usage,
        "structures are checked against a file of sequences and, or not, a file of energies: these are accepted");
  }
  const auto records = formats::read_rna_sequences(instance[0]);
  const rna::Parameters parameters = parameters_of(instance);
  const auto stated = formats::read_rna_structures(path);
  if (stated.size() != records.size()) {
    return infeasible(fmt::format("it has {} structures for {} sequences", stated.size(), records.size()));
  }
  Verdict verdict;
  verdict.is_optimal = optimal;
  for (std::size_t t = 0; t < records.size(); ++t) {
    try {
      Verdict one = verify_structure(records[t], stated[t], parameters);
      if (!one) {
        *one.violation = fmt::format("structure {}: {}", t + 1, *one.violation);
        return one;
      }
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::input) throw;
      return infeasible(fmt::format("structure {}: {}", t + 1, error.what()));
    }
    if (optimal) find_lower(verdict, records[t], stated[t], parameters, limits);
  }
  return verdict;
}

}  // namespace warpfold::app
