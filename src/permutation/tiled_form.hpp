#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "warpfold/permutation/form.hpp"

namespace warpfold::permutation {

/// An axis of a TiledForm: `extent` places, of which a tile has `chunk`, or fewer at the axis's end.
struct TiledAxis {
  std::uint32_t extent = 1;
  std::uint32_t chunk = 1;
  std::uint32_t from_stride = 0;
  std::uint32_t to_stride = 0;  ///< modulo 2^32, as every place in the result

  [[nodiscard]] std::uint32_t parts() const { return (extent + chunk - 1) / chunk; }
};

/// An AxisForm cut into tiles. A tile is a box of the axes that are near each other in the source or in the result. So
/// it is read in long rows and written in long rows.
///
/// The tables state each word of a tile by its place relative to the tile's first word. Tiles at the end of an axis are
/// smaller. At most two axes have such tiles; the tables state the word's digits there.
struct TiledForm {
  std::uint32_t offset = 0;
  std::vector<TiledAxis> axes;             ///< least significant digit of the source first
  std::uint32_t ragged[2] = {};            ///< the axes with smaller tiles at the end
  std::vector<std::uint32_t> from_place;   ///< in the order of the source: place there
  std::vector<std::uint32_t> from_digits;  ///< the digits of ragged[0], and of ragged[1] times 2^16
  std::vector<std::uint32_t> to_place;     ///< in the order of the result: place there
  std::vector<std::uint32_t> to_digits;
  std::vector<std::uint32_t> word;  ///< in the order of the result: the word's number in the order of the source

  [[nodiscard]] std::size_t tile_words() const { return word.size(); }
  [[nodiscard]] std::size_t tiles() const;
  /// Whether a tile is a square of two axes: one has neighboring words of the source, the other of the result.
  [[nodiscard]] bool is_plane(std::uint32_t side) const;
};

/// Cuts a form into tiles whose rows have about `row` words or more.
[[nodiscard]] TiledForm cut_into_tiles(const AxisForm& form, std::uint32_t row);

}  // namespace warpfold::permutation
