#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "warpfold/formats/outline.hpp"
#include "warpfold/formats/weights.hpp"
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

/// The words of the command line that say what is solved.
struct TriangulationSource {
  std::string input;
  bool matrix = false;
  std::string weight = "length";
  formats::OutlineChoice choice;
};

/// Raises Error{usage} for words that exclude each other: a feature of a matrix, or, by ranks, an outline with a file
/// of weights.
void check_source(const TriangulationSource& source, bool by_ranks);

/// The input: an outline with a formula or a file of weights, or a file of weights alone.
struct TriangulationInstance {
  std::optional<CheckedOutline> read;  ///< the outline
  std::optional<polygon::Weight> formula;
  std::optional<formats::WeightMatrix> matrix;
  std::string file;  ///< the source of the weights, for messages
  double read_seconds = 0;

  [[nodiscard]] const polygon::Outline* outline() const { return read ? &read->outline : nullptr; }
  [[nodiscard]] std::size_t n() const { return read ? outline()->size() : matrix->n(); }
};

[[nodiscard]] TriangulationInstance read_triangulation(const TriangulationSource& source);

/// Notes on standard error what was ignored or dropped of an outline. Call it after the run.
void note_outline(const std::string& path, const CheckedOutline& read);

/// The factor for x when a map is drawn. RFC 7946 prescribes longitudes and latitudes; a degree of longitude is shorter
/// away from the equator.
[[nodiscard]] double map_scale(const std::vector<Point>& vertices);

}  // namespace warpfold::app
