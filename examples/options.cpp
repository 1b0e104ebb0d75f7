// Limits of a solve, and the error if they are too small.
// --- snippet
#include <chrono>
#include <iostream>
#include <vector>

#include "warpfold/core/error.hpp"
#include "warpfold/interval/solve.hpp"

int main() {
  const std::size_t n = 1000;
  const std::vector<float> weights(n * n, 1);
  const warpfold::interval::Triangulation<float> problem({weights.data(), n, n, n});
  warpfold::Options options;
  options.device = warpfold::parse_device("cpu");  // or "auto", "cuda", "cuda:1"
  options.threads = 2;
  options.deadline = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  options.max_memory = 1 << 20;  // too few
  for (const std::size_t more : {1, 16}) {
    options.max_memory *= more;
    try {
      const auto [solution, report] = warpfold::interval::solve(problem, options);
      std::cout << "cost " << solution.cost << " within " << options.max_memory << " bytes\n";
    } catch (const warpfold::Error& error) {
      using enum warpfold::ErrorKind;
      const bool limit = error.kind() == memory_limit || error.kind() == time_limit;
      std::cerr << (limit ? "limit: " : "error: ") << error.what() << '\n';
      if (!limit) return warpfold::exit_code(error.kind());
    }
  }
}
