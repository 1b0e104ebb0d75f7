// How much faster is a dense triangulation on more threads? The arguments are numbers of vertices; default 4096.
#include "../scaling.hpp"

#include <utility>

#include "timing/dense.hpp"

namespace {

using namespace warpfold;

void measure_scaling(std::size_t n) {
  const std::vector<float> w = bench::random_values<float>(n * n, 1);
  const interval::Triangulation<float> problem({w.data(), n, n, n});
  const std::function solve = [&](const Options& options) {
    interval::Solution<float> solution = interval::solve(problem, options).solution;
    return std::pair(solution.cost, std::move(solution.triangles));
  };
  const auto m = static_cast<double>(n);
  bench::measure_scaling("triangulate", {{"n", n}, {"dtype", "f32"}}, m * (m - 1) * (m - 2) / 6, 5, solve);
}

const bench::Question scaling_question(
    "scaling",
    [](const bench::Arguments& arguments) {
      if (arguments.empty()) measure_scaling(4096);
      for (const std::string& n : arguments) measure_scaling(std::stoul(n));
    },
    bench::line_of_scaling);

}  // namespace
