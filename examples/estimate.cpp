// What a solve would take, before there are any weights.
// --- snippet
#include <iostream>

#include "warpfold/interval/solve.hpp"

int main() {
  warpfold::Options options;
  options.device = warpfold::parse_device("cpu");
  for (const std::size_t vertices : {1'000, 10'000, 50'000}) {
    const warpfold::Estimate expected = warpfold::interval::estimate<float>(vertices, options);
    std::cout << vertices << " vertices: " << expected.algorithm << ", " << expected.seconds << " s, "
              << expected.bytes / 1'000'000 << " MB, " << expected.operations << " operations\n";
  }
}
