#include "io/json.hpp"

#include "reader.hpp"

/// Text that is written from a value that was read must be read as the same value.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace warpfold;
  fuzz::expect_end(data, size, [](std::string_view text) {
    const io::Json value = io::parse_json("fuzz", text);
    if (io::parse_json("again", io::json_text(value)) != value) __builtin_trap();
  });
  return 0;
}
