#pragma once

#include <functional>
#include <string>
#include <vector>

#include "formats/block_limits.hpp"
#include "io/lines.hpp"
#include "warpfold/formats/rna_sequences.hpp"

/// Readers of RNA sequences, block by block.
namespace warpfold::formats {

/// Gives the next records of a file, and none at its end.
using RnaBlocks = std::function<std::vector<RnaRecord>(const BlockLimits& limits)>;

/// Reads a file as `read_rna_sequences` does, but holds a block of it. Raises the same errors, those of a record where
/// its block is read.
[[nodiscard]] RnaBlocks rna_blocks(io::LineReader lines, FaultyRecords faulty = FaultyRecords::reject);
[[nodiscard]] RnaBlocks rna_blocks(const std::string& path, FaultyRecords faulty = FaultyRecords::reject);

}  // namespace warpfold::formats
