#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>

namespace warpfold::sequence::warp {

/// The cells (i,j) of an n x m table, counted from 0, with least <= j - i <= most.
struct Band {
  std::int64_t least, most;
  std::size_t n, m;

  /// Whether it has every cell of the table.
  [[nodiscard]] bool has_all() const {
    return least <= 1 - static_cast<std::int64_t>(n) && most >= static_cast<std::int64_t>(m) - 1;
  }
  /// The columns of a row: begin(i) to end(i), the end not included.
  [[nodiscard]] std::size_t begin(std::size_t i) const { return clamped(static_cast<std::int64_t>(i) + least); }
  [[nodiscard]] std::size_t end(std::size_t i) const { return clamped(static_cast<std::int64_t>(i) + most + 1); }
  /// About the number of cells.
  [[nodiscard]] double cells() const {
    const double width = std::min(static_cast<double>(m), static_cast<double>(most - least + 1));
    return static_cast<double>(n) * width;
  }

 private:
  [[nodiscard]] std::size_t clamped(std::int64_t column) const {
    return static_cast<std::size_t>(std::clamp<std::int64_t>(column, 0, static_cast<std::int64_t>(m)));
  }
};

/// The band of WarpingRequest::window. Lengths are at most 2^32.
[[nodiscard]] inline Band band_of(std::size_t n, std::size_t m, std::optional<std::uint64_t> window) {
  constexpr std::uint64_t widest = std::uint64_t{1} << 40;
  const auto width = static_cast<std::int64_t>(std::min(window.value_or(widest), widest));
  const auto longer = static_cast<std::int64_t>(m) - static_cast<std::int64_t>(n);
  return {std::min<std::int64_t>(longer, 0) - width + 1, std::max<std::int64_t>(longer, 0) + width - 1, n, m};
}

}  // namespace warpfold::sequence::warp
