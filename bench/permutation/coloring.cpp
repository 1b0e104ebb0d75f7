// How long does Konig's edge coloring take, and how does the time grow with the edges and the degree?
#include "warpfold/permutation/coloring.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <stdexcept>

#include "../question.hpp"

namespace {

using namespace warpfold;

void measure_coloring(std::uint32_t nodes, std::uint32_t degree, int repeats) {
  std::vector<std::uint32_t> target(std::size_t{nodes} * degree);
  std::iota(target.begin(), target.end(), 0);
  std::shuffle(target.begin(), target.end(), std::mt19937_64(degree));
  std::vector<std::uint32_t> left(target.size()), right(target.size()), color;
  for (std::size_t i = 0; i < target.size(); ++i) {
    left[i] = static_cast<std::uint32_t>(i % nodes);
    right[i] = target[i] % nodes;
  }
  const bench::Timing timing = bench::measure(repeats, [&] { color = permutation::color_edges(left, right, nodes); });
  if (!permutation::is_edge_coloring(left, right, nodes, color)) {
    throw std::runtime_error(fmt::format("the coloring of {} nodes of degree {} is wrong", nodes, degree));
  }
  bench::keep(bench::row("edge coloring", {{"nodes", nodes}, {"degree", degree}, {"threads", 1}}, timing,
                         static_cast<double>(target.size()), 0));
}

const bench::Question coloring_question(
    "coloring",
    [](const bench::Arguments&) {
      measure_coloring(32, 1 << 13, 5);
      measure_coloring(32, 1 << 15, 5);
      measure_coloring(32, 1 << 17, 5);
      measure_coloring(32, (1 << 17) - 1, 5);
      measure_coloring(32, 3 * 5 * 7 * 11, 5);
      measure_coloring(1024, 1 << 10, 5);
      measure_coloring(1024, 1023, 5);
      measure_coloring(4096, 1 << 12, 3);
    },
    [](const bench::Json& row) {
      return fmt::format("{:>6} nodes, degree {:>7}: {:8.3f} s (spread {:.2f}), {:.1f} M edges/s",
                         row["nodes"].get<int>(), row["degree"].get<int>(), row["median_seconds"].get<double>(),
                         row["spread"].get<double>(), row["rate_per_second"].get<double>() * 1e-6);
    });

}  // namespace
