#include "warpfold/formats/weights.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "warpfold/core/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    static_cast<void>(warpfold::formats::parse_weights("fuzz", text).values<double>());
  } catch (const warpfold::Error& error) {
    if (warpfold::exit_code(error.kind()) != 3) throw;
  }
  return 0;
}
