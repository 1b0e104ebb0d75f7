#include "warpfold/io/npy.hpp"

#include <string>

#include "reader.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace warpfold;
  fuzz::expect_end(data, size,
                   [](std::string_view text) { (void)io::parse_npy("fuzz", std::string(text)).values<double>(); });
  return 0;
}
