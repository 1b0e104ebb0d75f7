#include <fmt/format.h>

#include <string>

#include "outline.hpp"
#include "reader.hpp"
#include "warpfold/formats/outline.hpp"

/// The bytes of well-known binary, as hexadecimal digits.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace warpfold;
  fuzz::expect_end(data, size, [](std::string_view bytes) {
    std::string digits;
    for (const char byte : bytes) digits += fmt::format("{:02x}", static_cast<unsigned char>(byte));
    fuzz::expect_chords(formats::parse_wkt_outline("fuzz", digits).vertices);
  });
  return 0;
}
