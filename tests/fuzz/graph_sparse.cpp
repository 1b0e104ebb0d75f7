#include "graph.hpp"
#include "reader.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace warpfold;
  fuzz::expect_end(data, size,
                   [](std::string_view text) { fuzz::expect_graph(formats::parse_sparse_npz("fuzz", text)); });
  return 0;
}
