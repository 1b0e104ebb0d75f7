#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "sequence_input.hpp"
#include "warpfold/sequence/batch.hpp"

/// --pairs, --all and --nearest of `edit-distance`, `lcs` and `align`: lines of TSV for pairs of many sequences.
namespace warpfold::app {

using SequenceViews = std::span<const sequence::SymbolView>;

/// The names of a pair, for messages.
using PairLabel = std::function<std::string(std::size_t at)>;

/// How a command solves many pairs.
struct BatchSolver {
  /// The columns that follow the names and lengths of A[i] and B[i], for all i.
  std::function<std::vector<std::string>(SequenceViews a, SequenceViews b, const PairLabel& label)> of_pairs;
  /// The same of every A[i] and every B[j], row by row. Empty: they are solved as pairs.
  std::function<std::vector<std::string>(SequenceViews a, SequenceViews b)> of_all = {};
  /// The places in B of the sequences that are nearest to each A[i], nearest first.
  std::function<std::vector<std::vector<sequence::Neighbor>>(SequenceViews a, SequenceViews b)> nearest = {};
  bool is_wide = false;  ///< all symbols that it gets have 4 bytes
};

/// Adds --pairs and --all. `has_nearest`: also --nearest.
void add_batch_options(Command command, SequenceOptions& options, bool has_nearest = true);

/// Whether one of these options is given.
[[nodiscard]] bool wants_batch(const SequenceOptions& options);

/// Prints a line of TSV for each pair of sequences of two files, or writes it to --output: both names and lengths, and
/// the columns of the solver. A block of both files is held at a time, of --all and --nearest all of B. An error ends
/// the run when the lines of the blocks before it are printed. Raises Error{usage} for options that are for one pair.
void run_batch(const SequenceOptions& options, const BatchSolver& solver);

/// The same by distances. The columns are the distance or the length of a longest common subsequence, "-" beyond
/// --max-distance, and with --script a CIGAR.
void run_batch_of_distances(const SequenceOptions& options, sequence::Measure measure);

}  // namespace warpfold::app
