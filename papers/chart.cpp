#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "papers/registry.hpp"
#include "papers/svg.hpp"
#include "papers/xml.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold::papers {

namespace {

/// `low` to `high` shows the spread, slowest - fastest. If the fastest time is not known, it begins at the median.
struct Point {
  double x, y, low, high;
};

Point point_of(const Cell& x, const Cell& y) {
  const double low = y.fastest > 0 ? y.fastest : y.number();
  return {x.number(), y.number(), low, low + y.spread * y.number()};
}

/// A line of the chart, or its markers if it has a single point.
struct Series {
  std::string name;
  std::string color_key;  ///< series with the same key have the same color
  Source source;
  std::vector<Point> points;
};

/// The texts of a row that identify its group in the chart: "naive, b = 2".
std::string group_of(const Table& table, const Chart& chart, const std::vector<Cell>& row) {
  std::string name;
  for (const std::size_t column : chart.by) {
    const std::string value = text(table.columns[column], row[column]);
    name += name.empty() ? "" : ", ";
    name += row[column].is_number() ? fmt::format("{} = {}", table.columns[column].name, value) : value;
  }
  return name;
}

/// The heading of a line, with the row's machine if the heading has none.
std::string line_of(const Table& table, const Chart& chart, std::size_t line, const std::vector<Cell>& row) {
  const auto machine = chart.machines.find(line);
  if (machine == chart.machines.end()) return heading(table.columns[line]);
  return fmt::format("{} ({})", heading(table.columns[line]),
                     text(table.columns[machine->second], row[machine->second]));
}

std::vector<Series> series_of(const Table& table, const Chart& chart) {
  std::vector<Series> all;
  for (const std::size_t line : chart.lines) {
    for (const auto& row : table.rows) {
      if (!row[line].is_number() || !row[chart.x].is_number()) continue;
      const std::string group = group_of(table, chart, row), own = line_of(table, chart, line, row);
      const std::string name = group.empty() ? own : group + ", " + own;
      auto at = std::ranges::find(all, name, &Series::name);
      if (at == all.end()) {
        at = all.insert(all.end(), {name, group.empty() ? own : group, table.columns[line].source, {}});
      }
      at->points.push_back(point_of(row[chart.x], row[line]));
    }
  }
  return all;
}

/// An axis: maps values from `low` to `high` to pixels from `from` to `to`.
struct Axis {
  double low, high, from, to;
  bool logarithmic;

  [[nodiscard]] double pixel(double value) const {
    const auto scale = [&](double v) { return logarithmic ? std::log(v) : v; };
    return from + (scale(value) - scale(low)) / (scale(high) - scale(low)) * (to - from);
  }
};

/// A step of 1, 2 or 5 times a power of ten that divides `span` into at most about 8 parts.
double tick_step(double span) {
  const double unit = std::pow(10, std::floor(std::log10(span / 8)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (unit * factor * 8 >= span) return unit * factor;
  }
  return unit * 10;
}

/// The horizontal axis of ascending values. It is logarithmic if the steps between values grow.
Axis x_axis(const std::vector<double>& values, double from, double to) {
  const double low = values.front(), high = values.back();
  const bool steps_grow = values.size() > 2 && low > 0 && high - values[values.size() - 2] > 3 * (values[1] - low);
  return {low, low == high ? high + 1 : high, from, to, steps_grow};
}

/// The horizontal axis of points that do not follow each other: whole powers of ten.
Axis x_axis_of_powers(const std::vector<double>& values, double from, double to) {
  const double low = std::pow(10, std::floor(std::log10(values.front()))),
               high = std::pow(10, std::ceil(std::log10(values.back())));
  return {low, low == high ? high * 10 : high, from, to, true};
}

/// The vertical axis. It begins at 0, or is logarithmic if a linear axis would show only the largest values.
Axis y_axis(const std::vector<Series>& all, const std::optional<double>& constant, double from, double to) {
  double low = constant.value_or(all[0].points[0].y), high = low;
  for (const Series& series : all) {
    for (const Point& point : series.points) {
      low = std::min(low, point.low);
      high = std::max(high, point.high);
    }
  }
  if (low > 0 && high / low >= 30) {
    return {std::pow(10, std::floor(std::log10(low))), std::pow(10, std::ceil(std::log10(high))), from, to, true};
  }
  const double step = tick_step(high > 0 ? high : 1);
  return {0, std::max(std::ceil(high / step), 1.0) * step, from, to, false};
}

std::vector<double> ticks_of(const Axis& axis) {
  std::vector<double> ticks;
  if (axis.logarithmic) {
    for (double tick = axis.low; tick <= axis.high * 1.001; tick *= 10) ticks.push_back(tick);
  } else {
    const double step = tick_step(axis.high - axis.low);
    for (double tick = axis.low; tick <= axis.high + step / 2; tick += step) ticks.push_back(tick);
  }
  return ticks;
}

constexpr double left = 80, right = 720, top = 50, bottom = 350;

/// The positions of all points, ascending.
std::vector<double> x_values(const std::vector<Series>& all) {
  std::set<double> values;
  for (const Series& series : all) {
    for (const Point& point : series.points) values.insert(point.x);
  }
  return {values.begin(), values.end()};
}

std::string draw_x(const Axis& axis, const std::vector<double>& values, const std::string& name) {
  const std::size_t each = (values.size() + 11) / 12;  // at most a dozen labels fit, including the last value's
  std::string out;
  for (std::size_t i = (values.size() - 1) % each; i < values.size(); i += each) {
    out += fmt::format(
        "<path d=\"M{0:.1f} {1}v5\" class=\"line\"/><text x=\"{0:.1f}\" y=\"{2}\" text-anchor=\"middle\">{3:.10g}"
        "</text>\n",
        axis.pixel(values[i]), bottom, bottom + 18, values[i]);
  }
  return out + fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}{}</text>\n", (left + right) / 2,
                           bottom + 38, escaped(name), axis.logarithmic ? ", logarithmic" : "");
}

std::string draw_y(const Axis& axis, const Column& column) {
  std::string out;
  for (const double tick : ticks_of(axis)) {
    out += fmt::format(
        "<path d=\"M{0} {1:.1f}H{2}\" class=\"frame\" stroke-width=\"0.7\"/><text x=\"{3}\" y=\"{4:.1f}\" "
        "text-anchor=\"end\">{5}</text>\n",
        left, axis.pixel(tick), right, left - 6, axis.pixel(tick) + 4,
        column.seconds ? duration(tick) : text(counted(""), tick));
  }
  return out + fmt::format("<text x=\"{}\" y=\"{}\">{}{}</text>\n", left, top - 8,
                           escaped(column.seconds ? "time" : column.name.substr(0, column.name.find(", "))),
                           axis.logarithmic ? ", logarithmic" : "");
}

/// The constant as a line across the chart, named at its right end.
std::string draw_constant(const Axis& y, double constant) {
  return fmt::format(
      "<path d=\"M{0} {1:.1f}H{2}\" class=\"line\" stroke-dasharray=\"8 4\" stroke-width=\"2\"/><text x=\"{2}\" "
      "y=\"{3:.1f}\" text-anchor=\"end\">constant {4:.3g}</text>\n",
      left, y.pixel(constant), right, y.pixel(constant) - 5, constant);
}

/// How a series is drawn: `is_again` tells it from one before it that has the same color.
struct Paint {
  const char* color;
  bool is_again;
};

/// Published points are squares, points of this machine diamonds, others circles. Those of a color that is used again
/// are hollow.
std::string marker(Source source, double x, double y, const Paint& paint) {
  if (source == Source::published) {
    return fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"8\" height=\"8\" class=\"paper\" stroke=\"{}\"/>\n",
                       x - 4, y - 4, paint.color);
  }
  const std::string filled = paint.is_again ? fmt::format("class=\"paper\" stroke=\"{}\"", paint.color)
                                            : fmt::format("fill=\"{}\"", paint.color);
  if (source == Source::measured) {
    return fmt::format("<path d=\"M{:.1f} {:.1f}l5 5l-5 5l-5 -5z\" {}/>\n", x, y - 5, filled);
  }
  return fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\" {}/>\n", x, y, filled);
}

/// A color for each key, in the order of first occurrence.
std::vector<Paint> paints_of(const std::vector<Series>& all) {
  std::vector<std::string> keys;
  std::vector<Paint> paints;
  for (const Series& series : all) {
    const auto at = static_cast<std::size_t>(std::ranges::find(keys, series.color_key) - keys.begin());
    if (at == keys.size()) keys.push_back(series.color_key);
    paints.push_back({line_colors[at % std::size(line_colors)], at >= std::size(line_colors)});
  }
  return paints;
}

/// Whether a later series covers every marker of `series`.
bool is_hidden(const std::vector<Series>& all, std::size_t series, const Axis& y) {
  const auto is_same_place = [&](const Point& a, const Point& b) {
    constexpr double marker_radius = 4;
    return a.x == b.x && std::abs(y.pixel(a.y) - y.pixel(b.y)) < marker_radius;
  };
  return std::ranges::any_of(
      all.begin() + static_cast<std::ptrdiff_t>(series) + 1, all.end(),
      [&](const Series& later) { return std::ranges::equal(all[series].points, later.points, is_same_place); });
}

/// Draws the line, its spreads and markers, and its line of the legend. A line that another one covers is broad.
std::string draw_series(const Series& series, const Axis& x, const Axis& y, const Paint& paint, bool hidden,
                        bool has_line, double legend) {
  std::string line, marks;
  for (const Point& point : series.points) {
    const double at = x.pixel(point.x);
    line += fmt::format("{:.1f},{:.1f} ", at, y.pixel(point.y));
    if (point.high > point.low) {
      marks += fmt::format("<path d=\"M{:.1f} {:.1f}V{:.1f}\" stroke=\"{}\"/>\n", at, y.pixel(point.low),
                           y.pixel(point.high), paint.color);
    }
    marks += marker(series.source, at, y.pixel(point.y), paint);
  }
  const char* dashes = series.source == Source::published ? " stroke-dasharray=\"6 4\""
                       : paint.is_again                   ? " stroke-dasharray=\"2 3\""
                                                          : "";
  const std::string drawn =
      !has_line ? ""
                : fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" {}{}/>\n", line, paint.color,
                              hidden ? "stroke-width=\"10\" stroke-opacity=\"0.3\"" : "stroke-width=\"1.5\"", dashes);
  return drawn + marks + marker(series.source, left + 6, legend - 4, paint) +
         fmt::format("<text x=\"{}\" y=\"{}\">{}</text>\n", left + 18, legend, escaped(series.name));
}

/// The remarks below the chart.
std::vector<std::string> remarks_of(const Table& table, const std::vector<Series>& all) {
  std::vector<std::string> remarks;
  const auto is_published = [](const Series& series) { return series.source == Source::published; };
  const bool may_be_published = std::ranges::any_of(
      table.chart->lines, [&](std::size_t line) { return table.columns[line].source == Source::published; });
  if (may_be_published && std::ranges::none_of(all, is_published)) {
    remarks.push_back("published: the paper prints no values of this figure");
  }
  const auto has_spread = [](const Series& series) {
    return std::ranges::any_of(series.points, [](const Point& point) { return point.high > point.low; });
  };
  if (std::ranges::any_of(all, has_spread)) {
    remarks.push_back(
        "vertical bars: fastest to slowest of several runs; upwards from the median where the fastest was not "
        "recorded");
  }
  return remarks;
}

}  // namespace

std::string to_svg(const Experiment& experiment, const Table& table) {
  const std::vector<Series> all = table.chart ? series_of(table, *table.chart) : std::vector<Series>();
  if (all.empty()) {
    throw Error(ErrorKind::usage, fmt::format("{} has no chart: .md, .csv and .json are accepted", experiment.id));
  }
  const std::vector<Paint> paints = paints_of(all);
  constexpr double legend = bottom + 62, line = 18;
  const std::vector<std::string> remarks = remarks_of(table, all);
  const double height = legend + line * static_cast<double>(all.size() + remarks.size());
  const std::vector<double> values = x_values(all);
  const bool has_lines = table.chart->has_lines;
  const Axis x = has_lines ? x_axis(values, left, right) : x_axis_of_powers(values, left, right),
             y = y_axis(all, table.chart->constant, bottom, top);
  std::string out =
      begin_svg(760, static_cast<std::size_t>(height), 12) +
      fmt::format("<g class=\"ink\">\n<text x=\"20\" y=\"22\" font-size=\"14\">{}</text>\n", escaped(experiment.title));
  out += draw_y(y, table.columns[table.chart->lines.front()]);
  out += draw_x(x, has_lines ? values : ticks_of(x), table.columns[table.chart->x].name);
  out += fmt::format("<path d=\"M{} {}V{}H{}\" fill=\"none\" class=\"line\"/>\n", left, top, bottom, right);
  if (table.chart->constant) out += draw_constant(y, *table.chart->constant);
  double below = legend;
  for (std::size_t i = 0; i < all.size(); ++i, below += line) {
    out += draw_series(all[i], x, y, paints[i], is_hidden(all, i, y), has_lines, below);
  }
  for (const std::string& remark : remarks) {
    out += fmt::format("<text x=\"{}\" y=\"{}\" class=\"dim\">{}</text>\n", left, below, remark);
    below += line;
  }
  return out + "</g></svg>\n";
}

}  // namespace warpfold::papers
