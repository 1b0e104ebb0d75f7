#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "warpfold/core/error.hpp"

namespace warpfold::fuzz {

/// For any bytes, read(text) must return, raise Error{input}, or raise an Error of the other given kind.
template <class Read>
void expect_end(const std::uint8_t* data, std::size_t size, const Read& read, ErrorKind other = ErrorKind::input) {
  try {
    read(std::string_view(reinterpret_cast<const char*>(data), size));
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input && error.kind() != other) throw;
  }
}

}  // namespace warpfold::fuzz
