#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

/// The tables and figures of the papers as runnable experiments: what the paper prints beside what is measured.
namespace warpfold::papers {

/// What an experiment found, with a row for each row of the paper's table or each point of its figure.
/// A cell is a number or a string; null is an empty cell, and an experiment with one has failed.
struct Table {
  std::vector<std::string> columns;
  std::vector<std::vector<nlohmann::json>> rows;
  std::vector<std::string> notes;  ///< parameters, choices the paper leaves open, where measured cells come from
  bool log_x = false;              ///< the chart's horizontal axis (the first column) is logarithmic
};

struct RunOptions {
  std::uint64_t seed = 1;
  int trials = 0;                             ///< repetitions of a random experiment; 0: as many as the paper states
  std::filesystem::path results = "results";  ///< holds MACHINE/NAME.json, for figures this machine cannot measure
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
[[nodiscard]] const Experiment& find_experiment(const std::string& id);

/// Runs it. Raises Error{internal} where the table is ragged, has no row or has an empty cell, naming row and column.
[[nodiscard]] Table run(const Experiment& experiment, const RunOptions& options);

/// The table in one format each: a Markdown page, comma-separated values, JSON, and a line chart with a line for every
/// column of numbers over the first column. `to_svg` raises Error{usage} where there is no number to draw.
[[nodiscard]] std::string to_markdown(const Experiment& experiment, const Table& table);
[[nodiscard]] std::string to_csv(const Table& table);
[[nodiscard]] nlohmann::ordered_json to_json(const Experiment& experiment, const Table& table);
[[nodiscard]] std::string to_svg(const Experiment& experiment, const Table& table);

}  // namespace warpfold::papers
