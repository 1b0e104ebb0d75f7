#include "papers/drawing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "papers/xml.hpp"

namespace warpfold::papers {

namespace {

struct Look {
  const char* name;
  const char* fill;
  const char* ink;
  const char* meaning;  ///< in the legend; empty: it has no entry there
};

const Look& look(Tone tone) {
  static constexpr Look looks[] = {
      {"none", "#ffffff", "#333333", ""},
      {"given", "#e2e2e2", "#333333", "given"},
      {"partial", "#fff0bd", "#333333", "partly computed"},
      {"final", "#c4e6c0", "#333333", "final"},
      {"early", "#d62f2f", "#ffffff", "read before it is final"},
      {"wrong", "#f4b6b6", "#333333", "final and wrong"},
      {"color 0", "#a9cdf0", "#333333", ""},
      {"color 1", "#f6c9a4", "#333333", ""},
      {"color 2", "#c9b8ea", "#333333", ""},
      {"color 3", "#b5e0cf", "#333333", ""},
  };
  return looks[static_cast<std::size_t>(tone)];
}

std::size_t label_length(const Grid& grid) {
  std::size_t length = 0;
  for (const GridRow& row : grid.rows) length = std::max(length, row.label.size());
  return length;
}

/// The number of letters in each column's widest cell.
std::vector<std::size_t> column_lengths(const Grid& grid) {
  std::vector<std::size_t> lengths;
  for (std::size_t column = 0; column < grid.columns.size(); ++column) {
    lengths.push_back(grid.columns[column].size());
    for (const GridRow& row : grid.rows) lengths[column] = std::max(lengths[column], row.cells[column].text.size());
  }
  return lengths;
}

std::string without_spaces_at_the_end(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line + '\n';
}

std::string to_text(const Grid& grid) {
  const std::size_t label = label_length(grid);
  const std::vector<std::size_t> lengths = column_lengths(grid);
  std::string text = grid.title + '\n';
  std::string line = fmt::format("{:<{}}", "", label);
  for (std::size_t c = 0; c < lengths.size(); ++c) line += fmt::format("  {:>{}}", grid.columns[c], lengths[c]);
  text += without_spaces_at_the_end(line);
  for (const GridRow& row : grid.rows) {
    line = fmt::format("{:<{}}", row.label, label);
    for (std::size_t c = 0; c < lengths.size(); ++c) line += fmt::format("  {:>{}}", row.cells[c].text, lengths[c]);
    text += without_spaces_at_the_end(line);
  }
  return text;
}

/// Lines of at most `most` letters, broken at spaces.
std::vector<std::string> wrapped(std::string text, std::size_t most) {
  std::vector<std::string> lines;
  while (text.size() > most) {
    const std::size_t space = text.rfind(' ', most);
    if (space == std::string::npos || space == 0) break;
    lines.push_back(text.substr(0, space));
    text.erase(0, space + 1);
  }
  lines.push_back(text);
  return lines;
}

/// The positions of a grid's columns, from its left end.
struct Layout {
  std::vector<std::size_t> lefts, widths;
  std::size_t width = 0, height = 0;
};

constexpr std::size_t margin = 16, letter_width = 7, row_height = 20, head_height = 44, title_letter_width = 8;

Layout layout_of(const Grid& grid) {
  Layout layout;
  layout.width = label_length(grid) * letter_width + 10;
  for (const std::size_t length : column_lengths(grid)) {
    layout.lefts.push_back(layout.width);
    layout.widths.push_back(std::max<std::size_t>(length * letter_width + 8, 24));
    layout.width += layout.widths.back();
  }
  layout.width = std::max(layout.width, grid.title.size() * title_letter_width);
  layout.height = head_height + grid.rows.size() * row_height;
  return layout;
}

/// A picture to which parts are added at the bottom.
class Picture {
 public:
  /// Adds a line of text whose letters are at most `letter` pixels wide.
  void line(const std::string& text, std::size_t size, const char* family, std::size_t letter) {
    for (const std::string& part : wrapped(text, 110)) {
      top_ += size + 6;
      body_ += fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"{}\" font-family=\"{}\">{}</text>\n", margin, top_,
                           size, family, escaped(part));
      right_ = std::max(right_, margin + part.size() * letter);
    }
  }

  void space(std::size_t pixels) { top_ += pixels; }

  /// Adds grids side by side, as many as fit the width of a page.
  void grids(const std::vector<Grid>& all) {
    constexpr std::size_t page = 900, between = 28;
    std::size_t left = margin, height = 0;
    for (const Grid& grid : all) {
      const Layout layout = layout_of(grid);
      if (left > margin && left + layout.width > page) {
        top_ += height;
        left = margin;
        height = 0;
      }
      draw(grid, layout, left);
      right_ = std::max(right_, left + layout.width);
      left += layout.width + between;
      height = std::max(height, layout.height);
    }
    top_ += height + 8;
  }

  void legend(const std::set<Tone>& tones) {
    std::size_t x = margin;
    for (const Tone tone : tones) {
      const std::string meaning = look(tone).meaning;
      if (meaning.empty()) continue;
      box(x, top_ + 6, 14, 14, tone);
      text(x + 20, top_ + 17, "start", "#333333", meaning);
      x += 20 + meaning.size() * letter_width + 20;
    }
    if (x > margin) top_ += 24;
    right_ = std::max(right_, x);
  }

  [[nodiscard]] std::string svg() const {
    return fmt::format(
               "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" font-family=\"sans-serif\" "
               "font-size=\"11\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
               right_ + margin, top_ + margin) +
           body_ + "</svg>\n";
  }

 private:
  void draw(const Grid& grid, const Layout& layout, std::size_t left) {
    body_ += fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"13\">{}</text>\n", left, top_ + 19, escaped(grid.title));
    for (std::size_t c = 0; c < grid.columns.size(); ++c) {
      text(left + layout.lefts[c] + layout.widths[c] / 2, top_ + 38, "middle", "#777777", grid.columns[c]);
    }
    std::size_t y = top_ + head_height;
    for (const GridRow& row : grid.rows) {
      text(left, y + 14, "start", "#777777", row.label);
      for (std::size_t c = 0; c < row.cells.size(); ++c) {
        const std::size_t x = left + layout.lefts[c], width = layout.widths[c];
        box(x, y, width, row_height, row.cells[c].tone);
        text(x + width / 2, y + 14, "middle", look(row.cells[c].tone).ink, row.cells[c].text);
      }
      y += row_height;
    }
  }

  void text(std::size_t x, std::size_t y, const char* anchor, const char* ink, const std::string& what) {
    if (what.empty()) return;
    body_ += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"{}\" fill=\"{}\">{}</text>\n", x, y, anchor, ink,
                         escaped(what));
  }

  void box(std::size_t x, std::size_t y, std::size_t width, std::size_t height, Tone tone) {
    body_ += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\" stroke=\"#bbbbbb\"/>\n", x, y,
                         width, height, look(tone).fill);
  }

  std::string body_;
  std::size_t top_ = margin, right_ = 0;
};

std::set<Tone> tones_of(const Drawing& drawing) {
  std::set<Tone> tones;
  for (const Part& part : drawing) {
    for (const Grid& grid : part.grids) {
      for (const GridRow& row : grid.rows) {
        for (const GridCell& cell : row.cells) tones.insert(cell.tone);
      }
    }
  }
  return tones;
}

}  // namespace

Grid triangle(const std::string& title, std::uint64_t side,
              const std::function<GridCell(std::uint64_t i, std::uint64_t j)>& cell_of) {
  Grid grid{title, {}, {}};
  for (std::uint64_t i = 1; i <= side; ++i) {
    grid.columns.push_back(fmt::format("j = {}", i));
    grid.rows.push_back({fmt::format("i = {}", i), std::vector<GridCell>(side)});
    for (std::uint64_t j = i; j <= side; ++j) grid.rows.back().cells[j - 1] = cell_of(i, j);
  }
  return grid;
}

std::string to_text(const Drawing& drawing) {
  std::string text;
  for (const Part& part : drawing) {
    text += fmt::format("{}{}\n", text.empty() ? "" : "\n", part.command);
    for (const Grid& grid : part.grids) text += '\n' + to_text(grid);
    if (!part.notes.empty()) text += '\n';
    for (const std::string& note : part.notes) text += fmt::format("* {}\n", note);
  }
  return text;
}

std::string to_svg(const std::string& title, const Drawing& drawing) {
  Picture picture;
  picture.line(title, 15, "sans-serif", 9);
  picture.legend(tones_of(drawing));
  for (const Part& part : drawing) {
    picture.space(8);
    picture.line(part.command, 11, "monospace", 7);
    picture.grids(part.grids);
    for (const std::string& note : part.notes) picture.line(note, 12, "sans-serif", 7);
  }
  return picture.svg();
}

nlohmann::ordered_json to_json(const Drawing& drawing) {
  auto parts = nlohmann::ordered_json::array();
  for (const Part& part : drawing) {
    auto grids = nlohmann::ordered_json::array();
    for (const Grid& grid : part.grids) {
      auto rows = nlohmann::ordered_json::array();
      for (const GridRow& row : grid.rows) {
        auto cells = nlohmann::ordered_json::array();
        for (const GridCell& cell : row.cells) cells.push_back({{"text", cell.text}, {"tone", look(cell.tone).name}});
        rows.push_back({{"label", row.label}, {"cells", cells}});
      }
      grids.push_back({{"title", grid.title}, {"columns", grid.columns}, {"rows", rows}});
    }
    parts.push_back({{"run", part.command}, {"grids", grids}, {"notes", part.notes}});
  }
  return parts;
}

}  // namespace warpfold::papers
