#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

/// Grids of cells, as text and as a picture: what the worked examples are drawn with.
namespace warpfold::papers {

/// What a cell's color says.
enum class Tone {
  none,     ///< nothing
  given,    ///< there from the start
  partial,  ///< some terms are in
  final,    ///< will not change any more
  early,    ///< read before it was final
  wrong,    ///< final, but another value than the right one
  color_0,
  color_1,
  color_2,
  color_3
};

/// One of four colors that only tell things apart.
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
  std::vector<GridRow> rows;  ///< each with a cell a column
};

/// The upper triangle of a table of `side` rows and columns, counted from 1.
[[nodiscard]] Grid triangle(const std::string& title, std::uint64_t side,
                            const std::function<GridCell(std::uint64_t i, std::uint64_t j)>& cell_of);

/// Some grids, and what the run that they are drawn from says.
struct Part {
  std::string command;  ///< that repeats the run
  std::vector<Grid> grids;
  std::vector<std::string> notes;
};

using Drawing = std::vector<Part>;

/// The parts for a terminal; the tones are left out, since every text says for itself what its tone does.
[[nodiscard]] std::string to_text(const Drawing& drawing);
/// The same as a picture, SVG, with a legend of the tones.
[[nodiscard]] std::string to_svg(const std::string& title, const Drawing& drawing);
[[nodiscard]] nlohmann::ordered_json to_json(const Drawing& drawing);

}  // namespace warpfold::papers
