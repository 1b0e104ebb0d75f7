// An algorithm of your own. It is chosen and reported like the library's.
// --- snippet
#include <iostream>
#include <span>
#include <string>
#include <vector>

#include "warpfold/interval/solve.hpp"

using namespace warpfold;
using Polygon = interval::Triangulation<double>;
using Size = interval::TriangulationSize;

interval::Solution<double> cheaper_chord(const Polygon& polygon, Context&) {  // ties go to the smaller k, (1,3)
  const double first = polygon.weight(1, 3), second = polygon.weight(0, 2);
  if (second < first) return {second, {{0, 2, 3}, {0, 1, 2}}, {{0, 2}}};
  return {first, {{0, 1, 3}, {1, 2, 3}}, {{1, 3}}};
}

int main() {
  const interval::TriangulationBackend<double> quadrilaterals{
      .info = {"cheaper-chord", "cpu", "the cheaper one of two chords", "1 operation"},
      .cost = nullptr,  // 0: no other algorithm is cheaper
      .run = cheaper_chord,
      .unsupported_reason = [](const Size& size) -> std::string {
        return size.vertices == 4 ? "" : "solves quadrilaterals alone";
      }};
  const std::vector<double> weights(25, 3);
  for (const std::size_t n : {4, 5}) {
    const Polygon polygon({weights.data(), n, n, n});
    const auto [solution, report] = interval::solve(polygon, {}, std::span(&quadrilaterals, 1));
    std::cout << n << " vertices: cost " << solution.cost << " by " << report.algorithm << '\n';
  }
}
