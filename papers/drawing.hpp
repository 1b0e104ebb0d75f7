#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

/// Grids of cells, as text and as pictures. The worked examples are drawn with them.
namespace warpfold::papers {

/// The meaning of a cell's color.
enum class Tone {
  none,     ///< nothing
  given,    ///< given at the start
  partial,  ///< some terms have been added
  final,    ///< does not change any more
  early,    ///< read before it was final
  wrong,    ///< final, but wrong
  color_0,
  color_1,
  color_2,
  color_3
};

/// One of four colors that only distinguish things.
[[nodiscard]] constexpr Tone color(std::size_t index) {
  return static_cast<Tone>(static_cast<std::size_t>(Tone::color_0) + index % 4);
}

struct GridCell {
  std::string text = {};
  Tone tone = Tone::none;
};

struct GridRow {
  std::string label;
  std::vector<GridCell> cells;
};

struct Grid {
  std::string title;
  std::vector<std::string> columns;
  std::vector<GridRow> rows;  ///< each with one cell per column
};

/// The upper triangle of a table of `side` rows and columns, counted from 1.
[[nodiscard]] Grid triangle(const std::string& title, std::uint64_t side,
                            const std::function<GridCell(std::uint64_t i, std::uint64_t j)>& cell_of);

/// A node of a graph: a circle or a box around its text, at a place in pixels.
struct GraphNode {
  std::string text;
  double x = 0, y = 0;
  Tone tone = Tone::none;
  bool is_box = false;
};

/// A line between two nodes, given by their indices.
struct GraphEdge {
  std::size_t from = 0, to = 0;
  std::string text = {};
  Tone tone = Tone::none;  ///< one of the four colors; none: plain
  double bend = 0;         ///< how far its middle lies beside the straight line, in pixels
  bool is_strong = false;
  double at = 0.5;  ///< where the text stands: 0 at `from`, 1 at `to`
};

struct Graph {
  std::string title;
  std::vector<GraphNode> nodes;
  std::vector<GraphEdge> edges;
};

/// Some grids and graphs, and the result of the run that they show.
struct Part {
  std::string command;  ///< the command that repeats the run
  std::vector<Grid> grids;
  std::vector<std::string> notes;
  std::vector<Graph> graphs = {};
};

using Drawing = std::vector<Part>;

/// The parts as text for a terminal. Colors are left out, because each cell's text says the same.
[[nodiscard]] std::string to_text(const Drawing& drawing);
/// The parts as an SVG picture, with a legend of the colors.
[[nodiscard]] std::string to_svg(const std::string& title, const Drawing& drawing);
[[nodiscard]] nlohmann::ordered_json to_json(const Drawing& drawing);

}  // namespace warpfold::papers
