#pragma once

#include <filesystem>

namespace warpfold::papers {

/// The folder of the installed data, in the build tree or installed, found relative to the program: results/, the
/// recorded results; papers/PAPER/items.json; errata.md. Empty if it does not exist.
[[nodiscard]] std::filesystem::path data_folder();

/// The recorded results in the data folder. Empty if they do not exist.
[[nodiscard]] std::filesystem::path recorded_results();

}  // namespace warpfold::papers
