#pragma once

#include <functional>
#include <string>

#include "formats/block_limits.hpp"
#include "io/lines.hpp"
#include "warpfold/formats/sequences.hpp"

/// Readers of many sequences, block by block.
namespace warpfold::formats {

/// Gives the next sequences of a file, and none at its end. A block that the limits do not end is the last one.
using SequenceBlocks = std::function<SequenceList(const BlockLimits& limits)>;

/// Reads a file as `read_sequence_list` does, but holds a block of it. Raises the same errors, those of a record where
/// its block is read.
[[nodiscard]] SequenceBlocks sequence_blocks(const std::string& path, const SequenceFormat& format,
                                             const SequenceReading& reading = {}, bool ignore_case = false);

/// Reads the records of FASTA or FASTQ, or the only one.
[[nodiscard]] SequenceBlocks fasta_blocks(io::LineReader lines, const SequenceReading& reading,
                                          bool accepts_many = true);

/// The rules of the files whose lines `line_blocks` reads.
[[nodiscard]] constexpr io::LineRules line_list_rules(bool is_text) {
  return {.is_text = is_text, .carriage_returns = false};
}
/// Reads lines without their ends. Their symbols are code points of UTF-8, or bytes.
[[nodiscard]] SequenceBlocks line_blocks(io::LineReader lines, bool is_text);

}  // namespace warpfold::formats
