#pragma once

#include <optional>
#include <string>
#include <vector>

#include "warpfold/formats/outline.hpp"
#include "warpfold/polygon/outline.hpp"
#include "warpfold/polygon/triangulation.hpp"

/// The input of `triangulate`, for the command, its verifier, and other commands that read an outline.
namespace warpfold::app {

/// The weight of a chord: a formula of its ends, or a file of weights.
struct WeightChoice {
  std::optional<polygon::Weight> formula;
  std::string file;
};

/// Parses "length", "squared", or the name of a file of weights, which its ending identifies. Raises Error{usage} for
/// anything else.
[[nodiscard]] WeightChoice parse_weight(const std::string& text);

struct CheckedOutline {
  polygon::Outline outline;
  bool is_map = false;                  ///< as in `formats::OutlineFile`
  bool is_rounded = false;              ///< as in `formats::OutlineFile`
  std::vector<std::string> notes = {};  ///< what was ignored or dropped, a sentence each
};

/// Reads and checks an outline. Messages name the file.
[[nodiscard]] CheckedOutline read_checked_outline(const std::string& path, const formats::OutlineChoice& choice);

/// Notes on standard error what was ignored or dropped of an outline. Call it after the run.
void note_outline(const std::string& path, const CheckedOutline& read);

/// The factor for x when a map is drawn. RFC 7946 prescribes longitudes and latitudes; a degree of longitude is shorter
/// away from the equator.
[[nodiscard]] double map_scale(const std::vector<Point>& vertices);

}  // namespace warpfold::app
