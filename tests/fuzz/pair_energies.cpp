#include "warpfold/formats/pair_energies.hpp"

#include "reader.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace warpfold;
  for (const std::size_t bases : {0, 1, 12}) {
    fuzz::expect_end(data, size,
                     [&](std::string_view text) { (void)formats::parse_pair_energies("fuzz", text, bases); });
  }
  return 0;
}
