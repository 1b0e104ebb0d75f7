#pragma once

#include <initializer_list>
#include <string>
#include <utility>

#include "papers/registry.hpp"

namespace warpfold::papers {

/// A file of recorded results, results/MACHINE/NAME.json, for the cells of an experiment.
class Results {
 public:
  /// If options.results is empty there is no file, and every cell is "not recorded". Raises Error{input} that names the
  /// file if it cannot be read or has another form.
  Results(const RunOptions& options, const std::string& machine, const std::string& name);

  /// Returns `key` of the only row with these parameters; a time has that row's spread. Returns null, the empty cell,
  /// if there is no such row. Raises Error{input} that names the file if the value is not a number.
  [[nodiscard]] Cell cell(std::initializer_list<std::pair<const char*, nlohmann::json>> parameters,
                          const char* key = "median_seconds") const;

  /// The row itself, or null if there is none.
  [[nodiscard]] nlohmann::json row(std::initializer_list<std::pair<const char*, nlohmann::json>> parameters) const;

  /// The machine, "NVIDIA H200", the date and commit, "2026-11-20, commit 7629523", and both together.
  [[nodiscard]] std::string machine() const;
  [[nodiscard]] std::string date() const;
  [[nodiscard]] std::string where() const;

  /// Both, with the command and the file: a note for the table.
  [[nodiscard]] std::string source() const;

 private:
  std::string name_;  ///< "MACHINE/NAME.json"
  std::string path_;
  nlohmann::json file_;  ///< null: no results were recorded
};

inline constexpr const char* not_recorded = "not recorded";

/// Returns the cell, or "not recorded" if it is null. For rows that a file need not have.
[[nodiscard]] Cell or_not_recorded(Cell cell);

}  // namespace warpfold::papers
