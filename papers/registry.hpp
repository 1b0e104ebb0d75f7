#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "papers/table.hpp"
#include "warpfold/core/error.hpp"

/// The tables and figures of the papers as runnable experiments: what the paper prints beside what was recorded on
/// other machines and what this one measures.
namespace warpfold::papers {

struct RunOptions {
  std::uint64_t seed = 1;
  int trials = 0;  ///< repetitions of a random experiment; 0: as many as the paper states
  /// Holds MACHINE/NAME.json, what was recorded; empty: nothing was.
  std::filesystem::path results = {};
  double row_seconds = 5;  ///< what would take this machine longer is not measured
};

struct Experiment {
  std::string id;     ///< "PAPER/table-1", as typed after `warpfold paper run`
  std::string paper;  ///< authors' title and year
  std::string title;  ///< what the table or figure shows
  std::function<Table(const RunOptions&)> run;
};

/// Every experiment, in the papers' order. Each papers/PAPER/ adds its own with one function, listed in registry.cpp.
[[nodiscard]] const std::vector<Experiment>& experiments();

/// Raises Error{usage} with the accepted names for an unknown `id`.
[[nodiscard]] const Experiment& find_experiment(std::string_view id);

/// The error for an id that names no `kind`: says that it is one of `others`, for which there is `command`, or names
/// those of `accepted` that the id is a part of, or all.
[[nodiscard]] Error unknown_id(const char* kind, const std::string& id, const std::vector<std::string>& accepted,
                               const std::vector<std::string>& others, const char* command);

template <class Entry>
[[nodiscard]] std::vector<std::string> ids_of(const std::vector<Entry>& entries) {
  std::vector<std::string> ids;
  for (const Entry& entry : entries) ids.push_back(entry.id);
  return ids;
}

/// "warpfold paper run ID", with the seed and the trials where they are not the usual ones.
[[nodiscard]] std::string command_of(const Experiment& experiment, const RunOptions& options);

/// Runs it. Raises Error{internal} where the table is ragged, has no row or has an empty cell, naming row and column.
[[nodiscard]] Table run(const Experiment& experiment, const RunOptions& options);

/// The table in one format each: a Markdown page with its command, comma-separated values and JSON with plain numbers
/// (seconds), and the chart. `to_svg` raises Error{usage} where there is none.
[[nodiscard]] std::string to_markdown(const Experiment& experiment, const Table& table, const RunOptions& options);
[[nodiscard]] std::string to_csv(const Table& table);
[[nodiscard]] nlohmann::ordered_json to_json(const Experiment& experiment, const Table& table);
[[nodiscard]] std::string to_svg(const Experiment& experiment, const Table& table);

/// The table alone, in Markdown.
[[nodiscard]] std::string markdown_table(const Table& table);

}  // namespace warpfold::papers
