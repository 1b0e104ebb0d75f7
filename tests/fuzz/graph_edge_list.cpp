#include "graph.hpp"
#include "reader.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace warpfold;
  const formats::EdgeListOptions options[] = {{},
                                              {.header = true},
                                              {.header = false, .knows_no_edge = true},
                                              {.columns = {"1", "3"}},
                                              {.directed = true, .unweighted = true},
                                              {.vertices = 9}};
  for (const formats::EdgeListOptions& asked : options) {
    const auto read = [&](std::string_view text) { fuzz::expect_graph(formats::parse_edge_list("fuzz", text, asked)); };
    fuzz::expect_end(data, size, read, ErrorKind::usage);
  }
  return 0;
}
