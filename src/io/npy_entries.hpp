#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "warpfold/io/npy.hpp"

namespace warpfold::io {

/// What a .npy file of version 1 has before its entries.
[[nodiscard]] std::string npy_header(std::string_view descr, const std::vector<std::size_t>& shape);

/// Converts between a value and its little-endian bytes.
template <class T>
T little_endian(T value) {
  if constexpr (std::endian::native == std::endian::little) return value;
  auto bytes = std::bit_cast<std::array<std::byte, sizeof(T)>>(value);
  std::ranges::reverse(bytes);
  return std::bit_cast<T>(bytes);
}

/// Calls visit(i, entry) for every entry, in the type Source of the file.
template <class Source, class Visit>
void each_entry(const NpyArray& array, const Visit& visit) {
  const std::size_t size = array.size();
  const char* first = array.content.data() + array.first_byte;
  for (std::size_t i = 0; i < size; ++i) {
    Source value;
    std::memcpy(&value, first + i * sizeof(Source), sizeof(Source));
    visit(i, little_endian(value));
  }
}

template <class Visit>
void each_entry(const NpyArray& array, const Visit& visit) {
  if (array.dtype == "i8") each_entry<std::int8_t>(array, visit);
  if (array.dtype == "u8" || array.dtype == "bool") each_entry<std::uint8_t>(array, visit);
  if (array.dtype == "i16") each_entry<std::int16_t>(array, visit);
  if (array.dtype == "u16") each_entry<std::uint16_t>(array, visit);
  if (array.dtype == "i32") each_entry<std::int32_t>(array, visit);
  if (array.dtype == "u32") each_entry<std::uint32_t>(array, visit);
  if (array.dtype == "i64") each_entry<std::int64_t>(array, visit);
  if (array.dtype == "u64") each_entry<std::uint64_t>(array, visit);
  if (array.dtype == "f32") each_entry<float>(array, visit);
  if (array.dtype == "f64") each_entry<double>(array, visit);
}

}  // namespace warpfold::io
