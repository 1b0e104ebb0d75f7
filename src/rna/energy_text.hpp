#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>

namespace warpfold::rna {

/// An energy in 0.01 kcal/mol, as messages give it.
[[nodiscard]] inline std::string energy_text(std::int64_t hundredths) {
  return fmt::format("{:.2f} kcal/mol", static_cast<double>(hundredths) / 100);
}

}  // namespace warpfold::rna
