#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "fold_input.hpp"
#include "result.hpp"
#include "warpfold/rna/ensemble.hpp"

/// How `fold` writes ensembles.
namespace warpfold::app {

/// The centroid with the energy of the ensemble in square brackets, and a line for each sample.
[[nodiscard]] std::string ensemble_text(const rna::Ensemble& ensemble);

/// Adds the keys of an ensemble to those of its record.
void add_ensemble(Json& record, const rna::Ensemble& ensemble);

/// Writes the pairs' probabilities of a block to a file with this ending. .tsv: record, both positions from 1,
/// probability. Of one sequence .svg: a dot plot, or .npz: a sparse matrix.
void write_probabilities(std::ostream& out, const std::string& ending, const FoldBlock& block,
                         const std::vector<rna::Ensemble>& ensembles);

/// Writes the probabilities that windows are unpaired, in .tsv: a line for each base, with the windows of 1 to
/// max_window bases that end there.
void write_accessibility(std::ostream& out, const FoldBlock& block, const std::vector<rna::Ensemble>& ensembles,
                         std::size_t max_window);

}  // namespace warpfold::app
