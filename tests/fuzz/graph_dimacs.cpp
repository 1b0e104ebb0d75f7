#include <cstddef>
#include <cstdint>

#include "fuzz_graph.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return warpfold::fuzz::read_graph(data, size, warpfold::formats::parse_dimacs);
}
