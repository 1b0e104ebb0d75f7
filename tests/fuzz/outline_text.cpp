#include <cstddef>
#include <cstdint>
#include <string_view>

#include "fuzz_outline.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return warpfold::fuzz::read_outline(
      data, size, [](std::string_view text) { return warpfold::formats::parse_text_outline("fuzz", text); });
}
