#pragma once

#include <cstddef>
#include <utility>

#include "warpfold/polygon/chords.hpp"
#include "warpfold/polygon/outline.hpp"

namespace warpfold::fuzz {

/// Vertices that were read are rejected as an outline, or have between n - 3 and n(n-3)/2 interior chords.
template <class Vertices>
void expect_chords(Vertices&& vertices) {
  const polygon::Outline outline(std::forward<Vertices>(vertices));
  Options options;
  options.threads = 1;
  const std::size_t n = outline.size();
  const std::size_t chords = polygon::interior_chords(outline, options).chords();
  if (chords + 3 < n || chords > n * (n - 3) / 2) __builtin_trap();
}

}  // namespace warpfold::fuzz
