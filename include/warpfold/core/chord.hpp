#pragma once

#include <compare>
#include <cstdint>

/// Chords and triangles of a polygon whose vertices are numbered in order.
namespace warpfold {

/// The chord between vertices i < j.
struct Chord {
  std::uint32_t i = 0;
  std::uint32_t j = 0;
  auto operator<=>(const Chord&) const = default;
};

/// The triangle of vertices i < k < j. It lies below the chord or edge (i,j).
struct Triangle {
  std::uint32_t i = 0;
  std::uint32_t k = 0;
  std::uint32_t j = 0;
  bool operator==(const Triangle&) const = default;
};

}  // namespace warpfold
