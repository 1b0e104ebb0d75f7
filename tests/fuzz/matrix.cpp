#include "warpfold/formats/matrix.hpp"

#include <string>

#include "reader.hpp"

/// Reads a matrix in each format. The number of entries must match the shape.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace warpfold;
  for (const char* path : {"fuzz", "fuzz.csv", "fuzz.mtx"}) {
    fuzz::expect_end(data, size, [&](std::string_view text) {
      const io::NpyArray array = formats::parse_matrix(path, std::string(text));
      if (array.values<double>().size() != array.size()) __builtin_trap();
    });
  }
  return 0;
}
