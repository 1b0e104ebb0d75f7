#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "warpfold/machine/cost.hpp"

namespace warpfold::machine {

/// The access of a warp as a picture: lanes down, and across the banks or groups that serve them.
struct Grid {
  std::string head;
  std::uint32_t columns = 1, lanes = 1;
  std::vector<Served> words;
  std::vector<std::uint32_t> columns_of_words;
};

/// Returns an SVG picture of the grids, one below the other.
[[nodiscard]] std::string grids_svg(const std::string& title, const std::vector<Grid>& grids);

}  // namespace warpfold::machine
