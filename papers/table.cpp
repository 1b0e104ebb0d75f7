#include "papers/table.hpp"

#include <fmt/format.h>

#include <cmath>

namespace warpfold::papers {

namespace {

/// "1234567.5" -> "1,234,567.5"
std::string grouped(std::string digits) {
  const std::size_t point = std::min(digits.find('.'), digits.size());
  const std::size_t first = digits.starts_with('-') ? 1 : 0;
  for (std::size_t at = point; at > first + 3;) digits.insert(at -= 3, ",");
  return digits;
}

/// A number with three digits; an integer from 1,000 on.
std::string rounded(double value) {
  return grouped(std::abs(value) < 1000 ? fmt::format("{:.3g}", value) : fmt::format("{:.0f}", value));
}

/// A number with all digits that the paper prints.
std::string as_printed(double value) { return grouped(fmt::format("{:.7g}", value)); }

std::string printed_duration(double seconds) {
  return seconds < 1 ? as_printed(seconds * 1e3) + " ms" : as_printed(seconds) + " s";
}

std::string name_of(Source source) {
  if (source == Source::published) return "published";
  if (source == Source::recorded) return "recorded";
  return source == Source::measured ? "this machine" : "";
}

}  // namespace

Column key(const std::string& name) { return {name, Source::key}; }
Column counted(const std::string& name) { return {name, Source::counted}; }
Column published(const std::string& name, const std::string& machine) { return {name, Source::published, machine}; }
Column recorded(const std::string& name, const std::string& where) { return {name, Source::recorded, where}; }
Column measured(const std::string& name, const std::string& machine) { return {name, Source::measured, machine}; }

Column in_seconds(Column column) {
  column.seconds = true;
  return column;
}

std::string heading(const Column& column) {
  const std::string source = name_of(column.source);
  if (source.empty()) return column.name;
  const std::string where = column.where.empty() ? "" : fmt::format(" ({})", column.where);
  return fmt::format("{}{}{}{}", column.name, column.name.empty() ? "" : ", ", source, where);
}

Cell verbatim(double value, const std::string& printed) {
  Cell cell = value;
  cell.printed = printed;
  return cell;
}

PaperGrid in_grid(const Table& table, const std::vector<std::size_t>& rows, std::size_t column, std::size_t published,
                  const std::vector<std::size_t>& ours) {
  PaperGrid grid{{}, {}, table.columns[published], {}};
  for (const std::size_t source : ours) grid.ours.push_back(table.columns[source]);
  for (const auto& cells : table.rows) {
    const auto name = [&](std::size_t at) {
      const std::string shown = text(table.columns[at], cells[at]);
      return cells[at].is_number() ? fmt::format("{} = {}", table.columns[at].name, shown) : shown;
    };
    std::string heading;
    for (const std::size_t row : rows) heading += (heading.empty() ? "" : ", ") + name(row);
    if (grid.rows.empty() || grid.rows.back().heading != heading) {
      grid.rows.push_back({name(rows.front()), heading, {}, std::vector<std::vector<Cell>>(ours.size())});
    }
    PaperGrid::Row& row = grid.rows.back();
    if (grid.rows.size() == 1) grid.columns.push_back(name(column));
    row.printed.push_back(cells[published]);
    for (std::size_t source = 0; source < ours.size(); ++source) row.ours[source].push_back(cells[ours[source]]);
  }
  return grid;
}

Cell quotient(const Cell& a, const Cell& b, const char* otherwise) {
  return a.is_number() && b.is_number() ? Cell(a.number() / b.number()) : Cell(otherwise);
}

std::string duration(double seconds) {
  if (seconds == 0) return "0 s";
  if (seconds < 0.9995e-3) return rounded(seconds * 1e6) + " µs";
  return seconds < 0.9995 ? rounded(seconds * 1e3) + " ms" : rounded(seconds) + " s";
}

std::string text(const Column& column, const Cell& cell) {
  if (!cell.printed.empty()) return cell.printed;
  if (cell.value.is_string()) return cell.value.get<std::string>();
  if (!cell.is_number()) return cell.value.dump();
  const bool is_published = column.source == Source::published;
  if (column.seconds) return is_published ? printed_duration(cell.number()) : duration(cell.number());
  if (column.source == Source::key) return cell.value.is_number_float() ? as_printed(cell.number()) : cell.value.dump();
  if (cell.value.is_number_integer()) return grouped(cell.value.dump());
  return is_published ? as_printed(cell.number()) : rounded(cell.number());
}

}  // namespace warpfold::papers
