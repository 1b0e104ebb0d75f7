#pragma once

#include <string>
#include <vector>

/// What is checked of the names of output files before the work.
namespace warpfold::app {

/// Raises Error{usage} unless a name of an output file is empty or has the ending; `otherwise` says when another one
/// is.
void require_extension(const std::string& option, const std::string& path, const std::string& ending,
                       const std::string& otherwise = "");

/// For before a solve, so that a run that fails leaves no file: raises Error{usage} where two of the output files are
/// one, or one is an input, Error{input} for one that cannot be written. Empty paths are no file, and "-" is none.
void check_outputs(const std::vector<std::string>& paths);

}  // namespace warpfold::app
