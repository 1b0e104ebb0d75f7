#include "machine/picture.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace warpfold::machine {

namespace {

std::string color(std::uint32_t stage) { return fmt::format("hsl({},65%,{}%)", stage * 47 % 360, 55 + stage % 3 * 8); }

/// The width in pixels of a line of text. Most letters of a sans-serif font are narrower than 0.62 of its size.
std::size_t text_width(const std::string& text, std::size_t font_size) { return text.size() * font_size * 62 / 100; }

}  // namespace

std::string grids_svg(const std::string& title, const std::vector<Grid>& grids) {
  constexpr std::size_t cell = 14, left = 46, head = 34, gap = 20, title_size = 13, head_size = 11;
  std::size_t right = text_width(title, title_size), height = head;
  for (const Grid& grid : grids) {
    right = std::max({right, grid.columns * cell, text_width(grid.head, head_size)});
    height += grid.lanes * cell + head + gap;
  }
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" font-family=\"sans-serif\" "
      "font-size=\"9\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n<text x=\"{}\" y=\"18\" "
      "font-size=\"{}\">{}</text>\n",
      left + right + gap, height, left, title_size, title);
  std::size_t top = head;
  for (const Grid& grid : grids) {
    svg += fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"{}\">{}</text>\n", left, top + 14, head_size, grid.head);
    top += head - 14;
    svg += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"#f3f3f3\" stroke=\"#999\"/>\n", left,
                       top, grid.columns * cell, grid.lanes * cell);
    for (std::size_t lane = 0; lane < grid.lanes; ++lane) {
      svg += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"end\" fill=\"#555\">{}</text>\n", left - 4,
                         top + lane * cell + 10, lane);
    }
    for (std::size_t i = 0; i < grid.words.size(); ++i) {
      const Served& word = grid.words[i];
      const std::size_t x = left + grid.columns_of_words[i] * cell, y = top + word.lane * cell;
      svg += fmt::format(
          "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\" stroke=\"white\"><title>lane {}, word {}, "
          "bank {}, stage {}</title></rect><text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n",
          x, y, cell, cell, color(word.stage), word.lane, word.word, word.bank, word.stage, x + cell / 2, y + 10,
          word.stage);
    }
    top += grid.lanes * cell + gap + 14;
  }
  return svg + "</svg>\n";
}

}  // namespace warpfold::machine
