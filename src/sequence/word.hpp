#pragma once

#include <cstdint>

#include "sequence/backends.hpp"
#include "warpfold/run/run.hpp"

/// 64 rows in a word, whose carries an adder resolves (Myers 1999, Hyyro 2003 and 2004).
namespace warpfold::sequence {

/// The distance of unit costs: block by block of 64 rows over all columns. Takes a byte a column, and 8 bytes a code.
[[nodiscard]] std::int64_t word_distance(const Coded& pair, Measure measure, SolveMonitor& monitor);

/// The distance and its script, from two bits a cell.
[[nodiscard]] Distance by_words(const Query& query, Context& context);

}  // namespace warpfold::sequence
