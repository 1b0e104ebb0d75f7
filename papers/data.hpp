#pragma once

#include <filesystem>

namespace warpfold::papers {

/// What is installed with the program, found from where the program lies, in its build tree and installed: results/,
/// the recorded results; papers/PAPER/items.json; errata.md. Empty where it is not there.
[[nodiscard]] std::filesystem::path data_folder();

/// The recorded results of the data folder; empty where it is not there.
[[nodiscard]] std::filesystem::path recorded_results();

}  // namespace warpfold::papers
