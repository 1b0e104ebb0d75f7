#pragma once

#include <string>
#include <vector>

/// Checks the names of output files before the work.
namespace warpfold::app {

/// Raises Error{usage} unless the name of an output file is empty or has the ending. `otherwise` is the advice in the
/// message.
void require_extension(const std::string& option, const std::string& path, const std::string& ending,
                       const std::string& otherwise = "");

/// Call it before a solve, so that a failing run leaves no file. Raises Error{usage} if two outputs are the same file
/// or one is an input, and Error{input} if one cannot be written. Ignores empty paths and "-".
void check_outputs(const std::vector<std::string>& paths);

/// For a run that has nothing to write at `path`: removes the file of an earlier run, so that nobody takes it for this
/// run's, and adds a note with the reason. Ignores an empty path and a name that ends in .json, which is written
/// anyway.
void leave_unwritten(const std::string& path, const std::string& reason);

}  // namespace warpfold::app
