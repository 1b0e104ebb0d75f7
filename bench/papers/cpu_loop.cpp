// How long does the conventional CPU loop of gpu-polygon-triangulation-2013 (the CPU row of its Table 3) take on this
// machine?
//
//   bench_papers cpu_loop --json [FIRST [LAST]] > results/<machine>/paper_cpu_loop.json      FIRST: 128, LAST: 8192
//
// One thread, f32, stage by stage over an n x n array, as section 2 states. A size that takes 20 s or more is measured
// once. Times are the process's CPU time, so that the long sizes may run beside other work.

#include <fmt/format.h>

#include <ctime>
#include <stdexcept>

#include "../question.hpp"
#include "papers/gpu-polygon-triangulation-2013/conventional.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/interval/solve.hpp"

namespace {

using namespace warpfold;
using namespace warpfold::papers::gpu_polygon_2013;

void measure_loop(std::size_t n) {
  const std::vector<float> weights = uniform_weights(n);
  std::vector<float> table(n * n);
  const float expected = interval::solve(interval::Triangulation<float>({weights.data(), n, n, n})).solution.cost;
  const auto run = [&] {
    if (conventional_loop(weights, n, table) == expected) return;
    throw std::runtime_error(fmt::format("the conventional loop is wrong for n = {}", n));
  };
  std::vector<double> seconds;
  while (seconds.size() < 5 && (seconds.empty() || seconds.front() < 20)) {
    const std::clock_t start = std::clock();
    run();
    seconds.push_back(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  }
  const auto size = static_cast<double>(n);
  bench::keep(bench::row("conventional loop", {{"n", n}, {"threads", 1}}, bench::summarize(std::move(seconds)),
                         size * (size - 1) * (size - 2) / 6, 0));
}

const bench::Question cpu_loop_question("cpu_loop", [](const bench::Arguments& arguments) {
  const std::size_t first = arguments.empty() ? 128 : std::stoul(arguments[0]);
  const std::size_t last = arguments.size() < 2 ? 8192 : std::stoul(arguments[1]);
  if (first < 3 || first > last) {
    throw Error(ErrorKind::input, fmt::format("{} to {} are no sizes: FIRST is at least 3, LAST no less", first, last));
  }
  for (std::size_t n = first; n <= last; n *= 2) measure_loop(n);
});

}  // namespace
