// How much faster is a dense triangulation on more threads? Numbers of vertices replace 4096.
#include "../scaling.hpp"

#include <utility>

#include "../dense.hpp"

namespace {

using namespace warpfold;

std::vector<bench::Json> measure_dense(std::size_t n) {
  const std::vector<float> w = bench::random_values<float>(n * n, 1);
  const interval::Triangulation<float> problem({w.data(), n, n, n});
  const std::function solve = [&](const Options& options) {
    interval::Solution<float> solution = interval::solve(problem, options).solution;
    return std::pair(solution.cost, std::move(solution.triangles));
  };
  const auto m = static_cast<double>(n);
  return bench::scaling_rows("triangulate", {{"n", n}, {"dtype", "f32"}}, m * (m - 1) * (m - 2) / 6, 5, solve);
}

}  // namespace

int main(int argc, char** argv) {
  const bool json = argc > 1 && std::string(argv[1]) == "--json";
  std::string command = "bench_interval_scaling --json";
  std::vector<bench::Json> rows;
  for (int i = json ? 2 : 1; i < argc; ++i) {
    command.append(" ").append(argv[i]);
    bench::append(rows, measure_dense(std::stoul(argv[i])));
  }
  if (rows.empty()) rows = measure_dense(4096);
  bench::print_scaling(json, command, rows);
}
