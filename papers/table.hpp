#pragma once

#include <concepts>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

/// The result of an experiment: a table whose columns say where their values come from, and how it is drawn.
namespace warpfold::papers {

/// The source of a column's cells.
enum class Source {
  key,        ///< the subject of the row: a size, a method
  published,  ///< the paper, on its machine
  counted,    ///< counted or drawn at random by this program: the same on every machine
  recorded,   ///< a file in results/, from the machine that it names
  measured    ///< this run, on this machine
};

/// A column; build it with the functions below.
struct Column {
  std::string name;
  Source source = Source::key;
  std::string where = {};  ///< the machine; for a recorded column also date and commit
  bool seconds = false;    ///< whether the numbers are seconds
};

[[nodiscard]] Column key(const std::string& name);
[[nodiscard]] Column counted(const std::string& name);
[[nodiscard]] Column published(const std::string& name, const std::string& machine = "");
[[nodiscard]] Column recorded(const std::string& name, const std::string& where = "");
[[nodiscard]] Column measured(const std::string& name, const std::string& machine);
/// The same column, whose numbers are seconds.
[[nodiscard]] Column in_seconds(Column column);

/// The heading with its source: "speed-up, published (GeForce GTX 680)".
[[nodiscard]] std::string heading(const Column& column);

/// A number or a text. Null is an empty cell, with which an experiment fails.
struct Cell {
  nlohmann::json value;
  double spread = 0;         ///< (slowest - fastest) / median of several measurements
  double fastest = 0;        ///< the fastest of them; 0: not known
  std::string printed = {};  ///< as the paper prints it, with its digits and unit: "22.00 ms"; empty: not printed so

  Cell() = default;
  /// Makes a cell from any value that JSON can hold.
  template <class T>
  requires(!std::same_as<std::remove_cvref_t<T>, Cell>) Cell(T&& of) : value(std::forward<T>(of)) {}

  [[nodiscard]] bool is_number() const { return value.is_number(); }
  [[nodiscard]] double number() const { return value.get<double>(); }
};

/// A published number with the text that the paper prints.
[[nodiscard]] Cell verbatim(double value, const std::string& printed);

/// The quotient of two numbers, or `otherwise` if one of the cells is not a number.
[[nodiscard]] Cell quotient(const Cell& a, const Cell& b, const char* otherwise);

/// A chart of a table: a series for every column of `lines` and every text in the columns of `by`, against column `x`.
struct Chart {
  std::size_t x = 0;
  std::vector<std::size_t> by;
  std::vector<std::size_t> lines;
  /// The column that names the machine, for a line whose machine differs from row to row.
  std::map<std::size_t, std::size_t> machines = {};
  std::optional<double> constant = {};  ///< a value of the lines that is marked
  bool has_lines = true;                ///< false: only markers, since the points do not follow each other
};

/// A table of the paper in its own rows and columns, with our values at the same places.
struct PaperGrid {
  struct Row {
    std::string group, heading;
    std::vector<Cell> printed;
    std::vector<std::vector<Cell>> ours;  ///< for each source of ours a cell for each column
    bool has_quotient = true;             ///< false: plain numbers
  };
  std::vector<std::string> columns;
  std::vector<Row> rows;
  Column published;
  std::vector<Column> ours = {};
  bool marks_least = false;  ///< the least cell of each group is the best
  std::string quotient = "published over ours";
};

/// A row for each row of the paper's table or each point of its figure.
struct Table {
  std::vector<Column> columns;
  std::vector<std::vector<Cell>> rows;
  std::vector<std::string> notes = {};  ///< parameters, our choices where the paper leaves them open, and sources
  std::optional<Chart> chart = {};      ///< empty: there is nothing to draw
  std::optional<PaperGrid> grid = {};   ///< empty: the paper's table has the rows of this one, or there is none
};

/// The table's rows in the paper's grid: a row for each text in the columns `rows`, a column for each in `column`. The
/// first of `rows` is the group.
[[nodiscard]] PaperGrid in_grid(const Table& table, const std::vector<std::size_t>& rows, std::size_t column,
                                std::size_t published, const std::vector<std::size_t>& ours);

/// A cell as people write it: "1,939.02 s" if published, "288 ms" if measured, "70,000".
[[nodiscard]] std::string text(const Column& column, const Cell& cell);

/// Seconds with three digits, in a suitable unit: "4.2 µs", "288 ms", "1,939 s".
[[nodiscard]] std::string duration(double seconds);

}  // namespace warpfold::papers
