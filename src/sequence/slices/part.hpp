#pragma once

#include <cstddef>

#include "sequence/slices/strip.hpp"
#include "sequence/walk.hpp"

namespace warpfold::sequence::slices {

/// A part of a strip, whose steps are kept for a walk.
struct KeptPart {
  AlignedWords steps;  ///< as Chunk::steps
  std::size_t first_step = 0;
  std::size_t first_row = 0, first_column = 0;  ///< of the table, where the strip begins
  std::size_t rows_before = 0;                  ///< of the strip, above `first_row`
};

/// Walks until it leaves the strip or comes before the first kept step.
void walk_back(Walk& walk, const KeptPart& part, const Layout& layout, const Table& table);

}  // namespace warpfold::sequence::slices
