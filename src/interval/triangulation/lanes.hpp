#pragma once

#include <array>
#include <cstddef>

#include "warpfold/core/chord.hpp"
#include "warpfold/core/matrix.hpp"

/// Triangulations of polygons with equal numbers of vertices on the CPU, one in each lane of a vector.
namespace warpfold::interval::lanes {

inline constexpr std::size_t max_count = 64 / sizeof(float);

/// The number of polygons that are solved together: the lanes of a vector of T, 1 without vectors.
template <class T>
[[nodiscard]] std::size_t count();

/// `count` polygons of n vertices. `triangles` has room for n-2 triangles of each.
template <class T>
struct Group {
  std::size_t n = 0;
  std::array<const MatrixView<const T>*, max_count> weights = {};
  std::array<Triangle*, max_count> triangles = {};
  std::array<T, max_count> costs = {};
};

/// The number of values of a group's table.
template <class T>
[[nodiscard]] std::size_t table_size(std::size_t n) {
  const std::size_t side = (n + 3) / 4 * 4;
  return side * (side + 1) * count<T>();
}

/// Fills in the triangles and costs of a group. The table has table_size(n) values, aligned to 64 bytes and
/// initialized.
///
/// A vector holds the same entry of all polygons, so the loads are aligned, and 4 x 4 entries share the loads of their
/// splits: 8 for 16 additions and minima.
template <class T>
void solve(Group<T>& group, T* table);

}  // namespace warpfold::interval::lanes
