#include "warpfold/formats/weights.hpp"

#include "reader.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace warpfold;
  const auto read = [](std::string_view text) { (void)formats::parse_weights("fuzz", text).values<double>(); };
  fuzz::expect_end(data, size, read, ErrorKind::overflow);
  return 0;
}
