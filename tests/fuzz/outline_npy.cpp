#include "outline.hpp"
#include "reader.hpp"
#include "warpfold/formats/outline.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace warpfold;
  fuzz::expect_end(data, size, [](std::string_view text) {
    fuzz::expect_chords(formats::parse_outline("fuzz.npy", text).vertices);
  });
  return 0;
}
