#pragma once

#include <optional>
#include <string>

#include "warpfold/formats/outline.hpp"
#include "warpfold/polygon/outline.hpp"
#include "warpfold/polygon/triangulation.hpp"

/// How `triangulate` and its verifier understand an instance.
namespace warpfold::app {

/// What a chord costs: a formula of its ends, or the name of a file of weights.
struct WeightChoice {
  std::optional<polygon::Weight> formula;
  std::string file;
};

/// "length", "squared", or a .npy or .csv file. Raises Error{usage} for anything else.
[[nodiscard]] WeightChoice parse_weight(const std::string& text);

struct CheckedOutline {
  polygon::Outline outline;
  formats::OutlineFormat format;
};

/// Reads and checks an outline; messages name the file.
[[nodiscard]] CheckedOutline read_checked_outline(const std::string& path, const formats::OutlineChoice& choice);

}  // namespace warpfold::app
