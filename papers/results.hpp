#pragma once

#include <initializer_list>
#include <string>
#include <utility>

#include "papers/registry.hpp"

namespace warpfold::papers {

/// A file of raw results, results/MACHINE/NAME.json, from which an experiment takes cells that this machine cannot
/// measure by itself.
class Results {
 public:
  /// Raises Error{input} that names the file where it cannot be read or is no result file.
  Results(const RunOptions& options, const std::string& machine, const std::string& name);

  /// `key` of the one row whose parameters are all as given, times `factor`; null, the empty cell, where there is none.
  [[nodiscard]] nlohmann::json cell(std::initializer_list<std::pair<const char*, nlohmann::json>> parameters,
                                    const char* key = "median_seconds", double factor = 1) const;

  /// Where and when it was measured, from which commit and by which command: a note for the table.
  [[nodiscard]] std::string source() const;

 private:
  std::string path_;
  nlohmann::json file_;
};

}  // namespace warpfold::papers
