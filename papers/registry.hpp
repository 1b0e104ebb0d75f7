#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "papers/table.hpp"
#include "warpfold/core/error.hpp"

/// The tables and figures of the papers as experiments that can be run. Each shows the paper's values, values recorded
/// on other machines, and values measured on this one.
namespace warpfold::papers {

struct RunOptions {
  std::uint64_t seed = 1;
  int trials = 0;  ///< repetitions of a random experiment; 0: the paper's number
  /// The folder of the recorded results MACHINE/NAME.json; empty: none.
  std::filesystem::path results = {};
  double row_seconds = 5;  ///< a row that would take longer on this machine is not measured
};

struct Experiment {
  std::string id;     ///< "PAPER/table-1", as typed after `warpfold paper run`
  std::string paper;  ///< authors' title and year
  std::string title;  ///< what the table or figure shows
  std::function<Table(const RunOptions&)> run;
};

/// Every experiment, in the papers' order. Each papers/PAPER/ adds its experiments with one function, which
/// registry.cpp lists.
[[nodiscard]] const std::vector<Experiment>& experiments();

/// Raises Error{usage} with the accepted names for an unknown `id`.
[[nodiscard]] const Experiment& find_experiment(std::string_view id);

/// The error for an id that is not a `kind`. It says that the id is one of `others`, for which there is `command`.
/// Otherwise it lists the `accepted` ids that contain this id, or all.
[[nodiscard]] Error unknown_id(const char* kind, const std::string& id, const std::vector<std::string>& accepted,
                               const std::vector<std::string>& others, const char* command);

template <class Entry>
[[nodiscard]] std::vector<std::string> ids_of(const std::vector<Entry>& entries) {
  std::vector<std::string> ids;
  for (const Entry& entry : entries) ids.push_back(entry.id);
  return ids;
}

/// "warpfold paper run ID", with the seed and the trials if they are not the defaults.
[[nodiscard]] std::string command_of(const Experiment& experiment, const RunOptions& options);

/// Runs an experiment. Raises Error{internal} that names row and column, if the table is ragged, has no row or has an
/// empty cell.
[[nodiscard]] Table run(const Experiment& experiment, const RunOptions& options);

/// The table in one format: a Markdown page with its command, comma-separated values, JSON with plain numbers
/// (seconds), or the chart. `to_svg` raises Error{usage} if there is no chart.
[[nodiscard]] std::string to_markdown(const Experiment& experiment, const Table& table, const RunOptions& options);
[[nodiscard]] std::string to_csv(const Table& table);
[[nodiscard]] nlohmann::ordered_json to_json(const Experiment& experiment, const Table& table);
[[nodiscard]] std::string to_svg(const Experiment& experiment, const Table& table);

/// The table alone, in Markdown.
[[nodiscard]] std::string markdown_table(const Table& table);

}  // namespace warpfold::papers
