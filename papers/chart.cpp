#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "papers/registry.hpp"
#include "papers/xml.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold::papers {

namespace {

struct Point {
  double x, y, spread;

  /// The ends of its spread; a logarithmic axis has no place for 0.
  [[nodiscard]] double low() const { return y * std::max(1 - spread / 2, 0.1); }
  [[nodiscard]] double high() const { return y * (1 + spread / 2); }
};

/// A line of the picture, or its markers where it has a single point.
struct Series {
  std::string name;
  Source source;
  std::vector<Point> points;
};

std::vector<Series> series_of(const Table& table, const Chart& chart) {
  std::vector<Series> all;
  for (const std::size_t line : chart.lines) {
    for (const auto& row : table.rows) {
      if (!row[line].is_number() || !row[chart.x].is_number()) continue;
      std::string name;
      for (const std::size_t column : chart.by) {
        const std::string value = text(table.columns[column], row[column]);
        name += row[column].is_number() ? fmt::format("{} = {}, ", table.columns[column].name, value) : value + ", ";
      }
      name += heading(table.columns[line]);
      auto at = std::ranges::find(all, name, &Series::name);
      if (at == all.end()) at = all.insert(all.end(), {name, table.columns[line].source, {}});
      at->points.push_back({row[chart.x].number(), row[line].number(), row[line].spread});
    }
  }
  return all;
}

/// One axis: values from `low` to `high` onto pixels from `from` to `to`.
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

/// The horizontal axis of ascending values: logarithmic where their steps grow.
Axis x_axis(const std::vector<double>& values, double from, double to) {
  const double low = values.front(), high = values.back();
  const bool steps_grow = values.size() > 2 && low > 0 && high - values[values.size() - 2] > 3 * (values[1] - low);
  return {low, low == high ? high + 1 : high, from, to, steps_grow};
}

/// From 0, or from one power of ten to another where a linear axis would show only the largest values.
Axis y_axis(const std::vector<Series>& all, double from, double to) {
  double low = all[0].points[0].y, high = low;
  for (const Series& series : all) {
    for (const Point& point : series.points) {
      low = std::min(low, point.low());
      high = std::max(high, point.high());
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

/// Where points are, ascending.
std::vector<double> x_values(const std::vector<Series>& all) {
  std::set<double> values;
  for (const Series& series : all) {
    for (const Point& point : series.points) values.insert(point.x);
  }
  return {values.begin(), values.end()};
}

std::string draw_x(const Axis& axis, const std::vector<double>& values, const std::string& name) {
  const std::size_t each = (values.size() + 11) / 12;  // at most a dozen labels fit
  std::string out;
  for (std::size_t i = 0; i < values.size(); i += each) {
    out += fmt::format(
        "<path d=\"M{0:.1f} {1}v5\" stroke=\"black\"/><text x=\"{0:.1f}\" y=\"{2}\" text-anchor=\"middle\">{3:.6g}"
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
        "<path d=\"M{0} {1:.1f}H{2}\" stroke=\"#ddd\"/><text x=\"{3}\" y=\"{4:.1f}\" text-anchor=\"end\">{5}</text>\n",
        left, axis.pixel(tick), right, left - 6, axis.pixel(tick) + 4,
        column.seconds ? duration(tick) : fmt::format("{:.6g}", tick));
  }
  return out + fmt::format("<text x=\"{}\" y=\"{}\">{}{}</text>\n", left, top - 8,
                           escaped(column.seconds ? "time" : column.name.substr(0, column.name.find(", "))),
                           axis.logarithmic ? ", logarithmic" : "");
}

/// A published point is a square, one of this machine a diamond, others are circles.
std::string marker(Source source, double x, double y, const char* colour) {
  if (source == Source::published) {
    return fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"8\" height=\"8\" fill=\"white\" stroke=\"{}\"/>\n",
                       x - 4, y - 4, colour);
  }
  if (source == Source::measured) {
    return fmt::format("<path d=\"M{:.1f} {:.1f}l5 5l-5 5l-5 -5z\" fill=\"{}\"/>\n", x, y - 5, colour);
  }
  return fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\" fill=\"{}\"/>\n", x, y, colour);
}

/// The line, its spreads and markers, and what it is, in the legend's next line.
std::string draw_series(const Series& series, const Axis& x, const Axis& y, const char* colour, double legend) {
  std::string line, marks;
  for (const Point& point : series.points) {
    const double at = x.pixel(point.x);
    line += fmt::format("{:.1f},{:.1f} ", at, y.pixel(point.y));
    if (point.spread > 0) {
      marks += fmt::format("<path d=\"M{:.1f} {:.1f}V{:.1f}\" stroke=\"{}\"/>\n", at, y.pixel(point.low()),
                           y.pixel(point.high()), colour);
    }
    marks += marker(series.source, at, y.pixel(point.y), colour);
  }
  const char* dashes = series.source == Source::published ? " stroke-dasharray=\"6 4\"" : "";
  return fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.5\"{}/>\n", line, colour,
                     dashes) +
         marks + marker(series.source, left + 6, legend - 4, colour) +
         fmt::format("<text x=\"{}\" y=\"{}\">{}</text>\n", left + 18, legend, escaped(series.name));
}

/// What the legend does not say.
std::vector<std::string> remarks_of(const Table& table, const std::vector<Series>& all) {
  std::vector<std::string> remarks;
  const auto is_published = [](const Series& series) { return series.source == Source::published; };
  const bool may_be_published = std::ranges::any_of(
      table.chart->lines, [&](std::size_t line) { return table.columns[line].source == Source::published; });
  if (may_be_published && std::ranges::none_of(all, is_published)) {
    remarks.push_back("published: the paper prints no values of this figure");
  }
  const auto has_spread = [](const Series& series) {
    return std::ranges::any_of(series.points, [](const Point& point) { return point.spread > 0; });
  };
  if (std::ranges::any_of(all, has_spread)) {
    remarks.push_back("vertical bars: slowest - fastest of several runs, around the median");
  }
  return remarks;
}

}  // namespace

std::string to_svg(const Experiment& experiment, const Table& table) {
  const std::vector<Series> all = table.chart ? series_of(table, *table.chart) : std::vector<Series>();
  if (all.empty()) {
    throw Error(ErrorKind::usage,
                fmt::format("{} has no numbers to draw: .md, .csv and .json are accepted", experiment.id));
  }
  static constexpr const char* colours[] = {"#1b6ca8", "#c2571a", "#2e8b57", "#8b3fa0",
                                            "#b03060", "#5a5a5a", "#9a7d0a", "#117a65"};
  constexpr double legend = bottom + 62, line = 18;
  const std::vector<std::string> remarks = remarks_of(table, all);
  const double height = legend + line * static_cast<double>(all.size() + remarks.size());
  const std::vector<double> values = x_values(all);
  const Axis x = x_axis(values, left, right), y = y_axis(all, bottom, top);
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 760 {0}\" width=\"760\" height=\"{0}\" "
      "font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"760\" height=\"{0}\" fill=\"white\"/>\n"
      "<text x=\"20\" y=\"22\" font-size=\"14\">{1}</text>\n",
      height, escaped(experiment.title));
  out += draw_y(y, table.columns[table.chart->lines.front()]);
  out += draw_x(x, values, table.columns[table.chart->x].name);
  out += fmt::format("<path d=\"M{} {}V{}H{}\" fill=\"none\" stroke=\"black\"/>\n", left, top, bottom, right);
  double below = legend;
  for (std::size_t i = 0; i < all.size(); ++i, below += line) {
    out += draw_series(all[i], x, y, colours[i % std::size(colours)], below);
  }
  for (const std::string& remark : remarks) {
    out += fmt::format("<text x=\"{}\" y=\"{}\" fill=\"#555\">{}</text>\n", left, below, remark);
    below += line;
  }
  return out + "</svg>\n";
}

}  // namespace warpfold::papers
