#include "reader.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/formats/sequences.hpp"

/// Every format that cuts a text, and the text of each symbol.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace warpfold;
  for (const char* name : {"bytes", "text", "lines", "words"}) {
    fuzz::expect_end(data, size, [&](std::string_view text) {
      const formats::SymbolSequence sequence =
          formats::sequence_format(name).parse("fuzz", std::string(text), {.ignore_ends = size % 2 == 0});
      for (std::size_t i = 0; i < sequence.size(); ++i) (void)sequence.text(i);
    });
  }
  return 0;
}
