#pragma once

#include <span>
#include <string_view>

namespace warpfold::formats {

/// A score matrix that comes with the library, as a file of the same form has it.
struct ScoreMatrixText {
  std::string_view name, text;
};

[[nodiscard]] std::span<const ScoreMatrixText> score_matrix_texts();

}  // namespace warpfold::formats
