#include "warpfold/formats/script_drawing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "formats/xml_text.hpp"

namespace warpfold::formats {

using sequence::Edit;
using sequence::Script;

namespace {

constexpr double drawn_side = 720, margin = 72, least_side = 36, bars_height = 48;
constexpr std::size_t bars = 240, max_letters = 60;

/// The largest of 1, 2, 5, 10, 20, .. with at least 4 steps up to `length`, or 1.
std::size_t tick_step(std::size_t length) {
  std::size_t step = 1, best = 1;
  for (int k = 0; step <= length / 4; ++k) {
    best = step;
    step = k % 3 == 1 ? step / 2 * 5 : step * 2;
  }
  return best;
}

/// A plot of n rows and m columns.
class Plot {
 public:
  Plot(std::size_t n, std::size_t m, bool has_bars) : n_(n), m_(m) {
    const auto longest = static_cast<double>(std::max({n, m, std::size_t{1}}));
    height_ = std::max(least_side, drawn_side * static_cast<double>(n) / longest);
    width_ = std::max(least_side, drawn_side * static_cast<double>(m) / longest);
    const double bottom = has_bars ? bars_height + margin / 2 : 0;
    text_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.2f} {1:.2f}\" width=\"{0:.2f}\" "
        "height=\"{1:.2f}\" "
        "font-family=\"sans-serif\" font-size=\"11\" text-anchor=\"middle\">\n"
        "<rect x=\"{2:.2f}\" y=\"{2:.2f}\" width=\"{3:.2f}\" height=\"{4:.2f}\" fill=\"none\" stroke=\"#888\"/>\n",
        width_ + 2 * margin, height_ + 2 * margin + bottom, margin, width_, height_);
  }

  void add_ticks() {
    for (std::size_t j = 0, step = tick_step(m_); j <= m_; j += step) add_label(x(j), margin - 10, std::to_string(j));
    for (std::size_t i = 0, step = tick_step(n_); i <= n_; i += step) {
      add_label(margin - 30, y(i) + 4, std::to_string(i));
    }
  }
  void add_letters(const SymbolSequence& a, const SymbolSequence& b) {
    for (std::size_t j = 0; j < m_; ++j) add_label((x(j) + x(j + 1)) / 2, margin - 10, b.text(j));
    for (std::size_t i = 0; i < n_; ++i) add_label(margin - 12, (y(i) + y(i + 1)) / 2 + 4, a.text(i));
  }
  void add_dots(const sequence::Coded& codes) {
    text_ += "<path fill=\"#cbd5dd\" d=\"";
    for (std::size_t i = 0; i < n_; ++i) {
      for (std::size_t j = 0; j < m_; ++j) {
        if (!codes.matches(codes.a()[i], codes.b()[j])) continue;
        text_ += fmt::format("M{:.2f} {:.2f}H{:.2f}V{:.2f}H{:.2f}z", x(j), y(i), x(j + 1), y(i + 1), x(j));
      }
    }
    text_ += "\"/>\n";
  }
  /// The line of the script, from run to run.
  void add_path(const Script& script) {
    std::uint64_t i = script.begin_a, j = script.begin_b;
    double last_x = x(j), last_y = y(i);
    text_ +=
        fmt::format("<path fill=\"none\" stroke=\"#d9534f\" stroke-width=\"1.5\" d=\"M{:.2f} {:.2f}", last_x, last_y);
    for (const sequence::Run& run : script.runs()) {
      const std::uint64_t symbols = run.length * (run.edit == Edit::transposition ? 2 : 1);
      i += run.edit == Edit::insertion ? 0 : symbols;
      j += run.edit == Edit::deletion ? 0 : symbols;
      const bool is_last = &run == &script.runs().back();
      if (!is_last && std::max(std::abs(x(j) - last_x), std::abs(y(i) - last_y)) < 0.5) continue;
      last_x = x(j);
      last_y = y(i);
      text_ += fmt::format("L{:.2f} {:.2f}", last_x, last_y);
    }
    text_ += "\"/>\n";
  }
  /// The share of matches in each part of the columns.
  void add_bars(const Script& script) {
    std::uint64_t columns = 0;
    for (const sequence::Run& run : script.runs()) columns += run.length;
    const std::uint64_t count = std::min<std::uint64_t>(columns, bars);
    if (count == 0) return;
    const double floor = margin + height_ + margin / 2 + bars_height, width = width_ / static_cast<double>(count);
    std::vector<double> matches(count);
    std::uint64_t column = 0;
    for (const sequence::Run& run : script.runs()) {
      const std::uint64_t end = column + run.length;
      while (column < end) {
        const std::uint64_t bar = column * count / columns;
        const std::uint64_t next = std::min(end, (columns * (bar + 1) + count - 1) / count);
        if (run.edit == Edit::match) matches[bar] += static_cast<double>(next - column);
        column = next;
      }
    }
    for (std::uint64_t bar = 0; bar < count; ++bar) {
      const std::uint64_t begin = (columns * bar + count - 1) / count, end = (columns * (bar + 1) + count - 1) / count;
      const double share = matches[bar] / static_cast<double>(end - begin);
      text_ += fmt::format("<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"#5b8db8\"/>\n",
                           margin + static_cast<double>(bar) * width, floor - share * bars_height, width,
                           share * bars_height);
    }
    add_label(margin - 30, floor - bars_height + 8, "100 %");
    add_label(margin - 30, floor, "0 %");
  }

  [[nodiscard]] std::string finished() { return std::move(text_) + "</svg>\n"; }

 private:
  [[nodiscard]] double x(std::uint64_t j) const {
    return margin + width_ * static_cast<double>(j) / static_cast<double>(std::max<std::size_t>(m_, 1));
  }
  [[nodiscard]] double y(std::uint64_t i) const {
    return margin + height_ * static_cast<double>(i) / static_cast<double>(std::max<std::size_t>(n_, 1));
  }
  void add_label(double at_x, double at_y, const std::string& label) {
    text_ += fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\">{}</text>\n", at_x, at_y, xml_text(label));
  }

  std::size_t n_, m_;
  double width_ = 0, height_ = 0;
  std::string text_;
};

}  // namespace

std::string script_drawing(const SymbolSequence& a, const SymbolSequence& b, const sequence::Coded& codes,
                           const Script& script) {
  Plot plot(codes.n(), codes.m(), true);
  if (std::max(codes.n(), codes.m()) <= max_letters) {
    plot.add_dots(codes);
    plot.add_letters(a, b);
  } else {
    plot.add_ticks();
  }
  plot.add_path(script);
  plot.add_bars(script);
  return plot.finished();
}

std::string path_drawing(std::size_t n, std::size_t m, const Script& path) {
  Plot plot(n, m, false);
  plot.add_ticks();
  plot.add_path(path);
  return plot.finished();
}

}  // namespace warpfold::formats
