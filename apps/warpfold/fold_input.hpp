#pragma once

#include <string>
#include <vector>

#include "warpfold/formats/rna_sequences.hpp"
#include "warpfold/rna/fold.hpp"

/// What the command `fold` and its verifier read.
namespace warpfold::app {

/// The parameters of a name in a result: those that come with the library, or a file's.
[[nodiscard]] rna::Parameters energy_parameters(const std::string& name);

}  // namespace warpfold::app
