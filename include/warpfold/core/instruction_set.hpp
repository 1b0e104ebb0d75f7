#pragma once

#include <string>
#include <vector>

namespace warpfold {

/// The vector instruction sets that this build has code for and this processor offers, the best first. Solvers take the
/// first one.
[[nodiscard]] std::vector<std::string> instruction_sets();

/// Makes later solves of the process use one of `instruction_sets()`, or the best one again for an empty name. It
/// exists to compare and to test them: call it while nothing is being solved. Raises Error{usage} for a name that is
/// not there.
void force_instruction_set(const std::string& name);

}  // namespace warpfold
