#include <fmt/format.h>
#include <fmt/ranges.h>

#include "papers/registry.hpp"
#include "warpfold/core/version.hpp"

namespace warpfold::papers {

namespace {

std::string csv_field(const std::string& field) {
  if (field.find_first_of(",\"\n") == std::string::npos) return field;
  std::string quoted = "\"";
  for (const char c : field) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + '"';
}

std::string csv_line(const std::vector<std::string>& fields) {
  std::vector<std::string> quoted;
  for (const std::string& field : fields) quoted.push_back(csv_field(field));
  return fmt::format("{}\n", fmt::join(quoted, ","));
}

/// A cell for programs: plain numbers; the heading says that they are seconds.
std::string plain(const Cell& cell) {
  return cell.value.is_string() ? cell.value.get<std::string>() : cell.value.dump();
}

std::vector<std::string> plain_headings(const Table& table) {
  std::vector<std::string> headings;
  for (const Column& column : table.columns) headings.push_back(heading(column) + (column.seconds ? " [s]" : ""));
  return headings;
}

const char* word_of(Source source) {
  constexpr const char* names[] = {"key", "published", "counted", "recorded", "measured"};
  return names[static_cast<std::size_t>(source)];
}

/// Escapes bars, which end a cell of Markdown.
std::string in_cell(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '|' ? "\\|" : std::string(1, c);
  return out;
}

}  // namespace

std::string markdown_table(const Table& table) {
  std::string out = "|", rule = "|";
  for (const Column& column : table.columns) {
    out += fmt::format(" {} |", in_cell(heading(column)));
    rule += "---|";
  }
  out += fmt::format("\n{}\n", rule);
  for (const auto& row : table.rows) {
    out += '|';
    for (std::size_t column = 0; column < row.size(); ++column) {
      out += fmt::format(" {} |", in_cell(text(table.columns[column], row[column])));
    }
    out += '\n';
  }
  return out;
}

std::string to_markdown(const Experiment& experiment, const Table& table, const RunOptions& options) {
  std::string page = fmt::format("# {}\n\n{}. `{}`, version {}.\n\n{}", experiment.title, experiment.paper,
                                 command_of(experiment, options), version, markdown_table(table));
  if (!table.notes.empty()) page += '\n';
  for (const std::string& note : table.notes) page += fmt::format("* {}\n", note);
  return page;
}

std::string to_csv(const Table& table) {
  std::string out = csv_line(plain_headings(table));
  for (const auto& row : table.rows) {
    std::vector<std::string> fields;
    for (const Cell& cell : row) fields.push_back(plain(cell));
    out += csv_line(fields);
  }
  return out;
}

nlohmann::ordered_json to_json(const Experiment& experiment, const Table& table) {
  nlohmann::ordered_json sources = nlohmann::ordered_json::array(), rows = sources, spreads = sources;
  for (const Column& column : table.columns) sources.push_back(word_of(column.source));
  for (const auto& row : table.rows) {
    nlohmann::ordered_json values = nlohmann::ordered_json::array(), of_row = values;
    for (const Cell& cell : row) {
      values.push_back(nlohmann::ordered_json(cell.value));
      of_row.push_back(cell.spread);
    }
    rows.push_back(values);
    spreads.push_back(of_row);
  }
  return {{"command", "paper"},        {"version", version},
          {"id", experiment.id},       {"paper", experiment.paper},
          {"title", experiment.title}, {"columns", plain_headings(table)},
          {"sources", sources},        {"rows", rows},
          {"spreads", spreads},        {"notes", table.notes}};
}

}  // namespace warpfold::papers
