#pragma once

#include <fmt/format.h>

#include <string>

/// What all pictures of the papers share: a view box, and colors that stand on light and on dark backgrounds. The
/// series' colors are told apart by people who see few colors.
namespace warpfold::papers {

/// The beginning of a picture: its size, the style of its classes, and its background. Classes: `paper` is the
/// background, `ink` text, `dim` headings of rows and columns, `line` and `frame` strokes.
[[nodiscard]] inline std::string begin_svg(std::size_t width, std::size_t height, std::size_t font_size) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
      "font-family=\"sans-serif\" font-size=\"{2}\">\n"
      "<style>.paper{{fill:#fff}}.ink{{fill:#222}}.dim{{fill:#666}}.line{{stroke:#777}}.frame{{stroke:#bbb}}"
      ".halo{{stroke:#fff}}@media screen and (prefers-color-scheme:dark){{.paper{{fill:#16191d}}.ink{{fill:#e6e6e6}}"
      ".dim{{fill:#a5a9ae}}.line{{stroke:#9aa0a6}}.frame{{stroke:#50565d}}.halo{{stroke:#16191d}}}}</style>\n"
      "<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n",
      width, height, font_size);
}

/// The colors of lines that are to be told apart.
inline constexpr const char* line_colors[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                              "#56b4e9", "#e69f00", "#7f7f7f", "#9467bd"};

}  // namespace warpfold::papers
