#pragma once

#include <cstddef>
#include <string>

#include "warpfold/formats/sequences.hpp"
#include "warpfold/sequence/script.hpp"

/// Drawings of scripts.
namespace warpfold::formats {

/// Returns a dot plot as SVG: A from top to bottom, B from left to right, the script as a line, and below it a bar for
/// each 240th of the script's columns, whose height is the share of matches. Two sequences of 60 symbols or less have
/// their letters, and a dot for each pair of equal symbols. A drawing has less than 200 kB at any length: a line leaves
/// out steps that are less than half a unit long, of 720 units.
[[nodiscard]] std::string script_drawing(const SymbolSequence& a, const SymbolSequence& b, const sequence::Coded& codes,
                                         const sequence::Script& script);

/// The same of two series of n and m points, without symbols and bars.
[[nodiscard]] std::string path_drawing(std::size_t n, std::size_t m, const sequence::Script& path);

}  // namespace warpfold::formats
