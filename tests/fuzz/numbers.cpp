// Lists of numbers as text (dimensions of chains, weights of trees) and as JSON.
#include "warpfold/io/numbers.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "warpfold/core/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const auto numbers = warpfold::io::parse_numbers("fuzz", text);
    if (!numbers.wholes.empty() && !numbers.reals.empty()) __builtin_trap();
  } catch (const warpfold::Error&) {
  }
  try {
    static_cast<void>(warpfold::io::parse_json_lists("fuzz", text, {"p", "q"}));
  } catch (const warpfold::Error&) {
  }
  return 0;
}
