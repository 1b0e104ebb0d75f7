#include "warpfold/formats/score_matrix.hpp"

#include "reader.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace warpfold;
  fuzz::expect_end(data, size,
                   [](std::string_view text) { (void)formats::parse_score_matrix("fuzz", std::string(text)); });
  return 0;
}
