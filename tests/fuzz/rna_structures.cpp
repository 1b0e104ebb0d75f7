#include "warpfold/formats/rna_structures.hpp"

#include "reader.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace warpfold;
  for (const char* path : {"fuzz.ct", "fuzz.bpseq", "fuzz.db"}) {
    fuzz::expect_end(data, size, [&](std::string_view text) { (void)formats::parse_rna_structures(path, text); });
  }
  return 0;
}
