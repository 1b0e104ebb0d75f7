#pragma once

#include <initializer_list>
#include <string>
#include <utility>

#include "papers/registry.hpp"

namespace warpfold::papers {

/// A file of raw results, results/MACHINE/NAME.json, from which an experiment takes what was recorded on that machine.
class Results {
 public:
  /// No file where options.results is empty: every cell is "not recorded". Raises Error{input} that names the file
  /// where it cannot be read or is no result file.
  Results(const RunOptions& options, const std::string& machine, const std::string& name);

  /// `key` of the one row whose parameters are all as given, a time with that row's spread; null, the empty cell, where
  /// there is none. Raises Error{input} that names the file where it is no number.
  [[nodiscard]] Cell cell(std::initializer_list<std::pair<const char*, nlohmann::json>> parameters,
                          const char* key = "median_seconds") const;

  /// The row itself, null where there is none.
  [[nodiscard]] nlohmann::json row(std::initializer_list<std::pair<const char*, nlohmann::json>> parameters) const;

  /// "NVIDIA H200", "2026-11-20, commit 7629523", and both.
  [[nodiscard]] std::string machine() const;
  [[nodiscard]] std::string date() const;
  [[nodiscard]] std::string where() const;

  /// The same, with the command and the file: a note for the table.
  [[nodiscard]] std::string source() const;

 private:
  std::string name_;  ///< "MACHINE/NAME.json"
  std::string path_;
  nlohmann::json file_;  ///< null: nothing was recorded
};

inline constexpr const char* not_recorded = "not recorded";

/// What was recorded, or that it was not, where a file need not have the row.
[[nodiscard]] Cell or_not_recorded(Cell cell);

}  // namespace warpfold::papers
