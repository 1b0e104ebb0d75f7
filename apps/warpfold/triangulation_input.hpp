#pragma once

#include <optional>
#include <string>
#include <vector>

#include "warpfold/formats/outline.hpp"
#include "warpfold/polygon/outline.hpp"
#include "warpfold/polygon/triangulation.hpp"

/// How `triangulate`, its verifier and what else takes an outline understand it.
namespace warpfold::app {

/// What a chord costs: a formula of its ends, or the name of a file of weights.
struct WeightChoice {
  std::optional<polygon::Weight> formula;
  std::string file;
};

/// "length", "squared", or a file of weights by its ending. Raises Error{usage} for anything else.
[[nodiscard]] WeightChoice parse_weight(const std::string& text);

struct CheckedOutline {
  polygon::Outline outline;
  bool is_map = false;                  ///< as `formats::OutlineFile` has it
  bool is_rounded = false;              ///< the same
  std::vector<std::string> notes = {};  ///< what was ignored or dropped, a sentence each
};

/// Reads and checks an outline; messages name the file.
[[nodiscard]] CheckedOutline read_checked_outline(const std::string& path, const formats::OutlineChoice& choice);

/// Says what was ignored or dropped of an outline, after the run.
void note_outline(const std::string& path, const CheckedOutline& read);

/// What stretches x where a map's vertices are drawn: longitudes and latitudes, which RFC 7946 prescribes, have their
/// degrees of longitude shortened.
[[nodiscard]] double map_scale(const std::vector<Point>& vertices);

}  // namespace warpfold::app
