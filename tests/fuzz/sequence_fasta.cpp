#include "reader.hpp"
#include "warpfold/formats/sequences.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace warpfold;
  fuzz::expect_end(data, size,
                   [](std::string_view text) { (void)formats::parse_fasta("fuzz", std::string(text), {}); });
  fuzz::expect_end(data, size,
                   [](std::string_view text) { (void)formats::parse_fasta_records("fuzz", std::string(text), {}); });
  return 0;
}
