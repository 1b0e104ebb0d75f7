#include "warpfold/io/npy.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "warpfold/core/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    static_cast<void>(warpfold::io::parse_npy("fuzz", std::string(text)).values<double>());
  } catch (const warpfold::Error& error) {
    if (error.kind() != warpfold::ErrorKind::input) throw;
  }
  return 0;
}
