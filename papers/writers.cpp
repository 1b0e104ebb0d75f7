#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "papers/registry.hpp"
#include "papers/xml.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/core/version.hpp"

namespace warpfold::papers {

namespace {

using Cells = std::vector<nlohmann::json>;

std::string text(const nlohmann::json& cell) {
  if (cell.is_string()) return cell.get<std::string>();
  if (cell.is_number_float()) return fmt::format("{:.6g}", cell.get<double>());
  return cell.dump();
}

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

std::vector<std::string> texts(const Cells& row) {
  std::vector<std::string> out;
  for (const auto& cell : row) out.push_back(text(cell));
  return out;
}

bool all_numbers(const Table& table, std::size_t column) {
  return std::all_of(table.rows.begin(), table.rows.end(), [&](const Cells& row) { return row[column].is_number(); });
}

/// One axis of the chart: values from `low` to `high` onto pixels from `from` to `to`.
struct Axis {
  double low, high, from, to;
  bool logarithmic;

  [[nodiscard]] double pixel(double value) const {
    const auto scale = [&](double v) { return logarithmic ? std::log(v) : v; };
    return from + (scale(value) - scale(low)) / (scale(high) - scale(low)) * (to - from);
  }
};

Axis make_axis(double low, double high, double from, double to, bool logarithmic) {
  if (low == high) high = low + 1;
  return {low, high, from, to, logarithmic};
}

/// A step of 1, 2 or 5 times a power of ten that divides `span` into at most about 8 parts.
double tick_step(double span) {
  const double unit = std::pow(10, std::floor(std::log10(span / 8)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (unit * factor * 8 >= span) return unit * factor;
  }
  return unit * 10;
}

}  // namespace

std::string to_markdown(const Experiment& experiment, const Table& table) {
  std::string page = fmt::format("# {}\n\n{}. `warpfold paper run {}`, version {}.\n\n", experiment.title,
                                 experiment.paper, experiment.id, version);
  page += fmt::format("| {} |\n|{}\n", fmt::join(table.columns, " | "), [&] {
    std::string rule;
    for (std::size_t column = 0; column < table.columns.size(); ++column) rule += "---|";
    return rule;
  }());
  for (const Cells& row : table.rows) page += fmt::format("| {} |\n", fmt::join(texts(row), " | "));
  if (!table.notes.empty()) page += '\n';
  for (const std::string& note : table.notes) page += fmt::format("* {}\n", note);
  return page;
}

std::string to_csv(const Table& table) {
  std::string out = csv_line(table.columns);
  for (const Cells& row : table.rows) out += csv_line(texts(row));
  return out;
}

nlohmann::ordered_json to_json(const Experiment& experiment, const Table& table) {
  return {{"command", "paper"},        {"version", version},       {"id", experiment.id}, {"paper", experiment.paper},
          {"title", experiment.title}, {"columns", table.columns}, {"rows", table.rows},  {"notes", table.notes}};
}

std::string to_svg(const Experiment& experiment, const Table& table) {
  std::vector<std::size_t> lines;
  for (std::size_t column = 1; column < table.columns.size(); ++column) {
    if (all_numbers(table, column)) lines.push_back(column);
  }
  if (lines.empty() || !all_numbers(table, 0)) {
    throw Error(ErrorKind::usage,
                fmt::format("{} has no numbers to draw: .md, .csv and .json are accepted", experiment.id));
  }
  const auto value = [&](const Cells& row, std::size_t column) { return row[column].get<double>(); };
  double left = value(table.rows[0], 0), right = left, top = 0;
  for (const Cells& row : table.rows) {
    left = std::min(left, value(row, 0));
    right = std::max(right, value(row, 0));
    for (const std::size_t column : lines) top = std::max(top, value(row, column));
  }
  const double step = tick_step(top > 0 ? top : 1);
  const Axis x = make_axis(left, right, 60, 520, table.log_x);
  const Axis y = make_axis(0, std::ceil(top / step) * step, 350, 50, false);

  static constexpr const char* colours[] = {"#1b6ca8", "#c2571a", "#2e8b57", "#8b3fa0", "#b03060", "#5a5a5a"};
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 720 400\" font-family=\"sans-serif\" "
      "font-size=\"12\">\n<rect width=\"720\" height=\"400\" fill=\"white\"/>\n"
      "<text x=\"20\" y=\"24\" font-size=\"14\">{}</text>\n",
      xml(experiment.title));
  for (double tick = 0; tick <= y.high + step / 2; tick += step) {
    out += fmt::format(
        "<path d=\"M60 {0:.1f}H520\" stroke=\"#ddd\"/><text x=\"54\" y=\"{1:.1f}\" "
        "text-anchor=\"end\">{2:.6g}</text>\n",
        y.pixel(tick), y.pixel(tick) + 4, tick);
  }
  const std::size_t labels = (table.rows.size() + 11) / 12;  // at most a dozen of them fit
  for (std::size_t row = 0; row < table.rows.size(); row += labels) {
    const double at = x.pixel(value(table.rows[row], 0));
    out += fmt::format(
        "<path d=\"M{0:.1f} 350v5\" stroke=\"black\"/><text x=\"{0:.1f}\" y=\"368\" text-anchor=\"middle\">{1:.6g}"
        "</text>\n",
        at, value(table.rows[row], 0));
  }
  out += fmt::format("<path d=\"M60 50V350H520\" fill=\"none\" stroke=\"black\"/>\n");
  out += fmt::format("<text x=\"290\" y=\"390\" text-anchor=\"middle\">{}</text>\n", xml(table.columns[0]));
  for (std::size_t line = 0; line < lines.size(); ++line) {
    const char* colour = colours[line % std::size(colours)];
    std::string points;
    for (const Cells& row : table.rows) {
      points += fmt::format("{:.1f},{:.1f} ", x.pixel(value(row, 0)), y.pixel(value(row, lines[line])));
    }
    out += fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"/>\n", points, colour);
    out += fmt::format("<text x=\"530\" y=\"{}\" fill=\"{}\">{}</text>\n", 60 + 18 * line, colour,
                       xml(table.columns[lines[line]]));
  }
  return out + "</svg>\n";
}

}  // namespace warpfold::papers
