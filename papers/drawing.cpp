#include "papers/drawing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "papers/svg.hpp"
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
      {"none", "", "", ""},
      {"given", "#dcdcdc", "#222222", "given"},
      {"partial", "#fbeaa8", "#222222", "partly computed"},
      {"final", "#bcd6f0", "#222222", "final"},
      {"early", "#b3261e", "#ffffff", "read before it is final"},
      {"wrong", "#f0a884", "#222222", "final and wrong"},
      {"color 0", "#a6d3f2", "#222222", ""},
      {"color 1", "#f6cf8a", "#222222", ""},
      {"color 2", "#e0bcd6", "#222222", ""},
      {"color 3", "#a3dcc8", "#222222", ""},
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

std::string to_text(const Graph& graph) {
  std::string text = graph.title + '\n';
  for (const GraphEdge& edge : graph.edges) {
    text += fmt::format("{} - {}{}{}\n", graph.nodes[edge.from].text, graph.nodes[edge.to].text,
                        edge.text.empty() ? "" : ": ", edge.text);
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

constexpr std::size_t margin = 16, letter_width = 7, row_height = 20, head_height = 44, title_height = 28,
                      title_letter_width = 8;

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

/// Half of the size of a node's shape.
double half_width(const GraphNode& node) {
  return std::max(13.0, static_cast<double>(node.text.size() * letter_width) / 2 + 4);
}
constexpr double half_height = 13;

/// The size of a graph with its title.
Layout layout_of(const Graph& graph) {
  double right = static_cast<double>(graph.title.size() * title_letter_width), bottom = 0;
  for (const GraphNode& node : graph.nodes) {
    right = std::max(right, node.x + half_width(node));
    bottom = std::max(bottom, node.y + half_height);
  }
  return {{}, {}, static_cast<std::size_t>(right) + 2, title_height + static_cast<std::size_t>(bottom) + 6};
}

/// How the edges of a color are drawn. Dashes tell the colors apart, too.
const char* dashes(Tone tone) {
  static constexpr const char* all[] = {"", "8 4", "2 3", "10 3 2 3"};
  return all[static_cast<std::size_t>(tone) - static_cast<std::size_t>(Tone::color_0)];
}

/// A picture to which parts are added at the bottom.
class Picture {
 public:
  /// Adds a line of text whose letters are at most `letter` pixels wide.
  void line(const std::string& text, std::size_t size, const char* family, std::size_t letter) {
    for (const std::string& part : wrapped(text, 110)) {
      top_ += size + 6;
      body_ += fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"{}\" font-family=\"{}\" class=\"ink\">{}</text>\n",
                           margin, top_, size, family, escaped(part));
      right_ = std::max(right_, margin + part.size() * letter);
    }
  }

  void space(std::size_t pixels) { top_ += pixels; }

  /// Adds grids or graphs side by side, as many as fit the width of a page.
  template <class Shape>
  void side_by_side(const std::vector<Shape>& all) {
    constexpr std::size_t page = 900, between = 28;
    std::size_t left = margin, height = 0;
    for (const Shape& shape : all) {
      const Layout layout = layout_of(shape);
      if (left > margin && left + layout.width > page) {
        top_ += height;
        left = margin;
        height = 0;
      }
      draw(shape, layout, left);
      right_ = std::max(right_, left + layout.width);
      left += layout.width + between;
      height = std::max(height, layout.height);
    }
    if (!all.empty()) top_ += height + 8;
  }

  void legend(const std::set<Tone>& tones) {
    std::size_t x = margin;
    for (const Tone tone : tones) {
      const std::string meaning = look(tone).meaning;
      if (meaning.empty()) continue;
      box(x, top_ + 6, 14, 14, tone);
      text(x + 20, top_ + 17, "start", "", meaning);
      x += 20 + meaning.size() * letter_width + 20;
    }
    if (x > margin) top_ += 24;
    right_ = std::max(right_, x);
  }

  [[nodiscard]] std::string svg() const { return begin_svg(right_ + margin, top_ + margin, 11) + body_ + "</svg>\n"; }

 private:
  void draw(const Grid& grid, const Layout& layout, std::size_t left) {
    head(grid.title, left);
    for (std::size_t c = 0; c < grid.columns.size(); ++c) {
      text(left + layout.lefts[c] + layout.widths[c] / 2, top_ + 38, "middle", dim, grid.columns[c]);
    }
    std::size_t y = top_ + head_height;
    for (const GridRow& row : grid.rows) {
      text(left, y + 14, "start", dim, row.label);
      for (std::size_t c = 0; c < row.cells.size(); ++c) {
        const std::size_t x = left + layout.lefts[c], width = layout.widths[c];
        box(x, y, width, row_height, row.cells[c].tone);
        text(x + width / 2, y + 14, "middle", look(row.cells[c].tone).ink, row.cells[c].text);
      }
      y += row_height;
    }
  }

  void draw(const Graph& graph, const Layout&, std::size_t left) {
    head(graph.title, left);
    const auto x = static_cast<double>(left), y = static_cast<double>(top_ + title_height);
    for (const GraphEdge& edge : graph.edges) draw(edge, graph.nodes[edge.from], graph.nodes[edge.to], x, y);
    for (const GraphNode& node : graph.nodes) draw(node, x + node.x, y + node.y);
  }

  void draw(const GraphEdge& edge, const GraphNode& from, const GraphNode& to, double left, double top) {
    const double dx = to.x - from.x, dy = to.y - from.y, length = std::max(std::hypot(dx, dy), 1.0);
    const double beside_x = -dy / length * edge.bend, beside_y = dx / length * edge.bend;
    const double middle_x = left + (from.x + to.x) / 2 + 2 * beside_x,
                 middle_y = top + (from.y + to.y) / 2 + 2 * beside_y;
    const bool is_colored = edge.tone >= Tone::color_0;
    const std::string stroke =
        is_colored
            ? fmt::format("stroke=\"{}\" stroke-dasharray=\"{}\"",
                          line_colors[static_cast<std::size_t>(edge.tone) - static_cast<std::size_t>(Tone::color_0)],
                          dashes(edge.tone))
            : "class=\"line\"";
    body_ +=
        fmt::format("<path d=\"M{:.1f} {:.1f}Q{:.1f} {:.1f} {:.1f} {:.1f}\" fill=\"none\" {} stroke-width=\"{}\"/>\n",
                    left + from.x, top + from.y, middle_x, middle_y, left + to.x, top + to.y, stroke,
                    edge.is_strong ? 3.5
                    : is_colored   ? 2
                                   : 1);
    if (edge.text.empty()) return;
    const double t = edge.at, bend = 4 * t * (1 - t);
    body_ += fmt::format(
        "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\" class=\"ink halo\" paint-order=\"stroke\" "
        "stroke-width=\"4\">{}</text>\n",
        left + from.x + t * dx + bend * beside_x, top + from.y + t * dy + bend * beside_y + 4, escaped(edge.text));
  }

  void draw(const GraphNode& node, double x, double y) {
    const double half = half_width(node);
    const std::string fill = node.tone == Tone::none ? "class=\"paper line\""
                                                     : fmt::format("class=\"line\" fill=\"{}\"", look(node.tone).fill);
    body_ += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" rx=\"{}\" {}/>\n",
                         x - half, y - half_height, 2 * half, 2 * half_height, node.is_box ? 2.0 : half_height, fill);
    text(static_cast<std::size_t>(x), static_cast<std::size_t>(y) + 4, "middle", look(node.tone).ink, node.text);
  }

  /// Writes the title of a grid or a graph.
  void head(const std::string& title, std::size_t left) {
    body_ += fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"13\" class=\"ink\">{}</text>\n", left, top_ + 19,
                         escaped(title));
  }

  /// Without a color it is that of the picture's ink.
  void text(std::size_t x, std::size_t y, const char* anchor, const std::string& ink, const std::string& what) {
    if (what.empty()) return;
    const std::string color = ink == dim    ? "class=\"dim\""
                              : ink.empty() ? "class=\"ink\""
                                            : fmt::format("fill=\"{}\"", ink);
    body_ +=
        fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"{}\" {}>{}</text>\n", x, y, anchor, color, escaped(what));
  }

  void box(std::size_t x, std::size_t y, std::size_t width, std::size_t height, Tone tone) {
    const std::string fill =
        tone == Tone::none ? "class=\"paper frame\"" : fmt::format("class=\"frame\" fill=\"{}\"", look(tone).fill);
    body_ += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" {}/>\n", x, y, width, height, fill);
  }

  static constexpr const char* dim = "dim";  ///< the ink of headings

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
    for (const Graph& graph : part.graphs) text += '\n' + to_text(graph);
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
    picture.side_by_side(part.graphs);
    picture.side_by_side(part.grids);
    for (const std::string& note : part.notes) picture.line(note, 12, "sans-serif", 7);
  }
  return picture.svg();
}

namespace {

nlohmann::ordered_json to_json(const std::vector<Graph>& all) {
  auto graphs = nlohmann::ordered_json::array();
  for (const Graph& graph : all) {
    auto nodes = nlohmann::ordered_json::array(), edges = nodes;
    for (const GraphNode& node : graph.nodes) nodes.push_back(node.text);
    for (const GraphEdge& edge : graph.edges) {
      edges.push_back({{"from", edge.from}, {"to", edge.to}, {"text", edge.text}, {"strong", edge.is_strong}});
    }
    graphs.push_back({{"title", graph.title}, {"nodes", nodes}, {"edges", edges}});
  }
  return graphs;
}

}  // namespace

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
    parts.push_back({{"run", part.command}, {"graphs", to_json(part.graphs)}, {"grids", grids}, {"notes", part.notes}});
  }
  return parts;
}

}  // namespace warpfold::papers
