// How long does it take to find which vertex reaches which, compared with the rate of an or-and product in the same
// run?
//
//   bench_paths reach --json > results/<machine>/paths_reach.json
#include "../question.hpp"
#include "graphs.hpp"
#include "timing/dense.hpp"
#include "warpfold/paths/all_pairs.hpp"

namespace {

using namespace warpfold;
using minplus::Semiring;

Options on_cpu() {
  Options options;
  options.device = parse_device("cpu");
  return options;
}

struct Size {
  std::size_t n;
  bool successors;
  int repeats;
};

double cubed(std::size_t n) { return static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(n); }

const bench::Question reach_question("reach", [](const bench::Arguments&) {
  constexpr std::size_t side = 4096;
  const std::vector<std::uint8_t> a = bench::random_entries<std::uint8_t>(side * side, 1);
  std::vector<std::uint8_t> c(side * side);
  const MatrixView<const std::uint8_t> factor{a.data(), side, side, side};
  for (const Size& size : {Size{4096, false, 7}, Size{8192, false, 5}, Size{32768, false, 3}, Size{8192, true, 3}}) {
    const Matrix<std::uint8_t> edges = bench::graph_of_bits(size.n, 2);
    std::vector<double> reach, product;
    for (int repeat = 0; repeat < size.repeats; ++repeat) {
      reach.push_back(bench::seconds_of(paths::all_pairs(edges, on_cpu(), {Semiring::or_and, size.successors}).report));
      std::fill(c.begin(), c.end(), std::uint8_t{0});
      const Report of_product =
          minplus::accumulate<std::uint8_t>(Semiring::or_and, factor, factor, {c.data(), side, side, side}, on_cpu());
      product.push_back(bench::seconds_of(of_product));
    }
    const bench::Timing product_time = bench::summarize(product), time = bench::summarize(reach);
    bench::Json row =
        bench::row(size.successors ? "reach and successors" : "reach",
                   {{"n", size.n}, {"dtype", "u8"}, {"threads", thread_count(0)}}, time, cubed(size.n), 0);
    row["product_n"] = side;
    row["product_median_seconds"] = product_time.median_seconds;
    row["product_spread"] = product_time.spread;
    row["times_the_products_rate"] = cubed(size.n) / time.median_seconds / (cubed(side) / product_time.median_seconds);
    bench::keep(std::move(row));
  }
});

}  // namespace
