#include "warpfold/tiles/super_tiles.hpp"

#include <algorithm>
#include <cmath>

#include "warpfold/tiles/tile_table.hpp"

namespace warpfold::tiles {

std::pair<std::size_t, std::size_t> place_of(std::size_t number) {
  auto j = static_cast<std::size_t>((std::sqrt(8.0 * static_cast<double>(number) + 1) - 1) / 2);
  while (tile_number(0, j) > number) --j;
  while (tile_number(0, j + 1) <= number) ++j;
  return {number - tile_number(0, j), j};
}

std::vector<std::span<std::byte>> pieces_of(const SuperTiles& table, std::size_t i, std::size_t j) {
  const auto [first, tile_bytes, tiles, group] = table;
  std::vector<std::span<std::byte>> found;
  for (std::size_t column = j * group; column < std::min((j + 1) * group, tiles); ++column) {
    const std::size_t rows = std::min((i + 1) * group, column + 1) - i * group;
    found.emplace_back(first + tile_number(i * group, column) * tile_bytes, rows * tile_bytes);
  }
  return found;
}

}  // namespace warpfold::tiles
