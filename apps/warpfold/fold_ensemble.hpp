#pragma once

#include <string>
#include <vector>

#include "result.hpp"
#include "warpfold/formats/rna_sequences.hpp"
#include "warpfold/rna/ensemble.hpp"

/// How `fold` writes ensembles.
namespace warpfold::app {

/// The centroid with the energy of the ensemble in square brackets, and a line for each sample.
[[nodiscard]] std::string ensemble_text(const rna::Ensemble& ensemble);

/// Adds the keys of an ensemble to those of its record.
void add_ensemble(Json& record, const rna::Ensemble& ensemble);

/// Writes the pairs' probabilities. .tsv: record, both positions from 1, probability. .svg: a dot plot of one sequence;
/// raises Error{usage} for several.
void write_probabilities(const std::string& path, const std::vector<formats::RnaRecord>& records,
                         const std::vector<rna::Ensemble>& ensembles);

/// Writes the probabilities that windows are unpaired, in .tsv: a line for each base, with the windows of 1 to
/// max_window bases that end there.
void write_accessibility(const std::string& path, const std::vector<formats::RnaRecord>& records,
                         const std::vector<rna::Ensemble>& ensembles, std::size_t max_window);

}  // namespace warpfold::app
