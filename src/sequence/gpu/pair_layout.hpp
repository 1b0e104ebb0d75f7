#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sequence/backends.hpp"
#include "sequence/gpu/layout.hpp"

namespace warpfold::sequence::cuda {

/// Two sequences of bytes, where they begin among the symbols on the device, and the pair's place in the results.
struct Pair {
  std::uint64_t a, b;
  std::uint32_t n, m, place;
};

inline constexpr unsigned pairs_of_group = 32;
inline constexpr unsigned rows_for_scripts = 8;  ///< K of the kernel for scripts
inline constexpr unsigned block_symbols = 32;    ///< that are packed at a time, of the pairs of a group

/// 32 pairs, or fewer at the end, and their words on the device. A has p planes of `width_a` words and a word for each
/// row that says which pairs have it. B has p planes of `width_b` words, then h above the first row.
struct PairGroup {
  std::uint32_t first;  ///< pair
  std::uint32_t rows, columns;
  std::uint32_t width_a, width_b;
  std::uint64_t a, b;         ///< the first words
  std::int32_t above, below;  ///< row - column of the cells on scripts within the bound: above .. below - 1
  std::uint64_t choices = 0;  ///< the first one, for scripts: a word of each edit's bits, column by column

  /// The columns of some rows that scripts within the bound come to.
  [[nodiscard]] constexpr std::uint32_t first_column(std::uint32_t first_row) const {
    return inside(std::int64_t{first_row} - below + 1);
  }
  [[nodiscard]] constexpr std::uint32_t last_column(std::uint32_t end_row) const {
    return inside(std::int64_t{end_row} - above);
  }
  [[nodiscard]] constexpr std::uint64_t choice_count() const { return std::uint64_t{rows} * columns; }

 private:
  [[nodiscard]] constexpr std::uint32_t inside(std::int64_t column) const {
    return static_cast<std::uint32_t>(column < 0 ? 0 : column > columns ? columns : column);
  }
};

/// A warp has 32 / `lanes` groups.
struct PairWarp {
  std::uint32_t first_group;
  std::uint32_t lanes;  ///< that share the rows of a group
};

/// How pairs are cut into groups and warps.
struct PairLayout {
  int planes;     ///< that the kernel works on
  int signs;      ///< words of a difference
  unsigned rows;  ///< K, of a lane at a time
  std::vector<PairGroup> groups = {};
  std::vector<PairWarp> warps = {};
  std::uint64_t words = slack;  ///< on the device

  /// Words before the first group's and behind the last one's, which lanes read and do not use.
  static constexpr std::uint64_t slack = 64;

  [[nodiscard]] double seconds() const;
};

/// The planes of the kernel for symbols of `planes` bits.
[[nodiscard]] int planes_of_pair_kernel(std::size_t planes);
/// The numbers of rows of a lane that a kernel exists for.
[[nodiscard]] std::span<const unsigned> rows_of_pair_kernels(int planes);

/// The largest distance that matters.
using Bound = std::optional<std::uint32_t>;

/// The layout of pairs with K = `rows`. The pairs are in descending order of n, those of equal n of m.
[[nodiscard]] PairLayout layout_of(std::span<const Pair> pairs, int planes, Measure measure, Bound bound,
                                   unsigned rows);
/// With the K that takes least time.
[[nodiscard]] PairLayout layout_of(std::span<const Pair> pairs, int planes, Measure measure, Bound bound);

}  // namespace warpfold::sequence::cuda
