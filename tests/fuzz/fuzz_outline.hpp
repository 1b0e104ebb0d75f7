#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "warpfold/core/error.hpp"
#include "warpfold/formats/outline.hpp"
#include "warpfold/polygon/chords.hpp"
#include "warpfold/polygon/outline.hpp"

namespace warpfold::fuzz {

/// Whatever the bytes are, reading ends in vertices or in an Error{input}; an outline that is accepted has between
/// n - 3 and n(n-3)/2 interior chords.
template <class Parse>
int read_outline(const std::uint8_t* data, std::size_t size, Parse parse) {
  try {
    const polygon::Outline outline(parse(std::string_view(reinterpret_cast<const char*>(data), size)));
    Options options;
    options.threads = 1;
    const std::size_t n = outline.size();
    const std::size_t chords = polygon::interior_chords(outline, options).chords();
    if (chords + 3 < n || chords > n * (n - 3) / 2) __builtin_trap();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input) throw;
  }
  return 0;
}

}  // namespace warpfold::fuzz
