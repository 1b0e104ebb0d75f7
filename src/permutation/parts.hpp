#pragma once

#include <algorithm>
#include <cstddef>

#include "warpfold/run/run.hpp"
#include "warpfold/run/team.hpp"

namespace warpfold::permutation {

/// Calls body(begin, end) for parts of 0 .. n-1, with several threads.
template <class Body>
void for_parts(std::size_t n, int threads, const Body& body) {
  constexpr std::size_t words_at_once = 1 << 16;
  Team(thread_count(threads)).parallel_for((n + words_at_once - 1) / words_at_once, [&](std::size_t part, int) {
    body(part * words_at_once, std::min(n, (part + 1) * words_at_once));
  });
}

}  // namespace warpfold::permutation
