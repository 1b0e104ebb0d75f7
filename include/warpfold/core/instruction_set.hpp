#pragma once

#include <string>
#include <vector>

namespace warpfold {

/// Lists the vector instruction sets that this build has code for and this processor supports, the best first. Solvers
/// use the first one.
[[nodiscard]] std::vector<std::string> instruction_sets();

/// Makes all later solves of this process use one of `instruction_sets()`. An empty name selects the best one again.
/// Raises Error{usage} for a name that is not in the list.
///
/// For tests and comparisons. Call it only while nothing is being solved.
void force_instruction_set(const std::string& name);

}  // namespace warpfold
