#pragma once

#include "binding.hpp"
#include "warpfold/sequence/script.hpp"
#include "warpfold/sequence/symbols.hpp"

/// What all functions of two sequences share.
namespace warpfold::python {

/// Codes two values that edit_distance accepts. Raises TypeError that names the wrong one. `iupac`: letters of DNA are
/// sets of bases; for other symbols raises ValueError.
[[nodiscard]] sequence::Coded coded_pair(nb::handle a, nb::handle b, bool iupac);

/// The code points of text, or the values of bytes and of an array of integers below 2^32. Raises TypeError for any
/// other value.
[[nodiscard]] std::vector<std::uint32_t> symbols_of(const char* name, nb::handle value);

/// The name of a rule for ties.
[[nodiscard]] sequence::Ties ties_of(nb::handle value);

}  // namespace warpfold::python
