#include <cstddef>
#include <cstdint>
#include <string_view>

#include "warpfold/core/error.hpp"
#include "warpfold/formats/knapsack_instance.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const char* format : {"", "standard", "kplib", "jooken", "pisinger"}) {
    try {
      static_cast<void>(warpfold::formats::parse_knapsack("fuzz", text, format));
      static_cast<void>(warpfold::formats::parse_subset_sum("fuzz", text, format));
    } catch (const warpfold::Error& error) {
      if (error.kind() != warpfold::ErrorKind::input) throw;
    }
  }
  return 0;
}
