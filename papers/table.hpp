#pragma once

#include <concepts>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

/// What an experiment finds: a table whose columns say who measured them and where, and how it is drawn.
namespace warpfold::papers {

/// Where a column's cells come from.
enum class Source {
  key,        ///< what the row is about: a size, a method
  published,  ///< the paper, on its machine
  counted,    ///< this program's counting and drawing of lots: the same on every machine
  recorded,   ///< a file in results/, on the machine that it names
  measured    ///< this run, on this machine
};

/// A column; build it with the functions below.
struct Column {
  std::string name;
  Source source = Source::key;
  std::string where = {};  ///< the machine, for a recorded one with date and commit
  bool seconds = false;    ///< numbers are seconds
};

[[nodiscard]] Column key(const std::string& name);
[[nodiscard]] Column counted(const std::string& name);
[[nodiscard]] Column published(const std::string& name, const std::string& machine = "");
[[nodiscard]] Column recorded(const std::string& name, const std::string& where = "");
[[nodiscard]] Column measured(const std::string& name, const std::string& machine);
/// The same with numbers that are seconds.
[[nodiscard]] Column in_seconds(Column column);

/// "speed-up, published (GeForce GTX 680)": the name and whose it is.
[[nodiscard]] std::string heading(const Column& column);

/// A number or a text; null is an empty cell, and an experiment with one has failed.
struct Cell {
  nlohmann::json value;
  double spread = 0;   ///< (slowest - fastest) / median of what was measured several times
  double fastest = 0;  ///< of those times; 0: not known

  Cell() = default;
  /// Whatever JSON holds is a cell.
  template <class T>
  requires(!std::same_as<std::remove_cvref_t<T>, Cell>) Cell(T&& of) : value(std::forward<T>(of)) {}

  [[nodiscard]] bool is_number() const { return value.is_number(); }
  [[nodiscard]] double number() const { return value.get<double>(); }
};

/// The quotient of two numbers; `otherwise` where one of the cells is none.
[[nodiscard]] Cell quotient(const Cell& a, const Cell& b, const char* otherwise);

/// A picture of a table: a series for every column of `lines` and every text in the columns of `by`, over column `x`.
struct Chart {
  std::size_t x = 0;
  std::vector<std::size_t> by;
  std::vector<std::size_t> lines;
  /// For a line whose machine differs from row to row, the column that names it.
  std::map<std::size_t, std::size_t> machines = {};
};

/// A row for each row of the paper's table or each point of its figure.
struct Table {
  std::vector<Column> columns;
  std::vector<std::vector<Cell>> rows;
  std::vector<std::string> notes = {};  ///< parameters, choices the paper leaves open, where cells come from
  std::optional<Chart> chart = {};      ///< none: there is nothing to draw
};

/// A cell as people write it: "1,939.02 s" where it is published, "288 ms" where it is measured, "70,000".
[[nodiscard]] std::string text(const Column& column, const Cell& cell);

/// Seconds to three digits, in the unit that suits: "4.2 µs", "288 ms", "1,939 s".
[[nodiscard]] std::string duration(double seconds);

}  // namespace warpfold::papers
