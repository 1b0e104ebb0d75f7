#include "warpfold/formats/rna_sequences.hpp"

#include "reader.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace warpfold;
  fuzz::expect_end(data, size, [](std::string_view text) { (void)formats::parse_rna_sequences("fuzz", text); });
  return 0;
}
