#include "papers/gpu-polygon-triangulation-2013/as_printed.hpp"

#include <algorithm>
#include <limits>
#include <random>

#include "warpfold/interval/solve.hpp"

namespace warpfold::papers::gpu_polygon_2013 {

namespace {

constexpr int default_trials = 300;

/// How often each form of a formula was wrong.
struct Count {
  int instances = 0;
  int printed = 0;
  int corrected = 0;

  void add(bool printed_is_right, bool corrected_is_right) {
    ++instances;
    printed += printed_is_right ? 0 : 1;
    corrected += corrected_is_right ? 0 : 1;
  }
};

Count count_recurrence(int trials, std::mt19937_64& random) {
  Count count;
  for (int trial = 0; trial < trials; ++trial) {
    const std::size_t n = 4 + random() % 9;
    std::vector<std::int64_t> weights(n * n);
    for (auto& w : weights) w = static_cast<std::int64_t>(1 + random() % 100);
    Options options;
    options.algorithm = "reference";
    const interval::Triangulation<std::int64_t> problem({weights.data(), n, n, n});
    const std::int64_t right = interval::solve(problem, options).solution.cost;
    count.add(cost(weights, n, Form::printed) == right, cost(weights, n, Form::corrected) == right);
  }
  return count;
}

Count count_rows() {
  Count count;
  constexpr std::size_t n = 64;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i; j < n; ++j) {
      count.add(sliding_row(n, i, j, Form::printed) < n, sliding_row(n, i, j, Form::corrected) < n);
    }
  }
  return count;
}

Count count_minima(int trials, std::mt19937_64& random) {
  Count count;
  constexpr std::size_t t = 32;
  for (int trial = 0; trial < trials; ++trial) {
    std::vector<std::int64_t> sums(t * (1 + random() % 8));
    for (auto& sum : sums) sum = static_cast<std::int64_t>(random() % 1'000'000);
    const std::int64_t right = *std::ranges::min_element(sums);
    count.add(block_minimum(sums, t, Form::printed) == right, block_minimum(sums, t, Form::corrected) == right);
  }
  return count;
}

}  // namespace

std::int64_t cost(const std::vector<std::int64_t>& weights, std::size_t n, Form form) {
  std::vector<std::int64_t> m(n * n, 0);
  for (std::size_t p = form == Form::printed ? 2 : 1; p + 1 < n; ++p) {
    for (std::size_t i = 1; i + p < n; ++i) {
      std::int64_t best = std::numeric_limits<std::int64_t>::max();
      for (std::size_t k = i; k < i + p; ++k) best = std::min(best, m[i * n + k] + m[(k + 1) * n + i + p]);
      m[i * n + i + p] = best + (p + 2 == n ? 0 : weights[(i - 1) * n + i + p]);
    }
  }
  return m[n + n - 1];
}

std::int64_t block_minimum(const std::vector<std::int64_t>& sums, std::size_t t, Form form) {
  std::int64_t best = std::numeric_limits<std::int64_t>::max();
  for (std::size_t thread = 0; thread < t; ++thread) {
    for (std::size_t j = 0; j < sums.size() / t; ++j) {
      const std::size_t index = form == Form::printed ? j + t + thread : j * t + thread;
      if (index < sums.size()) best = std::min(best, sums[index]);
    }
  }
  return best;
}

Table table(const RunOptions& options) {
  std::mt19937_64 random(options.seed);
  const int trials = options.trials > 0 ? options.trials : default_trials;
  const auto row = [](const char* what, const Count& count) {
    return std::vector<Cell>{what, count.instances, count.printed, count.corrected};
  };
  return {{key("formula"), counted("instances"), counted("wrong as printed"), counted("wrong corrected")},
          {row("M(i,j) = 0 for j - i <= 1, corrected M(i,i) = 0: costs of random polygons",
               count_recurrence(trials, random)),
           row("sliding row i - j + n, corrected j - i: entries inside an n x n array, n = 64", count_rows()),
           row("index j + t + i, corrected j * t + i: minima by 32 threads", count_minima(trials, random))},
          {"random polygons have n = 4 .. 12 and weights 1 .. 100; the oracle is the reference solver"}};
}

}  // namespace warpfold::papers::gpu_polygon_2013
